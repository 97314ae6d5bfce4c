// Says which records a caller's rights are about, and judges records by that. The list's SQL judges by the same filters.

import type { WireRecord } from "../../core/contract/records.ts";
import { RIGHTS, type Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { type Item, itemsOf, type Value } from "../../core/dictionary/kinds.ts";
import { uniqueValue } from "../../core/dictionary/unique-value.ts";
import { padded, placesFor, valueKept } from "../history/store/reads.ts";
import { columnOf, isFolded, PRINCIPAL_COLUMNS, sortKey, tableOf, toCell } from "./columns.ts";
import type { OpWithId } from "./decide.ts";
import { toCondition } from "./filter-sql.ts";
import type { KnownRelations, RelationSql } from "./find-relations.ts";
import type { Known } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import type { Batch, Filter } from "./store.ts";

/** Holds for each right the filters that a record must meet, all of them; a right that is not there is about every record. */
export type RowRights = Partial<Record<Right, readonly Filter[]>> & {
  /** The sentences in which a right is refused. */
  why: Partial<Record<Right, string>>;
};

/** Holds the rights by collection. One that is not there has no record that is left out. */
export type AllRowRights = ReadonlyMap<string, RowRights>;

/** A filter through a parent → the keys of the parents that meet it, among those that were asked for. */
export type MetParents = ReadonlyMap<Filter, ReadonlySet<number>>;

/** The fields of a record, perhaps as they once were, with who made it and when. */
export type CheckedRecord = Readonly<Record<string, unknown>>;

/** Returns the filters that lead through a parent, also those within others. */
export function throughParents(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter) => (filter.anyOf ? filter.anyOf.flatMap(throughParents) : filter.through ? [filter] : []));
}

/** Returns what the filter asks of the parent through which it leads. */
export function asOfParent({ through, ...own }: Filter): Filter {
  return through?.further ? { ...own, through: through.further } : own;
}

/** Says of a record what the SQL of `toCondition` says of its row. `parents` has the keys for each filter of `throughParents`. */
export function meets(collection: Collection, filters: readonly Filter[], record: CheckedRecord, parents: MetParents): boolean {
  return filters.every((filter) => meetsOne(collection, filter, record, parents));
}

function meetsOne(collection: Collection, filter: Filter, record: CheckedRecord, parents: MetParents): boolean {
  if (filter.anyOf) return filter.anyOf.some((filters) => meets(collection, filters, record, parents));
  const { name, through, operator, values } = filter;
  if (through) return parents.get(filter)?.has(record[through.field] as number) ?? false;
  const field = collection.byName.get(name);
  if (!field && PRINCIPAL_COLUMNS.includes(name)) return values.includes((record[name] as WireRecord["createdBy"])?.id ?? null);
  const value = (record[name] ?? null) as Value | null;
  const cellOf = (one: Value | null) => (one === null ? null : field ? toCell(field.kind, one) : Date.parse(String(one)));
  const cell = cellOf(value);
  const [first = null] = values;
  const same = (one: Value | null) => (one === null || !field ? cellOf(one) : toCell(field.kind, uniqueValue(field, one)));
  const isAmong = values.some((one) => same(one) === same(value));
  switch (operator) {
    case "eq":
    case "in":
      return isAmong;
    case "ne":
    case "notIn":
      return !isAmong;
    case "null":
      return (cell === null) === first;
    case "has":
    case "hasAll":
      return values.every((one) => itemsOf(value).includes(one as Item));
    case "hasAny":
      return values.some((one) => itemsOf(value).includes(one as Item));
    case "prefix":
      return value !== null && sortKey(value).startsWith(String(first));
    case "suffix":
      return value !== null && sortKey(value).endsWith(String(first));
    case "contains":
      return value !== null && sortKey(value).includes(String(first));
    case "notContains":
      return value === null || !sortKey(value).includes(String(first));
    case "gte":
    case "gt":
    case "lte":
    case "lt": {
      if (cell === null) return false;
      const order = field && isFolded(field) ? compare(sortKey(value), sortKey(first)) : compare(cell, cellOf(first) as string | number);
      return ORDERS[operator](order);
    }
  }
}

const ORDERS = {
  gte: (order: number) => order >= 0,
  gt: (order: number) => order > 0,
  lte: (order: number) => order <= 0,
  lt: (order: number) => order < 0,
};

/** Compares in the byte order of UTF-8, as both engines do. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The records of a collection that are to be checked by filters. */
export interface ToCheck {
  collection: Collection;
  filters: readonly Filter[];
  records: readonly CheckedRecord[];
}

