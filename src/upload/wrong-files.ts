// Files that are no CSV, named for what they are, with what to do. Refuses: all of them. Text that may be CSV passes.

import { say, toSay } from "../../dictionary/words.ts";
import { countControls, startsWith } from "./encoding.ts";
import { FileRefused } from "./read.ts";

const SAVE_AS_CSV = toSay("Open it in the program it comes from and save it as CSV (in Excel: “CSV UTF-8”), then choose that file.");
const UNPACK = toSay("Unpack it and choose the CSV file inside.");
const ASK_FOR_CSV = toSay("Ask for the same list as a CSV file.");
const CHOOSE_CSV = toSay("Choose a CSV file.");

const SIGNATURES: readonly { starts: string; is: string; what: string }[] = [
  {
    starts: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    is: toSay("This file is an Excel workbook (.xls, or one with a password), not CSV."),
    what: SAVE_AS_CSV,
  },
  { starts: "%PDF", is: toSay("This file is a PDF document, not CSV."), what: ASK_FOR_CSV },
  { starts: "\x1f\x8b", is: toSay("This file is a packed file (gzip), not CSV."), what: UNPACK },
  { starts: "7z\xbc\xaf\x27\x1c", is: toSay("This file is a packed file (7z), not CSV."), what: UNPACK },
  { starts: "Rar!\x1a\x07", is: toSay("This file is a packed file (RAR), not CSV."), what: UNPACK },
  { starts: "BZh91AY&SY", is: toSay("This file is a packed file (bzip2), not CSV."), what: UNPACK },
  { starts: "\xfd7zXZ\0", is: toSay("This file is a packed file (xz), not CSV."), what: UNPACK },
  { starts: "\x28\xb5\x2f\xfd", is: toSay("This file is a packed file (zstd), not CSV."), what: UNPACK },
  { starts: "{\\rtf", is: toSay("This file is a text document (RTF), not CSV."), what: SAVE_AS_CSV },
  {
    starts: "SQLite format 3\0",
    is: toSay("This file is a database (SQLite), not CSV."),
    what: toSay("Export the table from it as CSV, then choose that file."),
  },
  {
    starts: "\0\x01\0\0Standard ",
    is: toSay("This file is a database (Access), not CSV."),
    what: toSay("Export the table from it as CSV, then choose that file."),
  },
  { starts: "PAR1\x15", is: toSay("This file is a Parquet file, not CSV."), what: ASK_FOR_CSV },
  { starts: "\x89PNG", is: toSay("This file is a picture, not CSV."), what: CHOOSE_CSV },
  { starts: "\xff\xd8\xff", is: toSay("This file is a picture, not CSV."), what: CHOOSE_CSV },
  { starts: "GIF8", is: toSay("This file is a picture, not CSV."), what: CHOOSE_CSV },
  {
    starts: "\xff\xfe\0\0",
    is: toSay("This file is saved as UTF-32, not CSV."),
    what: toSay("Save it again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”."),
  },
  {
    starts: "\0\0\xfe\xff",
    is: toSay("This file is saved as UTF-32, not CSV."),
    what: toSay("Save it again as UTF-8; in Excel choose “CSV UTF-8 (Comma delimited)”."),
  },
];

/** By the first bytes. Throws FileRefused. */
export function refuseOtherFiles(head: Uint8Array): void {
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06])) throw zipRefused(head);
  const found = SIGNATURES.find(({ starts }) => startsWith(head, bytesOf(starts)));
  if (found) throw refused(found.is, found.what);
}

/** By the first text, once it is read in its encoding. Throws FileRefused. */
export function refuseOtherTexts(text: string): void {
  const start = text.trimStart().slice(0, 1000).toLowerCase();
  if (start.includes('progid="excel.sheet"') || start.includes("urn:schemas-microsoft-com:office:")) {
    throw refused(toSay("This file is an Excel workbook (saved as XML or as a web page), not CSV."), SAVE_AS_CSV);
  }
  if (/^<(!doctype|html|head|body|table|!--)/.test(start)) {
    const perhaps = toSay("Perhaps a sign-in page was saved instead of the list. Download the list again as CSV.");
    throw refused(toSay("This file is a web page, not CSV."), perhaps);
  }
  if (/^<(\?xml|[a-z][\w:.-]*[\s/>])/.test(start)) throw refused(toSay("This file is XML, not CSV."), ASK_FOR_CSV);
  if (/^(\[\s*["{[\]]|\{\s*["}])/.test(start)) throw refused(toSay("This file is JSON, not CSV."), ASK_FOR_CSV);
  if (start.startsWith("begin:v")) throw refused(toSay("This file holds contact cards or a calendar, not CSV."), ASK_FOR_CSV);
  // A few NULs in a text are cells that the check refuses; more are no text.
  if (countControls(text) > Math.max(8, text.length / 1000)) {
    throw refused(toSay("This file is not text."), toSay("It holds binary data, as programs and pictures do. Choose a CSV file."));
  }
}

/** A ZIP names what is in it; office documents are ZIPs. */
function zipRefused(head: Uint8Array): FileRefused {
  const names = new TextDecoder("latin1").decode(head);
  if (names.includes("opendocument")) return refused(toSay("This file is an OpenDocument file (.ods), not CSV."), SAVE_AS_CSV);
  if (names.includes(".iwa") || names.includes("Index/"))
    return refused(toSay("This file is an Apple Numbers file, not CSV."), SAVE_AS_CSV);
  if (names.includes("[Content_Types].xml") || names.includes("xl/")) {
    const isText = names.includes("word/");
    return refused(
      isText ? toSay("This file is a Word document, not CSV.") : toSay("This file is an Excel workbook (.xlsx), not CSV."),
      SAVE_AS_CSV,
    );
  }
  return refused(toSay("This file is a packed file (ZIP), not CSV."), UNPACK);
}

function bytesOf(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

function refused(title: string, detail: string): FileRefused {
  return new FileRefused(say(title), say(detail));
}
