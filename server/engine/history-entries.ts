// Makes the entries of history: one change of a record, and how a deleted one was made. Both engines use it.

import type { Operation, Source } from "../../core/contract/history.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { keptValue, OPERATION_BITS } from "../history/store/reads.ts";
import type { StoredRecord } from "../people/store/principals.ts";
import { columnOf, tableOf } from "./columns.ts";
import { deletionVersion } from "./decide.ts";
import type { RelationSql } from "./find-relations.ts";
import type { RowChange } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import type { Changes } from "./store.ts";

/** The row of one change. `changes` is JSON, and so is `warnings`: the names of those that were acknowledged. */
export interface EntryRow {
  id: number;
  version: number;
  operation: Operation;
  changes: string | null;
  warnings: string | null;
}

/** The facts that all changes of one write have in common. `now` in ms since 1970; `by` is the number of the principal. */
export interface WriteStamp {
  now: number;
  by: number;
  source: Source;
  isRestore: boolean;
}

/** Returns a write's `operations`: the bits of those that its entries have. */
export function operationsOf(entries: readonly EntryRow[]): number {
  return entries.reduce((bits, { operation }) => bits | OPERATION_BITS[operation], 0);
}

/**
 * A change is kept as old and new value of each field, a deleted record as its values. Of a new record nothing is kept: it stands in
 * its table, and what it lost since then stands in later entries.
 */
export function entryOf(collection: Collection, change: RowChange, isRestore: boolean): EntryRow {
  const { record } = change;
  const id = record[collection.key.name] as number;
  const names = warnedRules(change);
  const warnings = names.length > 0 ? JSON.stringify(names) : null;
  switch (change.outcome) {
    case "created":
      return { id, version: record.version, operation: isRestore ? "restored" : "created", changes: null, warnings };
    case "updated":
      return {
        id,
        version: record.version,
        operation: isRestore ? "restored" : "updated",
        changes: JSON.stringify(byColumn(collection, change.changes)),
        warnings,
      };
    case "deleted":
      return {
        id,
        version: deletionVersion(record),
        operation: "deleted",
        changes: JSON.stringify(valuesOf(collection, record)),
        warnings,
      };
  }
}

/** Names the warnings that were acknowledged with a change. */
export function warnedRules(change: RowChange): string[] {
  const warnings = "warnings" in change ? (change.warnings ?? []) : [];
  return [...new Set(warnings.map(({ rule = "" }) => rule))];
}

/** Returns the fields that have a value, but for the key. */
function valuesOf({ fields, key }: Collection, record: WireRecord): Record<string, unknown> {
  const given = fields.filter((field) => field !== key && (record[field.name] ?? null) !== null);
  return Object.fromEntries(given.map((field) => [columnName(field), keptValue(record[field.name])]));
}

/** The history knows fields by their columns, so that a new name changes nothing that is stored. */
function byColumn({ byName }: Collection, changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).map(([name, pair]) => [columnName(byName.get(name) ?? { name }), pair]));
}

/**
 * Maps an id to when and by whom the deleted record was made, for a batch that brings it back. Principals are numbers until the engine
 * has named them. A tombstone of an earlier version of the service knows neither.
 */
export function* findOrigins(
  collection: Collection,
  ids: readonly number[],
  sql: Pick<RelationSql, "among" | "idList">,
): Script<Map<number, StoredRecord>> {
  const select = `SELECT id, created_at, created_by FROM tombstones WHERE ${sql.among("id")} AND collection = $2 AND created_at IS NOT NULL`;
  const { rows } = yield* ask(select, sql.idList(ids), collection.name);
  return new Map(
    rows.map(([id, at, by]) => {
      const createdAt = new Date(Number(at)).toISOString();
      const createdBy = by === null ? null : Number(by);
      return [Number(id), { createdAt, updatedAt: createdAt, createdBy, updatedBy: null, version: 0 } as StoredRecord];
    }),
  );
}

/** Run it when the records are inserted, and their tombstones are still there. $1: their ids, as `among` reads them; $2: the collection. */
export function keepOriginsSql(collection: Collection, among: RelationSql["among"]): string {
  const table = tableOf(collection);
  const key = `${table}.${columnOf(collection.key)}`;
  return `UPDATE ${table} SET "createdAt" = t.created_at, "createdBy" = t.created_by FROM tombstones t
    WHERE ${among(key)} AND t.id = ${key} AND t.collection = $2 AND t.created_at IS NOT NULL`;
}
