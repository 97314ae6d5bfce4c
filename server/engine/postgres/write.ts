// Writes a batch in one PostgreSQL transaction: read what is stored, decide (planWrite), apply, store the answer.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { packResponse, replay, type StoredResponse } from "../../erasure/stored-answers.ts";
import { AHEAD } from "../../history/store/home-postgres.ts";
import { keepNumbers, readNumbers } from "../auto-numbers.ts";
import { type OpWithId, stampOf } from "../decide.ts";
import { keepExceptions } from "../exceptions.ts";
import { findRelations, type KnownRelations, type RelationSql } from "../find-relations.ts";
import { findOrigins } from "../history-entries.ts";
import {
  asMeant,
  completeKeys,
  type Found,
  matchedBy,
  type Wanted,
  wantedKey,
  wantedParents,
  wantedRecords,
  withMatches,
  withParents,
} from "../lookups.ts";
import { runMerge } from "../merge.ts";
import { areDone, isMerged, type MergeScript } from "../merge-steps.ts";
import { findMerged, withSurvivingParents } from "../merges.ts";
import { lookUpPeople } from "../people-named.ts";
import { type Known, partsOf, planWrite } from "../plan-write.ts";
import { createRelations } from "../relations.ts";
import { checkRows } from "../row-rights.ts";
import { asQuery, runOn } from "../script/run-postgres.ts";
import type { Result } from "../script/script.ts";
import { isSpread, lackingIds, runSpread } from "../spread.ts";
import {
  type Answer,
  type Batch,
  type Decision,
  type Idempotency,
  StoreUnavailable,
  type ToAnswer,
  type WriteOp,
  type Written,
} from "../store.ts";
import type { Connections } from "./connections.ts";
import { codeOf, LOCK_NOT_AVAILABLE, WriteConflict } from "./database-errors.ts";
import { addHistory } from "./history.ts";
import { createIds } from "./ids.ts";
import type { Query } from "./pool.ts";
import type { Principals } from "./principals.ts";
import { createRecordTable, type RecordTable } from "./table.ts";

/** Assigned ids that are in use after all, because clients may choose any id. */
class IdsTaken extends Error {
  readonly collection: string;
  readonly taken: ReadonlySet<number>;
  constructor(collection: string, taken: ReadonlySet<number>) {
    super();
    this.collection = collection;
    this.taken = taken;
  }
}

/**
 * Transactions are READ COMMITTED, and each change checks the row's version. Of several that want one row, one succeeds; the
 * others wait for it, see the new version and decide anew. SERIALIZABLE would also reject transactions that only touched
 * neighbouring index entries. Distributed engines that have nothing else work as well.
 */
export function createWriter(connections: Connections, principals: Principals, collections: readonly Collection[], toAnswer: ToAnswer) {
  const requireNumber = async (query: Query, { by, dryRun }: Batch, number: number) => {
    if (!dryRun && (await principals.find(query, by)) !== number) throw new StoreUnavailable("a failover lost the principal's number");
  };
  const tables = new Map(collections.map((collection) => [collection.name, createRecordTable(collection, principals)]));
  const parts = { tables, principals, collections, toAnswer };
  const collectionNamed = (name: string) => {
    const found = collections.find((one) => one.name === name);
    if (!found) throw new Error(`no table for ${name}`);
    return found;
  };
  const ids = createIds(connections);

  // Ids and the principal's number are drawn before the transaction: inside, it would wait for a second connection while it holds one.
  return async function write(batch: Batch): Promise<Written> {
    const isTriedByDoing = batch.merge !== undefined || isSpread(batch);
    const by = batch.dryRun && !isTriedByDoing ? 0 : await principals.numberOf(batch.by);
    for (;;) {
      const drawn = { ids: new Map<string, readonly number[]>(), by };
      const progress: Progress = { attempts: 0, usedIds: new Map(), hasChanged: false, now: 0 };
      try {
        for (const [name, lacking] of lackingIds(batch)) drawn.ids.set(name, await ids.draw(collectionNamed(name), lacking));
        return await connections.transact(
          async (query) => {
            if (++progress.attempts > 1) await requireNumber(query, batch, by);
            return attempt(query, parts, batch, drawn, progress);
          },
          (query, xid) => isWritten(query, progress, xid),
        );
      } catch (error) {
        if (!(error instanceof IdsTaken)) throw error;
        const { collection, taken } = error;
        drawn.ids.set(collection, drawn.ids.get(collection)?.filter((id) => !taken.has(id)) ?? []);
        progress.usedIds.clear();
      } finally {
        for (const [name, own] of drawn.ids) ids.giveBack(collectionNamed(name), own.slice(progress.usedIds.get(name) ?? 0));
      }
    }
  };
}

