// Finds stored records by values of one field, such as the parents that a file names.

import type { Client } from "../../client/http-client.ts";
import { collectionPath } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { filterName, MAX_FILTER_TEXT, MAX_FILTER_VALUES, writeValueList } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { uniqueValue } from "../../core/dictionary/unique-value.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { FindNear } from "./responses.ts";

const MOST_CHARACTERS = 2_500; // of the values in an address, which may have 4,096
const BEGINNING = 4; // letters
const MOST_NEAR = 20; // records

/** Asks in as many requests as the addresses need. A value that no address takes counts as not found. */
export async function findParents(
  client: Client,
  parent: Collection,
  by: Field,
  values: readonly Value[],
  signal: AbortSignal,
): Promise<{ kind: "read"; found: ReadonlySet<string> }> {
  const stored = new Set<Value>();
  const ask = async (filter: string, value: string, limit: number) => {
    const query = { [filter]: value, fields: by.name, limit: String(limit) };
    const { json } = await client.request("GET", collectionPath(parent.name), { query, signal });
    for (const record of recordsOf(json, parent)) stored.add(uniqueValue(by, record[by.name] as Value));
  };
  const isStored = (value: Value) => stored.has(uniqueValue(by, value));
  const texts = values.map(String).filter((text) => text.length <= MAX_FILTER_TEXT);
  for (const part of inAddresses(texts)) await ask(filterName(by.name, "in"), writeValueList(part), part.length);
  // A list of values is compared with its case, and so such a field is asked by the beginning as well.
  if (by.caseless) for (const text of texts) if (!isStored(text)) await ask(filterName(by.name, "prefix"), text, MOST_NEAR);
  return { kind: "read", found: new Set(values.filter(isStored).map(String)) };
}

function inAddresses(texts: readonly string[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const text of texts) {
    const length = encodeURIComponent(text).length + 3;
    if (length > left || parts.at(-1)?.length === MAX_FILTER_VALUES) {
      parts.push([]);
      left = MOST_CHARACTERS;
    }
    parts.at(-1)?.push(text);
    left -= length;
  }
  return parts;
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
