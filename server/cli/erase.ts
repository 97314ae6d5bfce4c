// `intake erase` and `intake copy`: one record, in the store or through the service that runs on it.

import type { Erasure, RecordCopy } from "../../core/contract/history.ts";
import { API_ROOT, copyPath, erasurePath } from "../../core/contract/paths.ts";
import { ERASE_COMMAND } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withMeant } from "../../core/text/option-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import { HttpError } from "../http/errors.ts";
import { openExistingStore, StartError } from "../open-store.ts";
import { readDictionary } from "../read-dictionary.ts";
import { copyOf, eraseRecord } from "../routes/history/erasure.ts";
import type { Store } from "../store/store.ts";
import { type Command, commandLine, readWords } from "./command-line.ts";
import { rejectionOf, signIn } from "./service-client.ts";

export const erase: Command = async (args) => {
  const { collections, collection, id } = readWanted(args, "erase");
  const erasure = await withStore<Erasure>({
    collections,
    collection,
    id,
    inStore: (store) => eraseRecord(collection, store, id, { by: ERASE_COMMAND, source: { type: "api", run: null } }),
    method: "POST",
    path: erasurePath(collection.name, id),
  });
  return `Erased for good: ${collection.noun} ${id}, at ${erasure.at}. Backups that were made before still have it.`;
};

export const copy: Command = async (args) => {
  const { collections, collection, id } = readWanted(args, "copy");
  const inStore = (store: Store) => copyOf(collection, store, id);
  return JSON.stringify(
    await withStore<RecordCopy>({ collections, collection, id, inStore, method: "GET", path: copyPath(collection.name, id) }),
    null,
    2,
  );
};

interface Wanted {
  /** All of them: a store that is opened with fewer would lose the others. */
  collections: readonly Collection[];
  collection: Collection;
  id: number;
}

function readWanted(args: readonly string[], command: string): Wanted {
  const { collections } = readDictionary(process.env.DICTIONARY);
  const names = collections.map((one) => one.name);
  const usage = `${commandLine(command)} COLLECTION ID\n  COLLECTION: ${names.join(", ")}. ID: the number of one record.`;
  const [name, id] = readWords(args, usage, 2, {}).words;
  if (name === undefined || id === undefined) throw new StartError(usage);
  const collection = collections.find((one) => one.name === name);
  if (!collection) {
    const found = closest(name, names);
    throw new StartError(`${withMeant(`There is no collection "${name}"`, found)}\n${usage}`);
  }
  if (!/^\d{1,15}$/.test(id)) throw new StartError(`"${id}" is not the number of a record.\n${usage}`);
  return { collections, collection, id: Number(id) };
}

interface Ways<T> extends Wanted {
  inStore(store: Store): Promise<T | undefined>;
  method: string;
  path: string;
}

/** Through the service if URL names one or it holds the file, otherwise in the store. Throws StartError where there is no such record. */
async function withStore<T>({ collections, collection, id, inStore, method, path }: Ways<T>): Promise<T> {
  const isUnknown = `There is no ${collection.noun} ${id}, and there never was.`;
  const store = process.env.URL ? undefined : await openExistingStore(collections);
  if (store) {
    const done = await inStore(store)
      .catch((error) => {
        throw error instanceof HttpError ? new StartError(error.message) : error;
      })
      .finally(() => store.close());
    if (!done) throw new StartError(isUnknown);
    return done;
  }
  const call = await signIn(process.env);
  const reply = await call(method, API_ROOT + path);
  if (reply.ok) return (await reply.json()) as T;
  throw reply.status === 404 ? new StartError(isUnknown) : await rejectionOf("The service did not do it", reply);
}
