// Loads the reader of workbooks and archives. Few files need it, so it is a script of its own.

import { t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";

/** ZIP, which workbooks are, too; gzip; and the older format of Excel, to refuse it. */
const STARTS = ["PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "\xd0\xcf\x11\xe0"];

/** By the first bytes of a file. */
export function isContainer(head: Uint8Array): boolean {
  const start = String.fromCharCode(...head.subarray(0, 4));
  return STARTS.some((each) => start.startsWith(each));
}

/** Of workbooks and archives. */
export function loadContainers() {
  return import("./open-container.ts").catch(loadFailed);
}

/** Throws FileError: a script that is loaded late could not be fetched. */
export function loadFailed(): never {
  throw new FileError(
    t("A part of the app could not be loaded."),
    t("It is needed to read this kind of file. Reload the page and choose the file again."),
  );
}