interface WriterParts {
  tables: ReadonlyMap<string, RecordTable>;
  principals: Principals;
  collections: readonly Collection[];
  toAnswer: ToAnswer;
}

/** Values that are drawn before the transaction: ids for the records of each collection that have none, and the number of who writes. */
interface Drawn {
  ids: ReadonlyMap<string, readonly number[]>;
  by: number;
}

/** Holds what the last attempt did. `hasChanged`: it has a row in `writes`, made at `now` (ms). */
interface Progress {
  attempts: number;
  /** Counts the drawn ids of a collection, from the first on, that new records have. */
  usedIds: Map<string, number>;
  hasChanged: boolean;
  now: number;
}

/**
 * Says whether the transaction's row in `writes` is stored; true also for one that has none, which may be lost: it changed nothing. The time is
 * compared, too, because a new primary gives the ids of lost transactions again.
 */
async function isWritten(query: Query, { hasChanged, now }: Progress, xid: string): Promise<boolean> {
  if (!hasChanged) return true;
  return (await query(`SELECT 1 FROM writes WHERE xid = $1::bigint + ${AHEAD} AND at = $2 LIMIT 1`, [xid, now])).rows.length > 0;
}

async function attempt(query: Query, writer: WriterParts, batch: Batch, drawn: Drawn, progress: Progress): Promise<Written> {
  const { idempotency, dryRun, merge } = batch;
  const now = Date.now();
  Object.assign(progress, { usedIds: new Map(), hasChanged: false, now } satisfies Partial<Progress>);
  const earlier = idempotency && (await (dryRun ? findAnswer(query, idempotency) : claim(query, idempotency, now)));
  if (earlier) return earlier;
  const { collections } = writer;
  const steps = { query, writer, batch, drawn, progress };
  const merged = merge && (await stepByStep(steps, runMerge(batch, merge, { collections, sql: RELATION_SQL, now }), isMerged));
  const decisions = merge
    ? []
    : isSpread(batch)
      ? await stepByStep(steps, runSpread(batch, collections), areDone)
      : await decideAndApply(query, writer, batch, drawn, progress);
  const answer = writer.toAnswer({ ...batch, collections }, decisions, merged);
  if (idempotency && !dryRun) await storeAnswer(query, idempotency, answer);
  return { answer, replayed: false };
}

interface Steps {
  query: Query;
  writer: WriterParts;
  batch: Batch;
  drawn: Drawn;
  progress: Progress;
}

/** Nothing of it stays unless all of it does. */
async function stepByStep<Outcome>(
  { query, writer, batch, drawn, progress }: Steps,
  script: MergeScript<Outcome>,
  isDone: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  await query("SAVEPOINT steps");
  let step = script.next();
  while (!step.done) {
    const { value } = step;
    step =
      value.kind === "statement"
        ? script.next((await query(...asQuery(value.statement))) as Result)
        : script.next(await decideAndApply(query, writer, value.batch, drawn, progress));
  }
  if (batch.dryRun || !isDone(step.value)) {
    await query("ROLLBACK TO SAVEPOINT steps");
    Object.assign(progress, { usedIds: new Map(), hasChanged: false } satisfies Partial<Progress>);
  }
  await query("RELEASE SAVEPOINT steps");
  return step.value;
}

