// Reads what a write must know of other collections: parents of new records, and what depends on deleted ones.

import type { WireRecord } from "../../core/contract/records.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field, HeldField, ReferenceField } from "../../core/dictionary/fields.ts";
import type { StoredRecord } from "../people/store/principals.ts";
import { type Cell, columnOf, columnsOf, tableOf, toRecord } from "./columns.ts";
import type { OpWithId } from "./decide.ts";
import { type AllRowRights, findSeen } from "./row-rights.ts";
import { ask, lockByName, type Script } from "./script/script.ts";
import type { InUse } from "./store.ts";

/** Records that one request may delete or clear besides those that it names. They are all in memory, and in one transaction. */
export const MOST_DEPENDENTS = 5_000;

/** The statements that each engine has in its own words. */
export interface RelationSql {
  /** Writes a condition: the column is one of the ids in $1, which `idList` makes. */
  among(column: string): string;
  idList(ids: readonly number[]): string;
  /** Ends a select: until the transaction ends, nobody deletes these rows. */
  keep: string;
  /** The same, and nobody changes them. */
  hold: string;
  /** Ends a select: until the transaction ends, nobody changes these rows or makes new ones refer to them. */
  lock: string;
}

/** A field of a child collection whose value is a deleted record's key. */
export interface Relation {
  child: Collection;
  field: ReferenceField;
}

export interface KnownRelations {
  collections: readonly Collection[];
  /** Says the same as in the batch. */
  moves: string | undefined;
  /** Reference field → those of its values in this write that are keys of stored records; with the record where it must agree (`where`). */
  parents: ReadonlyMap<string, ReadonlyMap<number, StoredRecord | undefined>>;
  /** The same fields, where who writes does not see all parents: those of these that they see. */
  seen: ReadonlyMap<string, ReadonlySet<number>>;
  /** Counts by `heldKey` the records that agree with a parent that this write changes, and would not any more. */
  held: ReadonlyMap<string, number>;
  /** Collection → id → record that depends on a deleted one. Its principals are numbers until the engine has named them. */
  records: ReadonlyMap<string, ReadonlyMap<number, StoredRecord>>;
  /** The same by `relationKey`: the ids that refer to a record. */
  referring: ReadonlyMap<string, readonly number[]>;
  /** Acyclic field → id → what stored records above the parents that this write names refer to. */
  above: ReadonlyMap<string, ReadonlyMap<number, number | null>>;
  /** Counts by `relationKey` the records that refer to one and so forbid its deletion. */
  forbidding: ReadonlyMap<string, Pick<InUse, "count" | "reason">>;
}

/** Makes one name for "these children of this record". */
export function relationKey({ child, field }: Relation, parent: number): string {
  return `${child.name}.${field.name} ${parent}`;
}

/** Makes one name for "these children agree with this record in this field". */
export function heldKey(relation: Relation, parent: number, { parent: name }: HeldField): string {
  return `${relationKey(relation, parent)} ${name}`;
}

export interface WhatToRead {
  collection: Collection;
  collections: readonly Collection[];
  ops: readonly OpWithId[];
  /** The stored records of the ops. */
  own: ReadonlyMap<number, WireRecord>;
  /** It brings back what was accepted once. Nothing may go or change along with what is deleted, whatever `onDelete` says. */
  keepsDependents: boolean;
  /** Nothing is written, so nothing is locked. */
  dryRun: boolean;
  moves?: string | undefined;
  rows?: AllRowRights | undefined;
}

/** Returns undefined where the collection neither refers to others nor is referred to. */
export function* findRelations(what: WhatToRead, sql: RelationSql): Script<KnownRelations | undefined> {
  const { collection, collections, ops, dryRun } = what;
  const isParent = childrenOf(collections, collection).length > 0;
  if (!isParent && collection.references.length === 0) return undefined;
  const own = dryRun ? { ...sql, keep: "", hold: "", lock: "" } : sql;
  const above = yield* findAbove(what);
  const parents = new Map<string, ReadonlyMap<number, StoredRecord | undefined>>();
  const seen = new Map<string, ReadonlySet<number>>();
  for (const field of collection.references) {
    const found = yield* findParents(field, what, own);
    parents.set(field.name, found);
    const filters = what.rows?.get(field.reference.collection)?.read;
    const parent = collections.find(({ name }) => name === field.reference.collection);
    if (filters && parent) seen.set(field.name, new Set(yield* findSeen(parent, filters, [...found.keys()], own)));
  }
  const held = isParent ? yield* countHeld(what, own) : new Map();
  const deleted = isParent ? ops.flatMap((op) => (op.verb === "delete" ? op.id : [])) : [];
  return { collections, moves: what.moves, parents, seen, held, above, ...(yield* findDependents(what, deleted, own)) };
}

