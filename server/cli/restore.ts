// `intake restore`: makes a backup the store of a DATA_DIR that has none.

import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPlace, StartError } from "../open-store.ts";
import { commandLine } from "./command-line.ts";
import { writeStoreFile } from "./write-store-file.ts";

const USAGE = `${commandLine("restore")} FILE    makes FILE, a backup, the store of DATA_DIR, which must have none`;

export async function restore([file = "", ...more]: readonly string[]): Promise<string> {
  if (file === "" || file.startsWith("-") || more.length > 0) throw new StartError(USAGE);
  const { folder, url } = readPlace(process.env);
  if (url) throw new StartError("The store is a PostgreSQL database: use pg_restore (docs/operators.md).");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StartError(`There is no file ${file}.`);
  const store = join(folder, "intake.db");
  // SQLite would read the log of an older store into this one.
  const existing = [store, `${store}-wal`, `${store}-journal`].find((path) => existsSync(path));
  if (existing)
    throw new StartError(`${existing} is there already: stop the service and move it away, or name another folder with DATA_DIR.`);
  const found = await writeStoreFile({ bytes: statSync(file).size, stream: createReadStream(file) }, store);
  return `${store}: ${found}. Start the service on it.`;
}
