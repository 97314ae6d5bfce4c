// A batch that writes several collections, or records that refer to others of its own: parts of one transaction.

import type { Collection } from "../../core/dictionary/collections.ts";
import { decided, type MergeScript } from "./merge-steps.ts";
import type { Batch, Decision, WriteOp } from "./store.ts";

/** Says whether the batch is written in parts. All of them are written, or none. */
export function isSpread({ ops }: Pick<Batch, "ops">): boolean {
  return ops.some(({ of, madeBy }) => of !== undefined || madeBy !== undefined);
}

/** Returns the names of the collections that the batch writes. */
export function collectionsOf({ collection, ops }: { collection: string; ops: readonly WriteOp[] }): string[] {
  return [...new Set([collection, ...ops.map(({ of = collection }) => of)])];
}

/** Says how many ids the store assigns in each collection. */
export function lackingIds({ collection, ops }: Pick<Batch, "collection" | "ops">): Map<string, number> {
  const lacking = new Map<string, number>();
  for (const { id, of = collection.name } of ops) if (id === null) lacking.set(of, (lacking.get(of) ?? 0) + 1);
  return lacking;
}

/**
 * Decides and applies one part after the other, so that each meets what those before it have made. A part is one collection's ops that
 * follow each other. Ends with the first part that fails: what comes after it would refer to nothing. `collections`: all.
 */
export function* runSpread(batch: Batch, collections: readonly Collection[]): MergeScript<Decision[]> {
  const decisions: Decision[] = [];
  const { collection: own, ops: _, form, idempotency: __, ...shared } = batch;
  for (const { of, ops } of partsOf(batch)) {
    const collection = collections.find(({ name }) => name === of) ?? own;
    const referring = ops.map((op) => withMade(op, decisions, collections, batch));
    const part = yield* decided({ ...shared, form, collection, ops: referring, isSequence: true, atomic: true, dryRun: false });
    decisions.push(...part);
    if (part.some(({ outcome }) => outcome === "failed")) break;
  }
  return decisions;
}

/** Returns the ops in their order. A part ends before an op of another collection, and before one that refers to a record of the part. */
function partsOf({ collection, ops }: Batch): { of: string; ops: WriteOp[] }[] {
  const parts: { of: string; from: number; ops: WriteOp[] }[] = [];
  for (const [i, op] of ops.entries()) {
    const { of = collection.name, madeBy = {} } = op;
    const last = parts.at(-1);
    if (last?.of === of && !Object.values(madeBy).some((at) => at >= last.from)) last.ops.push(op);
    else parts.push({ of, from: i, ops: [op] });
  }
  return parts;
}

function withMade(
  { of: _, madeBy, ...op }: WriteOp,
  decisions: readonly Decision[],
  collections: readonly Collection[],
  batch: Batch,
): WriteOp {
  if (!madeBy || op.verb === "delete") return op as WriteOp;
  const made = Object.entries(madeBy).map(([field, at]): [string, number] => {
    const { of = batch.collection.name } = batch.ops[at] as WriteOp;
    const parent = collections.find(({ name }) => name === of);
    const decision = decisions[at];
    if (!parent || !decision || !("record" in decision)) throw new Error("an op refers to one that was not decided");
    return [field, Number(decision.record[parent.key.name])];
  });
  return { ...op, given: { ...op.given, ...Object.fromEntries(made) } } as WriteOp;
}
