// `intake erase` and `intake copy`: one record, in the store or through the service that runs on it.

import type { Erasure, RecordCopy } from "../../core/contract/history.ts";
import { API_ROOT, copyPath, erasurePath, REWRITE_PATH } from "../../core/contract/paths.ts";
import { ERASE_COMMAND } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withMeant } from "../../core/text/option-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import type { Store } from "../engine/store.ts";
import { copyOf, eraseRecord, rewriteStore } from "../history/erasure.ts";
import { HttpError } from "../http/errors.ts";
import { openExistingStore, StartError } from "../open-store.ts";
import { readDictionary } from "../read-dictionary.ts";
import { type Command, commandLine, readWords } from "./command-line.ts";
import { rejectionOf, signIn } from "./service-client.ts";

export const erase: Command = async (args) => {
  const { collections } = readDictionary(process.env.DICTIONARY);
  const usage = `${usageOf("erase", collections)}\n${commandLine("erase")} --rewrite\n  rewrites the store's files without what erased records have left in them.`;
  const { words, values } = readWords(args, usage, 2, { rewrite: { type: "boolean" } });
  if (values.rewrite && words.length > 0) throw new StartError(usage);
  if (values.rewrite) {
    const inStore = (store: Store) => rewriteStore(store, true);
    await inStoreOrService({ collections, inStore, method: "POST", path: REWRITE_PATH, read: refuseUnlessDone });
    return "The store's files are rewritten.";
  }
  const wanted = readWanted(words, collections, usage);
  const { collection, id } = wanted;
  const erasure = await withRecord<Erasure>({
    ...wanted,
    inStore: (store) => eraseRecord(collection, store, id, { by: ERASE_COMMAND, source: { type: "api", run: null } }),
    method: "POST",
    path: erasurePath(collection.name, id),
  });
  return `Erased for good: ${collection.noun} ${id}, at ${erasure.at}. Backups that were made before still have it.`;
};

export const copy: Command = async (args) => {
  const { collections } = readDictionary(process.env.DICTIONARY);
  const usage = usageOf("copy", collections);
  const wanted = readWanted(readWords(args, usage, 2, {}).words, collections, usage);
  const { collection, id } = wanted;
  const inStore = (store: Store) => copyOf(collection, store, id);
  return JSON.stringify(await withRecord<RecordCopy>({ ...wanted, inStore, method: "GET", path: copyPath(collection.name, id) }), null, 2);
};

interface Wanted {
  /** All of them: a store that is opened with fewer would lose the others. */
  collections: readonly Collection[];
  collection: Collection;
  id: number;
}

function usageOf(command: string, collections: readonly Collection[]): string {
  const names = collections.map(({ name }) => name).join(", ");
  return `${commandLine(command)} COLLECTION ID\n  COLLECTION: ${names}. ID: the number of one record.`;
}

function readWanted([name, id]: readonly string[], collections: readonly Collection[], usage: string): Wanted {
  if (name === undefined || id === undefined) throw new StartError(usage);
  const collection = collections.find((one) => one.name === name);
  if (!collection) {
    const found = closest(
      name,
      collections.map((one) => one.name),
    );
    throw new StartError(`${withMeant(`There is no collection "${name}"`, found)}\n${usage}`);
  }
  if (!/^\d{1,15}$/.test(id)) throw new StartError(`"${id}" is not the number of a record.\n${usage}`);
  return { collections, collection, id: Number(id) };
}

interface Ways<T> {
  collections: readonly Collection[];
  inStore(store: Store): Promise<T>;
  method: string;
  path: string;
  /** Reads the service's answer. */
  read(reply: Response): Promise<T>;
}

/** Does it through the service if URL names one or it holds the file, otherwise in the store. Throws StartError for what either refuses. */
async function inStoreOrService<T>({ collections, inStore, method, path, read }: Ways<T>): Promise<T> {
  const store = process.env.URL ? undefined : await openExistingStore(collections);
  if (store) {
    return inStore(store)
      .catch((error) => {
        throw error instanceof HttpError ? new StartError(error.message) : error;
      })
      .finally(() => store.close());
  }
  const call = await signIn(process.env);
  const reply = await call(method, API_ROOT + path);
  return read(reply);
}

async function refuseUnlessDone(reply: Response): Promise<void> {
  if (!reply.ok) throw await rejectionOf("The service did not do it", reply);
}

async function readRecord<T>(reply: Response): Promise<T | undefined> {
  if (reply.status === 404) return undefined;
  await refuseUnlessDone(reply);
  return (await reply.json()) as T;
}

/** Throws StartError where there is no such record. */
async function withRecord<T>({ collection, id, ...ways }: Wanted & Omit<Ways<T | undefined>, "read">): Promise<T> {
  const done = await inStoreOrService({ ...ways, read: readRecord<T> });
  if (done === undefined) throw new StartError(`There is no ${collection.noun} ${id}, and there never was.`);
  return done;
}
