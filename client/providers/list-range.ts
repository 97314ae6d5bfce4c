// What data providers of admin frameworks share: pages by number, the framework's "id", and errors by field.

import { MAX_PAGE } from "../../core/contract/limits.ts";
import { collectionPath, DICTIONARY_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { MAX_FILTER_VALUES, writeValueList } from "../../core/dictionary/filters.ts";
import { ApiError } from "../errors.ts";
import type { Client } from "../http-client.ts";
import type { FieldValues } from "../write-records.ts";

/** Frameworks want every record to have its key under this name. */
export type WithId = WireRecord & { id: number };

export interface ListRange {
  /** How many records come before the first one. The service jumps at most 10,000 far. */
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
}

/** Reads the dictionary once, when it is first needed. */
export function createProvided(client: Client): Provided {
  let known: Promise<readonly Collection[]> | undefined;

  async function readCollections(): Promise<readonly Collection[]> {
    const read = readDataPackage((await client.request("GET", DICTIONARY_PATH)).json);
    return "collections" in read ? read.collections : [];
  }

  async function readPage(collection: Collection, { from, limit, sort, filters, signal }: ListRange) {
    const order = sort.map(({ field, isDescending }) => `${isDescending ? "-" : ""}${field === "id" ? collection.key.name : field}`);
    const query: Record<string, string> = Object.fromEntries(filters.map(([name, text]) => [withKeyName(collection, name), text]));
    if (order.length > 0) query.sort = order.join(",");
    const page = { ...query, offset: String(from), limit: String(limit), count: "exact" };
    const { json } = await client.request("GET", collectionPath(collection.name), { query: page, signal });
    const { total, [collection.name]: records } = json as { total: number } & Record<string, unknown>;
    return { data: (records as WireRecord[]).map((record) => withId(collection, record)), total };
  }

  return {
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
    async readMany(collection, ids, signal) {
      const found: WithId[] = [];
      for (let at = 0; at < ids.length; at += MAX_FILTER_VALUES) {
        const some = ids.slice(at, at + MAX_FILTER_VALUES).map(String);
        const filters = [["id.in", writeValueList(some)]] as const;
        found.push(...(await readPage(collection, { from: 0, limit: some.length, sort: [], filters, signal })).data);
      }
      return found;
    },
  };
}

export function withId(collection: Collection, record: WireRecord): WithId {
  return { ...record, id: Number(record[collection.key.name]) } as WithId;
}

/** The fields of the dictionary that `given` has, with other values than in `before`. */
export function fieldsOf(collection: Collection, given: object, before: object = {}): FieldValues {
  const [next, old] = [given as Record<string, unknown>, before as Record<string, unknown>];
  const changed = collection.fields.filter(({ name }) => next[name] !== undefined && next[name] !== old[name]);
  return Object.fromEntries(changed.map(({ name }) => [name, next[name] as FieldValues[string]]));
}

type Call = (...args: never[]) => Promise<unknown>;

/** The same calls, whose errors also have what a framework looks for. `add` gets a text for each field that is not valid. */
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
  const isKey = /^id(?=$|[.[])/.test(name) && !collection.byName.has("id");
  return isKey ? name.replace(/^id/, collection.key.name) : name;
}
