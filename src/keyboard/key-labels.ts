// What each key and action of key-map.ts does, for people, and where. A file of its own: only help, palette and about need it.

import { toSay } from "../../core/i18n/translate.ts";
import type { KeyId } from "./key-map.ts";

export interface KeyWords {
  group: KeyGroup;
  label: string;
}

export const ANYWHERE = toSay("Anywhere");
const LIST = toSay("List");
const FORM = toSay("Form");
const ROWS = toSay("Rows of a file");

export type KeyGroup = typeof ANYWHERE | typeof LIST | typeof FORM | typeof ROWS;

export const KEY_WORDS: Readonly<Record<KeyId, KeyWords>> = {
  palette: { group: ANYWHERE, label: toSay("Go to, find or do something") },
  help: { group: ANYWHERE, label: toSay("Keys of this page") },
  signOut: { group: ANYWHERE, label: toSay("Sign out") },
  search: { group: LIST, label: toSay("Search") },
  create: { group: LIST, label: toSay("New record") },
  nextRow: { group: LIST, label: toSay("Next row") },
  previousRow: { group: LIST, label: toSay("Previous row") },
  rowsOn: { group: LIST, label: toSay("10 rows on") },
  rowsBack: { group: LIST, label: toSay("10 rows back") },
  firstRow: { group: LIST, label: toSay("First row of the page") },
  lastRow: { group: LIST, label: toSay("Last row of the page") },
  select: { group: LIST, label: toSay("Select the row; with Shift all rows up to it") },
  unselect: { group: LIST, label: toSay("Clear the selection") },
  save: { group: FORM, label: toSay("Save") },
  saveAndClose: { group: FORM, label: toSay("Save and close") },
  saveAndAnother: { group: FORM, label: toSay("Save and add another") },
  delete: { group: FORM, label: toSay("Delete this record") },
  previous: { group: FORM, label: toSay("Previous record") },
  next: { group: FORM, label: toSay("Next record") },
  nextProblem: { group: ROWS, label: toSay("Next problem") },
  previousProblem: { group: ROWS, label: toSay("Previous problem") },
  walk: { group: ROWS, label: toSay("Walk from cell to cell") },
  edit: { group: ROWS, label: toSay("Change the cell; or just type") },
  empty: { group: ROWS, label: toSay("Empty the cell") },
  undo: { group: ROWS, label: toSay("Undo") },
  redo: { group: ROWS, label: toSay("Redo") },
};
