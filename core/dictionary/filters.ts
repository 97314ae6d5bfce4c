// What a list may be asked about each kind of field, and how the question is spelled in an address. One table for the service and the app.

import { t } from "../i18n/translate.ts";
import type { Field } from "./fields.ts";
import type { Kind } from "./kinds.ts";

const OPERATORS = ["eq", "prefix", "gte", "lte", "in"] as const;
export type FilterOperator = (typeof OPERATORS)[number];

export const OPERATORS_OF: Record<Kind, readonly FilterOperator[]> = {
  string: OPERATORS,
  integer: ["eq", "gte", "lte", "in"],
  number: ["eq", "gte", "lte", "in"],
  boolean: ["eq"],
  date: ["eq", "gte", "lte", "in"],
  datetime: ["eq", "gte", "lte", "in"],
};

export const MAX_FILTER_VALUES = 100; // of one `in`
export const MAX_FILTER_TEXT = 1_000; // characters of one filter's value

const BARE = { description: "", example: "", aliases: [], required: false, unique: false };

/** The service's own times are sorted and filtered like fields. */
export const SERVICE_TIMES: readonly Field[] = [
  {
    ...BARE,
    name: "updatedAt",
    kind: "datetime",
    get title() {
      return t("Changed");
    },
  },
  {
    ...BARE,
    name: "createdAt",
    kind: "datetime",
    get title() {
      return t("Created");
    },
  },
];

/** The field without its rules: a question about a value that no record may have is just answered with none. */
export function askedField({ name, title, kind, example }: Field): Field {
  return { ...BARE, name, title, kind, example };
}

/** `age`, `age[gte]`. */
export function filterName(name: string, operator: FilterOperator): string {
  return operator === "eq" ? name : `${name}[${operator}]`;
}

/** `age[gte]` back to its parts, or undefined when there is no such operator. Whether there is such a field is not asked. */
export function readFilterName(text: string): { name: string; operator: FilterOperator } | undefined {
  const [, name, word] = /^([^[\]]+)(?:\[([a-z]+)\])?$/.exec(text) ?? [];
  const operator = word === undefined ? "eq" : OPERATORS.find((known) => known === word && known !== "eq");
  return name !== undefined && operator ? { name, operator } : undefined;
}

/** `a,"b,c"` to its values, as a line of CSV. Undefined for quotes that do not end. */
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
