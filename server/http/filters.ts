// Filter parameters of a list, such as `?lastName[prefix]=ho`.

import type { Parent } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import {
  type FilterOperator,
  filterName,
  MAX_FILTER_TEXT,
  MAX_FILTER_VALUES,
  ME,
  operatorsOf,
  readValueList,
  SERVICE_PRINCIPALS,
  SERVICE_TIMES,
  withoutRules,
} from "../../core/dictionary/filters.ts";
import { expected, KIND_TRAITS, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import { lookupName } from "../../core/dictionary/lookup-name.ts";
import { liesOnDays, readRelativeTime } from "../../core/dictionary/relative-times.ts";
import { isProblem, validateValue } from "../../core/dictionary/validate.ts";
import { foldKnown, MAX_SORT_KEY, sortText } from "../engine/columns.ts";
import type { Filter } from "../engine/store.ts";
import { resolveRelative } from "./days.ts";
import { madeOf, named, object, type Schema, schemaNames } from "./json-schemas.ts";
import { type Parameter, wayOf } from "./query-parameters.ts";

/** A filter as it is asked for. */
export interface AskedFilter extends Filter {
  /** Is set where values are relative times: the kind of the field. Such a filter is the same on each page of a list, whatever the time. */
  relative?: Kind;
  /** Is set where a value is `{me}`: whoever asks, also on each page anew. */
  isMine?: true;
  anyOf?: readonly (readonly AskedFilter[])[];
}

/** Stands on no field: an index of one alone does not answer several ways. */
export const SEVERAL = { name: "", operator: "in", values: [] } as const;

/** Returns the filters among what was read of a query: those that hold for every record, and the ways of which a record must meet one. */
export function filtersIn(given: Readonly<Record<string, unknown>>, names: readonly string[]): AskedFilter[] {
  const own = names.flatMap((name) => (given[name] as AskedFilter | undefined) ?? []);
  const ways = new Map<string, AskedFilter[]>();
  for (const name of Object.keys(given).sort()) {
    const { way } = wayOf(name) ?? {};
    if (way !== undefined) ways.set(way, [...(ways.get(way) ?? []), given[name] as AskedFilter]);
  }
  const anyOf = [...ways.values()];
  return anyOf.length > 1 ? [...own, { ...SEVERAL, anyOf }] : [...own, ...anyOf.flat()];
}

/** Says what the values of filters mean that depend on when and by whom is asked. `now`: ms since 1970. `me`: the ids of the caller. */
export interface Asking {
  zone: string;
  now: number;
  me: readonly string[];
}

const OF_SEVERAL: Partial<Record<FilterOperator, FilterOperator>> = { eq: "in", ne: "notIn" };

/** Returns the filter with the times and people that it means. */
export function resolveFilter({ relative, isMine, anyOf, ...filter }: AskedFilter, asking: Asking): Filter {
  if (anyOf) return { ...filter, anyOf: anyOf.map((way) => way.map((one) => resolveFilter(one, asking))) };
  const { zone, now, me } = asking;
  if (isMine) {
    const operator = OF_SEVERAL[filter.operator] ?? filter.operator;
    return { ...filter, operator, values: filter.values.flatMap((value) => (value === ME ? me : value)) };
  }
  if (!relative) return filter;
  const values = filter.values.map((value) => {
    const time = readRelativeTime(String(value));
    if (!time) return value;
    const { at, day } = resolveRelative(time, zone, now);
    return KIND_TRAITS[relative].isMoment ? new Date(at).toISOString() : day;
  });
  return { ...filter, values };
}

/** The schemas of values in an address that differ from those in JSON. */
const TEXT_SCHEMAS: Partial<Record<Kind, Schema>> = {
  string: { ...KIND_TRAITS.string.schema, maxLength: MAX_FILTER_TEXT },
  year: { type: "string", pattern: "^-?[0-9]{4}$" },
};

/** Says what each means, for the OpenAPI document. */
const MEANINGS: Record<FilterOperator, string> = {
  eq: "Only records with exactly this value; given several times, with any of them.",
  ne: "Only records with another value, or none.",
  null: "`true`: only records without a value; `false`: only those with one.",
  in: "Only records with one of these values.",
  notIn: "Only records with none of these values.",
  has: "Only records that have this among their values.",
  hasAny: "Only records that have one of these among their values.",
  hasAll: "Only records that have all of these among their values.",
  prefix: "Only records in which the text begins so.",
  suffix: `Only records in which the text ends so. Of a text it looks at the first ${MAX_SORT_KEY} characters, without signs before it.`,
  contains: `Only records in which the text has this part. It is looked for in the first ${MAX_SORT_KEY} characters of the text, without signs before it.`,
  notContains: "Only records in which the text does not have this part, as `contains` finds it, or that have no text.",
  gt: "Only records with a greater or later value.",
  gte: "Only records with this value or a greater or later one.",
  lt: "Only records with a smaller or earlier value.",
  lte: "Only records with this value or a smaller or earlier one.",
};

/** They are made once for all callers who know the collection so: it may have a hundred thousand filters. */
const known = new WeakMap<Collection, Map<string, Record<string, Parameter<AskedFilter>>>>();

/** Returns the filter parameters of a list by their full names: `age`, `age[gte]`, and of its parents `customer.city[prefix]`. */
export function filterParameters(collection: Collection, parents: readonly Parent[] = []): Record<string, Parameter<AskedFilter>> {
  const own = known.get(collection) ?? new Map();
  known.set(collection, own);
  const through = JSON.stringify(parents.map(({ field, parent }) => [field.name, parent.name]));
  const parameters = own.get(through) ?? makeParameters(collection, parents);
  own.set(through, parameters);
  return parameters;
}

function makeParameters(collection: Collection, parents: readonly Parent[]): Record<string, Parameter<AskedFilter>> {
  const parameters: Record<string, Parameter<AskedFilter>> = {};
  for (const field of filteredFields(collection)) {
    for (const operator of operatorsOf(field)) parameters[filterName(field.name, operator)] = filterParameter(field, operator);
  }
  for (const near of parents) {
    const { field: reference, parent } = near;
    for (const field of filteredFields(parent)) {
      const through = throughOf(near, field.name);
      for (const operator of operatorsOf(field)) {
        const own = filterParameter(field, operator);
        const name = filterName(lookupName(reference.reference.as, field.name), operator);
        parameters[name] = ofParent(own, through);
      }
    }
  }
  return parameters;
}

/** `name`: of a field of the parent, or of what the service sets; left out where the filter is about the parent's own parent. */
export function throughOf({ field, parent }: Parent, name = ""): NonNullable<Filter["through"]> {
  const [column, keyColumn] = [columnName(field), columnName(parent.key)];
  return { field: field.name, column, collection: parent.name, keyColumn, of: parent.byName.get(name) };
}

/** Describes the filters as the document has them: objects. They are read as the parameters that they stand for. */
export function documentedFilters(collection: Collection, parents: readonly Parent[]): Record<"filter" | "or", Parameter<never>> {
  const own = named(schemaNames(collection).filter);
  const above = Object.fromEntries(parents.map(({ field, parent }) => [field.reference.as, named(schemaNames(parent).filter)]));
  const filter = parents.length > 0 ? madeOf([own, object(above, [])]) : own;
  const read = () => undefined;
  return {
    filter: { expects: "an object of fields and operators", schema: filter, read },
    or: { expects: "such objects below numbers", schema: { type: "object", additionalProperties: filter }, read },
  };
}

/** Nobody finds out by a filter what a mask covers. */
function filteredFields(collection: Collection): Field[] {
  return [...collection.fields.filter(({ masked }) => !masked), ...SERVICE_TIMES, ...SERVICE_PRINCIPALS];
}

/** Returns the filter of a parent; where that leads through its parent itself, so does this one behind the first. */
export function ofParent(
  { read, readSeveral, ...rest }: Parameter<AskedFilter>,
  through: NonNullable<Filter["through"]>,
): Parameter<AskedFilter> {
  const withParent = (filter: AskedFilter | undefined) =>
    filter && { ...filter, through: filter.through ? { ...through, further: filter.through } : through };
  return {
    ...rest,
    read: (text) => withParent(read(text)),
    ...(readSeveral && { readSeveral: (texts) => withParent(readSeveral(texts)) }),
  };
}

function filterParameter(field: Field, operator: FilterOperator): Parameter<AskedFilter> {
  return { meaning: MEANINGS[operator], isFilter: true, ...readerOf(field.item ?? field, operator) }; // of several values one by one
}

function readerOf(field: Field, operator: FilterOperator): Parameter<AskedFilter> {
  const { kind, example } = field;
  const schema = TEXT_SCHEMAS[kind] ?? KIND_TRAITS[kind].schema;
  const one = {
    expects:
      expected(kind, example) +
      (liesOnDays(kind) ? ", or a relative time such as today-7d" : namesPeople(field) ? `, or ${ME} for whoever asks` : ""),
    schema,
  };
  switch (operator) {
    case "eq":
      return {
        expects: `${one.expects}, or empty for no value`,
        schema: { anyOf: [schema, { const: "" }] },
        read: (text) => toFilter(field, operator, [readValue(field, text)]),
        // Each text is one value, commas and all: `city=Bonn&city=Ulm` finds both.
        ...(operatorsOf(field).includes("in") && {
          readSeveral: (texts) => readEach(field, "in", texts),
        }),
      };
    case "ne":
      return {
        ...ONCE,
        expects: `${one.expects}, or empty for any value, and given once`,
        schema: { anyOf: [schema, { const: "" }] },
        read: (text) => toFilter(field, operator, [readValue(field, text)]),
      };
    case "null":
      return {
        expects: "true for no value, or false for any",
        schema: KIND_TRAITS.boolean.schema,
        read: (text) => toFilter(field, operator, [{ true: true, false: false }[text]]),
      };
    case "in":
    case "notIn":
    case "hasAny":
    case "hasAll":
      return {
        expects: `up to ${MAX_FILTER_VALUES} values with commas between, in double quotes where they hold one; each ${one.expects}`,
        schema: { type: "array", items: schema, minItems: 1, maxItems: MAX_FILTER_VALUES },
        read: (text) => readEach(field, operator, readValueList(text)),
      };
    case "prefix":
    case "suffix":
    case "contains":
    case "notContains":
      return {
        ...ONCE,
        expects: PARTS[operator],
        schema: { ...schema, minLength: 1 },
        read: (text) => toFilter(field, operator, [readFolded(text, operator === "suffix" ? foldKnown : sortText)]),
      };
    case "gte":
    case "gt":
    case "lte":
    case "lt":
    case "has":
      return {
        ...ONCE,
        ...one,
        expects: `${one.expects}, given once`,
        read: (text) => toFilter(field, operator, [readValue(field, text) ?? undefined]),
      };
  }
}

const WITHIN = `given once, within its first ${MAX_SORT_KEY} characters; case and accents do not count`;
const PARTS = {
  prefix: "the beginning of a text, given once; case, accents and signs before it do not count",
  suffix: `the end of a text, ${WITHIN}`,
  contains: `a part of a text, ${WITHIN}`,
  notContains: `a part of a text, ${WITHIN}`,
};

/** Serves what takes one text with its commas: two texts with a comma between would be a value that nobody has sent. */
const ONCE = { readSeveral: () => undefined };

function toFilter(
  field: Field,
  operator: FilterOperator,
  values: readonly (Value | null | undefined)[] | undefined,
): AskedFilter | undefined {
  const { name, kind } = field;
  if (!values || values.length === 0 || values.length > MAX_FILTER_VALUES || values.includes(undefined)) return undefined;
  const isMine = namesPeople(field) && values.includes(ME);
  const isRelative = liesOnDays(kind) && values.some((value) => readRelativeTime(String(value)));
  return { name, operator, values: values as (Value | null)[], ...(isRelative && { relative: kind }), ...(isMine && { isMine }) };
}

function namesPeople(field: Field): boolean {
  return field.isPerson === true || SERVICE_PRINCIPALS.includes(field);
}

function readEach(field: Field, operator: FilterOperator, texts: readonly string[] | undefined): AskedFilter | undefined {
  return toFilter(
    field,
    operator,
    texts?.map((text) => readValue(field, text) ?? undefined),
  );
}

/** Checks the kind only: a value that breaks the field's rules is simply not found. */
function readValue(field: Field, text: string): Value | null | undefined {
  if (text.length > MAX_FILTER_TEXT) return undefined;
  if (liesOnDays(field.kind) && readRelativeTime(text)) return text;
  const value = validateValue(withoutRules(field), text, "text");
  return isProblem(value) ? undefined : value;
}

/** Returns undefined for a text of which folding leaves nothing, or more than a sort key holds. */
function readFolded(text: string, asCompared: typeof sortText): string | undefined {
  const folded = asCompared(text.normalize("NFC"));
  return folded === "" || folded.length > MAX_SORT_KEY || /[\0\p{Cs}]/u.test(folded) ? undefined : folded;
}
