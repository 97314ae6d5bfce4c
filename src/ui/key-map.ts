// Every key that the app listens to, and every action of a page that has none, with its words. The one table; does nothing itself.

import { toSay } from "../../dictionary/words.ts";
export interface KeyEntry {
  group: KeyGroup;
  /** What it does, for people. */
  label: string;
  /** "n", "ArrowDown", "Alt+ArrowUp", "Mod+Shift+z"; "Mod" is Ctrl, or ⌘ on a Mac. Any of them does it. */
  keys: readonly string[];
  /** Also to be had in the palette. */
  isAction?: true;
}

export type KeyGroup = "Anywhere" | "List" | "Form" | "Rows of a file";

const table = {
  palette: { group: toSay("Anywhere"), label: toSay("Go to, find or do something"), keys: ["Mod+k"] },
  help: { group: toSay("Anywhere"), label: toSay("Keys of this page"), keys: ["?"], isAction: true },
  signOut: { group: toSay("Anywhere"), label: toSay("Sign out"), keys: [], isAction: true },
  search: { group: toSay("List"), label: toSay("Search"), keys: ["/"], isAction: true },
  create: { group: toSay("List"), label: toSay("New record"), keys: ["n"] },
  nextRow: { group: toSay("List"), label: toSay("Next row"), keys: ["j", "ArrowDown"] },
  previousRow: { group: toSay("List"), label: toSay("Previous row"), keys: ["k", "ArrowUp"] },
  rowsOn: { group: toSay("List"), label: toSay("10 rows on"), keys: ["PageDown"] },
  rowsBack: { group: toSay("List"), label: toSay("10 rows back"), keys: ["PageUp"] },
  firstRow: { group: toSay("List"), label: toSay("First row of the page"), keys: ["Home"] },
  lastRow: { group: toSay("List"), label: toSay("Last row of the page"), keys: ["End"] },
  select: { group: toSay("List"), label: toSay("Select the row; with Shift all rows up to it"), keys: [" "] },
  unselect: { group: toSay("List"), label: toSay("Clear the selection"), keys: ["Escape"], isAction: true },
  save: { group: toSay("Form"), label: toSay("Save"), keys: ["Mod+s"], isAction: true },
  saveAndClose: { group: toSay("Form"), label: toSay("Save and close"), keys: ["Mod+Enter"], isAction: true },
  saveAndAnother: { group: toSay("Form"), label: toSay("Save and add another"), keys: [], isAction: true },
  delete: { group: toSay("Form"), label: toSay("Delete this record"), keys: [], isAction: true },
  previous: { group: toSay("Form"), label: toSay("Previous record"), keys: ["Alt+ArrowUp"], isAction: true },
  next: { group: toSay("Form"), label: toSay("Next record"), keys: ["Alt+ArrowDown"], isAction: true },
  nextProblem: { group: toSay("Rows of a file"), label: toSay("Next problem"), keys: ["F8"], isAction: true },
  previousProblem: { group: toSay("Rows of a file"), label: toSay("Previous problem"), keys: ["Shift+F8"] },
  walk: {
    group: toSay("Rows of a file"),
    label: toSay("Walk from cell to cell"),
    keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
  },
  edit: { group: toSay("Rows of a file"), label: toSay("Change the cell; or just type"), keys: ["Enter", "F2"] },
  empty: { group: toSay("Rows of a file"), label: toSay("Empty the cell"), keys: ["Delete", "Backspace"] },
  undo: { group: toSay("Rows of a file"), label: toSay("Undo"), keys: ["Mod+z"], isAction: true },
  redo: { group: toSay("Rows of a file"), label: toSay("Redo"), keys: ["Mod+Shift+z", "Mod+y"], isAction: true },
} as const satisfies Record<string, KeyEntry>;

export type KeyId = keyof typeof table;
export const KEY_MAP: Readonly<Record<KeyId, KeyEntry>> = table;
