// The history in PostgreSQL: written together with the changes of a batch.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { OWN_XID } from "../../history/store/home-postgres.ts";
import { entryOf, operationsOf, type WriteStamp } from "../history-entries.ts";
import { rowChangeOf } from "../plan-write.ts";
import type { Decision } from "../store.ts";
import type { Query } from "./pool.ts";

/**
 * Runs inside the transaction, after its rows are written: until it ends nobody else can write them, so the number that is drawn here
 * rises with each record's versions.
 */
export async function addHistory(query: Query, collection: Collection, decisions: readonly Decision[], stamp: WriteStamp): Promise<void> {
  const entries = decisions.flatMap((decision) => {
    const change = rowChangeOf(decision);
    return change ? [entryOf(collection, change, stamp.isRestore)] : [];
  });
  if (entries.length === 0) return;
  const { now, by, source } = stamp;
  await query(INSERT, [
    entries.map(({ id }) => id),
    entries.map(({ version }) => version),
    entries.map(({ operation }) => operation),
    entries.map(({ changes }) => changes),
    collection.name,
    now,
    by,
    source.type,
    source.run,
    entries.length,
    operationsOf(entries),
    entries.map(({ warnings }) => warnings),
  ]);
}

const INSERT = `WITH w AS (
    INSERT INTO writes (collection, at, by, source, run, size, operations, xid)
    VALUES ($5, $6::bigint, $7::integer, $8, $9, $10::integer, $11::integer, ${OWN_XID}) RETURNING number
  )
  INSERT INTO history (write, id, version, operation, changes, warnings)
  SELECT w.number, u.id, u.version, u.operation, u.changes, u.warnings
  FROM w, unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $12::text[]) AS u(id, version, operation, changes, warnings)`;
