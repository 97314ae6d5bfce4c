// What an export writes: all records of a collection, or what became of those that changed since a cursor.

import { ApiError } from "../../client/errors.ts";
import { type Client, createClient } from "../../client/http-client.ts";
import { allRecords } from "../../client/read-records.ts";
import type { ChangePage, Operation } from "../../core/contract/history.ts";
import { CHANGES_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import type { Action } from "../layouts/layout.ts";
import type { Connection } from "./connection.ts";

/** `texts`: cells as in an upload, by field name. Of a deleted record only the key is known. */
export interface ExportedRecord {
  id: number;
  texts: Record<string, string>;
  action: Action;
}

export interface ExportSource {
  /** In the order of the keys, or of the first change. */
  records: AsyncIterable<ExportedRecord>;
  /** Where the next export of changes goes on; known when all records have been read. */
  cursor(): string;
}

/** `since`: a cursor of the change feed; undefined for all records. */
export function openExport(
  { baseUrl }: Connection,
  token: string,
  collection: Collection,
  since: string | undefined,
  signal: AbortSignal,
): ExportSource {
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401)) };
  const client = createClient({ baseUrl, session });
  let cursor = "";
  async function* read(): AsyncGenerator<ExportedRecord> {
    if (since !== undefined) {
      const changed = await readChanges(client, collection, since, signal);
      cursor = changed.next;
      yield* changed.records;
      return;
    }
    cursor = (await readPage(client, collection, "now", signal)).next; // before the records: what changes meanwhile comes twice, never not at all
    for await (const records of allRecords(client, collection.name, {}, signal)) {
      for (const record of records) yield { id: record[collection.key.name] as number, texts: textsOf(collection, record), action: "add" };
    }
  }
  return { records: read(), cursor: () => cursor };
}

/** A change of a record in the time of the export: its first operation says whether the older system has the record. */
interface Changed {
  first: Operation;
  record: WireRecord | null;
}

async function readChanges(
  client: Client,
  collection: Collection,
  since: string,
  signal: AbortSignal,
): Promise<{ records: ExportedRecord[]; next: string }> {
  const changed = new Map<number, Changed>();
  let next = since;
  for (;;) {
    const page = await readPage(client, collection, next, signal);
    for (const { objectId, operation, record = null } of page.changes) {
      changed.set(objectId, { first: changed.get(objectId)?.first ?? operation, record });
    }
    if (page.next === next) return { records: [...changed].flatMap((one) => toExported(collection, ...one)), next: page.next };
    next = page.next;
  }
}

function toExported(collection: Collection, id: number, { first, record }: Changed): ExportedRecord[] {
  const isNew = first === "created" || first === "restored";
  if (record) return [{ id, texts: textsOf(collection, record), action: isNew ? "add" : "change" }];
  return isNew ? [] : [{ id, texts: { [collection.key.name]: String(id) }, action: "delete" }];
}

async function readPage(client: Client, { name }: Collection, after: string, signal: AbortSignal): Promise<ChangePage> {
  try {
    const query = { after, collection: name, include: "record", limit: "1000" };
    return (await client.request("GET", CHANGES_PATH, { query, signal })).json as ChangePage;
  } catch (error) {
    const isOfCursor = error instanceof ApiError && (error.status === 410 || error.status === 400);
    if (!isOfCursor) throw error;
    throw new CommandError(
      EXIT.nothing,
      `Nothing was written. The changes since ${after} cannot be read: ${error.message} Export everything instead, without --changes-since.`,
    );
  }
}

function textsOf({ fields }: Collection, record: WireRecord): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = (record[field.name] ?? null) as Value | null;
      return [field.name, value === null ? "" : textOfValue(field.kind, value)];
    }),
  );
}