/**
 * Reads the chains above the parents that are named, where no record may lie below itself. Whoever moves a stored record waits for others who do: the
 * chains are as they will be. A new record has nothing below it, and waits for nobody.
 */
function* findAbove({ collection, ops, own, dryRun }: WhatToRead): Script<KnownRelations["above"]> {
  const above = new Map<string, ReadonlyMap<number, number | null>>();
  for (const field of collection.references.filter(({ reference }) => reference.acyclic)) {
    const naming = ops.filter((op) => op.verb !== "delete" && (op.given[field.name] ?? null) !== null);
    const moves = naming.some(({ id }) => own.has(id));
    if (moves && !dryRun) yield* lockByName(`tree ${collection.name} ${columnName(field)}`);
    const edges = new Map<number, number | null>();
    const named = new Set(naming.map((op) => Number(op.verb === "delete" ? 0 : op.given[field.name])));
    if (moves || named.size > 0) yield* readAbove(collection, field, [...named], edges);
    above.set(field.name, edges);
  }
  return above;
}

const AT_ONCE = 500; // parameters of one statement

function* readAbove(
  collection: Collection,
  field: ReferenceField,
  ids: readonly number[],
  edges: Map<number, number | null>,
): Script<void> {
  const [table, key, parent] = [tableOf(collection), columnOf(collection.key), columnOf(field)];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const places = some.map((_, i) => `$${i + 1}`).join(", ");
    const { rows } = yield* ask(
      `SELECT id, parent FROM (WITH RECURSIVE up(id, parent) AS (
         SELECT ${key}, ${parent} FROM ${table} WHERE ${key} IN (${places})
         UNION SELECT t.${key}, t.${parent} FROM ${table} AS t JOIN up ON t.${key} = up.parent
       ) SELECT id, parent FROM up) AS chains`,
      ...some,
    );
    for (const [id, above] of rows) edges.set(Number(id), above === null ? null : Number(above));
  }
}

/** Locks them in the order of their keys, so that two writes seldom wait for each other in a circle. */
function* findParents(
  { name, reference }: ReferenceField,
  what: WhatToRead,
  sql: RelationSql,
): Script<Map<number, StoredRecord | undefined>> {
  const where = what.keepsDependents ? [] : (reference.where ?? []);
  const values = new Set<number>();
  for (const op of what.ops) {
    if (op.verb === "delete") continue;
    const given = op.given[name] ?? (where.some(({ own }) => Object.hasOwn(op.given, own)) ? what.own.get(op.id)?.[name] : null) ?? null;
    if (given !== null) values.add(given as number);
  }
  if (values.size === 0) return new Map();
  const referred = what.collections.find((one) => one.name === reference.collection) as Collection;
  const key = columnOf(referred.key);
  const parent = where.length > 0 ? referred : undefined;
  const columns = parent ? `${key}, ${columnsOf(parent)}` : key;
  const order = `ORDER BY ${key}${parent ? sql.hold : sql.keep}`;
  const select = `SELECT ${columns} FROM ${tableOf(referred)} WHERE ${sql.among(key)} ${order}`;
  const { rows } = yield* ask(select, sql.idList([...values]));
  return new Map(rows.map(([id, ...cells]) => [Number(id), parent && toRecord(parent, cells as Cell[])]));
}

/** Returns those of the records that refer to changed ones that agree with what is stored now. */
function* countHeld({ collection, collections, ops, own }: WhatToRead, sql: RelationSql): Script<Map<string, number>> {
  const held = new Map<string, number>();
  for (const relation of childrenOf(collections, collection)) {
    for (const pair of relation.field.reference.where ?? []) {
      const changes = (op: OpWithId) => {
        const stored = own.get(op.id);
        if (!stored || op.verb === "delete" || !Object.hasOwn(op.given, pair.parent)) return false;
        return (op.given[pair.parent] ?? null) !== (stored[pair.parent] ?? null);
      };
      const ids = ops.filter(changes).map(({ id }) => id);
      if (ids.length === 0) continue;
      yield* lockRows(collection, ids, sql);
      const [child, parent] = [tableOf(relation.child), tableOf(collection)];
      const refers = `c.${columnOf(relation.field)}`;
      const agrees = `c.${columnNamed(relation.child, pair.own)} = p.${columnNamed(collection, pair.parent)}`;
      const from = `FROM ${child} AS c JOIN ${parent} AS p ON p.${columnOf(collection.key)} = ${refers}`;
      const { rows } = yield* ask(
        `SELECT ${refers}, count(*) ${from} WHERE ${sql.among(refers)} AND ${agrees} GROUP BY ${refers}`,
        sql.idList(ids),
      );
      for (const [id, count] of rows) held.set(heldKey(relation, Number(id), pair), Number(count));
    }
  }
  return held;
}

