// Rewrites the SQLite file without the bytes that deleted and moved rows have left in it.

import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreFull, StoreTooCostly } from "../store.ts";
import { connect } from "./file.ts";
import { toStoreError } from "./transaction.ts";

const MOST_WHILE_OTHERS_WAIT = 1024 ** 3; // bytes; each GB takes ten to twenty seconds
const CACHE = 16_384; // KiB

/** Does what `Store.rewrite` says. `moveLog`: into the file, all of it. A crash leaves what was stored. */
export async function rewriteFile(file: string, isAlone: boolean, moveLog: () => Promise<void>): Promise<void> {
  await moveLog();
  const { size } = statSync(file);
  if (!isAlone && size > MOST_WHILE_OTHERS_WAIT) throw new StoreTooCostly("the file is too large to be rewritten while others write");
  const { bavail, bsize } = statfsSync(dirname(file));
  if (2 * size > bavail * bsize) throw new StoreFull("the disk needs room for the file twice more");
  const db = connect(file, CACHE); // on the one that writes a statement that has not ended forbids VACUUM
  try {
    db.exec("VACUUM");
  } catch (error) {
    throw toStoreError(error);
  } finally {
    db.close();
  }
  await moveLog(); // the new pages stand in the log, and the file has its old ones until then
}
