// Cells as spreadsheets put them into the clipboard: tabs, line breaks, and quotation marks where a cell needs them.

import { splitRows } from "../../pipeline/reading/split-rows.ts";

/** Writes cells as Excel and LibreOffice do. */
export function toClipboard(texts: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return texts.map((line) => line.map(cell).join("\t")).join("\r\n");
}

/** Reads what a spreadsheet copied. Its last line break ends the last row. */
export function fromClipboard(text: string): string[][] {
  const options = { delimiter: "\t", mark: '"', hasBackslash: false, allowsSpace: false } as const;
  return splitRows(text.replace(/\r\n?/g, "\n").replace(/\n$/, ""), options, false).data;
}
