import { takesSeveral, writeValueList } from "../../core/dictionary/filters.ts";
import type { Client } from "../http-client.ts";
import { createRecord, deleteRecord, deleteRecords, updateRecord, writeRecords } from "../write-records.ts";
import { createProvided, type ListRange, type Provided, withFieldErrors } from "./list-range.ts";
import { fieldsOf, seenVersion } from "./seen-records.ts";

type Id = string | number;

interface ListParams {
  pagination?: { page: number; perPage: number };
  sort?: { field: string; order: "ASC" | "DESC" };
  filter?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal;
}

const WHOLE = { page: 1, perPage: 1_000 };

// biome-ignore lint/suspicious/noExplicitAny: the framework's own type of a record, which the caller chooses
type Any = any;

/**
 * Makes a data provider for react-admin. A change or deletion of one record is refused (412) when somebody else has changed it since it
 * was read; only fields that differ are sent. Filters are the service's own: `q`, `{ lastName: { prefix: "Sm" } }`,
 * `"lastName.prefix"`, a list for "one of".
 *
 * @example
 * <Admin dataProvider={reactAdminProvider(client)}><Resource name="customers" list={CustomerList} /></Admin>
 */
export function reactAdminProvider(client: Client) {
  const provided = createProvided(client);
  // `error.body.errors` is where react-admin looks for the errors of a form's fields.
  const calls = withFieldErrors({ ...reads(provided), ...writes(client, provided), ...writesOfMany(client, provided) }, (_, errors) => ({
    body: { errors },
  }));
  return { supportAbortSignal: true, ...calls };
}

function reads(provided: Provided) {
  async function list(resource: string, params: ListParams, own: ListRange["filters"] = []): Promise<{ data: Any[]; total: number }> {
    const { pagination: { page, perPage } = WHOLE, sort, filter = {}, signal } = params;
    const order = sort ? [{ field: sort.field, isDescending: sort.order === "DESC" }] : [];
    const range = { from: (page - 1) * perPage, limit: perPage, sort: order, filters: [...filtersOf(filter), ...own], signal };
    return provided.readRange(await provided.collection(resource), range);
  }
  return {
    getList: (resource: string, params: ListParams) => list(resource, params),
    async getOne(resource: string, { id, signal }: { id: Id; signal?: AbortSignal }): Promise<{ data: Any }> {
      return { data: await provided.readOne(await provided.collection(resource), id, signal) };
    },
    async getMany(resource: string, { ids, signal }: { ids: readonly Id[]; signal?: AbortSignal }): Promise<{ data: Any[] }> {
      return { data: await provided.readMany(await provided.collection(resource), ids, signal) };
    },
    getManyReference: (resource: string, { target, id, ...params }: ListParams & { target: string; id: Id }) =>
      list(resource, params, [[target, String(id)]]),
  };
}

function writes(client: Client, provided: Provided) {
  return {
    async create(resource: string, { data }: { data: object }): Promise<{ data: Any }> {
      const collection = await provided.collection(resource);
      return { data: provided.written(collection, await createRecord(client, resource, fieldsOf(collection, data), crypto.randomUUID())) };
    },
    async update(resource: string, params: { id: Id; data: object; previousData?: Any }): Promise<{ data: Any }> {
      const { id, data, previousData } = params;
      const collection = await provided.collection(resource);
      // A form was filled with the version among its values; the framework's own record may have been read again since.
      const isOlder = previousData !== undefined && "version" in data && data.version !== previousData.version;
      const seen = isOlder ? seenVersion(data) : (previousData ?? seenVersion(data));
      const { version, changed } = await provided.seenChange(collection, id, data, seen);
      return { data: provided.written(collection, await updateRecord(client, resource, { id: Number(id), version }, changed)) };
    },
    async delete(resource: string, { id, previousData }: { id: Id; previousData?: Any }): Promise<{ data: Any }> {
      const { version } = await provided.seenChange(await provided.collection(resource), id, {}, previousData);
      await deleteRecord(client, resource, { id: Number(id), version });
      return { data: previousData ?? { id } };
    },
  };
}

/** Each record is for itself; when some are refused, the others are done, and the error counts them. */
function writesOfMany(client: Client, provided: Provided) {
  return {
    async updateMany(resource: string, { ids, data }: { ids: readonly Id[]; data: object }): Promise<{ data: Any[] }> {
      const collection = await provided.collection(resource);
      const changed = fieldsOf(collection, data);
      const versions = await provided.versionsOf(collection, ids);
      const records = ids.map((id) => ({ ...changed, [collection.key.name]: Number(id), version: versions.get(Number(id)) }));
      const options = { onConflict: "update", onMissing: "error", match: "version" } as const;
      throwIfFailed((await writeRecords(client, resource, records, options)).results);
      return { data: [...ids] };
    },
    async deleteMany(resource: string, { ids }: { ids: readonly Id[] }): Promise<{ data: Any[] }> {
      const collection = await provided.collection(resource);
      const versions = await provided.versionsOf(collection, ids);
      const records = ids.map((id) => ({ [collection.key.name]: Number(id), version: versions.get(Number(id)) }));
      throwIfFailed((await deleteRecords(client, resource, records, { match: "version" })).results);
      return { data: [...ids] };
    },
  };
}

function throwIfFailed(results: readonly { outcome: string; problem?: { detail: string } }[]): void {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  if (failed[0]) throw new Error(`${failed.length} of ${results.length} records were refused. The first: ${failed[0].problem?.detail}`);
}

/** @example { lastName: { prefix: "Sm" }, city: ["Bonn", "Ulm"] } // [["lastName.prefix", "Sm"], ["city.in", "Bonn,Ulm"]] */
function filtersOf(filter: Readonly<Record<string, unknown>>, path = ""): [string, string][] {
  return Object.entries(filter).flatMap(([key, value]): [string, string][] => {
    const name = path + key;
    if (value === undefined) return [];
    const isNamed = takesSeveral(name.split(".").slice(1).at(-1) ?? ""); // a first word is a field, whatever it is called
    if (Array.isArray(value)) return [[isNamed ? name : `${name}.in`, writeValueList(value.map(String))]];
    if (value !== null && typeof value === "object") return filtersOf(value as Record<string, unknown>, `${name}.`);
    return [[name, value === null ? "" : String(value)]];
  });
}
