// Keeps which records may break a rule or a constraint, and until when.

import type { Principal } from "../../core/contract/principals.ts";
import { type Broken, CONSTRAINTS } from "../../core/contract/violations.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { fieldsOfRule, rulesReading } from "../../core/dictionary/rules.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import { columnOf, tableOf } from "./columns.ts";
import type { RelationSql } from "./find-relations.ts";
import { warnedRules } from "./history-entries.ts";
import { type RowChange, rowChangeOf } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import type { Decision } from "./store.ts";

/** `rule`: as exceptionName has it. `at`: ms since 1970. `reason`: empty where a warning was acknowledged with a write. */
export interface RuleException {
  collection: string;
  id: number;
  rule: string;
  at: number;
  by: Principal;
  reason: string;
}

/** Names a rule, or a constraint of a field, which no new name of the field changes. No name of a rule has a space. */
export function exceptionName({ byName }: Pick<Collection, "byName">, { rule, constraint, field: name }: Broken): string {
  return rule ?? `${constraint} ${columnName(byName.get(name) ?? { name })}`;
}

/** Lists the names that exceptions of a column can have. */
export function exceptionNamesOf(column: string): string[] {
  return CONSTRAINTS.map((constraint) => `${constraint} ${column}`);
}

/** Runs after the rows are written: until the transaction ends nobody else makes an exception of one of them. */
export function* keepExceptions(
  collection: Collection,
  decisions: readonly Decision[],
  { at, by }: Pick<RuleException, "at" | "by">,
  sql: Pick<RelationSql, "among" | "idList">,
): Script<void> {
  const { name } = collection;
  const idOf = ({ record }: RowChange) => Number(record[collection.key.name]);
  const changes = decisions.flatMap((decision) => rowChangeOf(decision) ?? []);
  const earlier = new Map(changes.filter(({ outcome }) => outcome !== "created").map((change) => [idOf(change), change]));
  const known = `SELECT id, rule FROM exceptions WHERE ${sql.among("id")} AND collection = $2`;
  const { rows } = earlier.size > 0 ? yield* ask(known, sql.idList([...earlier.keys()]), name) : { rows: [] };
  const ended = rows.flatMap(([id, rule]) => {
    const change = earlier.get(Number(id));
    return change && isEnded(collection, change, String(rule)) ? [[String(rule), Number(id)] as const] : [];
  });
  const given = changes.flatMap((change) => warnedRules(change).map((rule) => [rule, idOf(change)] as const));
  const key = columnOf(collection.key);
  for (const [rule, ids] of byRule(ended))
    yield* ask(`DELETE FROM exceptions WHERE ${sql.among("id")} AND collection = $2 AND rule = $3`, sql.idList(ids), name, rule);
  for (const [rule, ids] of byRule(given)) {
    const row = `$2, ${key}, $3, CAST($4 AS bigint), $5, $6, ''`;
    const add = `${INSERT} SELECT ${row} FROM ${tableOf(collection)} WHERE ${sql.among(key)} ${REPLACE}`;
    yield* ask(add, sql.idList(ids), name, rule, at, by.type, by.id);
  }
}

function byRule(pairs: readonly (readonly [rule: string, id: number])[]): ReadonlyMap<string, readonly number[]> {
  const ids = new Map<string, number[]>();
  for (const [rule, id] of pairs) {
    const own = ids.get(rule) ?? [];
    own.push(id);
    ids.set(rule, own);
  }
  return ids;
}

function isEnded(collection: Collection, change: RowChange, rule: string): boolean {
  if (change.outcome !== "updated") return true;
  const changed = new Set(Object.keys(change.changes));
  if (!rule.includes(" ")) return rulesReading(collection, changed).includes(rule);
  return fieldsOfConstraint(collection, rule).some((name) => changed.has(name));
}

/** Lists the fields of a record whose values decide about a constraint. */
function fieldsOfConstraint(collection: Collection, rule: string): string[] {
  const [constraint = "", column] = rule.split(" ");
  const field = collection.fields.find((own) => columnName(own) === column);
  if (!field) return [];
  const held = field.reference?.where?.map(({ own }) => own) ?? [];
  return [field.name, ...held, ...fieldsOfRule(collection, { constraint, field: field.name })];
}

const INSERT = "INSERT INTO exceptions (collection, id, rule, at, by_type, by_id, reason)";
const REPLACE =
  "ON CONFLICT (collection, id, rule) DO UPDATE SET at = excluded.at, by_type = excluded.by_type, by_id = excluded.by_id, reason = excluded.reason";

/** Returns false if the record is no longer in this version. `key`: the column of the key, as SQL has it. */
function* putException(
  { collection, id, rule, at, by, reason }: RuleException,
  { key, version }: { key: string; version: number },
): Script<boolean> {
  const table = tableOf({ name: collection });
  // Whoever changes the record waits for this transaction, or is waited for.
  const locked = yield* ask(`UPDATE ${table} SET version = version WHERE ${key} = $1 AND version = $2`, id, version);
  if (locked.count === 0) return false;
  yield* ask(`${INSERT} VALUES ($1, $2, $3, $4, $5, $6, $7) ${REPLACE}`, collection, id, rule, at, by.type, by.id, reason);
  return true;
}

function* endException({ collection, id, rule }: Pick<RuleException, "collection" | "id" | "rule">): Script<void> {
  yield* ask("DELETE FROM exceptions WHERE collection = $1 AND id = $2 AND rule = $3", collection, id, rule);
}

/** Lists the exceptions of some records, in the order of their keys. */
function* listExceptions(collection: string, rule: string, ids: readonly number[]): Script<RuleException[]> {
  if (ids.length === 0) return [];
  const sql = `SELECT e.id, e.at, e.reason, e.by_type, e.by_id, coalesce(u.name, nullif(k.name, ''), e.by_id) FROM exceptions e
    LEFT JOIN users u ON e.by_type = 'user' AND u.id = e.by_id LEFT JOIN keys k ON e.by_type = 'key' AND k.id = e.by_id
    WHERE e.collection = $1 AND e.rule = $2 AND e.id IN (${placesFor(ids, 3)}) ORDER BY e.id`;
  return (yield* ask(sql, collection, rule, ...padded(ids))).rows.map(([id, at, reason, type, by, name]) => ({
    ...{ collection, rule, id: Number(id), at: Number(at), reason: String(reason) },
    by: { type, id: by, name } as Principal,
  }));
}

/** Names the rules and constraints of which some record is an exception. */
export function* exceptedRules(collection: string): Script<ReadonlySet<string>> {
  const { rows } = yield* ask("SELECT DISTINCT rule FROM exceptions WHERE collection = $1", collection);
  return new Set(rows.map(([rule]) => String(rule)));
}

/** Names the exceptions of records with keys after one and up to another: the key and the rule with a space between. */
export function* exceptedBetween(collection: string, after: number, last: number): Script<ReadonlySet<string>> {
  const sql = "SELECT id, rule FROM exceptions WHERE collection = $1 AND id > $2 AND id <= $3";
  const { rows } = yield* ask(sql, collection, after, last);
  return new Set(rows.map(([id, rule]) => `${id} ${rule}`));
}

export const EXCEPTION_SCRIPTS = { reads: { listExceptions }, writes: { putException, endException } };
