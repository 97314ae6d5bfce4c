// Writes batches in one SQLite transaction: reads what is stored, decides (planWrite), applies, stores the answers.

import type { Database } from "libsql";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { packResponse, replay, type StoredResponse } from "../../erasure/stored-answers.ts";
import { keepNumbers, readNumbers } from "../auto-numbers.ts";
import { type OpWithId, stampOf } from "../decide.ts";
import { keepExceptions } from "../exceptions.ts";
import { findRelations, type KnownRelations, type RelationSql } from "../find-relations.ts";
import { findOrigins } from "../history-entries.ts";
import { asMeant, completeKeys, type Wanted, wantedKey, wantedParents, wantedRecords, withMatches, withParents } from "../lookups.ts";
import { runMerge } from "../merge.ts";
import { areDone, isMerged, type MergeScript } from "../merge-steps.ts";
import { withSurvivingParents } from "../merges.ts";
import { lookUpPeople } from "../people-named.ts";
import { type Known, partsOf, planWrite } from "../plan-write.ts";
import { createRelations } from "../relations.ts";
import { checkRows } from "../row-rights.ts";
import { createRun } from "../script/run-sqlite.ts";
import { runScript } from "../script/script.ts";
import { isSpread, runSpread } from "../spread.ts";
import type { Answer, Batch, Decision, Idempotency, ToAnswer, Written } from "../store.ts";
import { createPrincipals, type Principals } from "./principals.ts";
import { createRecordTable, type RecordTable } from "./table.ts";
import { transact } from "./transaction.ts";

/** Writes batches. Of each, all or nothing is written and committed; one that fails says why, and nothing of it was written. */
export type Writer = (batches: readonly Batch[]) => PromiseSettledResult<Written>[];

/** Several batches are committed together: their answers cost one wait for the disk. */
export function createWriter(db: Database, collections: readonly Collection[], toAnswer: ToAnswer): Writer {
  const principals = createPrincipals(db);
  const tables = new Map(collections.map((collection) => [collection.name, createRecordTable(db, collection, principals)]));
  const responses = createStoredResponses(db);
  const run = createRun(db);
  const runOps = createOpsRunner(run, { principals, tables, collections });

  function write(batch: Batch): Written {
    const now = Date.now();
    const stored = batch.idempotency && responses.find(batch.idempotency);
    if (stored) return replay(stored, batch.idempotency?.fingerprint);
    const merged = batch.merge && stepByStep(runMerge(batch, batch.merge, { collections, sql: RELATION_SQL, now }), batch, now, isMerged);
    const { decisions, isElsewhere } = batch.merge
      ? { decisions: [], isElsewhere: false }
      : isSpread(batch)
        ? { decisions: stepByStep(runSpread(batch, collections), batch, now, areDone), isElsewhere: true }
        : runOps(batch, now);
    const answer = toAnswer({ ...batch, collections }, decisions, merged);
    if (batch.idempotency && !batch.dryRun) responses.add(batch.idempotency, answer, now);
    return { answer, replayed: false, isElsewhere };
  }

  /** Nothing of it stays unless all of it does. */
  function stepByStep<Outcome>(script: MergeScript<Outcome>, batch: Batch, now: number, isDone: (outcome: Outcome) => boolean): Outcome {
    db.exec("SAVEPOINT steps");
    let step = script.next();
    while (!step.done) {
      const { value } = step;
      step = script.next(value.kind === "statement" ? run(value.statement) : runOps(value.batch, now).decisions);
    }
    if (batch.dryRun || !isDone(step.value)) db.exec("ROLLBACK TO steps");
    db.exec("RELEASE steps");
    return step.value;
  }

  function commit<T>(batches: readonly Batch[], work: () => T, isRepeated: boolean): T {
    const adds = batches.some((batch) => !batch.dryRun && batch.ops.some(({ verb }) => verb !== "delete"));
    return transact(db, work, { usesReserve: !adds, isRepeated });
  }

  return (batches) => {
    if (batches.length > 1) {
      const together = attempt(() => commit(batches, () => batches.map(write), true));
      if (together.status === "fulfilled") return together.value.map((value) => ({ status: "fulfilled", value }));
    }
    // It also comes here after one of several has failed: that took back all of them, and says nothing about the others.
    return batches.map((batch) => attempt(() => commit([batch], () => write(batch), false)));
  };
}

interface RunnerParts {
  principals: Principals;
  tables: ReadonlyMap<string, RecordTable>;
  collections: readonly Collection[];
}

