// Says what each shortcut does. It is not in key-map.ts, because only help, palette and about page need it.

import { message } from "../../../core/i18n/translate.ts";
import type { KeyId } from "./key-map.ts";

export interface KeyLabel {
  group: KeyGroup;
  label: string;
}

export const ANYWHERE = message("Anywhere");
const LIST = message("List");
const PREVIEW = message("Beside the list");
const FORM = message("Form");
const ROWS = message("Rows of a file");

export type KeyGroup = typeof ANYWHERE | typeof LIST | typeof PREVIEW | typeof FORM | typeof ROWS;

export const KEY_LABELS: Readonly<Record<KeyId, KeyLabel>> = {
  palette: { group: ANYWHERE, label: message("Search pages, records and actions") },
  help: { group: ANYWHERE, label: message("Keyboard shortcuts") },
  signOut: { group: ANYWHERE, label: message("Sign out") },
  foldSidebar: { group: ANYWHERE, label: message("Fold or unfold the sidebar") },
  search: { group: LIST, label: message("Search") },
  create: { group: LIST, label: message("New record") },
  nextRow: { group: LIST, label: message("Next row") },
  previousRow: { group: LIST, label: message("Previous row") },
  rowsOn: { group: LIST, label: message("10 rows down") },
  rowsBack: { group: LIST, label: message("10 rows up") },
  firstRow: { group: LIST, label: message("First row of the page") },
  lastRow: { group: LIST, label: message("Last row of the page") },
  editRow: { group: LIST, label: message("Edit the row in its place") },
  preview: { group: LIST, label: message("Show the record beside the list") },
  editPreviewed: { group: PREVIEW, label: message("Edit the record that is shown beside the list") },
  closePreview: { group: PREVIEW, label: message("Close what is shown beside the list") },
  select: { group: LIST, label: message("Select the row; with Shift, a range") },
  openView: { group: LIST, label: message("Open a view by its place") },
  moveColumn: { group: LIST, label: message("Move the column, at its heading") },
  sizeColumn: { group: LIST, label: message("Make the column wider or narrower, at its heading") },
  unselect: { group: LIST, label: message("Clear the selection") },
  changeSelected: { group: LIST, label: message("Change the selected records…") },
  deleteSelected: { group: LIST, label: message("Delete the selected records…") },
  save: { group: FORM, label: message("Save") },
  saveAndClose: { group: FORM, label: message("Save and close") },
  saveAndAnother: { group: FORM, label: message("Save and add another") },
  goToField: { group: FORM, label: message("Go to a field by its name") },
  nextSection: { group: FORM, label: message("Next section of the form") },
  previousSection: { group: FORM, label: message("Previous section of the form") },
  keepApart: { group: LIST, label: message("Two records are not the same") },
  mergeRecords: { group: LIST, label: message("Merge two records…") },
  mergeShown: { group: LIST, label: message("Merge the records that are shown") },
  editRecord: { group: FORM, label: message("Go to the first field") },
  keepValue: { group: FORM, label: message("Keep the value of this field for the next record") },
  delete: { group: FORM, label: message("Delete this record") },
  previous: { group: FORM, label: message("Previous record") },
  next: { group: FORM, label: message("Next record") },
  nextProblem: { group: ROWS, label: message("Next problem") },
  previousProblem: { group: ROWS, label: message("Previous problem") },
  moveFocus: { group: ROWS, label: message("Move from cell to cell") },
  selectCells: { group: ROWS, label: message("Select a block of cells, to copy, paste or clear it") },
  edit: { group: ROWS, label: message("Edit the cell, or just type") },
  empty: { group: ROWS, label: message("Clear the cells") },
  fillDown: { group: ROWS, label: message("Fill the selected cells down") },
  undo: { group: ANYWHERE, label: message("Undo") },
  redo: { group: ROWS, label: message("Redo") },
};
