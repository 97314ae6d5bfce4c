// Takes a merge apart: its records come back, and what was moved and not changed since refers to them again.

import { type ChangedField, NOBODY } from "../../core/contract/merges.ts";
import type { WireValue } from "../../core/contract/records.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { isSame, type Value } from "../../core/dictionary/kinds.ts";
import { type Fields, validateKept } from "../../core/dictionary/validate.ts";
import { FORGOTTEN, toFieldChanges } from "../history/store/reads.ts";
import { type Cell, columnOf, columnsOf, tableOf, toRecord } from "./columns.ts";
import {
  decided,
  firstFailed,
  type MakePart,
  type MergeOutcome,
  type MergeParts,
  type MergePlan,
  type MergeScript,
  type Move,
  move,
  partOf,
  statements,
} from "./merge-steps.ts";
import { findSurvivors } from "./merges.ts";
import { findDeleted, findMetParents, findSeen, meets } from "./row-rights.ts";
import { ask, type Result, type Script } from "./script/script.ts";
import type { Batch, Failure, Filter, WriteOp } from "./store.ts";

type Plan = MergePlan & { kind: "apart" };
type Failed = MergeOutcome & { status: "failed" };
type Pair = readonly [old: Value | null, now: Value | null];

/** Says what the merge did to one record. `changes`: by the names of columns. */
interface Entry {
  collection: string;
  id: number;
  version: number;
  write: number;
  isDeletion: boolean;
  changes: Readonly<Record<string, Pair>>;
}

