// Declares a tool: what an assistant may send, and what is done with it.

import { fromJsonSchema, type StandardSchemaWithJSON, type ToolAnnotations } from "@modelcontextprotocol/server";
import type { Collection } from "../../core/dictionary/collections.ts";
import { SERVICE_PRINCIPALS, SERVICE_TIMES, writeValueList } from "../../core/dictionary/filters.ts";
import { ToolError } from "./answers.ts";
import type { Caller } from "./callers.ts";
import type { Proposals } from "./proposals.ts";

/** Serves one call of a tool. */
export interface Use {
  caller: Caller;
  proposals: Proposals;
  /** Is aborted when the client cancels the call, or has gone. */
  signal: AbortSignal;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  schema: StandardSchemaWithJSON;
  annotations: ToolAnnotations;
  /** It is offered to those alone who may write somewhere. */
  isForWriters: boolean;
  /** Resolves with what is answered as JSON. Throws ToolError, ApiError or NoReply. */
  run(args: unknown, use: Use): Promise<object>;
}

interface ToolParts<Args> extends Pick<Tool, "name" | "title" | "description" | "isForWriters"> {
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
  hints: Pick<ToolAnnotations, "readOnlyHint" | "destructiveHint" | "idempotentHint">;
  run(args: Args, use: Use): Promise<object>;
}

/** `Args`: as the schema made of `properties` describes them. No other ones are let through. */
export function tool<Args>({ properties, required, hints, run, ...own }: ToolParts<Args>): Tool {
  const schema = fromJsonSchema<Args>({ type: "object", properties, required: [...required], additionalProperties: false });
  const annotations = { ...hints, openWorldHint: false };
  return { ...own, schema, annotations, run: (args, use) => run(args as Args, use) };
}

export const COLLECTION = { type: "string", maxLength: 100, description: "The name of a collection, as the tool dictionary has it." };
export const ID = { type: "integer", minimum: 1, description: "The value of the record's key." };
export const QUERY = { type: "string", maxLength: 200, description: "Words that the records shall have, as a person searches." };
export const CURSOR = { type: "string", maxLength: 4_096, description: "What an earlier answer named to go on with." };
export const TIME_ZONE = {
  type: "string",
  maxLength: 64,
  description: "An IANA name such as Europe/Berlin, by which days are meant; UTC unless given.",
};
const FILTER_VALUE = { type: ["string", "number", "boolean"] };
export const FILTERS = {
  type: "object",
  maxProperties: 50,
  description:
    'Conditions that all must hold, by field and operator: {"city":"Bonn","total[gte]":5,"city[in]":["Bonn","Ulm"],"createdAt[gte]":"now-7d","phone[null]":true}. Operators: ne, null, and by kind prefix, suffix, contains, notContains, gt, gte, lt, lte, in, notIn, has, hasAny, hasAll. A field of a parent is "customer.city". One of several ways: "or[0].city" and "or[1].total[gte]".',
  additionalProperties: { anyOf: [FILTER_VALUE, { type: "array", items: FILTER_VALUE, minItems: 1, maxItems: 100 }] },
};

export type FilterValue = string | number | boolean;
export type Filters = Readonly<Record<string, FilterValue | readonly FilterValue[]>>;

/** Throws ToolError for one that the caller does not know, so that no other address of the service can be meant. */
export async function collectionOf(name: string, { caller, signal }: Use): Promise<Collection> {
  const find = async (anew: boolean) => (await caller.collections(signal, anew)).find((one) => one.name === name);
  const found = (await find(false)) ?? (await find(true)); // it may have been made within the last minute
  if (found) return found;
  const names = (await caller.collections(signal)).map((one) => one.name).join(", ");
  throw new ToolError(`There is no collection of this name for this key. There are: ${names || "none"}.`);
}

const WAY = /^or\[[0-9]{1,2}\]\.?/;
const OF_SERVICE: readonly string[] = [...SERVICE_TIMES, ...SERVICE_PRINCIPALS].map(({ name }) => name);

/** Writes them as the service reads them in an address. Throws ToolError for what is no filter of a field: other parameters have own arguments. */
export function toQuery(collection: Collection, filters: Filters = {}): Record<string, string> {
  const heads = new Set([...collection.byName.keys(), ...collection.references.map(({ reference }) => reference.as), ...OF_SERVICE]);
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) {
    const head = name.replace(WAY, "").split(/[.[]/, 1)[0] ?? "";
    if (!heads.has(head))
      throw new ToolError(
        `The filter ${JSON.stringify(name.slice(0, 100))} is about no field of ${collection.name}. Look into the dictionary.`,
      );
    query[name] = Array.isArray(value) ? writeValueList(value.map(String)) : String(value);
  }
  return query;
}
