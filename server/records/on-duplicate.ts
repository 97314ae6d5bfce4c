// `onDuplicate`: tells or refuses a new record that is stored already, by the comparisons of the dictionary.

import type { FastifyRequest } from "fastify";
import type { SimilarRecord } from "../../core/contract/duplicates.ts";
import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { OnDuplicate } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { reasonWords } from "../../core/dictionary/reason-words.ts";
import type { ReadOptions, Store, WriteOp } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { oneOf, type Parameter, parameterText } from "../http/query-parameters.ts";
import { findSimilar } from "./similar-records.ts";

/** Compares what has been written since the last look, so that a request knows of the one before it. `name`: of a collection. */
export type CatchUp = (name: string) => Promise<void>;

const NAME = "onDuplicate";

/** Has no parameter where the caller knows of nothing that is compared. */
export function duplicateParameter({ match }: Pick<Collection, "match">): { onDuplicate?: Parameter<OnDuplicate> } {
  return match ? { onDuplicate: oneOf<OnDuplicate>("warn", "error") } : {};
}

/** Throws 400 where it is given and nothing is compared. */
export function requireCompared({ title, match }: Pick<Collection, "title" | "match">, { query }: FastifyRequest): void {
  if (match || parameterText(query, NAME) === undefined) return;
  const detail = `${title} are not compared: the dictionary has no "match" for them. Leave onDuplicate out.`;
  throw httpErrors.badParameters([{ parameter: NAME, code: "BAD_PARAMETER", detail }]);
}

export function asksForDuplicates(query: unknown): boolean {
  return parameterText(query, NAME) !== undefined;
}

/** Adds to each op that may make a record what is like it and stored. `collectionOf`: the collection of an op, as the caller knows it. */
export async function withDuplicates(
  onDuplicate: OnDuplicate | undefined,
  ops: readonly WriteOp[],
  collectionOf: (op: WriteOp) => Collection,
  { store, catchUp, ...options }: ReadOptions & { store: Store; catchUp: CatchUp },
): Promise<readonly WriteOp[]> {
  if (!onDuplicate) return ops;
  const found = new Map<WriteOp, SimilarRecord[]>();
  for (const collection of new Set(ops.map(collectionOf))) {
    const { match } = collection;
    if (!match) continue;
    const made = ops.flatMap((op) => (op.verb === "post" && op.onMissing === "create" && collectionOf(op) === collection ? [op] : []));
    if (made.length === 0) continue;
    await catchUp(collection.name);
    const values = made.map(({ given }) => given);
    for (const [i, similar] of (await findSimilar(collection, match, store, values, options)).entries())
      if (similar.length > 0)
        found.set(
          made[i] as WriteOp,
          similar.map((one) => one.similar),
        );
  }
  return ops.map((op) => {
    const similar = found.get(op);
    return similar ? { ...op, duplicates: { similar, areRefused: onDuplicate === "error" } } : op;
  });
}

/** Says in `warnings`, or in `errors`, which records are like one that is sent. `pointer`: to that one. */
export function duplicateDetails(collection: Collection, similar: readonly SimilarRecord[], pointer: string): ProblemDetail[] {
  return similar.map((one) => {
    const why = one.reasons.filter(({ found }) => found !== "different").map((reason) => reasonWords(collection, reason));
    const begin = one.level === "same" ? "The same" : "Perhaps the same";
    return {
      pointer,
      code: "DUPLICATE",
      detail: `${begin} ${collection.noun} is stored already. ${why.join(". ")}.`,
      href: API_ROOT + recordPath(collection.name, one.id),
      similar: one,
    };
  });
}
