// Converts a list’s address to its state and back. What it does not know goes on to the service.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type FilterOperator, filterName, OPERATORS_OF, readFilterName, SERVICE_TIMES } from "../../core/dictionary/filters.ts";

/** The query of an address: plain text, in its order. */
export type Search = Record<string, string | undefined>;

/** One condition. `text` as in the address: of `eq` empty for "no value", of `in` values with commas between. */
export interface Filter {
  name: string;
  operator: FilterOperator;
  text: string;
}

export interface ListState {
  q: string;
  filters: readonly Filter[];
  /** "lastName", "-lastName", or undefined for the usual order. */
  sort: string | undefined;
  /** Names of the columns in order; undefined: the dictionary's. */
  columns: readonly string[] | undefined;
  /** Rows a page. */
  limit: number;
  cursor: string | undefined;
  /** Parameters that mean nothing here. The service is sent them and says what is wrong. */
  others: Readonly<Record<string, string>>;
}

export const DEFAULT_SORT = "-updatedAt"; // what one just entered or changed is at hand
export const PAGE_SIZES = [25, 50, 100] as const; // rows
export const DEFAULT_LIMIT = 50; // rows
const MAX_LIMIT = 100; // a page is a plain table

export function parseListUrl(collection: Collection, search: Search): ListState {
  const { q = "", sort, columns, limit, cursor, ...rest } = search;
  const filters: Filter[] = [];
  const others: Record<string, string> = {};
  for (const [name, text] of Object.entries(rest)) {
    if (text === undefined) continue;
    const filter = readFilterName(name);
    if (filter && isFilterable(collection, filter)) filters.push({ ...filter, text });
    else others[name] = text;
  }
  if (limit !== undefined && !isPageSize(limit)) others.limit = limit;
  return {
    q,
    filters,
    sort: sort === DEFAULT_SORT ? undefined : sort || undefined,
    columns: readColumns(collection, columns ?? ""),
    limit: isPageSize(limit) ? Number(limit) : DEFAULT_LIMIT,
    cursor: cursor || undefined,
    others,
  };
}

/** What is as usual is left out, so that the plain address is the plain list. */
export function formatListUrl({ q, filters, sort, columns, limit, cursor, others }: ListState): Record<string, string> {
  return {
    ...(q && { q }),
    ...filterQuery(filters),
    ...(sort && { sort }),
    ...(columns && { columns: columns.join(",") }),
    ...(limit !== DEFAULT_LIMIT && { limit: String(limit) }),
    ...others,
    ...(cursor && { cursor }),
  };
}

/** What the rows are chosen by: the parameters that a count, an export or "all that match" share with the list. */
export function matchQuery({ q, filters, others }: ListState): Record<string, string> {
  return { ...(q && { q }), ...filterQuery(filters), ...others };
}

/** The question to the service for one page. */
export function pageQuery(state: ListState): Record<string, string> {
  const { sort = DEFAULT_SORT, limit, cursor } = state;
  return { sort, limit: String(limit), ...matchQuery(state), ...(cursor && { cursor }) };
}

export function isFiltered({ q, filters }: ListState): boolean {
  return q !== "" || filters.length > 0;
}

/** A click on a heading: ascending, descending, the usual order. */
export function nextSort(sort: string | undefined, name: string): string | undefined {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? undefined : name;
}

/** Another filter in the place of `old`, or at the end; the same question is not asked twice. */
export function putFilter(filters: readonly Filter[], filter: Filter, old?: Filter): Filter[] {
  const isSame = (one: Filter) => one.name === filter.name && one.operator === filter.operator;
  const at = old ? filters.indexOf(old) : filters.findIndex(isSame);
  if (at === -1) return [...filters, filter];
  return filters.flatMap((one, i) => (i === at ? filter : isSame(one) ? [] : one));
}

/** All that can be a column, filtered and sorted by. */
export function listFields(collection: Collection): Field[] {
  return [...collection.fields, ...SERVICE_TIMES];
}

/** The columns that are shown, in order. */
export function shownColumns(collection: Collection, columns: ListState["columns"]): Field[] {
  const usual = [...collection.list, ...SERVICE_TIMES.slice(0, 1)];
  if (!columns) return usual;
  return columns.flatMap((name) => fieldOf(collection, name) ?? []);
}

export function fieldOf(collection: Collection, name: string): Field | undefined {
  return collection.byName.get(name) ?? SERVICE_TIMES.find((field) => field.name === name);
}

function filterQuery(filters: readonly Filter[]): Record<string, string> {
  return Object.fromEntries(filters.map(({ name, operator, text }) => [filterName(name, operator), text]));
}

function readColumns(collection: Collection, text: string): string[] | undefined {
  const names = [...new Set(text.split(","))].filter((name) => fieldOf(collection, name));
  return names.length > 0 ? names : undefined;
}

function isPageSize(text = ""): boolean {
  return /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= MAX_LIMIT;
}

function isFilterable(collection: Collection, { name, operator }: Pick<Filter, "name" | "operator">): boolean {
  const field = fieldOf(collection, name);
  return field !== undefined && OPERATORS_OF[field.kind].includes(operator);
}
