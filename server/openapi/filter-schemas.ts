// The filters of lists as JSON Schema: objects of fields, and of fields below operators.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type FilterOperator, OPERATORS_OF } from "../../core/dictionary/filters.ts";
import { madeOf, named, object, type Schema, schemaNames, TIME } from "../http/json-schemas.ts";

const TEXT: Schema = { type: "string" };
const OF_SERVICE = object({ updatedAt: TIME, createdAt: TIME, updatedBy: TEXT, createdBy: TEXT }, []);
const SPECIAL: Partial<Record<FilterOperator, Schema>> = {
  in: { type: "object", additionalProperties: { type: "array", items: {} } },
  notIn: { type: "object", additionalProperties: { type: "array", items: {} } },
  has: { type: "object" },
  hasAny: { type: "object", additionalProperties: { type: "array", items: {} } },
  hasAll: { type: "object", additionalProperties: { type: "array", items: {} } },
  null: { type: "object", additionalProperties: { type: "boolean" } },
};

/** They refer to the fields where these stand already, and do not name each with every operator. */
export function filterSchemas(collections: readonly Collection[]): Record<string, Schema> {
  if (collections.length === 0) return {};
  const schemas = collections.flatMap((collection): [string, Schema][] => {
    const { filter, compared, values } = schemaNames(collection);
    // A field with the name of an operator is the field.
    const all = new Set([...OPERATORS_OF.text, ...(collection.fields.some(({ item }) => item) ? OPERATORS_OF.list : [])]);
    const words = [...all].filter((operator) => operator !== "eq" && !collection.byName.has(operator));
    const operators = Object.fromEntries(words.map((operator) => [operator, SPECIAL[operator] ?? named(compared)]));
    return [
      [compared, madeOf([named(values), named("IntakeServiceFilter")])],
      [filter, madeOf([named(compared), object(operators, [])])],
    ];
  });
  return { IntakeServiceFilter: OF_SERVICE, ...Object.fromEntries(schemas) };
}
