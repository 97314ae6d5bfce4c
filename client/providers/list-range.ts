// Does what data providers of admin frameworks share: pages by number, the framework's "id", and errors by field.

import { MAX_PAGE } from "../../core/contract/limits.ts";
import { collectionPath, DICTIONARY_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { MAX_FILTER_VALUES, writeValueList } from "../../core/dictionary/filters.ts";
import { ApiError } from "../errors.ts";
import type { Client } from "../http-client.ts";
import { collectionsIn } from "../read-dictionary.ts";
import { readRecord } from "../read-records.ts";
import { bestBase, changesOf, createSeenRecords, type Seen, type SeenChange } from "./seen-records.ts";

/** Frameworks want every record to have its key under this name. */
export type WithId = WireRecord & { id: number };

export interface ListRange {
  /** Counts the records before the first one. The service jumps at most 10,000 far. */
  from: number;
  limit: number;
  sort: readonly { field: string; isDescending: boolean }[];
  /** Parameters of the list, such as `["lastName.prefix", "Sm"]`. */
  filters: readonly (readonly [name: string, text: string])[];
  signal?: AbortSignal | undefined;
}

export interface Provided {
  collection(name: string): Promise<Collection>;
  readRange(collection: Collection, range: ListRange): Promise<{ data: WithId[]; total: number }>;
  readMany(collection: Collection, ids: readonly (string | number)[], signal?: AbortSignal): Promise<WithId[]>;
  readOne(collection: Collection, id: string | number, signal?: AbortSignal): Promise<WithId>;
  /** Takes the answer to a write of this user: nothing older is what they see. */
  written(collection: Collection, record: WireRecord): WithId;
  /**
   * Finds what the user has seen of the record for whom these values are sent: `seen` if the framework says it, else of what was given
   * (`bestBase`). A record that was never given is read: nobody has seen anything of it.
   */
  seenChange(collection: Collection, id: string | number, values: object, seen?: Seen): Promise<SeenChange>;
  /** Returns the versions of these records that were given last; those that never were are read. 1 where there is no such record. */
  versionsOf(collection: Collection, ids: readonly (string | number)[]): Promise<Map<number, number>>;
}

/** Reads the dictionary once, when it is first needed. */
export function createProvided(client: Client): Provided {
  let known: Promise<readonly Collection[]> | undefined;
  const seen = createSeenRecords();

  async function readCollections(): Promise<readonly Collection[]> {
    return collectionsIn((await client.request("GET", DICTIONARY_PATH)).json);
  }

  async function readPage(collection: Collection, { from, limit, sort, filters, signal }: ListRange) {
    const order = sort.map(({ field, isDescending }) => `${isDescending ? "-" : ""}${field === "id" ? collection.key.name : field}`);
    const query: Record<string, string> = Object.fromEntries(filters.map(([name, text]) => [withKeyName(collection, name), text]));
    if (order.length > 0) query.sort = order.join(",");
    const page = { ...query, offset: String(from), limit: String(limit), count: "exact" };
    const { json } = await client.request("GET", collectionPath(collection.name), { query: page, signal });
    const { total, [collection.name]: records } = json as { total: number } & Record<string, unknown>;
    return { data: (records as WireRecord[]).map((record) => seen.give(collection, withId(collection, record))), total };
  }
  const readOne: Provided["readOne"] = async (collection, id, signal) =>
    seen.give(collection, withId(collection, await readRecord(client, collection.name, Number(id), signal)));
  const readMany: Provided["readMany"] = async (collection, ids, signal) => {
    const found: WithId[] = [];
    for (let at = 0; at < ids.length; at += MAX_FILTER_VALUES) {
      const some = ids.slice(at, at + MAX_FILTER_VALUES).map(String);
      const filters = [["id.in", writeValueList(some)]] as const;
      found.push(...(await readPage(collection, { from: 0, limit: some.length, sort: [], filters, signal })).data);
    }
    return found;
  };

  return {
    readOne,
    written: (collection, record) => seen.give(collection, withId(collection, record), true),
    async seenChange(collection, id, values, shown) {
      const version = typeof shown?.version === "number" ? shown.version : undefined;
      const all = seen.versionsOf(collection, id);
      const base = version === undefined ? bestBase(collection, values, all) : (all.find((one) => one.version === version) ?? shown);
      const known = base ?? (await readOne(collection, id));
      return { version: Number(known.version), changed: changesOf(collection, values, known) };
    },
    async versionsOf(collection, ids) {
      const unknown = ids.filter((id) => seen.versionsOf(collection, id).length === 0);
      if (unknown.length > 0) await readMany(collection, unknown);
      return new Map(ids.map((id) => [Number(id), seen.versionsOf(collection, id)[0]?.version ?? 1]));
    },
    async collection(name) {
      known ??= readCollections().catch((error) => {
        known = undefined; // the next call asks again
        throw error;
      });
      const found = (await known).find((one) => one.name === name);
      if (found) return found;
      throw new Error(`The service has no collection "${name}" for this key.`);
    },
    async readRange(collection, range) {
      const first = await readPage(collection, { ...range, limit: Math.min(range.limit, MAX_PAGE) });
      const { data, total } = first;
      while (data.length < range.limit && range.from + data.length < total) {
        const limit = Math.min(range.limit - data.length, MAX_PAGE);
        const next = await readPage(collection, { ...range, from: range.from + data.length, limit });
        if (next.data.length === 0) break; // deleted meanwhile
        data.push(...next.data);
      }
      return { data, total };
    },
    readMany,
  };
}

export function withId(collection: Collection, record: WireRecord): WithId {
  return { ...record, id: Number(record[collection.key.name]) } as WithId;
}

type Call = (...args: never[]) => Promise<unknown>;

/** Returns the same calls, whose errors also have what a framework looks for. `add` gets a text for each field that is not valid. */
export function withFieldErrors<Calls extends Record<string, Call>>(
  calls: Calls,
  add: (error: ApiError, byField: Record<string, string>) => object,
): Calls {
  const explain = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw Object.assign(error, add(error, Object.fromEntries(error.problems.map(({ field, message }) => [field, message]))));
  };
  const entries = Object.entries(calls).map(([name, call]) => [name, (...args: never[]) => call(...args).catch(explain)]);
  return Object.fromEntries(entries) as Calls;
}

function withKeyName(collection: Collection, name: string): string {
  if (collection.byName.has("id")) return name;
  return name.replace(/^((?:or\[\d+\]\.)?)id(?=$|[.[])/, (_, way: string) => way + collection.key.name);
}
