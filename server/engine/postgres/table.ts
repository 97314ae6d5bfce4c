// One collection's table in PostgreSQL: reads what is stored for a batch, and writes a whole batch in a few statements.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { columnName } from "../../../core/dictionary/column-name.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { comparing, type Unique, uniquesOf, uniqueValue, valuesOfUnique } from "../../../core/dictionary/unique-keys.ts";
import {
  type Cell,
  COLUMN_RULES,
  caseColumn,
  cells,
  columnOf,
  columnsOf,
  quoted,
  storedColumns,
  tableOf,
  toCell,
  toRecord,
  toValue,
  uniqueColumns,
  VERSION_AT,
} from "../columns.ts";
import { deletionVersion, type OpWithId } from "../decide.ts";
import { oldFormulas } from "../formulas.ts";
import { keepOriginsSql } from "../history-entries.ts";
import { storedKind } from "../known-fields.ts";
import { type Known, type RowChange, rowChangeOf, valuesOf } from "../plan-write.ts";
import type { ReadWords } from "../renew-words.ts";
import { ask, type Script } from "../script/script.ts";
import { searchedFields, searchWords } from "../search-words.ts";
import { type Decision, StoreOutdated } from "../store.ts";
import { WriteConflict } from "./database-errors.ts";
import type { Query } from "./pool.ts";
import type { Principals } from "./principals.ts";
import { uniqueKey, WORDS } from "./schema.ts";

/** Holds the time, in ms since 1970, and the number of the principal. `isRestore`: it brings back what was stored before. */
export interface RowStamp {
  now: number;
  by: number;
  isRestore: boolean;
}

export interface RecordTable {
  /** Finds the keys of the records that have these values of what is unique. */
  findKeys(query: Query, name: string, values: readonly Value[]): Promise<Map<Value, number>>;
  /** Reads what is stored under the ids of the ops, and who has their unique values. */
  known(query: Query, ops: readonly OpWithId[]): Promise<Known>;
  /**
   * Applies the decisions. Throws WriteConflict when a row has changed since `known` read it. Nothing is locked before:
   * Citus rejects SELECT … FOR UPDATE over many rows, and after a conflict the transaction simply runs again.
   */
  apply(query: Query, decisions: readonly Decision[], stamp: RowStamp): Promise<void>;
}

export function createRecordTable(collection: Collection, principals: Principals): RecordTable {
  const table = tableOf(collection);
  const key = columnOf(collection.key);
  const keyAt = collection.fields.indexOf(collection.key);
  const uniques = uniquesOf(collection);
  const uniqueFields = [...new Set(uniques.flatMap(({ fields }) => fields))];
  const readSql = readSqlOf(collection);
  const insertSql = insertSqlOf(collection);
  const updateSql = updateSqlOf(collection);
  const originsSql = keepOriginsSql(collection, (column) => `${column} = ANY($1::bigint[])`);
  const idOf = (record: WireRecord) => record[collection.key.name] as number;

  async function known(query: Query, ops: readonly OpWithId[]): Promise<Known> {
    const { rows } = await query(readSql, [ops.map((op) => op.id), collection.name]);
    if (rows.some((row) => row[keyAt] === null)) throw new StoreOutdated();
    const createdAt = collection.fields.length;
    const [live, tombstones] = [rows.filter((row) => row[createdAt] !== null), rows.filter((row) => row[createdAt] === null)];
    const records = live.map((row) => toRecord(collection, row as Cell[]));
    const holders = new Map<string, Map<Value, number>>();
    const stored = new Map(records.map((record) => [record[collection.key.name] as number, record]));
    for (const unique of uniques) holders.set(unique.name, await holdersOf(query, collection, unique, valuesOf(ops, unique, stored)));
    return {
      records: new Map((await principals.name(query, records)).map((record) => [idOf(record), record])),
      tombstones: new Map(tombstones.map((row) => [row[keyAt] as number, row[createdAt + VERSION_AT] as number])),
      deletions: new Map(tombstones.map((row) => [row[keyAt] as number, row[createdAt + 1] as number])),
      holders,
    };
  }

  async function apply(query: Query, decisions: readonly Decision[], stamp: RowStamp): Promise<void> {
    // They have the same order everywhere, so that two batches seldom deadlock.
    const changes = decisions.flatMap((decision) => rowChangeOf(decision) ?? []).sort((a, b) => idOf(a.record) - idOf(b.record));
    const { deleted, updated, created } = groupByOutcome(changes);
    // A unique value must be released before another record of the batch takes it: deletions first, insertions last.
    if (deleted.length > 0) await remove(query, recordsOf(deleted), stamp.now);
    const moved = updated.filter(({ changes }) => uniqueFields.some((field) => Object.hasOwn(changes, field.name)));
    if (moved.length > 1) await query(releaseSql, [moved.map(({ record }) => idOf(record))]);
    if (updated.length > 0) {
      const records = recordsOf(updated);
      expectAll((await query(updateSql, [...columnsToSend(collection, records), stamp.now, stamp.by, records.map(idOf)])).rows, records);
    }
    if (created.length > 0) await create(query, recordsOf(created), stamp);
  }

  const released = uniqueFields.flatMap((field) => [columnOf(field), ...(field.caseless ? [caseColumn(columnName(field))] : [])]);
  const releaseSql = `UPDATE ${table} SET ${released.map((column) => `${column} = NULL`).join(", ")} WHERE ${key} = ANY($1::bigint[])`;

  async function remove(query: Query, records: readonly WireRecord[], now: number): Promise<void> {
    const ids = records.map(idOf);
    const removed = await query(
      `DELETE FROM ${table} WHERE ${key} = ANY($1::bigint[]) RETURNING ${key}, "version", "createdAt", "createdBy"`,
      [ids],
    );
    const rows = new Map(removed.rows.map(([id, ...facts]) => [id, facts]));
    if (records.some((record) => rows.get(idOf(record))?.[0] !== record.version)) throw new WriteConflict();
    await query(
      `INSERT INTO tombstones (collection, id, version, deleted_at, created_at, created_by)
       SELECT $1, u.id, u.version, $4::bigint, u.created_at, u.created_by
       FROM unnest($2::bigint[], $3::bigint[], $5::bigint[], $6::integer[]) AS u(id, version, created_at, created_by)
       ON CONFLICT (collection, id) DO UPDATE SET version = excluded.version, deleted_at = excluded.deleted_at,
         created_at = excluded.created_at, created_by = excluded.created_by`,
      [collection.name, ids, records.map(deletionVersion), now, ids.map((id) => rows.get(id)?.[1]), ids.map((id) => rows.get(id)?.[2])],
    );
  }

  /**
   * The tombstones are deleted after the rows are inserted: from then on nobody else can create or delete these ids, so the
   * result is final. An unexpected tombstone means that the record was created and deleted meanwhile.
   */
  async function create(query: Query, records: readonly WireRecord[], { now, by, isRestore }: RowStamp): Promise<void> {
    const ids = records.map(idOf);
    expectAll((await query(insertSql, [...columnsToSend(collection, records), now, by])).rows, records);
    if (isRestore) await query(originsSql, [ids, collection.name]);
    const tombstones = await query("DELETE FROM tombstones WHERE collection = $1 AND id = ANY($2::bigint[]) RETURNING id, version", [
      collection.name,
      ids,
    ]);
    const versions = new Map(tombstones.rows.map(([id, version]) => [id, version]));
    if (records.some((record) => (versions.get(idOf(record)) ?? 0) !== record.version - 1)) throw new WriteConflict();
  }

  return {
    async findKeys(query, name, values) {
      const unique = uniques.find((one) => one.name === name) as Unique;
      const compared = comparing(unique, values);
      return compared.underAsked(await holdersOf(query, collection, unique, compared.values));
    },
    known,
    apply,
  };
}

