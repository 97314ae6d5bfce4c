// Recognises files that are not CSV, and says what they are and what to do.

import { message, t, tNumber } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { countControls, countLineEnds, FEW_CONTROLS } from "./encoding.ts";

const SAVE_AS_CSV = message("Open it in its program and save it as CSV (in Excel: “CSV UTF-8”), then choose that file.");
const UNPACK = message("Unpack it and choose the CSV file inside.");
const REQUEST_CSV = message("Ask for the same list as a CSV file.");
const CHOOSE_CSV = message("Choose a CSV file.");

const EXPORT = message("Export the table from it as CSV, then choose that file.");
const PACKED = message("This file is a packed file ({name}), not CSV.");

const SIGNATURES: readonly [is: string, what: string, ...starts: string[]][] = [
  [message("This file is a PDF document, not CSV."), REQUEST_CSV, "%PDF"],
  [message("This file is a text document (RTF), not CSV."), SAVE_AS_CSV, "{\\rtf"],
  [message("This file is a database (SQLite), not CSV."), EXPORT, "SQLite format 3\0"],
  [message("This file is a database (Access), not CSV."), EXPORT, "\0\x01\0\0Standard "],
  [message("This file is a Parquet file, not CSV."), REQUEST_CSV, "PAR1\x15", "PAR1\0", "PARE\x15"],
  [message("This file holds data for programs (Arrow or Avro), not CSV."), REQUEST_CSV, "ARROW1\0", "Obj\x01"],
  [message("This file is a picture, not CSV."), CHOOSE_CSV, "\x89PNG", "\xff\xd8\xff", "GIF8"],
  [
    message("This file is saved as UTF-32, not CSV."),
    message("Save it again as UTF-8 (in Excel: “CSV UTF-8”)."),
    "\xff\xfe\0\0",
    "\0\0\xfe\xff",
  ],
];

const PACKERS: Readonly<Record<string, string>> = {
  gzip: "\x1f\x8b",
  ZIP: "PK\x03\x04",
  "7z": "7z\xbc\xaf\x27\x1c",
  RAR: "Rar!\x1a\x07",
  bzip2: "BZh91AY&SY",
  xz: "\xfd7zXZ\0",
  zstd: "\x28\xb5\x2f\xfd",
};

/** Goes by the first bytes of a file, or of one in an archive. Throws FileError. */
export function rejectOtherFiles(head: Uint8Array): void {
  const start = String.fromCharCode(...head.subarray(0, 24)); // more than any signature has
  const isLike = (each: string) => start.startsWith(each);
  for (const [is, what, ...starts] of SIGNATURES) if (starts.some(isLike)) throw refused(is, what);
  for (const name in PACKERS) if (isLike(PACKERS[name] as string)) throw refused(PACKED, UNPACK, name);
}

/** Goes by the first text, once it is decoded. Throws FileError. */
export function rejectOtherTexts(text: string): void {
  const start = text.trimStart().slice(0, 1000).toLowerCase();
  if (start.includes('progid="excel.sheet"') || start.includes("urn:schemas-microsoft-com:office:")) {
    throw refused(message("This file is an Excel workbook (saved as XML or as a web page), not CSV."), SAVE_AS_CSV);
  }
  if (/^<(!doctype|html|head|body|table|!--)/.test(start)) {
    const perhaps = message("Perhaps a sign-in page was saved. Download the list again as CSV.");
    throw refused(message("This file is a web page, not CSV."), perhaps);
  }
  if (/^<(\?xml|[a-z][\w:.-]*[\s/>])/.test(start)) throw refused(message("This file is XML, not CSV."), REQUEST_CSV);
  if (/^(\[\s*["{[\]]|\{\s*["}])/.test(start)) {
    throw refused(message("This file is JSON, not CSV."), message("Ask for the same list as CSV, or as JSON Lines: one object a line."));
  }
  if (start.startsWith("begin:v")) throw refused(message("This file holds contact cards or a calendar, not CSV."), REQUEST_CSV);
  const nuls = text.indexOf(NULS);
  if (nuls > 0 && countControls(text.slice(0, nuls)) <= FEW_CONTROLS) throw damaged(1 + countLineEnds(text.slice(0, nuls)));
  // A few NULs are cells that the check refuses. Many mean that the file is not text.
  if (countControls(text) > Math.max(FEW_CONTROLS, text.length / 1000)) {
    throw refused(message("This file is not text."), message("It holds binary data, as pictures do. Choose a CSV file."));
  }
}

/** Has more NULs than stand together by chance. */
export const NULS = "\0".repeat(32);

/** `line`: where a block of NULs begins. */
export function damaged(line: number): FileError {
  const detail = t("A full disk or a broken transfer leaves them, and rows are lost. Ask for the file again.");
  return new FileError(t("This file is damaged: line {line} has a block of NUL bytes.", { line: tNumber(line) }), detail);
}

function refused(title: string, detail: string, name?: string): FileError {
  return new FileError(t(title, { name }), t(detail));
}
