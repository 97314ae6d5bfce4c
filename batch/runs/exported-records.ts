// Reads what an export writes: all records of some collections, or what became of those that changed since a cursor.

import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { allRecords } from "../../client/read-records.ts";
import type { ChangePage, Operation } from "../../core/contract/history.ts";
import { CHANGES_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field, ReferenceField } from "../../core/dictionary/fields.ts";
import { MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import { textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import type { TableItems } from "../../layouts/formats/write-fixed.ts";
import type { Action, ItemRecords } from "../../layouts/layouts/layout.ts";

/** Records of one collection, each with the items of its tables. */
export interface ExportPart {
  collection: Collection;
  /** The fields that are written. */
  names: readonly string[];
  tables: readonly ExportTable[];
}

/** `reference`: the field of an item that holds the key of its record. */
export interface ExportTable {
  table: ItemRecords;
  collection: Collection;
  reference: ReferenceField;
}

/** `texts`: cells as in an upload, by field name. Of a deleted record only the key is known. */
export interface ExportedRecord {
  part: ExportPart;
  id: number;
  texts: Record<string, string>;
  action: Action;
  items: TableItems[];
}

export interface ExportSource {
  /** All records part by part in the order of their keys; changed ones in the order of their first change. */
  records: AsyncIterable<ExportedRecord>;
  /** Says where the next export of changes goes on; known when all records have been read. */
  cursor(): string;
}

/** The cursor is of another store, too old, or none. */
export class WrongCursor extends Error {
  override name = "WrongCursor";
}

/** `collections`: all of the service. `since`: a cursor of the change feed; undefined for all records. */
export function openExport(
  client: Client,
  parts: readonly ExportPart[],
  collections: readonly Collection[],
  { since, signal }: { since: string | undefined; signal: AbortSignal },
): ExportSource {
  const context: ReadContext = { client, collections, signal };
  let cursor = "";
  async function* read(): AsyncGenerator<ExportedRecord> {
    if (since !== undefined) {
      const changed = await readChanges(context, parts, since);
      cursor = changed.next;
      yield* changed.records;
      return;
    }
    cursor = (await readPage(context, parts, "now")).next; // before the records: what changes meanwhile comes twice, never not at all
    for (const part of parts) yield* readPart(context, part);
  }
  return { records: read(), cursor: () => cursor };
}

interface ReadContext {
  client: Client;
  collections: readonly Collection[];
  signal: AbortSignal;
}

async function* readPart(context: ReadContext, part: ExportPart): AsyncGenerator<ExportedRecord> {
  const { collection, names, tables } = part;
  for await (const records of allRecords(context.client, collection.name, { sort: collection.key.name }, context.signal)) {
    const texts = await textsOf(context, collection, names, records);
    const items = await Promise.all(tables.map((table) => readBetween(context, table, idsOf(collection, records))));
    for (const [i, id] of idsOf(collection, records).entries()) {
      const own = items.map(
        (of, at) => ({ table: tables[at]?.table, collection: tables[at]?.collection, rows: of.get(id) ?? [] }) as TableItems,
      );
      yield { part, id, texts: texts[i] ?? {}, action: "add", items: own };
    }
  }
}

function idsOf({ key }: Collection, records: readonly WireRecord[]): number[] {
  return records.map((record) => record[key.name] as number);
}

/** Reads the items of records whose ids follow each other, by the id of their record. */
async function readBetween(context: ReadContext, table: ExportTable, ids: readonly number[]): ReturnType<typeof readItems> {
  if (ids.length === 0) return new Map();
  const { name } = table.reference;
  const between = { [`${name}[gte]`]: String(ids[0]), [`${name}[lte]`]: String(ids.at(-1)), sort: name };
  return readItems(
    context,
    table,
    table.table.fields.map((field) => field.name),
    between,
  );
}

/**
 * Reads the items that `query` selects, in the order of their keys, by the id of their record. `names`: those of them that are lookups are
 * read from the parents.
 */
export async function readItems(
  context: ReadContext,
  { collection, reference }: ExportTable,
  names: readonly string[],
  query: Record<string, string>,
): Promise<Map<number, TableItems["rows"][number][]>> {
  const found = new Map<number, TableItems["rows"][number][]>();
  for await (const records of allRecords(context.client, collection.name, query, context.signal)) {
    const texts = await textsOf(context, collection, names, records);
    for (const [i, id] of idsOf(collection, records).entries()) {
      const parent = records[i]?.[reference.name] as number;
      const rows = found.get(parent) ?? [];
      rows.push({ id, texts: texts[i] ?? {} });
      found.set(parent, rows);
    }
  }
  return found;
}

/** Counts how many records of a table's collection refer to no record, so that they are in no table. */
export async function countWithoutRecord(client: Client, { collection, reference }: ExportTable, signal: AbortSignal): Promise<number> {
  if (reference.required) return 0;
  let count = 0;
  for await (const records of allRecords(client, collection.name, { [`${reference.name}[null]`]: "true" }, signal)) count += records.length;
  return count;
}

/** Reads the cells of these records. Values of parents such as `customer.accountNumber` are read only where `names` has them. */
async function textsOf(
  context: ReadContext,
  collection: Collection,
  names: readonly string[],
  records: readonly WireRecord[],
): Promise<Record<string, string>[]> {
  const lookups = [...collection.lookups.values()].filter(({ name }) => names.includes(name));
  const parents = await Promise.all(lookups.map((lookup) => readParents(context, collection, lookup, records)));
  return records.map((record) => {
    const ofParents = lookups.map((lookup, i) => [lookup.name, parents[i]?.get(record[lookup.fills] as number) ?? ""] as const);
    return { ...cellsOf(collection, record), ...Object.fromEntries(ofParents) };
  });
}

/** Returns the cells of the record's own fields, as in an upload. */
export function cellsOf({ fields }: Collection, record: WireRecord): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, record[field.name] as Value | null)]));
}