export function* takeApart(batch: Batch, plan: Plan, parts: MergeParts): MergeScript<MergeOutcome> {
  const { collection, rows } = batch;
  const { sql } = parts;
  const merged = yield* statements(lockMerge(collection, plan.id, sql));
  if (!merged) return failed({ code: "NOT_FOUND" });
  const { survivor, others } = merged;
  const filters = rows?.get(collection.name)?.read;
  if (filters && !(yield* statements(areSeen(collection, filters, merged, parts)))) return failed({ code: "NOT_FOUND" });
  const { key, noun } = collection;
  const own = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${columnOf(key)} = $1${sql.lock}`;
  const [row] = (yield* statements(ask(own, survivor))).rows;
  if (!row) {
    const isMerged = (yield* statements(findSurvivors(collection.name, [survivor]))).size > 0;
    const why = isMerged
      ? `The ${noun} was itself merged into another one since. Take that merge apart first.`
      : `The ${noun} was deleted since. Bring it back first.`;
    return failed({ code: "MERGE_FIXED", why });
  }
  const entries = yield* statements(readEntries(plan.id));
  const deletions = entries.filter((entry) => entry.isDeletion && entry.collection === collection.name && others.has(entry.id));
  const changedSince = yield* statements(valuesAfter(collection, survivor, entries));
  if (deletions.length < others.size || changedSince === "forgotten")
    return failed({ code: "MERGE_FIXED", why: "The history no longer keeps the values that the records had when they were merged." });

  const records = new Map(deletions.map((entry) => [entry.id, recordOf(collection, entry)]));
  const current = toRecord(collection, row as readonly Cell[]) as unknown as Fields;
  const ofMerge = entries.filter((entry) => !entry.isDeletion && entry.collection === collection.name && entry.id === survivor);
  const question = compare(collection, { plan, survivor, current, records, ofMerge, changedSince });
  const isAnswer = (owner: number | string | undefined) => owner === NOBODY || owner === survivor || records.has(owner as number);
  const open = question.asked.filter(({ field }) => !isAnswer(plan.belongs[field]));
  if (open.length > 0) return { status: "asks", fields: open, back: [survivor, ...others.keys()] };

  const { patch, late, given } = question;
  const problems = [
    validateKept(collection, { ...patch, ...late, [key.name]: survivor }, false),
    ...[...given.values()].map(wholeOf(collection)),
  ];
  const [wrong] = problems.flatMap((one) => one.problems ?? []);
  if (wrong) return failed({ code: "VALIDATION", problems: [wrong] });

  // This comes first: what is part of another record cannot be made anew.
  yield* statements(ask("UPDATE merges SET apart_at = $1 WHERE collection = $2 AND merge = $3", parts.now, collection.name, plan.id));
  const part = partOf(batch, { type: "unmerge", run: plan.id });
  const ops: WriteOp[] = [{ verb: "patch", id: survivor, given: patch }];
  for (const { id, version } of deletions) ops.push({ verb: "put", id, given: given.get(id) ?? {}, ifDeletion: version });
  const decisions = yield* decided(part({ collection, ops, isSequence: true, isRestore: true }));
  const refused = firstFailed(decisions);
  if (refused) return failed(refused.failure, ops[refused.at]?.id ?? survivor);
  const children = yield* moveBack(batch, { entries, survivor, others: records }, parts, part);
  if (children.status === "failed") return children;
  const [first] =
    Object.keys(late).length > 0
      ? yield* decided(part({ collection, ops: [{ verb: "patch", id: survivor, given: late }], isRestore: true }))
      : decisions;
  if (first?.outcome === "failed") return failed(first.failure, survivor);
  if (!first || !("record" in first)) throw new Error("the survivor of a merge was not decided");
  const { moved, kept } = children;
  return { status: "done", record: first.record, warnings: [], moved, back: [...records.keys()], kept };
}

function failed(failure: Failure, id?: number): Failed {
  return { status: "failed", failure, moved: {}, ...(id !== undefined && { id }) };
}

function wholeOf(collection: Collection) {
  return (fields: Fields) => validateKept(collection, fields, true);
}

/** Returns the merge, if it holds. `others`: those that became part of the survivor. */
function* lockMerge({ name }: Collection, id: string, { lock }: MergeParts["sql"]) {
  const sql = `SELECT id, survivor FROM merges WHERE collection = $1 AND merge = $2 AND apart_at IS NULL ORDER BY id${lock}`;
  const { rows } = yield* ask(sql, name, id);
  const survivor = Number(rows[0]?.[1]);
  return rows.length > 0 ? { survivor, others: new Set(rows.map(([other]) => Number(other))) } : undefined;
}

/** Says whether the survivor may be seen, and as they were last those that became part of it. */
function* areSeen(
  collection: Collection,
  filters: readonly Filter[],
  { survivor, others }: { survivor: number; others: ReadonlySet<number> },
  { collections, sql }: MergeParts,
): Script<boolean> {
  if ((yield* findSeen(collection, filters, [survivor], sql)).length === 0) return false;
  const deleted = yield* findDeleted(collection, [...others]);
  const records = [...deleted.values()];
  const parents = yield* findMetParents([{ collection, filters, records }], collections, sql);
  return deleted.size === others.size && records.every((record) => meets(collection, filters, record, parents));
}

/** Reads what the merge did, in the order in which it was done. Deletions whose values are no longer kept are left out. */
function* readEntries(id: string): Script<Entry[]> {
  const sql = `SELECT w.collection, h.id, h.version, h.write, h.operation, h.changes FROM writes w JOIN history h ON h.write = w.number
    WHERE w.run = $1 AND w.source = 'merge' AND h.changes IS NOT NULL AND h.changes <> '' ORDER BY h.write, h.id`;
  return (yield* ask(sql, id)).rows.map(([collection, record, version, write, operation, changes]) => ({
    ...{ collection: String(collection), id: Number(record), version: Number(version), write: Number(write) },
    isDeletion: operation === "deleted",
    changes: toFieldChanges(String(changes)) as Entry["changes"],
  }));
}

/** Maps a column to the value that the survivor had after the merge, of those that were changed since. */
function* valuesAfter(
  collection: Collection,
  survivor: number,
  entries: readonly Entry[],
): Script<ReadonlyMap<string, Value | null> | "forgotten"> {
  const last = Math.max(...entries.filter((entry) => entry.collection === collection.name).map(({ write }) => write));
  const values = new Map<string, Value | null>();
  if (last < 0) return values; // nothing is known of the merge, and the caller says so
  const sql = `SELECT h.operation, h.changes FROM history h JOIN writes w ON w.number = h.write
    WHERE h.id = $1 AND w.collection = $2 AND h.write > $3 AND w.source <> 'computation' AND h.changes IS NOT NULL ORDER BY h.write`;
  for (const [operation, changes] of (yield* ask(sql, survivor, collection.name, last)).rows) {
    if (changes === FORGOTTEN) return "forgotten";
    const pairs = toFieldChanges(String(changes)) as Entry["changes"];
    const columns = operation === "deleted" ? collection.fields.map(columnName) : Object.keys(pairs); // a deletion keeps all that there was
    for (const column of columns) if (!values.has(column)) values.set(column, pairs[column]?.[0] ?? null);
  }
  return values;
}

/** Returns the values that a record had when it was merged. */
function recordOf({ fields, key }: Collection, { id, changes }: Entry): Fields {
  const values = fields.map((field) => [field.name, changes[columnName(field)]?.[0] ?? null]);
  return { ...Object.fromEntries(values), [key.name]: id };
}

interface Compared {
  plan: Plan;
  survivor: number;
  current: Fields;
  records: ReadonlyMap<number, Fields>;
  ofMerge: readonly Entry[];
  changedSince: ReadonlyMap<string, Value | null>;
}

/** Says what the survivor gets back (`late`: once the others are back), what the others are, and which fields the caller has to decide. */
function compare(collection: Collection, { plan, survivor, current, records, ofMerge, changedSince }: Compared) {
  const patch: Fields = {};
  const late: Fields = {};
  const asked: ChangedField[] = [];
  const given = new Map([...records].map(([id, record]) => [id, { ...record }]));
  for (const field of collection.fields) {
    const { name } = field;
    if (field === collection.key || field.computed !== undefined || plan.fixed.includes(name)) continue;
    const column = columnName(field);
    const now = current[name] ?? null;
    const after = changedSince.has(column) ? (changedSince.get(column) ?? null) : now;
    const pairs = ofMerge.flatMap(({ changes }) => (changes[column] ? [changes[column]] : []));
    const before = pairs[0] ? pairs[0][0] : after;
    const owner = plan.belongs[name];
    if (!isSame(after, now)) {
      const own = [[survivor, before], ...[...records].map(([id, record]) => [id, record[name] ?? null])];
      asked.push({ field: name, now: now as WireValue | null, before: Object.fromEntries(own) });
      if (owner === survivor) continue;
      const record = typeof owner === "number" ? given.get(owner) : undefined;
      if (record) record[name] = now;
    }
    const isOfOther = field.reference?.collection === collection.name && records.has(before as number); // which is not back yet
    if (!isSame(before, now)) (isOfOther ? late : patch)[name] = before;
  }
  return { patch, late, asked, given };
}

interface BackParts {
  entries: readonly Entry[];
  survivor: number;
  others: ReadonlyMap<number, unknown>;
}

type MovedBack = { status: "done"; moved: Record<string, number>; kept: Record<string, number> } | Failed;

/** Lets what was moved and not changed since refer to the records that came back. */
function* moveBack(
  { collection, rows }: Batch,
  { entries, survivor, others }: BackParts,
  { collections, sql }: MergeParts,
  part: MakePart,
): MergeScript<MovedBack> {
  const moves = new Map<string, Move>();
  for (const relation of childrenOf(collections, collection)) {
    const { child, field } = relation;
    const known = moves.get(child.name) ?? { relation, ids: new Map() };
    moves.set(child.name, known);
    for (const entry of entries) {
      const [from, to] = entry.changes[columnName(field)] ?? [];
      const isMove = entry.collection === child.name && !entry.isDeletion && to === survivor && others.has(from as number);
      if (!isMove || (child.name === collection.name && entry.id === survivor)) continue;
      known.ids.set(entry.id, { given: { ...known.ids.get(entry.id)?.given, [field.name]: from as Value }, from: survivor });
    }
  }
  const moved: Record<string, number> = {};
  const kept: Record<string, number> = {};
  for (const { relation, ids } of moves.values()) {
    const { child } = relation;
    if (ids.size === 0) continue;
    const write = Math.max(...entries.filter((entry) => entry.collection === child.name && ids.has(entry.id)).map((entry) => entry.write));
    const { there, touched } = yield* statements(readState(child, ids, { write, survivor }, sql));
    const filters = rows?.get(child.name)?.read;
    const isOther = (id: number) => child.name === collection.name && others.has(id);
    const staying = touched.filter((id) => there.includes(id) && !isOther(id));
    const seen = filters && staying.length > 0 ? yield* statements(findSeen(child, filters, staying, sql)) : staying;
    for (const id of [...ids.keys()]) if (!there.includes(id) || touched.includes(id)) ids.delete(id);
    const count = [...ids.keys()].filter((id) => !isOther(id)).length;
    if (count > 0) moved[child.name] = count;
    if (seen.length > 0) kept[child.name] = seen.length;
  }
  const refused = yield* move(collection, [...moves.values()], part, true);
  return refused ?? { status: "done", moved, kept };
}

/**
 * Says which of these records are there, and which of them somebody has changed since the merge. What another merge did since is no change
 * once that one is taken apart.
 */
function* readState(
  child: Collection,
  ids: Move["ids"],
  { write, survivor }: { write: number; survivor: number },
  sql: MergeParts["sql"],
): Script<{ there: number[]; touched: number[] }> {
  const key = columnOf(child.key);
  const fields = [...new Set([...ids.values()].flatMap(({ given }) => Object.keys(given)))].flatMap((name) => child.byName.get(name) ?? []);
  const columns = [key, ...fields.map(columnOf)].join(", ");
  const select = `SELECT ${columns} FROM ${tableOf(child)} WHERE ${sql.among(key)} ORDER BY ${key}${sql.lock}`;
  const { rows } = yield* ask(select, sql.idList([...ids.keys()]));
  const isMoved = ([id, ...values]: Result["rows"][number]) =>
    fields.every(({ name }, i) => !Object.hasOwn(ids.get(Number(id))?.given ?? {}, name) || Number(values[i]) === survivor);
  const later = `SELECT DISTINCT h.id FROM history h JOIN writes w ON w.number = h.write WHERE ${sql.among("h.id")} AND w.collection = $2
    AND h.write > $3 AND w.source <> 'computation' AND NOT (w.source IN ('merge', 'unmerge')
    AND EXISTS (SELECT 1 FROM merges m WHERE m.merge = w.run AND m.apart_at IS NOT NULL))`;
  const changed = (yield* ask(later, sql.idList([...ids.keys()]), child.name, write)).rows.map(([id]) => Number(id));
  const others = rows.filter((row) => !isMoved(row)).map(([id]) => Number(id));
  return { there: rows.map(([id]) => Number(id)), touched: [...new Set([...changed, ...others])] };
}
