// Cells to a line of CSV (RFC 4180), and the guard of a cell put on and taken off. Reading a file is the upload's.

export const BOM = "\uFEFF"; // without it Excel takes UTF-8 for the local code page

// What a spreadsheet would run as a formula (OWASP, CSV injection), also behind a line break or in full width.
const FORMULA = /(^|[\r\n])[\s]*[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",;|\t\r\n]|^\s|\s$/;

/** One line with its CRLF. Cells are written exactly as they are. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/** A cell that no spreadsheet runs: an apostrophe goes before what looks like a formula. A number stays a number. */
export function guardFormula(cell: string): string {
  return needsGuard(cell) ? `'${cell}` : cell;
}

/** The cell as it was before guardFormula, whatever it was; other cells stay as they are. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell;
}

/** What looks guarded already is guarded once more, so that the guard can be taken off again. */
function needsGuard(cell: string): boolean {
  const text = cell.replace(/^'+/, "");
  return FORMULA.test(text) && !/^-?[0-9.]+(e[+-]?[0-9]+)?$/.test(text);
}

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