type Grouped = { [Outcome in RowChange["outcome"]]: Extract<RowChange, { outcome: Outcome }>[] };

function groupByOutcome(changes: readonly RowChange[]): Grouped {
  const groups: Grouped = { created: [], updated: [], deleted: [] };
  for (const change of changes) (groups[change.outcome] as RowChange[]).push(change);
  return groups;
}

function recordsOf(changes: readonly RowChange[]): WireRecord[] {
  return changes.map(({ record }) => record);
}

/** `written`: what the statement says it has written (RETURNING), which more engines count right than the tag of the command. */
function expectAll(written: readonly unknown[], records: readonly unknown[]): void {
  if (written.length !== records.length) throw new WriteConflict();
}

/**
 * Reads records and tombstones of some ids in one snapshot. A tombstone is a row without createdAt; its updatedAt is its deletion. A row without a
 * key says that a field is of another kind by now, or is being converted: no column can come or go before this transaction ends, which has its table.
 */
function readSqlOf(collection: Collection): string {
  const tombstones = collection.fields.map((field) => (field === collection.key ? "id" : `NULL::${COLUMN_RULES[field.kind].postgres}`));
  const none = collection.fields.map(() => "NULL");
  const kinds = collection.fields.map((field) => `WHEN '${columnName(field)}' THEN kind <> '${storedKind(field)}'`);
  return `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${columnOf(collection.key)} = ANY($1::bigint[])
    UNION ALL SELECT ${tombstones.join(", ")}, NULL::bigint, deleted_at, NULL::integer, NULL::integer, version FROM tombstones WHERE collection = $2 AND id = ANY($1::bigint[])
    UNION ALL SELECT ${none.join(", ")}, NULL, NULL, NULL, NULL, NULL FROM fields WHERE collection = $2 AND CASE name ${kinds.join(" ")} ELSE FALSE END
    UNION ALL SELECT ${none.join(", ")}, NULL, NULL, NULL, NULL, NULL FROM fields f JOIN settings s ON s.name = 'conversion ' || f.collection || ' ' || f.name
      WHERE f.collection = $2 AND ${unfilled(collection)}
    UNION ALL SELECT ${none.join(", ")}, NULL, NULL, NULL, NULL, NULL FROM ${oldFormulas(collection, "$2")}`;
}

/**
 * Another process may have begun to convert a field into one that this process does not know, or does not fill while it is converted back: what it
 * wrote would be missed.
 */