type Dependents = Pick<KnownRelations, "records" | "referring" | "forbidding">;

/** Goes level by level: what is deleted along may be a parent itself. */
function* findDependents(
  { collection, collections, keepsDependents }: WhatToRead,
  ids: readonly number[],
  sql: RelationSql,
): Script<Dependents> {
  const records = new Map<string, Map<number, StoredRecord>>();
  const referring = new Map<string, number[]>();
  const forbidding = new Map<string, Pick<InUse, "count" | "reason">>();
  const expanded = new Set<string>(); // records whose children are read: references may lead round in a circle
  let left = MOST_DEPENDENTS;
  let level: [Collection, readonly number[]][] = [];
  if (ids.length > 0) {
    yield* lockRows(collection, ids, sql);
    for (const id of ids) expanded.add(`${collection.name}/${id}`);
    level = [[collection, ids]];
  }
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [parent, parentIds] of level) {
      for (const relation of childrenOf(collections, parent)) {
        const isKept = keepsDependents || relation.field.reference.onDelete === "restrict";
        const rows = isKept ? undefined : yield* readChildren(relation, parentIds, left, sql);
        if (!rows) {
          for (const [id, count] of yield* countChildren(relation, parentIds, sql)) {
            forbidding.set(relationKey(relation, id), { count, reason: isKept ? "rule" : "many" });
          }
          continue;
        }
        left -= rows.length;
        addRows(relation, rows, records, referring);
        if (relation.field.reference.onDelete !== "cascade") continue;
        const ids = rows.map((row) => idOf(relation, row)).filter((id) => !expanded.has(`${relation.child.name}/${id}`));
        for (const id of ids) expanded.add(`${relation.child.name}/${id}`);
        if (ids.length > 0) next.push([relation.child, ids]);
      }
    }
    level = next;
  }
  return { records, referring, forbidding };
}

function addRows(
  relation: Relation,
  rows: readonly StoredRecord[],
  records: Map<string, Map<number, StoredRecord>>,
  referring: Map<string, number[]>,
): void {
  const { child, field } = relation;
  const known = records.get(child.name) ?? new Map<number, StoredRecord>();
  records.set(child.name, known);
  for (const row of rows) {
    const id = idOf(relation, row);
    const key = relationKey(relation, row[field.name] as unknown as number);
    const ids = referring.get(key) ?? [];
    ids.push(id);
    referring.set(key, ids);
    if (!known.has(id)) known.set(id, row);
  }
}

/** Returns the column of a field that the dictionary has. */
function columnNamed({ byName }: Collection, name: string): string {
  return columnOf(byName.get(name) as Field);
}

function idOf({ child }: Relation, row: StoredRecord): number {
  return row[child.key.name] as unknown as number;
}

function* lockRows({ key, name }: Collection, ids: readonly number[], sql: RelationSql): Script<void> {
  if (sql.lock === "") return;
  const column = columnOf(key);
  yield* ask(`SELECT ${column} FROM ${tableOf({ name })} WHERE ${sql.among(column)} ORDER BY ${column}${sql.lock}`, sql.idList(ids));
}

/** Returns undefined when there are more than `most`. */
function* readChildren(
  { child, field }: Relation,
  ids: readonly number[],
  most: number,
  sql: RelationSql,
): Script<StoredRecord[] | undefined> {
  const where = `${sql.among(columnOf(field))} ORDER BY ${columnOf(child.key)} LIMIT ${most + 1}`;
  const { rows } = yield* ask(`SELECT ${columnsOf(child)} FROM ${tableOf(child)} WHERE ${where}${sql.lock}`, sql.idList(ids));
  return rows.length > most ? undefined : rows.map((row) => toRecord(child, row as Cell[]));
}

function* countChildren({ child, field }: Relation, ids: readonly number[], sql: RelationSql): Script<[id: number, count: number][]> {
  const column = columnOf(field);
  const select = `SELECT ${column}, count(*) FROM ${tableOf(child)} WHERE ${sql.among(column)} GROUP BY ${column}`;
  return (yield* ask(select, sql.idList(ids))).rows.map(([id, count]) => [Number(id), Number(count)]);
}
