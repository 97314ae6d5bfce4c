// Rewrites the SQLite file without the bytes that deleted and moved rows have left in it.

import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "libsql";
import { StoreFull, StoreTooCostly } from "../store.ts";
import { connect, requireSameFile } from "./file.ts";
import { toStoreError } from "./transaction.ts";

const MOST_WHILE_OTHERS_WAIT = 1024 ** 3; // bytes; each GB takes ten to twenty seconds
const CACHE = 16_384; // KiB

export interface RewrittenFile {
  /** The connection that writes. */
  writer: Database;
  file: string;
  /** Moves the whole log into the file. */
  moveLog(): Promise<void>;
}

/** Does what `Store.rewrite` says. A crash leaves what was stored. */
export async function rewriteFile({ writer, file, moveLog }: RewrittenFile, isAlone: boolean): Promise<void> {
  await moveLog();
  requireSameFile(writer, file);
  const { size } = statSync(file);
  if (!isAlone && size > MOST_WHILE_OTHERS_WAIT) throw new StoreTooCostly("the file is too large to be rewritten while others write");
  const { bavail, bsize } = statfsSync(dirname(file));
  if (2 * size > bavail * bsize) throw new StoreFull("the disk needs room for the file twice more");
  const db = connect(file, CACHE); // on the one that writes a statement that has not ended forbids VACUUM
  try {
    db.pragma("temp_store = FILE"); // libsql's default is memory, and VACUUM copies the whole file
    db.exec("VACUUM");
  } catch (error) {
    throw toStoreError(error);
  } finally {
    db.close();
  }
  await moveLog(); // the new pages stand in the log, and the file has its old ones until then
}