function textOf(field: Field, value: Value | null = null): string {
  return value === null ? "" : textOfValue(field, value);
}

/** Resolves to what the parents of these records have in a unique field, by their keys. */
async function readParents(
  { client, collections, signal }: ReadContext,
  collection: Collection,
  { fills, by }: { fills: string; by: string },
  records: readonly WireRecord[],
): Promise<Map<number, string>> {
  const name = collection.references.find((field) => field.name === fills)?.reference.collection;
  const parent = collections.find((one) => one.name === name);
  const field = parent?.byName.get(by);
  const ids = [...new Set(records.flatMap((record) => (record[fills] ?? []) as number | number[]))];
  const found = new Map<number, string>();
  if (!parent || !field) return found;
  for (let at = 0; at < ids.length; at += MAX_FILTER_VALUES) {
    const wanted = { [`${parent.key.name}[in]`]: ids.slice(at, at + MAX_FILTER_VALUES).join(",") };
    for await (const page of allRecords(client, parent.name, wanted, signal))
      for (const record of page) found.set(record[parent.key.name] as number, textOf(field, record[by] as Value | null));
  }
  return found;
}

/** A change of a record in the time of the export: its first operation says whether the older system has the record. */
interface Changed {
  part: ExportPart;
  id: number;
  first: Operation;
  record: WireRecord | null;
}

async function readChanges(
  context: ReadContext,
  parts: readonly ExportPart[],
  since: string,
): Promise<{ records: ExportedRecord[]; next: string }> {
  const changed = new Map<string, Changed>();
  let next = since;
  for (;;) {
    const page = await readPage(context, parts, next);
    for (const { collection, objectId: id, operation, record = null } of page.changes) {
      const part = parts.find((one) => one.collection.name === collection);
      if (part) changed.set(`${collection} ${id}`, { part, id, first: changed.get(`${collection} ${id}`)?.first ?? operation, record });
    }
    if (page.next === next) break;
    next = page.next;
  }
  const texts = new Map<Changed, Record<string, string>>();
  for (const part of parts) {
    const there = [...changed.values()].filter((one) => one.part === part && one.record);
    const cells = await textsOf(
      context,
      part.collection,
      part.names,
      there.flatMap(({ record }) => record ?? []),
    );
    for (const [i, one] of there.entries()) texts.set(one, cells[i] ?? {});
  }
  return { records: [...changed.values()].flatMap((one) => toExported(one, texts.get(one))), next };
}

function toExported({ part, id, first }: Changed, texts: Record<string, string> | undefined): ExportedRecord[] {
  const isNew = first === "created" || first === "restored";
  if (texts) return [{ part, id, texts, action: isNew ? "add" : "change", items: [] }];
  return isNew ? [] : [{ part, id, texts: { [part.collection.key.name]: String(id) }, action: "delete", items: [] }];
}

/** Throws WrongCursor. */
async function readPage({ client, signal }: ReadContext, parts: readonly ExportPart[], after: string): Promise<ChangePage> {
  try {
    const collection = parts.map((part) => part.collection.name).join(",");
    const query = { after, collection, include: "record", limit: "1000" };
    return (await client.request("GET", CHANGES_PATH, { query, signal })).json as ChangePage;
  } catch (error) {
    const isOfCursor = error instanceof ApiError && (error.status === 410 || error.status === 400);
    throw isOfCursor ? new WrongCursor(error.message) : error;
  }
}
