// Gives the bodies of the operations names among the components, and every closed list its type: generators need both.

import type { Collection } from "../../core/dictionary/collections.ts";
import { named, type Schema, schemaNames } from "../http/json-schemas.ts";
import type { Operation } from "./openapi-types.ts";

type NameBodies = (operation: Operation, collection: Collection | undefined) => Operation;

/**
 * Moves each larger schema out of operations into `components`, as `<OperationId>Request` or `<OperationId>Response`. One that does not
 * tell of its collection has a name without it, so that all collections share it; two that are the same have one name.
 */
export function createNameBodies(components: Record<string, Schema>): NameBodies {
  const known = new Map<string, string>(); // names by the schema's text
  const store = (wanted: readonly string[], schema: Schema, own: readonly string[]): Schema => {
    const text = JSON.stringify(schema);
    const [general = "", special = ""] = wanted;
    const base = own.some((word) => text.includes(word)) ? special : general;
    let name = known.get(text) ?? base;
    for (let n = 2; !known.has(text) && components[name]; n++) name = `${base}${n}`;
    known.set(text, name);
    components[name] = schema;
    return named(name);
  };
  return (operation, collection) => {
    const special = inCapitals(operation.operationId);
    const general = inCapitals(
      operation.operationId.replace(collection ? new RegExp(`_${collection.name}|_${collection.singular}`) : "", ""),
    );
    const own = collection ? [`"${collection.name}"`, ...Object.values(schemaNames(collection)).map((name) => `/${name}"`)] : [];
    const move = <Media extends { schema: Schema }>(content: Record<string, Media>, end: string) =>
      Object.fromEntries(
        Object.entries(content).map(([type, media]) => [
          type,
          { ...media, schema: isLarge(media.schema) ? store([general + end, special + end], media.schema, own) : media.schema },
        ]),
      );
    const { requestBody, responses } = operation;
    return {
      ...operation,
      ...(requestBody && { requestBody: { ...requestBody, content: move(requestBody.content, "Request") } }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => {
          if ("$ref" in response || !response.content) return [status, response];
          return [status, { ...response, content: move(response.content, status === "207" ? "Results" : "Response") }];
        }),
      ),
    };
  };
}

function inCapitals(operationId: string): string {
  return operationId.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isLarge(schema: Schema): boolean {
  return schema.type === "object" || schema.anyOf !== undefined;
}

/** Returns the same document, in which no `enum` or `const` stands without its `type`. */
export function withTypes<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withTypes) as T;
  if (typeof value !== "object" || value === null) return value;
  const own = value as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(own).map(([key, one]) => [key, isData(key) ? one : withTypes(one)]));
  const values = Array.isArray(own.enum) ? own.enum : "const" in own ? [own.const] : [];
  const types = new Set(values.map(typeOf));
  const isTyped = own.type !== undefined || own.properties !== undefined || types.size !== 1;
  return (isTyped ? inner : { type: [...types][0], ...inner }) as T;
}

/** Their values are no schemas. */
function isData(key: string): boolean {
  return ["enum", "const", "example", "examples", "value", "default"].includes(key);
}

function typeOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value;
}
