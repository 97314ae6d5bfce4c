// Every key that the app listens to, and every action of a page that has none, with its words. The one table; does nothing itself.

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
  palette: { group: "Anywhere", label: "Go to, find or do something", keys: ["Mod+k"] },
  help: { group: "Anywhere", label: "Keys of this page", keys: ["?"], isAction: true },
  signOut: { group: "Anywhere", label: "Sign out", keys: [], isAction: true },
  search: { group: "List", label: "Search", keys: ["/"], isAction: true },
  create: { group: "List", label: "New record", keys: ["n"] },
  nextRow: { group: "List", label: "Next row", keys: ["j", "ArrowDown"] },
  previousRow: { group: "List", label: "Previous row", keys: ["k", "ArrowUp"] },
  rowsOn: { group: "List", label: "10 rows on", keys: ["PageDown"] },
  rowsBack: { group: "List", label: "10 rows back", keys: ["PageUp"] },
  firstRow: { group: "List", label: "First row of the page", keys: ["Home"] },
  lastRow: { group: "List", label: "Last row of the page", keys: ["End"] },
  select: { group: "List", label: "Select the row; with Shift all rows up to it", keys: [" "] },
  unselect: { group: "List", label: "Clear the selection", keys: ["Escape"], isAction: true },
  save: { group: "Form", label: "Save", keys: ["Mod+s"], isAction: true },
  saveAndClose: { group: "Form", label: "Save and close", keys: ["Mod+Enter"], isAction: true },
  saveAndAnother: { group: "Form", label: "Save and add another", keys: [], isAction: true },
  delete: { group: "Form", label: "Delete this record", keys: [], isAction: true },
  previous: { group: "Form", label: "Previous record", keys: ["Alt+ArrowUp"], isAction: true },
  next: { group: "Form", label: "Next record", keys: ["Alt+ArrowDown"], isAction: true },
  nextProblem: { group: "Rows of a file", label: "Next problem", keys: ["F8"], isAction: true },
  previousProblem: { group: "Rows of a file", label: "Previous problem", keys: ["Shift+F8"] },
  walk: { group: "Rows of a file", label: "Walk from cell to cell", keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] },
  edit: { group: "Rows of a file", label: "Change the cell; or just type", keys: ["Enter", "F2"] },
  empty: { group: "Rows of a file", label: "Empty the cell", keys: ["Delete", "Backspace"] },
  undo: { group: "Rows of a file", label: "Undo", keys: ["Mod+z"], isAction: true },
  redo: { group: "Rows of a file", label: "Redo", keys: ["Mod+Shift+z", "Mod+y"], isAction: true },
} as const satisfies Record<string, KeyEntry>;

export type KeyId = keyof typeof table;
export const KEY_MAP: Readonly<Record<KeyId, KeyEntry>> = table;
