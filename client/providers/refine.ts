import { writeValueList } from "../../core/dictionary/filters.ts";
import type { Client } from "../http-client.ts";
import { readRecord } from "../read-records.ts";
import { createRecord, deleteRecord, updateRecord } from "../write-records.ts";
import { createProvided, fieldsOf, type Provided, withFieldErrors, withId } from "./list-range.ts";

type Id = string | number;

interface RefineFilter {
  field?: string;
  operator: string;
  // biome-ignore lint/suspicious/noExplicitAny: the framework's own type of a value
  value: any;
}

interface ListParams {
  resource: string;
  pagination?: { currentPage?: number; pageSize?: number; mode?: "client" | "server" | "off" };
  sorters?: readonly { field: string; order: "asc" | "desc" }[];
  filters?: readonly RefineFilter[];
  meta?: object;
}

const MOST = 10_000; // records that are read at once when Refine pages by itself

/**
 * A data provider for Refine. A change or deletion of one record is refused (412) when somebody else has changed it since the
 * service was asked; Refine does not say which version its user has seen, unless `meta.version` does.
 *
 * @example
 * <Refine dataProvider={refineProvider(client)} resources={[{ name: "customers", list: "/customers" }]} />
 */
export function refineProvider(client: Client) {
  const provided = createProvided(client);
  const calls = withFieldErrors({ ...reads(client, provided), ...writes(client, provided) }, ({ status }, errors) => ({
    statusCode: status,
    errors,
  }));
  return { getApiUrl: () => client.baseUrl, ...calls };
}

// biome-ignore lint/suspicious/noExplicitAny: the framework's own type of a record, which the caller chooses
type Any = any;

interface One {
  resource: string;
  id: Id;
  meta?: object;
}

function reads(client: Client, provided: Provided) {
  return {
    async getList({ resource, pagination = {}, sorters = [], filters = [], meta }: ListParams): Promise<{ data: Any[]; total: number }> {
      const { currentPage = 1, pageSize = 10, mode = "server" } = pagination;
      const part = mode === "server" ? { from: (currentPage - 1) * pageSize, limit: pageSize } : { from: 0, limit: MOST };
      const sort = sorters.map(({ field, order }) => ({ field, isDescending: order === "desc" }));
      const range = { ...part, sort, filters: filters.flatMap(filterOf), signal: signalOf(meta) };
      return provided.readRange(await provided.collection(resource), range);
    },
    async getOne({ resource, id }: One): Promise<{ data: Any }> {
      return { data: withId(await provided.collection(resource), await readRecord(client, resource, Number(id))) };
    },
    async getMany({ resource, ids }: { resource: string; ids: readonly Id[] }): Promise<{ data: Any[] }> {
      return { data: await provided.readMany(await provided.collection(resource), ids) };
    },
  };
}

function writes(client: Client, provided: Provided) {
  async function versionOf({ resource, id, meta }: One): Promise<{ id: number; version: number }> {
    return { id: Number(id), version: seenVersion(meta) ?? (await readRecord(client, resource, Number(id))).version };
  }
  return {
    async create({ resource, variables }: { resource: string; variables: unknown }): Promise<{ data: Any }> {
      const collection = await provided.collection(resource);
      const fields = fieldsOf(collection, variables as object);
      return { data: withId(collection, await createRecord(client, resource, fields, crypto.randomUUID())) };
    },
    async update({ variables, ...one }: One & { variables: unknown }): Promise<{ data: Any }> {
      const collection = await provided.collection(one.resource);
      const { [collection.key.name]: _, ...changed } = fieldsOf(collection, variables as object);
      return { data: withId(collection, await updateRecord(client, one.resource, await versionOf(one), changed)) };
    },
    async deleteOne(one: One): Promise<{ data: Any }> {
      await deleteRecord(client, one.resource, await versionOf(one));
      return { data: { id: one.id } };
    },
  };
}

function signalOf(meta: object | undefined): AbortSignal | undefined {
  return meta && "signal" in meta && meta.signal instanceof AbortSignal ? meta.signal : undefined;
}

function seenVersion(meta: object | undefined): number | undefined {
  return meta && "version" in meta && typeof meta.version === "number" ? meta.version : undefined;
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "",
  eqs: "",
  ne: ".ne",
  nes: ".ne",
  lt: ".lt",
  gt: ".gt",
  lte: ".lte",
  gte: ".gte",
  contains: ".contains",
  startswith: ".prefix",
};

/** Throws where the service has no such condition: a list with other records than asked for would be worse. */
function filterOf({ field, operator, value }: RefineFilter): [string, string][] {
  if (operator === "and") return (value as RefineFilter[]).flatMap(filterOf);
  if (field === undefined || value === undefined || value === "") return [];
  const suffix = OPERATORS[operator];
  if (suffix !== undefined) return [[field + suffix, String(value ?? "")]];
  if (operator === "in") return [[`${field}.in`, writeValueList((value as unknown[]).map(String))]];
  if (operator === "null" || operator === "nnull") return [[`${field}.null`, String(operator === "null")]];
  if (operator === "between") {
    const [from, to] = value as [unknown, unknown];
    return [
      [`${field}.gte`, String(from)],
      [`${field}.lte`, String(to)],
    ];
  }
  throw new Error(
    `The service cannot filter by "${operator}". It can by: ${Object.keys(OPERATORS).join(", ")}, in, between, null, nnull, and.`,
  );
}