function unfilled({ fields, converting }: Collection): string {
  const isNone = (some: readonly Field[]) => `f.name <> ALL ('{${some.map(columnName).join()}}'::text[])`;
  const now = "convert_from(s.value, 'UTF8')::json";
  return `(${isNone(fields)} OR (${isNone(converting)} AND ${now} ->> 'state' = 'running' AND ${now} ->> 'undoes' IS NOT NULL))`;
}

async function holdersOf(query: Query, collection: Collection, unique: Unique, given: readonly Value[]): Promise<Map<Value, number>> {
  const { fields } = unique;
  const columns = uniqueColumns(unique);
  const values = given.map((value) => valuesOfUnique(unique, value));
  const types = fields.map(({ kind }, i) => `$${i + 1}::${COLUMN_RULES[kind].postgres}[]`);
  const stored = fields.map((field, i) => uniqueKey(field, columns[i]));
  const sent = fields.map((field, i) => uniqueKey(field, `u.v${i}`));
  const { rows } = await query(
    `SELECT ${columns}, ${columnOf(collection.key)} FROM ${tableOf(collection)}
     WHERE (${stored}) IN (SELECT ${sent} FROM unnest(${types}) AS u(${fields.map((_, i) => `v${i}`)}))`,
    fields.map(({ kind }, i) => values.map((own) => toCell(kind, own[i] as Value))),
  );
  return new Map(
    rows.map((row) => {
      const record = Object.fromEntries(fields.map(({ name, kind }, i) => [name, toValue(kind, row[i] as Cell)]));
      return [uniqueValue(unique, record) as Value, row.at(-1) as number];
    }),
  );
}

/** Writes the columns of the `unnest` that carries the rows, in the order of columnsToSend: fields and sort keys, version, words. */
function sentColumns(collection: Collection) {
  const sent = [...storedColumns(collection), { column: quoted("version"), type: "bigint" }, { column: WORDS, type: "text" }];
  const from = `unnest(${sent.map(({ type }, i) => `$${i + 1}::${type}[]`).join(", ")}) AS u(${sent.map((_, i) => `c${i}`).join(", ")})`;
  const columns = sent.map(({ column }, i) => ({ column, value: column === WORDS ? `u.c${i}::tsvector` : `u.c${i}` }));
  return { columns, from, now: `$${sent.length + 1}::bigint`, by: `$${sent.length + 2}::integer` };
}

/** Returns the values of the rows, column by column, as unnest needs them. */
function columnsToSend(collection: Collection, records: readonly WireRecord[]): Cell[][] {
  const searched = searchedFields(collection);
  const rows = records.map((record) => [...cells(collection, record), record.version, toLexemes(searchWords(searched, record))]);
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));
}

/** Stores them in one statement, but for records that somebody has written since they were read, and their words with them. */
export function* storeWords(collection: Collection, records: readonly ReadWords[]): Script<void> {
  const isAsRead = `t.${columnOf(collection.key)} = u.id AND t."version" = u.version`;
  const sql = `UPDATE ${tableOf(collection)} AS t SET ${WORDS} = u.words::tsvector FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS u (id, version, words)
    WHERE ${isAsRead} AND t.${WORDS} <> u.words::tsvector`;
  const listOf = (cells: readonly (number | string)[]) => `{${cells.join()}}`;
  const words = records.map((one) => `"${toLexemes(one.words)}"`);
  yield* ask(sql, listOf(records.map(({ id }) => id)), listOf(records.map(({ version }) => version)), listOf(words));
}

/** Writes the text form of a tsvector of exactly these words. Words are letters and digits only. */
function toLexemes(words: string): string {
  return words === "" ? "" : `'${words.replaceAll(" ", "' '")}'`;
}

function insertSqlOf(collection: Collection): string {
  const { columns, from, now, by } = sentColumns(collection);
  const names = [...columns.map(({ column }) => column), '"createdAt"', '"updatedAt"', '"createdBy"', '"updatedBy"'].join(", ");
  const values = [...columns.map(({ value }) => value), now, now, by, by].join(", ");
  return `INSERT INTO ${tableOf(collection)} (${names}) SELECT ${values} FROM ${from} ON CONFLICT DO NOTHING RETURNING ${columnOf(collection.key)}`;
}

/** The keys are named as well ($n, the last one): by a join alone not every engine finds the partitions that hold them. */
function updateSqlOf(collection: Collection): string {
  const { columns, from, now, by } = sentColumns(collection);
  const key = columnOf(collection.key);
  const sentAs = (name: string) => columns.find(({ column }) => column === name)?.value;
  const set = columns.filter(({ column }) => column !== key).map(({ column, value }) => `${column} = ${value}`);
  return `UPDATE ${tableOf(collection)} AS t SET ${set.join(", ")}, "updatedAt" = ${now}, "updatedBy" = ${by} FROM ${from}
    WHERE t.${key} = ANY($${columns.length + 3}::bigint[]) AND t.${key} = ${sentAs(key)} AND t."version" = ${sentAs(quoted("version"))} - 1 RETURNING t.${key}`;
}