async function decideAndApply(query: Query, writer: WriterParts, given: Batch, drawn: Drawn, progress: Progress): Promise<Decision[]> {
  const { collection, dryRun } = given;
  const { tables } = writer;
  const { now } = progress;
  const table = tables.get(collection.name) as RecordTable;
  const { batch, people } = await runOn(query, lookUpPeople(given));
  const usedBefore = progress.usedIds.get(collection.name) ?? 0;
  const ids = drawn.ids.get(collection.name)?.slice(usedBefore) ?? [];
  const { ops: named, used } = withIds(await lookUp(query, writer, batch), ids);
  const before = await table.known(query, named); // from here on nobody can add a column
  if (isMatchedMeanwhile(collection, named, before)) throw new WriteConflict();
  const requested = new Set(batch.ops.map((op) => op.id));
  const taken = ids.filter((id) => requested.has(id) || before.records.has(id) || before.tombstones.has(id));
  if (taken.length > 0) throw new IdsTaken(collection.name, new Set(taken));
  const about = { rows: batch.rows, collections: writer.collections, sql: RELATION_SQL };
  const { meant, merged } = await runOn(query, asMeant(collection, named, before, about));
  const byKey = merged.size > 0 ? await table.known(query, meant) : before;
  const elsewhere = meant.filter((op, i) => op.id !== named[i]?.id);
  // A survivor has become part of another record itself between the two reads: nobody makes it anew.
  if (merged.size > 0 && (await runOn(query, findMerged(collection, elsewhere, byKey))).size > 0) throw new WriteConflict();
  const stamp = stampOf(batch, now);
  const asNamed = await relationsOf(query, writer, batch, meant, byKey.records);
  const ops = await runOn(query, withSurvivingParents(collection, meant, asNamed?.parents, about));
  const known = ops === meant ? byKey : await table.known(query, ops); // other parents may make values that are unique together others
  const found = ops === meant ? asNamed : await relationsOf(query, writer, batch, ops, known.records);
  const rows = await runOn(query, checkRows(batch, { collections: writer.collections, ops, known, found }, RELATION_SQL));
  const relations = found && createRelations(collection, ops, known.records, found, stamp, rows);
  const origins = batch.isRestore ? await originsOf(query, writer, collection, ops) : undefined;
  const numbers = await runOn(query, readNumbers(batch, { ops, known, stamp }, RELATION_SQL));
  const decisions = planWrite(collection, ops, { ...known, relations, origins, rows, numbers, merged, people }, stamp, batch);
  const undone = dryRun || (batch.atomic && decisions.some((decision) => decision.outcome === "failed"));
  if (undone) return decisions;
  progress.usedIds.set(collection.name, usedBefore + used);
  if (numbers) await runOn(query, keepNumbers(numbers));
  const parts = partsOf(batch, decisions);
  progress.hasChanged ||= parts.length > 0;
  const own = { now, by: drawn.by, source: batch.source, isRestore: batch.isRestore ?? false };
  for (const { collection: child, decisions: along } of relations?.changes() ?? []) {
    await tables.get(child.name)?.apply(query, along, { ...own, isRestore: false });
    await addHistory(query, child, along, { ...own, isRestore: false });
    await runOn(query, keepExceptions(child, along, { at: now, by: batch.by }, RELATION_SQL));
  }
  for (const part of parts) {
    await table.apply(query, part, own);
    await addHistory(query, collection, part, own);
    await runOn(query, keepExceptions(collection, part, { at: now, by: batch.by }, RELATION_SQL));
  }
  return decisions;
}

/** Reads what the batch must know of other collections, and locks there what must stay as it is until the transaction ends. */
async function relationsOf(
  query: Query,
  { principals, collections }: WriterParts,
  { collection, dryRun = false, isRestore = false, rows, moves }: Batch,
  ops: readonly OpWithId[],
  own: Known["records"],
): Promise<KnownRelations | undefined> {
  const what = { collection, collections, ops, own, dryRun, keepsDependents: isRestore, rows, moves };
  const found = await runOn(query, findRelations(what, RELATION_SQL));
  for (const records of found?.records.values() ?? []) await principals.name(query, [...records.values()]);
  return found;
}

