// Writes a batch in one SQLite transaction: read what is stored, decide (planWrite), apply, store the answer.

import type { Database } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { OpWithId } from "../decide.ts";
import { planWrite, rowChangeOf } from "../plan-write.ts";
import { type Answer, type Batch, type Decision, StoreFull, type ToAnswer, type Written } from "../store.ts";
import { createSweep, packResponse, replay, type StoredResponse } from "../stored-responses.ts";
import { fileOf, holdReserve } from "./disk-reserve.ts";
import { createRecordTable, type RecordTable } from "./table.ts";
import { transact } from "./transaction.ts";

/** The returned function writes the whole batch and commits it. If it throws, nothing was written. */
export function createWriter(db: Database, collections: readonly Collection[], toAnswer: ToAnswer): (batch: Batch) => Written {
  const tables = new Map(collections.map((collection) => [collection.name, createRecordTable(db, collection)]));
  const responses = createStoredResponses(db);
  const sweepBefore = createSweep();
  const file = fileOf(db);
  return (batch) => {
    const table = tables.get(batch.collection.name);
    if (!table) throw new Error(`no table for ${batch.collection.name}`);
    const adds = !batch.dryRun && batch.ops.some(({ verb }) => verb !== "delete");
    if (adds && !holdReserve(file)) throw new StoreFull("the disk has no room but its reserve");
    const now = Date.now();
    const write = () => {
      const before = sweepBefore();
      if (before !== undefined) responses.sweep(before);
      const stored = batch.idempotency && responses.find(batch.idempotency.key);
      if (stored) return replay(stored, batch.idempotency?.fingerprint);
      const decisions = runOps(db, table, batch, now);
      const answer = toAnswer(batch, decisions);
      if (batch.idempotency) responses.add(batch.idempotency, answer, now);
      return { answer, replayed: false };
    };
    return transact(db, write, { usesReserve: !adds });
  };
}

function runOps(db: Database, table: RecordTable, batch: Batch, now: number): Decision[] {
  const ops = table.withIds(batch);
  const decisions = planWrite(batch.collection, ops, table.known(ops), new Date(now).toISOString());
  const undone = batch.dryRun || (batch.atomic && decisions.some((decision) => decision.outcome === "failed"));
  if (undone) {
    // Only ids may have been assigned so far; this takes them back. The transaction goes on, to store the answer.
    db.exec("ROLLBACK; BEGIN IMMEDIATE");
    return decisions;
  }
  for (const [i, decision] of decisions.entries()) {
    const change = rowChangeOf(decision);
    if (change) table.apply((ops[i] as OpWithId).id, change, now);
  }
  return decisions;
}

function createStoredResponses(db: Database) {
  const find = db.prepare("SELECT fingerprint, status, headers, body FROM replies WHERE key = ?");
  const insert = db.prepare("INSERT INTO replies (key, fingerprint, status, headers, body, created_at) VALUES (?, ?, ?, ?, ?, ?)");
  const sweep = db.prepare("DELETE FROM replies WHERE created_at < ?");
  return {
    find: (key: string) => find.get(key) as StoredResponse | undefined,
    add(idempotency: { key: string; fingerprint: string }, answer: Answer, now: number): void {
      const { status, headers, body } = packResponse(answer);
      insert.run(idempotency.key, idempotency.fingerprint, status, headers, body, now);
    },
    sweep: (before: number) => sweep.run(before),
  };
}