/** Reads which parents of records meet the filters that lead through them. */
export function* findMetParents(checked: readonly ToCheck[], collections: readonly Collection[], sql: RelationSql): Script<MetParents> {
  const met = new Map<Filter, Set<number>>();
  for (const { filters, records } of checked) {
    for (const filter of throughParents(filters)) {
      const { field, collection: name } = filter.through as NonNullable<Filter["through"]>;
      const parent = collections.find((one) => one.name === name);
      const ids = new Set(records.map((record) => record[field]).filter((id) => typeof id === "number"));
      const found = met.get(filter) ?? new Set();
      if (parent && ids.size > 0) for (const id of yield* findSeen(parent, [asOfParent(filter)], [...ids], sql)) found.add(id);
      met.set(filter, found);
    }
  }
  return met;
}

/** Reads which of these keys are of records that meet the filters. */
export function* findSeen(collection: Collection, filters: readonly Filter[], ids: readonly number[], sql: RelationSql): Script<number[]> {
  const conditions = filters.map((filter) => toCondition(collection, filter));
  let place = 1; // $1 are the keys
  const where = conditions.map((one) => `AND ${one.where.replace(/\?/g, () => `$${++place}`)}`).join(" ");
  const key = columnOf(collection.key);
  const select = `SELECT ${key} FROM ${tableOf(collection)} WHERE ${sql.among(key)} ${where}`;
  const { rows } = yield* ask(select, sql.idList(ids), ...conditions.flatMap(({ params }) => params));
  return rows.map(([id]) => Number(id));
}

/** Judges the records of one write. */
export interface RowCheck {
  allows(right: Right, collection: Collection, record: CheckedRecord): boolean;
  /** Returns the sentence that refuses the right. */
  why(right: Right, collection: Collection): string;
  /** The right is about some records of the collection only. */
  isLimited(right: Right, collection: Pick<Collection, "name">): boolean;
  /** Deleted records of the collection that is written which the caller may not know of. */
  unseenDeleted: ReadonlySet<number>;
}

/** The records that a write is about, as they are stored. `found`: of other collections. */
export interface ToWrite {
  collections: readonly Collection[];
  ops: readonly OpWithId[];
  known: Pick<Known, "records" | "tombstones">;
  found: Pick<KnownRelations, "records"> | undefined;
}

/** Returns undefined where the rights of who writes are about all records. */
export function* checkRows({ collection, rows }: Batch, write: ToWrite, sql: RelationSql): Script<RowCheck | undefined> {
  if (!rows) return undefined;
  const { collections, ops, known, found } = write;
  const { records, tombstones } = known;
  const dependents = found?.records ?? new Map<string, ReadonlyMap<number, CheckedRecord>>();
  const sought = ops.flatMap((op) => (op.verb === "delete" && tombstones.has(op.id) && rows.get(collection.name)?.read ? op.id : []));
  const deleted = sought.length > 0 ? yield* findDeleted(collection, sought) : new Map<number, CheckedRecord>();
  const given = ops.flatMap((op) => (op.verb === "delete" ? [] : [op.given]));
  const all = [...dependents].map(([name, some]) => [collections.find((one) => one.name === name), [...some.values()]] as const);
  const checked = [[collection, [...records.values(), ...given, ...deleted.values()]] as const, ...all].flatMap(([of, own]) => {
    const rights = of && rows.get(of.name);
    return of && rights ? [{ collection: of, filters: RIGHTS.flatMap((right) => rights[right] ?? []), records: own }] : [];
  });
  const parents = yield* findMetParents(checked, collections, sql);
  const allows: RowCheck["allows"] = (right, of, record) => {
    const filters = rows.get(of.name)?.[right];
    return !filters || meets(of, filters, record, parents);
  };
  const isUnseen = (id: number) => !allows("read", collection, deleted.get(id) ?? {});
  return {
    allows,
    why: (right, { name }) => rows.get(name)?.why[right] ?? "",
    isLimited: (right, { name }) => rows.get(name)?.[right] !== undefined,
    unseenDeleted: new Set(sought.filter(isUnseen)),
  };
}

/** Reads the deleted records with these keys as they were last, as far as the history has kept it. */
export function* findDeleted(collection: Collection, ids: readonly number[]): Script<Map<number, CheckedRecord>> {
  const sql = `SELECT t.id, h.changes, t.created_at, p.id FROM tombstones t JOIN history h ON h.id = t.id AND h.version = t.version
    JOIN writes w ON w.number = h.write AND w.collection = t.collection LEFT JOIN principals p ON p.number = t.created_by
    WHERE t.collection = $1 AND h.operation = 'deleted' AND h.changes <> '' AND t.id IN (${placesFor(ids, 2)})`;
  const { rows } = yield* ask(sql, collection.name, ...padded(ids));
  return new Map(
    rows.map(([id, changes, createdAt, createdBy]) => {
      const values = JSON.parse(String(changes)) as Record<string, unknown>;
      const record = Object.fromEntries(collection.fields.map((field) => [field.name, valueKept(values[columnName(field)]) ?? null]));
      const times = { createdAt: createdAt === null ? null : new Date(Number(createdAt)).toISOString() };
      return [
        Number(id),
        { ...record, [collection.key.name]: Number(id), ...times, createdBy: createdBy === null ? null : { id: createdBy } },
      ];
    }),
  );
}