async function originsOf(
  query: Query,
  { principals }: WriterParts,
  collection: Collection,
  ops: readonly OpWithId[],
): Promise<Known["origins"]> {
  const ids = ops.map(({ id }) => id);
  const found = await runOn(query, findOrigins(collection, ids, RELATION_SQL));
  const named = await principals.name(query, [...found.values()]);
  return new Map([...found.keys()].map((id, i) => [id, named[i] as WireRecord]));
}

/**
 * A new child keeps its parent from being deleted, and a deletion waits for children that are being written. These locks of rows
 * are what PostgreSQL's own foreign keys take.
 */
const RELATION_SQL: RelationSql = {
  among: (column) => `${column} = ANY($1::bigint[])`,
  idList: (ids) => `{${ids.join()}}`,
  keep: " FOR KEY SHARE",
  hold: " FOR SHARE",
  lock: " FOR UPDATE",
};

/** Is true where another transaction has, since it was looked up, stored a record with the value that says which one is meant, or taken it away. */
function isMatchedMeanwhile(collection: Collection, ops: readonly OpWithId[], { holders, records }: Known): boolean {
  return ops.some((op) => {
    if (op.verb !== "post" || !op.match || op.match.isUnseen || op.match.holder !== undefined) return false;
    if (!op.match.isNew) return !records.has(op.id) && (op.problems ?? []).length === 0;
    const value = matchedBy(collection, op);
    return value !== null && holders.get(op.match.field)?.has(value);
  });
}

/** Returns the ops with the keys of what they name by other values. */
async function lookUp(
  query: Query,
  { tables, collections }: WriterParts,
  { collection, ops, rows = new Map() }: Batch,
): Promise<readonly WriteOp[]> {
  const keysOf = async (wanted: readonly Wanted[]) => {
    const found = new Map<string, ReadonlyMap<Value, Found>>();
    for (const one of wanted) {
      const keys = (await tables.get(one.collection)?.findKeys(query, one.field, one.values)) ?? new Map();
      found.set(wantedKey(one), await runOn(query, completeKeys(keys, one, rows, collections, RELATION_SQL)));
    }
    return found;
  };
  const parents = wantedParents(collection, ops);
  const filled = parents.length > 0 ? withParents(collection, ops, await keysOf(parents)) : ops;
  if (!filled.some((op) => op.verb === "post" && op.match)) return filled;
  return withMatches(collection, filled, await keysOf(wantedRecords(collection, filled)));
}

/** `used`: how many of the drawn ids they have. */
function withIds(given: readonly WriteOp[], drawn: readonly number[]): { ops: OpWithId[]; used: number } {
  let used = 0;
  const ops = given.map((op) => (op.id === null ? { ...op, id: drawn[used++] as number } : (op as OpWithId)));
  return { ops, used };
}

/**
 * Inserts the row of the idempotency key, or answers what is stored under it. A second request with the key waits here until
 * the first has committed. Others see the row only together with the answer and the data.
 */
async function claim(query: Query, idempotency: Idempotency, now: number): Promise<Written | undefined> {
  const { key, fingerprint } = idempotency;
  try {
    const insert = "INSERT INTO replies (key, fingerprint, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key";
    if ((await query(insert, [key, fingerprint, now])).rows.length === 1) return undefined;
  } catch (error) {
    // The first request has been running longer than lock_timeout.
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return { rejected: "running" };
    throw error;
  }
  const earlier = await findAnswer(query, idempotency);
  if (!earlier) throw new WriteConflict(); // it has just been deleted as too old
  return earlier;
}

async function findAnswer(query: Query, { key, fingerprint }: Idempotency): Promise<Written | undefined> {
  const { rows } = await query("SELECT fingerprint, status, headers, body FROM replies WHERE key = $1", [key]);
  if (!rows[0]) return undefined;
  const [firstFingerprint, status, headers, body] = rows[0] as [string, number, string, Buffer];
  return replay({ fingerprint: firstFingerprint, status, headers, body } satisfies StoredResponse, fingerprint);
}

async function storeAnswer(query: Query, { key }: Idempotency, answer: Answer): Promise<void> {
  const { status, headers, body } = packResponse(answer);
  await query("UPDATE replies SET status = $2, headers = $3, body = $4 WHERE key = $1", [key, status, headers, body]);
}
