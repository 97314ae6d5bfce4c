// Refuses what looks like a workbook and cannot be read, and says what to do.

import { message, t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { readSlice } from "../reading/text-blocks.ts";
import { passwordRefused } from "./unpack.ts";
import type { ZipEntry } from "./zip-directory.ts";

const SAVE_AS_XLSX = message("Open it in its program and save it as .xlsx or as CSV, then choose that file.");

/** Says what the files in a ZIP make it. */
const OTHERS: readonly [has: RegExp, what: string][] = [
  [/^xl\/workbook\.bin$/, message("This file is a binary Excel workbook (.xlsb), which cannot be read here.")],
  [/\.iwa$|^Index\.zip$/, message("This file is an Apple Numbers file, which cannot be read here.")],
  [/^word\//, message("This file is a Word document, not a table.")],
  [/^ppt\//, message("This file is a presentation, not a table.")],
];

export function rejectOtherOfficeFiles(entries: readonly ZipEntry[]): void {
  for (const [has, what] of OTHERS) {
    if (entries.some(({ name }) => has.test(name))) throw new FileError(t(what), t(SAVE_AS_XLSX));
  }
}

const EDGE = 64 * 1024; // bytes

/** The format of Excel 97 also encloses newer workbooks that have a password. Its directory names what it holds. */
export async function rejectOldWorkbook(file: Blob): Promise<FileError> {
  const head = await readSlice(file, 0, EDGE);
  const tail = await readSlice(file, Math.max(0, file.size - EDGE), Math.min(EDGE, file.size));
  const names = [head, tail].map((bytes) => new TextDecoder("latin1").decode(bytes).replaceAll("\0", "")).join("\n");
  if (/EncryptedPackage|EncryptionInfo/.test(names)) return passwordRefused();
  return new FileError(t("This file is in the format of Excel 97 (.xls) or of another old Office program."), t(SAVE_AS_XLSX));
}
