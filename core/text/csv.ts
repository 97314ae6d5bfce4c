// Cells to a line of CSV (RFC 4180), and the guard of a cell put on and taken off. Reading a file is the upload's.

export const BOM = "\uFEFF"; // without it Excel takes UTF-8 for the local code page

// These signs are what a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), also in full width: at the start of a cell, and
// behind \r \n \t ; , where some country's spreadsheet begins another cell, whatever delimiter the file has. A number stays a
// number. So does a figure that ends its line behind a break, such as a telephone number.
const AT_START = /^([^\S\r\n\t;,]*)('*)(?=[=+\-@＝＋－＠])(?!-?[0-9.]+(?:e[+-]?[0-9]+)?$)/;
const INSIDE = /([\r\n\t;,](?:[^\S\r\n\t;,]|")*)('*)(?=[=+\-@＝＋－＠])(?![-+0-9 ()./]*"*(?:[\r\n]|$))/g;
const QUOTED = /[",;|\t\r\n]|^\s|\s$/;

/** Writes one line with its CRLF. Cells are written exactly as they are. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(",")}\r\n`;
}

/**
 * Returns a cell that no spreadsheet runs: an apostrophe goes before what looks like a formula, at its beginning and behind each line
 * break, tab, semicolon and comma in it. A spreadsheet that splits a line elsewhere than the file does (a German one at
 * semicolons) does not see the quotation marks of `1,"x;=1+1;y"`, and would run the middle of the cell.
 *
 * Takes time in proportion to the cell's length.
 */
export function guardFormula(cell: string): string {
  return replaceGuards(cell, (_, before, guards) => `${before}'${guards}`);
}

/** Returns the text of a cell as its file means it. `isExact`: the file's form has no guards, so that an apostrophe is the text's own. */
export function plainCell(cell: string, isExact: boolean | undefined): string {
  return isExact ? cell : unguardFormula(cell);
}

const TEXT_FORMULA = /^="([^"]*)"$/;
const EQUALS = 61;

/**
 * Returns the cell as it was before guardFormula, whatever it was. Of `="0042"`, by which other programs keep the zeros of a text, the text
 * between the marks. Other cells stay as they are.
 */
export function unguardFormula(cell: string): string {
  if (cell.charCodeAt(0) === EQUALS) {
    const text = TEXT_FORMULA.exec(cell)?.[1];
    if (text !== undefined) return text;
  }
  if (!cell.includes("'")) return cell;
  return replaceGuards(cell, (_, before, guards) => before + guards.slice(1));
}

function replaceGuards(cell: string, by: (all: string, before: string, guards: string) => string): string {
  return cell.replace(AT_START, by).replace(INSIDE, by);
}

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
