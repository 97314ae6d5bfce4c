// Several records become one: batches and statements of one transaction, which both engines run.

import type { Problem } from "../../core/contract/problems.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnOf, tableOf } from "./columns.ts";
import { deletionVersion } from "./decide.ts";
import { MOST_DEPENDENTS, type RelationSql } from "./find-relations.ts";
import {
  decided,
  firstFailed,
  type MergeOutcome,
  type MergeParts,
  type MergePlan,
  type MergeScript,
  type Move,
  type Moved,
  move,
  partOf,
  statements,
} from "./merge-steps.ts";
import { keepMergedValues } from "./merged-values.ts";
import { recordBefore } from "./plan-write.ts";
import { findSeen } from "./row-rights.ts";
import { ask, type Script } from "./script/script.ts";
import type { Batch, Failure, WriteOp } from "./store.ts";
import { takeApart } from "./take-apart.ts";

/** Runs the plan of the batch. Nothing of it may stay unless it is done. */
export function* runMerge(batch: Batch, plan: MergePlan, parts: MergeParts): MergeScript<MergeOutcome> {
  return plan.kind === "merge" ? yield* merge(batch, plan, parts) : yield* takeApart(batch, plan, parts);
}

function* merge(batch: Batch, plan: MergePlan & { kind: "merge" }, parts: MergeParts): MergeScript<MergeOutcome> {
  const { collection, by, rows } = batch;
  const { survivor, others, values } = plan;
  const all = [survivor, ...others];
  const stored = yield* statements(lockVersions(collection, all, parts.sql));
  const filters = rows?.get(collection.name)?.read;
  const seen = new Set(filters ? yield* statements(findSeen(collection, filters, all, parts.sql)) : all);
  const missing = all.find((id) => !stored.has(id) || !seen.has(id));
  if (missing !== undefined) return { status: "failed", failure: { code: "NOT_FOUND" }, moved: {}, id: missing };
  const changed = all.find((id) => stored.get(id) !== plan.versions[id]);
  if (changed !== undefined) return { status: "failed", failure: { code: "PRECONDITION_FAILED" }, moved: {}, id: changed };

  const part = partOf(batch, { type: "merge", run: plan.id });
  const referring = yield* statements(findChildren(collection, plan, parts));
  if (referring.status === "failed") return referring;
  const { moves, early } = referring;
  const moved = countMoved(moves, collection, others);
  const looping = early.filter((name) => !Object.hasOwn(values.given, name));
  if (looping.length > 0) {
    const problems = looping.map((field): Problem => {
      const message = `${collection.byName.get(field)?.title}: the ${collection.noun} would refer to itself. Choose another value.`;
      return { field, code: "REFERENCE_NOT_FOUND", message };
    });
    return { status: "failed", failure: { code: "VALIDATION", problems }, moved };
  }
  if (early.length > 0) {
    const given = Object.fromEntries(early.map((name) => [name, values.given[name] ?? null]));
    const [decision] = yield* decided(part({ collection, ops: [{ verb: "patch", id: survivor, given, acknowledge: "all" }] }));
    if (decision?.outcome === "failed") return { status: "failed", failure: decision.failure, moved, id: survivor };
  }
  const refused = yield* move(collection, moves, part);
  if (refused) return { ...refused, moved };

  const ops: WriteOp[] = others.map((id) => ({ verb: "delete", id }));
  ops.push({ verb: "patch", id: survivor, ...values, ...(batch.merge?.acknowledge && { acknowledge: batch.merge.acknowledge }) });
  const decisions = yield* decided(part({ collection, ops, isSequence: true }));
  const failed = firstFailed(decisions);
  if (failed) return { status: "failed", failure: failed.failure, moved, id: all[(failed.at + 1) % all.length] as number };
  for (const [i, decision] of decisions.entries())
    if (decision.outcome === "deleted") {
      const row = [collection.name, others[i] as number, plan.id, survivor, deletionVersion(decision.record), parts.now, by.type, by.id];
      const places = row.map((_, at) => `$${at + 1}`).join(", ");
      const into = "INSERT INTO merges (collection, id, merge, survivor, version, at, by_type, by_id)";
      yield* statements(ask(`${into} VALUES (${places})`, ...row));
    }
  const last = decisions.at(-1);
  if (!last || !("record" in last)) throw new Error("the survivor of a merge was not decided");
  const before = [
    ...decisions.flatMap((decision) => (decision.outcome === "deleted" ? [decision.record] : [])),
    ...(last.outcome === "updated" ? [recordBefore(last)] : []),
  ];
  yield* statements(keepMergedValues(collection, plan.id, before, last.record));
  const warnings = "warnings" in last ? (last.warnings ?? []) : [];
  return { status: "done", record: last.record, warnings, moved, back: [], kept: {} };
}

/** The records that become part of another one are not counted themselves. */
function countMoved(moves: readonly Move[], { name }: Collection, others: readonly number[]): Moved {
  const counts: Record<string, number> = {};
  for (const { relation, ids } of moves) {
    const count = [...ids.keys()].filter((id) => relation.child.name !== name || !others.includes(id)).length;
    if (count > 0) counts[relation.child.name] = (counts[relation.child.name] ?? 0) + count;
  }
  return counts;
}

export function* lockVersions({ name, key }: Collection, ids: readonly number[], sql: RelationSql): Script<Map<number, number>> {
  const column = columnOf(key);
  const select = `SELECT ${column}, version FROM ${tableOf({ name })} WHERE ${sql.among(column)} ORDER BY ${column}${sql.lock}`;
  const { rows } = yield* ask(select, sql.idList(ids));
  return new Map(rows.map(([id, version]) => [Number(id), Number(version)]));
}

type Referring = { status: "found"; moves: Move[]; early: string[] } | (MergeOutcome & { status: "failed" });

/** Finds what refers to the records that go. `early`: the fields by which the survivor itself does. */
function* findChildren(
  collection: Collection,
  { survivor, others }: MergePlan & { kind: "merge" },
  { collections, sql }: MergeParts,
): Script<Referring> {
  const moves = new Map<string, Move>();
  const early: string[] = [];
  let left = MOST_DEPENDENTS;
  for (const relation of childrenOf(collections, collection)) {
    const { child, field } = relation;
    const [key, column] = [columnOf(child.key), columnOf(field)];
    const select = `SELECT ${key}, ${column} FROM ${tableOf(child)} WHERE ${sql.among(column)} ORDER BY ${key} LIMIT ${left + 1}${sql.lock}`;
    const { rows } = yield* ask(select, sql.idList(others));
    if (rows.length > left) {
      const inUse = { collection: collection.name, id: Number(rows[0]?.[1]), child: child.name, field: field.name } as const;
      const { rows: counted } = yield* ask(`SELECT count(*) FROM ${tableOf(child)} WHERE ${sql.among(column)}`, sql.idList(others));
      const failure: Failure = { code: "IN_USE", inUse: { ...inUse, count: Number(counted[0]?.[0]), reason: "many" } };
      return { status: "failed", failure, moved: {}, id: inUse.id };
    }
    left -= rows.length;
    const known = moves.get(child.name) ?? { relation, ids: new Map() };
    moves.set(child.name, known);
    for (const [id, from] of rows) {
      if (child.name === collection.name && Number(id) === survivor) early.push(field.name);
      else known.ids.set(Number(id), { given: { ...known.ids.get(Number(id))?.given, [field.name]: survivor }, from: Number(from) });
    }
  }
  return { status: "found", moves: [...moves.values()], early };
}
