// The filters of a list: which operators each family of kinds has, and how a filter is written in a URL.

import { t } from "../i18n/translate.ts";
import type { Field } from "./fields.ts";
import { KIND_TRAITS, type Kind, type KindFamily } from "./kinds.ts";

/** The operators of filters, by the names that they have in addresses. */
export const OPERATORS = [
  "eq",
  "ne",
  "prefix",
  "suffix",
  "contains",
  "notContains",
  "gte",
  "gt",
  "lte",
  "lt",
  "in",
  "notIn",
  "has",
  "hasAny",
  "hasAll",
  "null",
] as const;
export type FilterOperator = (typeof OPERATORS)[number];

// It is marked as pure below, so that the upload worker, which has no filters, does not contain the table.

/** Says for each operator whether a kind that is text has it, one that has an order, and several values, which have these alone. */
const NEEDS: Record<FilterOperator, { isText?: true; hasOrder?: true; isList?: true }> = {
  eq: {},
  ne: {},
  prefix: { isText: true },
  suffix: { isText: true },
  contains: { isText: true },
  notContains: { isText: true },
  gte: { hasOrder: true },
  gt: { hasOrder: true },
  lte: { hasOrder: true },
  lt: { hasOrder: true },
  in: { hasOrder: true },
  notIn: { hasOrder: true },
  has: { isList: true },
  hasAny: { isList: true },
  hasAll: { isList: true },
  null: {},
};

function choose(isText: boolean, hasOrder: boolean): readonly FilterOperator[] {
  return OPERATORS.filter((operator) => {
    const needs = NEEDS[operator];
    return (isText || !needs.isText) && (hasOrder || !needs.hasOrder) && !needs.isList;
  });
}

const ORDERED = /* @__PURE__ */ choose(false, true);

export const OPERATORS_OF: Record<KindFamily, readonly FilterOperator[]> = {
  text: /* @__PURE__ */ choose(true, true),
  amount: ORDERED,
  time: ORDERED,
  yesNo: /* @__PURE__ */ choose(false, false),
  list: ["has", "hasAny", "hasAll", "null"],
};

export const MAX_FILTER_VALUES = 100; // in one filter with `in` or `notIn`
export const MAX_FILTER_TEXT = 1_000; // characters of one filter's value

const BARE = { description: "", example: "", aliases: [], required: false, unique: false };

/** Makes a field that the service sets. Its title is in the language that the app has when it is read. */
function serviceField(name: string, kind: Kind, title: () => string): Field {
  return {
    ...BARE,
    name,
    kind,
    get title() {
      return title();
    },
  };
}

/** The times that the service sets. Lists sort and filter by them as by fields. */
export const SERVICE_TIMES: readonly Field[] = [
  /* @__PURE__ */ serviceField("updatedAt", "datetime", () => t("Changed")),
  /* @__PURE__ */ serviceField("createdAt", "datetime", () => t("Created")),
];

/** Names who wrote a record. Lists filter by the ids of people and API keys, and do not sort by them. */
export const SERVICE_PRINCIPALS: readonly Field[] = [
  /* @__PURE__ */ serviceField("updatedBy", "string", () => t("Changed by")),
  /* @__PURE__ */ serviceField("createdBy", "string", () => t("Created by")),
];

const BY_ID: readonly FilterOperator[] = ["eq", "in"];
/** An id has no beginning and no order that anybody would ask for. */
const OF_PERSON: readonly FilterOperator[] = ["eq", "ne", "in", "notIn", "null"];
/** Stands in a filter by people for the one who asks. */
export const ME = "{me}";

/** Returns the operators of a field of the dictionary, or of one that the service sets. */
export function operatorsOf(field: Field): readonly FilterOperator[] {
  if (field.isPerson) return OF_PERSON;
  return SERVICE_PRINCIPALS.includes(field) ? BY_ID : OPERATORS_OF[KIND_TRAITS[field.kind].family];
}

/** Returns the field without its rules: for a filter, and for values that were stored when the rules were others. */
export function withoutRules({ name, title, kind, example, format, byLabel, isPerson, item, delimiter }: Field): Field {
  const hasLines = format === "multiline"; // values with line breaks
  const several = item && { item: withoutRules(item), ...(delimiter !== undefined && { delimiter }) };
  return {
    ...BARE,
    name,
    title,
    kind,
    example,
    ...(hasLines && { format }),
    ...(byLabel && { byLabel }),
    ...(isPerson && { isPerson }),
    ...several,
  };
}

/** Says whether its value is several, with commas between them. */
export function takesSeveral(operator: string): boolean {
  return operator === "in" || operator === "notIn" || operator === "hasAny" || operator === "hasAll";
}

/** Returns the query parameter of a filter: `age` for "eq", `age[gte]` for the others. */
export function filterName(name: string, operator: FilterOperator): string {
  return operator === "eq" ? name : `${name}[${operator}]`;
}

/** Returns the field name and operator of a parameter such as `age[gte]`; undefined for an unknown operator. The field may be unknown. */
export function readFilterName(text: string): { name: string; operator: FilterOperator } | undefined {
  const [, name, word] = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(text) ?? [];
  const operator = word === undefined ? "eq" : OPERATORS.find((known) => known === word && known !== "eq");
  return name !== undefined && operator ? { name, operator } : undefined;
}

/** Returns the values of `a,"b,c"`, quoted as in CSV. Undefined when a quotation mark is not closed. */
export function readValueList(text: string): string[] | undefined {
  const PART = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  const parts: string[] = [];
  while (PART.lastIndex <= text.length) {
    const found = PART.exec(text);
    if (!found) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === "") return parts;
  }
  return parts;
}

export function writeValueList(values: readonly string[]): string {
  return values.map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}
