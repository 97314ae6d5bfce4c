// `intake backup`: copies the SQLite store, from its file or through the service that runs on it.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { API_ROOT, BACKUP_PATH } from "../../core/contract/paths.ts";
import { copyUnusedFile } from "../engine/sqlite/backup.ts";
import { type StoreCopy, StoreInUse } from "../engine/store.ts";
import { readContentPlace, readPlace, StartError } from "../open-store.ts";
import { commandLine, readWords } from "./command-line.ts";
import { contentFolderOf, copyContent, hasFileFields } from "./copy-content.ts";
import { rejectionOf, signIn } from "./service-client.ts";
import { writeStoreFile } from "./write-store-file.ts";

const BACKUP = commandLine("backup");
const USAGE = `${BACKUP} FILE            writes a copy of the store to FILE, checked and whole or not at all, and the files of records to FILE.files
${BACKUP} FILE --force    also if FILE exists already`;

export async function backUp(args: readonly string[]): Promise<string> {
  const { words, values } = readWords(args, USAGE, 1, { force: { type: "boolean" } });
  const [target] = words;
  if (!target) throw new StartError(USAGE);
  const { folder, url } = readPlace(process.env);
  const service = process.env.URL;
  const store = join(folder, "intake.db");
  if (url && !service) throw new StartError("The store is a PostgreSQL database: use pg_dump (docs/operators.md).");
  if (existsSync(target)) {
    if (statSync(target).isDirectory()) throw new StartError(`"${target}" is a folder: name a file, such as ${join(target, "copy.db")}.`);
    if (isSame(target, store)) throw new StartError(`${target} is the store itself; choose another name.`);
    if (!values.force) throw new StartError(`${target} exists already; choose another name, or add --force to replace it.`);
  }
  const into = dirname(target);
  // The disk is not mounted: the copy would be on the wrong one.
  if (!statSync(into, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder ${into}: make it, or mount the disk that it is on.`);
  // A service at an address may keep its files elsewhere: only whoever names its folder or bucket (FILES) has them here.
  const content = service && process.env.FILES === undefined ? undefined : readContentPlace(process.env, { folder, url });
  const copied = contentFolderOf(target);
  // It copies before and after: what the copy names was there at one of both times, also where something is removed or added meanwhile.
  let files = await copyContent(content, copied);
  const copy = await copyOf(store, Boolean(service));
  const written = await writeStoreFile(copy, target, { free: values.force ? [] : [target] });
  files += await copyContent(content, copied);
  if (files > 0) return `${target}: ${written}; ${files} ${files === 1 ? "file" : "files"} in ${copied}`;
  const isWithout = content === undefined && hasFileFields(target);
  return `${target}: ${written}${isWithout ? ". The files of records are not in it: copy the folder or the bucket of the service (FILES) as well" : ""}`;
}

/** Copies from the service if it runs here and holds the file, or if URL names one; otherwise from the file. */
async function copyOf(store: string, isRemote: boolean): Promise<StoreCopy> {
  if (isRemote) return fromService();
  if (!existsSync(store)) throw new StartError(`There is no store at ${store}; set DATA_DIR, or URL and ADMIN_KEY of a running service.`);
  try {
    return await copyUnusedFile(store);
  } catch (error) {
    if (error instanceof StoreInUse) return fromService();
    throw error;
  }
}

async function fromService(): Promise<StoreCopy> {
  const call = await signIn(process.env);
  const reply = await call("GET", API_ROOT + BACKUP_PATH);
  if (!reply.ok || !reply.body) throw await rejectionOf("The service gave no copy", reply);
  return { bytes: Number(reply.headers.get("content-length")), stream: Readable.fromWeb(reply.body as ReadableStream) };
}

function isSame(one: string, other: string): boolean {
  if (!existsSync(other)) return false;
  const [a, b] = [statSync(one), statSync(other)];
  return a.ino === b.ino && a.dev === b.dev;
}
