// `?lastName[prefix]=ho` to conditions on fields, read by the dictionary's kinds. No SQL.

import { checkValue } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import { fold } from "../../dictionary/fold.ts";
import { KINDS, type Value } from "../../dictionary/kinds.ts";
import { MAX_IN } from "../../dictionary/wire.ts";
import { MAX_SORT_KEY } from "../store/columns.ts";
import type { Filter, FilterOperator } from "../store/store.ts";
import type { Parameter } from "./parameters.ts";
import { type Schema, TYPES } from "./schemas.ts";

const MAX_TEXT = 1_000; // characters of one filter's value

/** The filter parameters that a list has, under their whole names: `age`, `age[gte]`. */
export function filterParameters(collection: Collection): Record<string, Parameter<Filter>> {
  const parameters: Record<string, Parameter<Filter>> = {};
  for (const field of [...collection.fields, ...TIMES]) {
    for (const operator of operatorsOf(field)) {
      parameters[operator === "eq" ? field.name : `${field.name}[${operator}]`] = filterParameter(field, operator);
    }
  }
  return parameters;
}

// The service's own times are filtered like fields; rules of a field do not bind a question about it.
const TIMES = ["createdAt", "updatedAt"].map(
  (name): Field => ({ name, title: name, description: "", kind: "datetime", example: "", aliases: [], required: false, unique: false }),
);

function operatorsOf(field: Field): FilterOperator[] {
  if (field.kind === "boolean") return ["eq"];
  return field.kind === "string" ? ["eq", "prefix", "gte", "lte", "in"] : ["eq", "gte", "lte", "in"];
}

function filterParameter(field: Field, operator: FilterOperator): Parameter<Filter> {
  const { name } = field;
  const schema = valueSchema(field);
  const one = { expects: KINDS[field.kind].expects, schema };
  switch (operator) {
    case "eq":
      return {
        expects: `${one.expects}, or empty for no value`,
        schema: { anyOf: [schema, { const: "" }] },
        read: (text) => some(name, operator, [readValue(field, text)]),
      };
    case "in":
      return {
        expects: `up to ${MAX_IN} values with commas between, in double quotes where they hold one; each ${one.expects}`,
        schema: { type: "array", items: schema, minItems: 1, maxItems: MAX_IN },
        read: (text) =>
          some(
            name,
            operator,
            readList(text)?.map((part) => readValue(field, part) ?? undefined),
          ),
      };
    case "prefix":
      return {
        expects: "the beginning of a text",
        schema: { ...schema, minLength: 1 },
        read: (text) => some(name, operator, [readPrefix(text)]),
      };
    default:
      return { ...one, read: (text) => some(name, operator, [readValue(field, text) ?? undefined]) };
  }
}

function valueSchema({ kind }: Field): Schema {
  return kind === "string" ? { ...TYPES.string, maxLength: MAX_TEXT } : TYPES[kind];
}

function some(name: string, operator: FilterOperator, values: readonly (Value | null | undefined)[] | undefined): Filter | undefined {
  if (!values || values.length === 0 || values.length > MAX_IN || values.includes(undefined)) return undefined;
  return { name, operator, values: values as (Value | null)[] };
}

/** By kind only: a value that the field's rules would refuse is just not found. */
function readValue(field: Field, text: string): Value | null | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const judged = checkValue({ ...BARE, name: field.name, title: field.title, kind: field.kind }, text, "text");
  return typeof judged === "object" && judged !== null ? undefined : judged;
}

const BARE = { description: "", example: "", aliases: [], required: false, unique: false };

function readPrefix(text: string): string | undefined {
  const folded = fold(text.normalize("NFC"));
  return folded === "" || folded.length > MAX_SORT_KEY || /[\0\p{Cs}]/u.test(folded) ? undefined : folded;
}

/** `a,"b,c"`: as a line of CSV. Undefined for quotes that do not end. */
function readList(text: string): string[] | undefined {
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
