// `intake restore`: makes a backup the store of a DATA_DIR that has none.

import { chmodSync, createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { markRestored } from "../engine/sqlite/check-file.ts";
import { requirePrivateFiles } from "../engine/sqlite/file-access.ts";
import { readContentPlace, readPlace, StartError } from "../open-store.ts";
import { commandLine, readWords } from "./command-line.ts";
import { contentFolderOf, copyContent, hasContent, hasFileFields } from "./copy-content.ts";
import { writeStoreFile } from "./write-store-file.ts";

const USAGE = `${commandLine("restore")} FILE    makes FILE, a backup, the store of DATA_DIR, which must have none`;

export async function restore(args: readonly string[]): Promise<string> {
  const [file] = readWords(args, USAGE, 1, {}).words;
  if (!file) throw new StartError(USAGE);
  const { folder, url } = readPlace(process.env);
  if (url) throw new StartError("The store is a PostgreSQL database: use pg_restore (docs/operators.md).");
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new StartError(`There is no file "${file}".`);
  if (!stats.isFile()) throw new StartError(`"${file}" is not a file: name the file of a backup.`);
  const store = join(folder, "intake.db");
  // SQLite would read the log of an older store into this one.
  const free = [store, `${store}-wal`, `${store}-journal`];
  const existing = free.find((path) => existsSync(path));
  if (existing)
    throw new StartError(`${existing} is there already: stop the service and move it away, or name another folder with DATA_DIR.`);
  makePrivate(folder, store);
  const content = readContentPlace(process.env, { folder, url });
  // It comes first: a record never names content that is not there.
  const files = await copyContent(content, contentFolderOf(file), true);
  const found = await writeStoreFile({ bytes: stats.size, stream: createReadStream(file) }, store, { finish: markRestored, free });
  const isWithout = files === 0 && hasFileFields(store) && !(await hasContent(content));
  const without = isWithout
    ? ` There are no files of records in ${contentFolderOf(file)}: put the folder that was copied with it in their place.`
    : "";
  return `${store}: ${found}${files > 0 ? `, ${files} ${files === 1 ? "file" : "files"}` : ""}. Start the service on it.${without}`;
}

/** Closes a folder that was made by hand, as the start demands it, unless it has files that others may need. Throws StartError or StoreOpenError. */
function makePrivate(folder: string, store: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory() || process.env.SHARED_DATA_DIR === "true") return;
  try {
    if (readdirSync(folder).every((name) => ["", "-shm", ".lock", ".reserve"].some((end) => name === basename(store) + end)))
      chmodSync(folder, 0o700);
  } catch (error) {
    throw new StartError(`${folder} cannot be closed to other users: ${(error as Error).message}.`);
  }
  requirePrivateFiles(store);
}