/** Decides a batch and applies it, inside the caller's transaction. */
function createOpsRunner(run: ReturnType<typeof createRun>, parts: RunnerParts) {
  const { principals, tables, collections } = parts;

  /** Reads what the batch must know of other collections. */
  function relationsOf(batch: Batch, ops: readonly OpWithId[], own: Known["records"]): KnownRelations | undefined {
    const { collection, dryRun = false, isRestore = false, rows, moves } = batch;
    const found = runScript(
      findRelations({ collection, collections, ops, own, dryRun, keepsDependents: isRestore, rows, moves }, RELATION_SQL),
      run,
    );
    for (const records of found?.records.values() ?? []) principals.name([...records.values()]);
    return found;
  }

  function originsOf({ collection, isRestore }: Batch, ops: readonly OpWithId[]): Known["origins"] {
    if (!isRestore) return undefined;
    const ids = ops.map(({ id }) => id);
    const found = runScript(findOrigins(collection, ids, RELATION_SQL), run);
    const named = principals.name([...found.values()]);
    return new Map([...found.keys()].map((id, i) => [id, named[i] as WireRecord]));
  }

  /** Finds what the ops name, also by what has become part of others. */
  function means(table: RecordTable, batch: Batch) {
    const { collection } = batch;
    const { ops: named, take } = table.withIds(batch);
    const before = table.known(named);
    const about = { rows: batch.rows, collections, sql: RELATION_SQL };
    const { meant, merged } = runScript(asMeant(collection, named, before, about), run);
    const byKey = merged.size > 0 ? table.known(meant) : before;
    const asNamed = relationsOf(batch, meant, byKey.records);
    const ops = runScript(withSurvivingParents(collection, meant, asNamed?.parents, about), run) as OpWithId[];
    const known = ops === meant ? byKey : table.known(ops); // other parents may make values that are unique together others
    const found = ops === meant ? asNamed : relationsOf(batch, ops, known.records);
    return { ops, known, found, merged, isElsewhere: merged.size > 0, take };
  }

  function runOps(given: Batch, now: number): { decisions: Decision[]; isElsewhere: boolean } {
    const { collection } = given;
    const table = tables.get(collection.name);
    if (!table) throw new Error(`no table for ${collection.name}`);
    const { batch: named, people } = runScript(lookUpPeople(given), run);
    const batch = lookUp(named, parts, run);
    const stamp = stampOf(batch, now);
    const { ops, known, found, merged, isElsewhere, take } = means(table, batch);
    const rows = runScript(checkRows(batch, { collections, ops, known, found }, RELATION_SQL), run);
    const relations = found && createRelations(collection, ops, known.records, found, stamp, rows);
    const origins = originsOf(batch, ops);
    const numbers = runScript(readNumbers(batch, { ops, known, stamp }, RELATION_SQL), run);
    const decisions = planWrite(collection, ops, { ...known, relations, origins, rows, numbers, merged, people }, stamp, batch);
    const undone = batch.dryRun || (batch.atomic && decisions.some((decision) => decision.outcome === "failed"));
    if (undone) return { decisions, isElsewhere };
    take();
    if (numbers) runScript(keepNumbers(numbers), run);
    const own = { now, by: principals.numberOf(batch.by), source: batch.source };
    for (const { collection: child, decisions: along } of relations?.changes() ?? []) {
      tables.get(child.name)?.apply(along, { ...own, isRestore: false });
      runScript(keepExceptions(child, along, { at: now, by: batch.by }, RELATION_SQL), run);
    }
    for (const part of partsOf(batch, decisions)) {
      table.apply(part, { ...own, isRestore: batch.isRestore ?? false });
      runScript(keepExceptions(collection, part, { at: now, by: batch.by }, RELATION_SQL), run);
    }
    return { decisions, isElsewhere };
  }

  return runOps;
}

/** Returns the batch with the keys of what the batch names by other values. */
function lookUp(batch: Batch, { tables, collections }: RunnerParts, run: ReturnType<typeof createRun>): Batch {
  const { collection, rows = new Map() } = batch;
  const keysOf = (wanted: readonly Wanted[]) =>
    new Map(
      wanted.map((one) => {
        const found = tables.get(one.collection)?.findKeys(one.field, one.values) ?? new Map();
        return [wantedKey(one), runScript(completeKeys(found, one, rows, collections, RELATION_SQL), run)];
      }),
    );
  const parents = wantedParents(collection, batch.ops);
  const ops = parents.length > 0 ? withParents(collection, batch.ops, keysOf(parents)) : batch.ops;
  if (!ops.some((op) => op.verb === "post" && op.match)) return parents.length > 0 ? { ...batch, ops } : batch;
  return { ...batch, ops: withMatches(collection, ops, keysOf(wantedRecords(collection, ops))) };
}

function attempt<T>(work: () => T): PromiseSettledResult<T> {
  try {
    return { status: "fulfilled", value: work() };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/** The one writer of the file needs no locks. */
const RELATION_SQL: RelationSql = {
  among: (column) => `${column} IN (SELECT value FROM json_each($1))`,
  idList: JSON.stringify,
  keep: "",
  hold: "",
  lock: "",
};

function createStoredResponses(db: Database) {
  const find = db.prepare("SELECT fingerprint, status, headers, body FROM replies WHERE key = ?");
  const insert = db.prepare("INSERT INTO replies (key, fingerprint, status, headers, body, created_at) VALUES (?, ?, ?, ?, ?, ?)");
  return {
    find: ({ key }: Idempotency) => find.get(key) as StoredResponse | undefined,
    add(idempotency: Idempotency, answer: Answer, now: number): void {
      const { status, headers, body } = packResponse(answer);
      insert.run(idempotency.key, idempotency.fingerprint, status, headers, body, now);
    },
  };
}
