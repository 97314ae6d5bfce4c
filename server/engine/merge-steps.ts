// The steps of which a merge and its taking apart consist: statements, and batches that are decided at once.

import type { ChangedField } from "../../core/contract/merges.ts";
import type { Problem } from "../../core/contract/problems.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Relation, RelationSql } from "./find-relations.ts";
import type { Result, Script, Statement } from "./script/script.ts";
import type { Batch, Decision, Failure, WriteOp } from "./store.ts";

/** A batch with a plan has no ops of its own: it merges records, or takes a merge apart. */
export type MergePlan =
  | {
      kind: "merge";
      id: string;
      survivor: number;
      others: readonly number[];
      versions: Readonly<Record<string, number>>;
      /** The survivor gets these values. */
      values: { given: Fields; problems?: Problem[]; refused?: Fields };
    }
  | {
      kind: "apart";
      id: string;
      /** Field that was changed since → the key of the record to which the value of now belongs, or `NOBODY`. */
      belongs: Readonly<Record<string, number | string>>;
      /** Fields that stay as they are, because the caller may not change them. */
      fixed: readonly string[];
    };

/** `moved`: collection → how many records refer to another one from now on. */
export type MergeOutcome =
  | { status: "done"; record: WireRecord; warnings: readonly Problem[]; moved: Moved; back: readonly number[]; kept: Moved }
  /** `id`: the record that is in the way. `child`: it is one of this collection, which would have moved. */
  | { status: "failed"; failure: Failure; moved: Moved; id?: number; child?: Collection }
  | { status: "asks"; fields: readonly ChangedField[]; back: readonly number[] };

export type Moved = Readonly<Record<string, number>>;

/** One step of a merge: a statement, or a batch that is decided and applied at once. */
export type MergeStep = { kind: "statement"; statement: Statement } | { kind: "batch"; batch: Batch };

/** Yields steps. It is handed the result of each statement, and the decisions on each batch. */
export type MergeScript<T> = Generator<MergeStep, T, Result | Decision[]>;

export interface MergeParts {
  collections: readonly Collection[];
  sql: RelationSql;
  /** ms since 1970 */
  now: number;
}

export function* statements<T>(script: Script<T>): MergeScript<T> {
  let step = script.next();
  while (!step.done) step = script.next((yield { kind: "statement", statement: step.value }) as Result);
  return step.value;
}

export function* decided(batch: Batch): MergeScript<Decision[]> {
  return (yield { kind: "batch", batch }) as Decision[];
}

/** Makes the batches that a merge consists of. */
export type MakePart = (part: Pick<Batch, "collection" | "ops"> & Partial<Batch>) => Batch;

export function partOf({ by, rows, form }: Batch, source: Batch["source"]): MakePart {
  return (part) => ({ by, source, form, atomic: true, ...(rows && { rows }), ...part });
}

/** Fields of a record that are to refer to another one. `from`: the one to which it refers now. */
export interface Move {
  relation: Relation;
  ids: Map<number, { given: Fields; from: number }>;
}

/** Lets records refer to another one, collection by collection. Answers what forbids it. */
export function* move(
  parent: Collection,
  moves: readonly Move[],
  part: MakePart,
  isRestore = false,
): MergeScript<(MergeOutcome & { status: "failed" }) | undefined> {
  for (const { relation, ids } of moves) {
    const { child, field } = relation;
    if (ids.size === 0) continue;
    const all = [...ids];
    const ops = all.map(([id, { given }]): WriteOp => ({ verb: "patch", id, given, acknowledge: "all" }));
    const failed = firstFailed(yield* decided(part({ collection: child, ops, isRestore, moves: parent.name })));
    if (!failed) continue;
    const [id, { from }] = all[failed.at] as (typeof all)[number];
    const { code } = failed.failure;
    if (code === "VALIDATION") return { status: "failed", failure: failed.failure, moved: {}, id, child };
    const inUse = { collection: parent.name, id: from, child: child.name, field: field.name, count: 1, reason: "rights" } as const;
    return { status: "failed", failure: { code: "IN_USE", inUse }, moved: {}, id: from };
  }
  return undefined;
}

export function isMerged({ status }: MergeOutcome): boolean {
  return status === "done";
}

export function areDone(decisions: readonly Decision[]): boolean {
  return firstFailed(decisions) === undefined;
}

export function firstFailed(decisions: readonly Decision[]): { at: number; failure: Failure } | undefined {
  for (const [at, decision] of decisions.entries()) if (decision.outcome === "failed") return { at, failure: decision.failure };
  return undefined;
}
