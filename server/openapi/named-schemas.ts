// Gives the bodies of the operations names among the components, and every closed list its type: generators need both.

import { named, type Schema } from "../http/json-schemas.ts";
import type { Operation } from "./openapi-types.ts";

/** Moves each larger schema out of the operation into `components`, as `<OperationId>Request` or `<OperationId>Response`. */
export function nameBodies(operation: Operation, components: Record<string, Schema>): Operation {
  const base = operation.operationId.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const move = <Media extends { schema: Schema }>(content: Record<string, Media>, name: string) =>
    Object.fromEntries(
      Object.entries(content).map(([type, media]) => [
        type,
        { ...media, schema: isLarge(media.schema) ? store(name, media.schema) : media.schema },
      ]),
    );
  const store = (wanted: string, schema: Schema): Schema => {
    const text = JSON.stringify(schema);
    let name = wanted;
    for (let n = 2; components[name] && JSON.stringify(components[name]) !== text; n++) name = `${wanted}${n}`;
    components[name] = schema;
    return named(name);
  };
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: move(requestBody.content, `${base}Request`) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        if ("$ref" in response || !response.content) return [status, response];
        const name = status === "207" ? `${base}Results` : `${base}Response`;
        return [status, { ...response, content: move(response.content, name) }];
      }),
    ),
  };
}

function isLarge(schema: Schema): boolean {
  return schema.type === "object" || schema.anyOf !== undefined;
}

/** The same document, in which no `enum` or `const` stands without its `type`. */
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
