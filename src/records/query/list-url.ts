// Converts a list’s address to its state and back. What it does not know goes on to the service.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { currentName } from "../../../core/dictionary/column-name.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import {
  type FilterOperator,
  filterName,
  operatorsOf,
  readFilterName,
  SERVICE_PRINCIPALS,
  SERVICE_TIMES,
} from "../../../core/dictionary/filters.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { fieldOfParent } from "../../../core/dictionary/parent-fields.ts";
import { withIsoDates } from "../../values/search-dates.ts";

/** The search parameters of an address, in order. */
export type Search = Record<string, string | undefined>;

/** `text` as in the address: empty with `eq` means "no value"; with `in` it has values separated by commas. */
export interface Filter {
  name: string;
  operator: FilterOperator;
  text: string;
}

export interface ListState {
  q: string;
  filters: readonly Filter[];
  /** "lastName", "-lastName", several with commas, or undefined for the default order. */
  sort: string | undefined;
  /** Names of the columns in order; undefined for the dictionary's. */
  columns: readonly string[] | undefined;
  /** Rows per page. */
  limit: number;
  cursor: string | undefined;
  /** The id of the saved view that was opened. What it shows stands in the address as well, so the service is not asked for it. */
  view: string | undefined;
  /** Unknown parameters. They are sent to the service, which says what is wrong. */
  others: Readonly<Record<string, string>>;
}

/** Changes the address. Goes to the first page unless `change` has a cursor. `replace`: no new history entry. */
export type ChangeList = (change: Partial<ListState>, replace?: boolean) => void;

/** Props that most parts of a list share. */
export interface ListParts {
  collection: Collection;
  state: ListState;
  go: ChangeList;
}

export const DEFAULT_SORT = "-updatedAt"; // what was just entered or changed comes first
export const PAGE_SIZES = [25, 50, 100] as const; // rows
export const DEFAULT_LIMIT = 50; // rows
/** Names the view in an address. No field can have this name. */
export const VIEW_PARAMETER = "_view";
const MAX_LIMIT = 100; // rows are not virtualized

/** Names what the service would answer otherwise than a page of whole records, which the list cannot show. In an address they mean nothing. */
const OF_THE_SERVICE: readonly string[] = ["fields", "expand", "deleted", "count", "hints", "offset", "guard"];

export function parseListUrl(collection: Collection, search: Search): ListState {
  const { q = "", sort, columns, limit, cursor, [VIEW_PARAMETER]: view, ...rest } = search;
  const filters: Filter[] = [];
  const others: Record<string, string> = {};
  for (const [name, text] of Object.entries(rest)) {
    if (text === undefined || OF_THE_SERVICE.includes(name)) continue;
    const asked = readFilterName(name);
    const filter = asked && { ...asked, name: currentName(collection, asked.name) ?? asked.name };
    if (filter && isFilterable(collection, filter)) filters.push({ ...filter, text });
    else others[name] = text;
  }
  if (limit !== undefined && !isPageSize(limit)) others.limit = limit;
  return {
    q,
    filters,
    sort: sort === DEFAULT_SORT ? undefined : currentTerms(collection, sort).join(",") || undefined,
    columns: readColumns(collection, currentTerms(collection, columns)),
    limit: isPageSize(limit) ? Number(limit) : DEFAULT_LIMIT,
    cursor: cursor || undefined,
    view: view || undefined,
    others,
  };
}

/** Leaves defaults out, so that the plain list has a plain address. */
export function formatListUrl({ q, filters, sort, columns, limit, cursor, view, others }: ListState): Record<string, string> {
  return {
    ...(q && { q }),
    ...filterQuery(filters),
    ...(sort && { sort }),
    ...(columns && { columns: columns.join(",") }),
    ...(limit !== DEFAULT_LIMIT && { limit: String(limit) }),
    ...others,
    ...(view && { [VIEW_PARAMETER]: view }),
    ...(cursor && { cursor }),
  };
}

