// Cells to a line of CSV (RFC 4180). Writing only; reading a file is the upload's.

export const BOM = "\uFEFF"; // without it Excel takes UTF-8 for the local code page

// What a spreadsheet would run as a formula (OWASP, CSV injection), also behind a line break or in full width.
const FORMULA = /(^|[\r\n])[\s]*[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** One line with its CRLF. Cells are written exactly as they are. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/** A cell that no spreadsheet runs: an apostrophe goes before what looks like a formula. A number stays a number. */
export function guardFormula(cell: string): string {
  return FORMULA.test(cell) && !/^-?[0-9.]+$/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
