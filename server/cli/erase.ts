// `intake erase` and `intake copy`: one record, in the store or through the service that runs on it.

import type { Erasure, RecordCopy } from "../../core/contract/history.ts";
import { API_ROOT, copyPath, DICTIONARY_PATH, erasurePath, REWRITE_PATH } from "../../core/contract/paths.ts";
import { ERASE_COMMAND } from "../../core/contract/principals.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { withMeant } from "../../core/text/option-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import { erasedContent } from "../content/sweep.ts";
import type { Store } from "../engine/store.ts";
import { copyOf, type ErasedContent, eraseRecord, rewriteStore } from "../history/erasure.ts";
import { HttpError } from "../http/errors.ts";
import { type OpenedStore, openContent, openExistingStore, readPlace, StartError } from "../open-store.ts";
import { type Command, commandLine, readWords } from "./command-line.ts";
import { rejectionOf, signIn } from "./service-client.ts";

export const erase: Command = async (args) => {
  const usage = `${usageOf("erase")}\n${commandLine("erase")} --rewrite\n  rewrites the store's files without what erased records have left in them.`;
  const { words, values } = readWords(args, usage, 2, { rewrite: { type: "boolean" } });
  if (values.rewrite && words.length > 0) throw new StartError(usage);
  if (values.rewrite) {
    await inStoreOrService({
      inStore: ({ store }) => rewriteStore(store, true),
      request: () => ({ method: "POST", path: REWRITE_PATH }),
      read: refuseUnlessDone,
    });
    return "The store's files are rewritten.";
  }
  const { noun, id, done } = await withRecord<Erasure>(words, usage, {
    inStore: async (collection, store, id) =>
      eraseRecord(collection, store, id, { by: ERASE_COMMAND, source: { type: "api", run: null }, content: await contentHere() }),
    method: "POST",
    path: erasurePath,
  });
  return `Erased for good: ${noun} ${id}, at ${done.at}. Backups that were made before still have it.`;
};

/** Opens the content of files, for a command that has the store itself. */
async function contentHere(): Promise<ErasedContent | undefined> {
  const content = await openContent(process.env, readPlace(process.env));
  return content && erasedContent(content);
}

export const copy: Command = async (args) => {
  const usage = usageOf("copy");
  const { words } = readWords(args, usage, 2, {});
  const { done } = await withRecord<RecordCopy>(words, usage, { inStore: copyOf, method: "GET", path: copyPath });
  return JSON.stringify(done, null, 2);
};

function usageOf(command: string): string {
  return `${commandLine(command)} COLLECTION ID\n  COLLECTION: a name of the data dictionary, such as customers. ID: the number of one record.`;
}

/** Throws StartError for a name that no collection has. */
function collectionNamed(name: string, collections: readonly Collection[], usage: string): Collection {
  const names = collections.map((one) => one.name);
  const collection = collections.find((one) => one.name === name);
  if (collection) return collection;
  throw new StartError(`${withMeant(`There is no collection "${name}"`, closest(name, names))} There are ${names.join(", ")}.\n${usage}`);
}

interface Ways<T> {
  inStore(opened: OpenedStore): Promise<T>;
  /** Returns the request to a service with these collections. */
  request(collections: readonly Collection[]): { method: string; path: string };
  /** Reads the service's answer. */
  read(reply: Response): Promise<T>;
}

/** Does it through the service if URL names one or it holds the file, otherwise in the store. Throws StartError for what either refuses. */
async function inStoreOrService<T>({ inStore, request, read }: Ways<T>): Promise<T> {
  const opened = process.env.URL ? undefined : await openExistingStore();
  if (opened) {
    return inStore(opened)
      .catch((error) => {
        throw error instanceof HttpError ? new StartError(error.message) : error;
      })
      .finally(() => opened.store.close());
  }
  const call = await signIn(process.env);
  const { method, path } = request(await collectionsOf(call));
  return read(await call(method, API_ROOT + path));
}

async function collectionsOf(call: Awaited<ReturnType<typeof signIn>>): Promise<readonly Collection[]> {
  const reply = await call("GET", API_ROOT + DICTIONARY_PATH);
  await refuseUnlessDone(reply);
  const found = readDataPackage(await reply.json());
  if ("mistakes" in found) throw new StartError(`This version cannot read the service's dictionary: ${found.mistakes[0]?.message}`);
  return found.collections;
}

async function refuseUnlessDone(reply: Response): Promise<void> {
  if (!reply.ok) throw await rejectionOf("The service did not do it", reply);
}

async function readRecord<T>(reply: Response): Promise<T | undefined> {
  if (reply.status === 404) return undefined;
  await refuseUnlessDone(reply);
  return (await reply.json()) as T;
}

interface RecordWays<T> {
  inStore(collection: Collection, store: Store, id: number): Promise<T | undefined>;
  method: string;
  path(name: string, id: number): string;
}

/** Throws StartError where there is no such record. */
async function withRecord<T>(
  [name, given]: readonly string[],
  usage: string,
  { inStore, method, path }: RecordWays<T>,
): Promise<{ noun: string; id: number; done: T }> {
  if (name === undefined || given === undefined) throw new StartError(usage);
  if (!/^\d{1,15}$/.test(given)) throw new StartError(`"${given}" is not the number of a record.\n${usage}`);
  const id = Number(given);
  let noun = "";
  const found = (collections: readonly Collection[]) => {
    const collection = collectionNamed(name, collections, usage);
    noun = collection.noun;
    return collection;
  };
  const done = await inStoreOrService<T | undefined>({
    inStore: async ({ store, collections }) => inStore(found(collections), store, id),
    request: (collections) => ({ method, path: path(found(collections).name, id) }),
    read: readRecord<T>,
  });
  if (done === undefined) throw new StartError(`There is no ${noun} ${id}, and there never was.`);
  return { noun, id, done };
}
