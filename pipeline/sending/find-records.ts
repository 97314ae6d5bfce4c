// Finds stored records by values of one field, such as the parents that a file names.

import type { Client } from "../../client/http-client.ts";
import { lookupPath, type ValueHolder } from "../../core/contract/lookup.ts";
import { collectionPath } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { filterName } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { FindNear } from "./responses.ts";

const BEGINNING = 4; // letters
const MOST_NEAR = 20; // records

/** Also finds parents that have become part of others: the service takes a row that names them for one of the other record. */
export async function findParents(
  client: Client,
  parent: Collection,
  by: Field,
  values: readonly Value[],
  signal: AbortSignal,
): Promise<{ kind: "read"; found: ReadonlySet<string> }> {
  const found = await lookUp(client, parent, by.name, values, signal);
  return { kind: "read", found: new Set(found.map(({ value }) => String(value))) };
}

/** `field`: the name of what is unique, as the service's `matchBy` has it; `values`: of several fields each is a list. At most MOST_LOOKUP_VALUES. */
export async function lookUp(
  client: Client,
  { name }: Pick<Collection, "name">,
  field: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<ValueHolder[]> {
  const { json } = await client.request("POST", lookupPath(name), { body: { field, values }, ...(signal && { signal }) });
  return (json as { found: ValueHolder[] }).found;
}

/** Finds near texts alone: a number that is near another one is another number. */
export function nearFinder(client: Client): FindNear {
  return async (parent, by, text, signal) => {
    const beginning = [...text.trim()].slice(0, BEGINNING).join("");
    if (!KIND_TRAITS[by.kind].isText || beginning === "") return [];
    const fields = [...new Set([parent.key, by, ...parent.label])].map(({ name }) => name).join();
    const query = { [filterName(by.name, "prefix")]: beginning, fields, limit: String(MOST_NEAR) };
    const reply = await client.request("GET", collectionPath(parent.name), { query, signal }).catch(() => undefined);
    return recordsOf(reply?.json, parent);
  };
}

function recordsOf(json: unknown, { name }: Collection): Fields[] {
  return ((json ?? {}) as Record<string, Fields[] | undefined>)[name] ?? [];
}
