// Filter parameters of a list, such as `?lastName[prefix]=ho`.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import {
  type FilterOperator,
  filteredField,
  filterName,
  MAX_FILTER_TEXT,
  MAX_FILTER_VALUES,
  operatorsOf,
  readValueList,
  SERVICE_PRINCIPALS,
  SERVICE_TIMES,
} from "../../../core/dictionary/filters.ts";
import { expected, type Kind, type Value } from "../../../core/dictionary/kinds.ts";
import { validateValue } from "../../../core/dictionary/validate.ts";
import { type Schema, TYPES } from "../../http/json-schemas.ts";
import type { Parameter } from "../../http/query-parameters.ts";
import { MAX_SORT_KEY, sortText } from "../../store/columns.ts";
import type { Filter } from "../../store/store.ts";

const VALUE_SCHEMAS: Record<Kind, Schema> = { ...TYPES, string: { ...TYPES.string, maxLength: MAX_FILTER_TEXT } };

/** The filter parameters of a list by their full names: `age`, `age[gte]`. */
export function filterParameters(collection: Collection): Record<string, Parameter<Filter>> {
  const parameters: Record<string, Parameter<Filter>> = {};
  for (const field of [...collection.fields, ...SERVICE_TIMES, ...SERVICE_PRINCIPALS]) {
    for (const operator of operatorsOf(field)) parameters[filterName(field.name, operator)] = filterParameter(field, operator);
  }
  return parameters;
}

function filterParameter(field: Field, operator: FilterOperator): Parameter<Filter> {
  const { name, kind, example } = field;
  const schema = VALUE_SCHEMAS[kind];
  const one = { expects: expected(kind, example), schema };
  switch (operator) {
    case "eq":
      return {
        expects: `${one.expects}, or empty for no value`,
        schema: { anyOf: [schema, { const: "" }] },
        read: (text) => toFilter(name, operator, [readValue(field, text)]),
        // Each text is one value, commas and all: `city=Bonn&city=Ulm` finds both.
        ...(operatorsOf(field).includes("in") && {
          readSeveral: (texts) =>
            toFilter(
              name,
              "in",
              texts.map((text) => readValue(field, text) ?? undefined),
            ),
        }),
      };
    case "in":
      return {
        expects: `up to ${MAX_FILTER_VALUES} values with commas between, in double quotes where they hold one; each ${one.expects}`,
        schema: { type: "array", items: schema, minItems: 1, maxItems: MAX_FILTER_VALUES },
        read: (text) =>
          toFilter(
            name,
            operator,
            readValueList(text)?.map((part) => readValue(field, part) ?? undefined),
          ),
      };
    case "prefix":
      return {
        expects: "the beginning of a text; case, accents and signs before it do not count",
        schema: { ...schema, minLength: 1 },
        read: (text) => toFilter(name, operator, [readFolded(text)]),
      };
    case "gte":
    case "lte":
      return { ...one, read: (text) => toFilter(name, operator, [readValue(field, text) ?? undefined]) };
  }
}

function toFilter(name: string, operator: FilterOperator, values: readonly (Value | null | undefined)[] | undefined): Filter | undefined {
  if (!values || values.length === 0 || values.length > MAX_FILTER_VALUES || values.includes(undefined)) return undefined;
  return { name, operator, values: values as (Value | null)[] };
}

/** Checks the kind only: a value that breaks the field's rules is simply not found. */
function readValue(field: Field, text: string): Value | null | undefined {
  if (text.length > MAX_FILTER_TEXT) return undefined;
  const value = validateValue(filteredField(field), text, "text");
  return typeof value === "object" && value !== null ? undefined : value;
}

/** Undefined for a text of which folding leaves nothing, or more than a sort key holds. */
function readFolded(text: string): string | undefined {
  const folded = sortText(text.normalize("NFC"));
  return folded === "" || folded.length > MAX_SORT_KEY || /[\0\p{Cs}]/u.test(folded) ? undefined : folded;
}