/** Returns the parameters that decide which records match: shared by list, count, export and "Select all that match". */
export function matchQuery(collection: Collection, { q, filters, others }: ListState): Record<string, string> {
  const isRelative = filters.some(({ text }) => /^(now|today|week|month|year)/.test(text)); // readRelativeTime says it exactly
  return {
    ...(q && { q: withIsoDates(collection, q) }),
    ...filterQuery(filters),
    ...others,
    ...(isRelative && { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  };
}

/** Returns the query parameters of the request for one page. */
export function pageQuery(collection: Collection, state: ListState): Record<string, string> {
  const { sort = DEFAULT_SORT, limit, cursor } = state;
  const hints = state.q !== "" && !cursor; // what was meant is said on the first page of a search
  return { sort, limit: String(limit), ...matchQuery(collection, state), ...(hints && { hints: "true" }), ...(cursor && { cursor }) };
}

/** Parameters that the app has no words for, such as `or[0].city`, narrow the list, too. */
export function isFiltered({ q, filters, others }: ListState): boolean {
  return q !== "" || filters.length + Object.keys(others).length > 0;
}

/**
 * Returns the order after a click on a heading: ascending, descending, default. `isAlso`: the fields that were sorted by before stay, and this
 * one decides among records that are equal in them.
 */
export function nextSort(sort: string | undefined, name: string, isAlso = false): string | undefined {
  const terms = !sort || sort === DEFAULT_SORT ? [] : sort.split(",");
  const old = terms.find((term) => term.replace("-", "") === name);
  if (!isAlso && terms.length > 1) return name;
  const next = old === undefined ? [name] : old === name ? [`-${name}`] : [];
  if (!isAlso) return next[0];
  return (old === undefined ? [...terms, name] : terms.flatMap((term) => (term === old ? next : term))).join(",") || undefined;
}

/** Returns all fields that a list can show and filter by. */
export function listFields(collection: Collection): Field[] {
  return [...sortFields(collection), ...SERVICE_PRINCIPALS];
}

/** Returns all fields that a list can be sorted by. */
export function sortFields(collection: Collection): Field[] {
  return [...collection.fields, ...SERVICE_TIMES];
}

/** Says what a list is sorted by in the column of a field: of a reference by what the record is called, not by its key. */
export function sortName({ name, reference }: Field): string {
  return reference?.as ?? name;
}

/** Returns the field that a term of an order means. */
export function sortedField(collection: Collection, term: string): Field | undefined {
  const name = term.replace("-", "");
  return sortFields(collection).find((field) => [field.name, sortName(field)].includes(name));
}

export function shownColumns(collection: Collection, columns: ListState["columns"]): Field[] {
  const usual = [...collection.list, ...SERVICE_TIMES.slice(0, 1)];
  if (!columns) return usual;
  return columns.flatMap((name) => fieldOf(collection, name) ?? []);
}

/** Says whether the field's column takes the room that others leave: free text does, as long as it needs. */
export function isWideColumn(field: Field): boolean {
  return !field.enum && (KIND_TRAITS[field.kind].isText || field.reference !== undefined) && !SERVICE_TIMES.includes(field);
}

export function fieldOf(collection: Collection, name: string): Field | undefined {
  return listFields(collection).find((field) => field.name === name);
}

/** Returns the field that a filter is about: one of the collection, or one of a parent, such as `customer.city`. */
export function filteredField(collection: Collection, name: string): Field | undefined {
  return fieldOf(collection, name) ?? fieldOfParent(collection, name);
}

function filterQuery(filters: readonly Filter[]): Record<string, string> {
  return Object.fromEntries(filters.map(({ name, operator, text }) => [filterName(name, operator), text]));
}

/** Returns the names of an address, which may be a bookmark from before a field got another one. */
function currentTerms(collection: Collection, text = ""): string[] {
  return text.split(",").map((term) => {
    const [sign, name] = term.startsWith("-") ? ["-", term.slice(1)] : ["", term];
    return sign + (currentName(collection, name) ?? name);
  });
}

function readColumns(collection: Collection, given: readonly string[]): string[] | undefined {
  const names = [...new Set(given)].filter((name) => fieldOf(collection, name));
  return names.length > 0 ? names : undefined;
}

function isPageSize(text = ""): boolean {
  return /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= MAX_LIMIT;
}

function isFilterable(collection: Collection, { name, operator }: Pick<Filter, "name" | "operator">): boolean {
  const field = filteredField(collection, name);
  return field !== undefined && operatorsOf(field).includes(operator);
}
