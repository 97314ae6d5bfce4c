// Loads the reader of workbooks and archives. Few files need it, so it is a script of its own.

import { loadFailed } from "../model/file-error.ts";

/** ZIP, which workbooks are, too; gzip; and the older format of Excel, to refuse it. */
const STARTS = ["PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "\xd0\xcf\x11\xe0"];

/** Goes by the first bytes of a file. */
export function isContainer(head: Uint8Array): boolean {
  const start = String.fromCharCode(...head.subarray(0, 4));
  return STARTS.some((each) => start.startsWith(each));
}

/** Loads the code that reads workbooks and archives. */
export function loadContainers() {
  return import("./open-container.ts").catch(loadFailed);
}
