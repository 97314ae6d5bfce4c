import { writeValueList } from "../../core/dictionary/filters.ts";
import type { Client } from "../http-client.ts";
import { createRecord, deleteRecord, updateRecord } from "../write-records.ts";
import { createProvided, type Provided, withFieldErrors } from "./list-range.ts";
import { fieldsOf, seenVersion } from "./seen-records.ts";

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
 * Makes a data provider for Refine. A change or deletion is refused (412) when somebody else has changed the record since its user
 * has seen it: the provider remembers what it gave, and sends only what differs from that. A form that keeps `version` among its
 * values, or gives it as `meta.version`, says it exactly.
 *
 * @example
 * <Refine dataProvider={refineProvider(client)} resources={[{ name: "customers", list: "/customers" }]} />
 */
export function refineProvider(client: Client) {
  const provided = createProvided(client);
  const calls = withFieldErrors({ ...reads(provided), ...writes(client, provided) }, ({ status }, errors) => ({
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

function reads(provided: Provided) {
  return {
    async getList({ resource, pagination = {}, sorters = [], filters = [], meta }: ListParams): Promise<{ data: Any[]; total: number }> {
      const { currentPage = 1, pageSize = 10, mode = "server" } = pagination;
      const part = mode === "server" ? { from: (currentPage - 1) * pageSize, limit: pageSize } : { from: 0, limit: MOST };
      const sort = sorters.map(({ field, order }) => ({ field, isDescending: order === "desc" }));
      const range = { ...part, sort, filters: filtersOf(filters), signal: signalOf(meta) };
      return provided.readRange(await provided.collection(resource), range);
    },
    async getOne({ resource, id }: One): Promise<{ data: Any }> {
      return { data: await provided.readOne(await provided.collection(resource), id) };
    },
    async getMany({ resource, ids }: { resource: string; ids: readonly Id[] }): Promise<{ data: Any[] }> {
      return { data: await provided.readMany(await provided.collection(resource), ids) };
    },
  };
}

function writes(client: Client, provided: Provided) {
  return {
    async create({ resource, variables }: { resource: string; variables: unknown }): Promise<{ data: Any }> {
      const collection = await provided.collection(resource);
      const fields = fieldsOf(collection, variables as object);
      return { data: provided.written(collection, await createRecord(client, resource, fields, crypto.randomUUID())) };
    },
    async update({ resource, id, meta, variables }: One & { variables: unknown }): Promise<{ data: Any }> {
      const collection = await provided.collection(resource);
      const { version, changed } = await provided.seenChange(
        collection,
        id,
        variables as object,
        seenVersion(meta) ?? seenVersion(variables),
      );
      return { data: provided.written(collection, await updateRecord(client, resource, { id: Number(id), version }, changed)) };
    },
    async deleteOne({ resource, id, meta }: One): Promise<{ data: Any }> {
      const { version } = await provided.seenChange(await provided.collection(resource), id, {}, seenVersion(meta));
      await deleteRecord(client, resource, { id: Number(id), version });
      return { data: { id } };
    },
  };
}

function signalOf(meta: object | undefined): AbortSignal | undefined {
  return meta && "signal" in meta && meta.signal instanceof AbortSignal ? meta.signal : undefined;
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
  ncontains: ".notContains",
  startswith: ".prefix",
  endswith: ".suffix",
};

/** The service joins ways by "or" once, beside the filters that hold for all records. Throws where one joins more than one such list. */
function filtersOf(filters: readonly RefineFilter[]): [string, string][] {
  if (filters.filter(({ operator }) => operator === "or").length > 1)
    throw new Error('The service joins filters by "or" once in a list. Leave one of them out, or write it in the ways of the other.');
  return filters.flatMap((filter) => {
    if (filter.operator !== "or") return filterOf(filter);
    const ways = filter.value as RefineFilter[];
    return ways.flatMap((way, i) => filterOf(way).map(([name, value]): [string, string] => [`or[${i}].${name}`, value]));
  });
}

/** Throws where the service has no such condition: a list with other records than asked for would be worse. */
function filterOf({ field, operator, value }: RefineFilter): [string, string][] {
  if (operator === "and") return (value as RefineFilter[]).flatMap(filterOf);
  if (operator !== "or" && (field === undefined || value === undefined || value === "")) return [];
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
    `The service cannot filter by "${operator}". It can by: ${Object.keys(OPERATORS).join(", ")}, in, between, null, nnull, and, and by or, which stands in no other.`,
  );
}
