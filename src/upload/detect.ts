// What kind of text a file is: encoding and delimiter, from its first bytes. Refuses: files that are no CSV, named for what they are, and empty ones.

import { type Delimiter, parseSample } from "./parse.ts";
import { FileRefused, readText } from "./read.ts";

export interface Dialect {
  encoding: string;
  bom: boolean;
  delimiter: Delimiter;
}

const HEAD_BYTES = 64 * 1024;
const SAMPLE_ROWS = 200;
// In this order when two explain the file equally well: a comma is more often part of a name than a tab is.
const DELIMITERS: readonly Delimiter[] = ["\t", ";", ","];

/** Looks at the first 64 KiB only. `given` is the user's own choice of delimiter. */
export async function detectDialect(file: Blob, given?: Delimiter): Promise<Dialect> {
  const head = file.slice(0, HEAD_BYTES);
  const bytes = new Uint8Array(await head.arrayBuffer());
  refuseOtherFiles(bytes);
  let text = "";
  // Read as if the file went on, so that a character cut in two at the end of the head is no mistake.
  for await (const block of readText(file, HEAD_BYTES)) {
    text = block.text;
    break;
  }
  if (text.trim() === "") throw new FileRefused("This file is empty.", "It has no heading and no rows. Choose another file.");
  refuseOtherTexts(text);
  return {
    encoding: "UTF-8",
    bom: startsWith(bytes, [0xef, 0xbb, 0xbf]),
    delimiter: given ?? detectDelimiter(text, file.size <= HEAD_BYTES),
  };
}

/** The delimiter under which most rows are as wide as the heading; without any, the file has one column. */
export function detectDelimiter(text: string, whole: boolean): Delimiter {
  let best: Delimiter = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const sample = parseSample(text, delimiter, whole);
    const rows = sample.rows.slice(0, SAMPLE_ROWS);
    const width = rows[0]?.length ?? 0;
    if (width < 2) continue;
    const alike = rows.filter((cells) => cells.length === width).length; // the heading speaks for itself, too
    const share = (alike - sample.torn - rows.filter(hasHalfQuote).length / 2) / rows.length;
    if (share > most) [best, most] = [delimiter, share];
  }
  return best;
}

/** Quoted text cut in two by a delimiter inside it: a hint, as `5" pipe` is the same. */
function hasHalfQuote(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.includes('"') && cell.split('"').length % 2 === 0);
}

interface Signature {
  bytes: readonly number[];
  is: string;
  what: string;
}

const SAVE_AS_CSV = "Open it in the program it comes from and save it as CSV (in Excel: “CSV UTF-8”), then choose that file.";
const SIGNATURES: readonly Signature[] = [
  { bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], is: "an Excel workbook (.xls)", what: SAVE_AS_CSV },
  { bytes: [0x25, 0x50, 0x44, 0x46], is: "a PDF document", what: "Ask for the same list as a CSV file." },
  { bytes: [0x1f, 0x8b], is: "a packed file (gzip)", what: "Unpack it and choose the CSV file inside." },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], is: "a packed file (7z)", what: "Unpack it and choose the CSV file inside." },
  { bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66], is: "a text document (RTF)", what: SAVE_AS_CSV },
  { bytes: [0x89, 0x50, 0x4e, 0x47], is: "a picture", what: "Choose a CSV file." },
  { bytes: [0xff, 0xd8, 0xff], is: "a picture", what: "Choose a CSV file." },
  { bytes: [0xff, 0xfe], is: "saved as UTF-16", what: "Save it again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”." },
  { bytes: [0xfe, 0xff], is: "saved as UTF-16", what: "Save it again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”." },
];

function refuseOtherFiles(bytes: Uint8Array): void {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) throw zipRefused(bytes);
  const found = SIGNATURES.find((signature) => startsWith(bytes, signature.bytes));
  if (found) throw new FileRefused(`This file is ${found.is}, not CSV.`, found.what);
  const zeros = [0, 0]; // at even places, at odd places
  for (const [i, byte] of bytes.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return;
  if (Math.max(even, odd) > bytes.length / 4 && Math.min(even, odd) < bytes.length / 50) {
    throw new FileRefused(
      "This file is saved as UTF-16, not UTF-8.",
      "Save it again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”.",
    );
  }
  // A few NULs in a text are cells that the check refuses; more are no text.
  if (even + odd > Math.max(8, bytes.length / 1000)) {
    throw new FileRefused("This file is not text.", "It holds binary data, as programs and pictures do. Choose a CSV file.");
  }
}

/** A ZIP names what is in it; office documents are ZIPs. */
function zipRefused(bytes: Uint8Array): FileRefused {
  const names = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  if (names.includes("[Content_Types].xml") || names.includes("xl/")) {
    const kind = names.includes("word/") ? "a Word document" : "an Excel workbook (.xlsx)";
    return new FileRefused(`This file is ${kind}, not CSV.`, SAVE_AS_CSV);
  }
  if (names.includes("opendocument")) return new FileRefused("This file is an OpenDocument file, not CSV.", SAVE_AS_CSV);
  return new FileRefused("This file is a packed file (ZIP), not CSV.", "Unpack it and choose the CSV file inside.");
}

function refuseOtherTexts(text: string): void {
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (/^<(!doctype|html|\?xml|table)/.test(start)) {
    throw new FileRefused(
      "This file is a web page or XML, not CSV.",
      "Perhaps a sign-in page was saved instead of the list. Download the list again as CSV.",
    );
  }
  if (/^[[{]\s*["{[]/.test(start)) throw new FileRefused("This file is JSON, not CSV.", "Ask for the same list as a CSV file.");
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
