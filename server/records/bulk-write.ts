// Says what POST of many records, deletions and batches of both have in common.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import type { Problem, ProblemDetail } from "../../core/contract/problems.ts";
import type { BatchResult, OnError } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { presentWritten } from "../access/present-written.ts";
import type { Answer, AnswerForm, Batch, Rejected, Store, WriteOp } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import type { HttpError } from "../http/errors.ts";
import { answerOf, idempotencyOf } from "../http/idempotency.ts";
import type { Limits } from "../http/limits.ts";
import { problemBody } from "../http/problem.ts";
import { flag, instant, oneOf } from "../http/query-parameters.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shows } from "../people/auth/read-audit.ts";
import { scopesForLookups } from "./expand.ts";
import { writeCorrectable } from "./write-one.ts";
import { writeSourceOf } from "./write-source.ts";

/** The query parameters of every bulk write. A new one comes last: some generated clients take them by their place. */
export const BULK_PARAMETERS = {
  onError: oneOf<OnError>("stop", "continue"),
  match: oneOf("version"),
  dryRun: flag,
  unlessChangedSince: instant,
};

const SERVICE_VALUES = 12;
const CHECKED_AT_ONCE = 1_000; // records and problems; then other requests have a turn

/**
 * Returns the number of values that the body of a bulk write may have: those of as many records as it may have, as a client reads them,
 * with what the service sets (version, times, and who did it with kind, id and name). `more`: what stands around each record.
 */
export function mostValues(collection: Collection, { recordsPerRequest }: Limits, more = 0): number {
  return recordsPerRequest * (collection.fields.length + SERVICE_VALUES + more);
}

/** Returns the ops of the items that are valid, in order; what is wrong with the others by their index. */
export async function toOps(
  items: readonly unknown[],
  toOp: (item: unknown, index: number) => WriteOp | ProblemDetail[],
): Promise<{ ops: WriteOp[]; rejected: Rejected }> {
  const ops: WriteOp[] = [];
  const rejected = new Map<number, ProblemDetail[]>();
  let checked = 0; // records and problems
  for (const [i, item] of items.entries()) {
    if (checked > CHECKED_AT_ONCE) {
      checked = 0;
      await nextTurn();
    }
    const op = toOp(item, i);
    checked += Array.isArray(op) ? 1 + op.length : 1;
    if (Array.isArray(op)) rejected.set(i, op);
    else ops.push(op);
  }
  return { ops, rejected };
}

/** Says what a route has made of its body. */
export interface BulkWrite extends Pick<Batch, "collection" | "ops" | "isSequence" | "unlessChangedSince"> {
  form: Exclude<AnswerForm, { kind: "record" | "merge" }>;
  /** All collections, as the caller knows them, where records of several are written. */
  collections?: readonly Collection[];
  atomic: boolean;
  dryRun: boolean;
  /** The run to which it belongs, unless the request names one. */
  run?: string;
}

/**
 * Writes what is valid. With a record that was rejected an atomic request writes nothing, but the store still says what else is wrong;
 * or, where the request was carried out before the rules were narrowed, what was answered then.
 */
export async function writeBulk(store: Store, request: FastifyRequest, session: Session, write: BulkWrite): Promise<Answer & Shows> {
  const { collections = [write.collection], ...batch } = write;
  const opsOf = ({ name }: Collection) => batch.ops.filter(({ of = batch.collection.name }) => of === name);
  requireScopes(
    request,
    session,
    collections.flatMap((one) => scopesForLookups(one, opsOf(one))),
  );
  const sent = writeSourceOf(request);
  const source = { ...sent, run: sent.run ?? write.run ?? null };
  const idempotency = idempotencyOf(request, session.owner, sent); // also checks the header of a dry run
  const dryRun = write.dryRun || (write.atomic && write.form.rejected.size > 0);
  const asked = write.dryRun ? {} : idempotency; // the key stays free for the write itself
  const written = await writeCorrectable(store, { ...batch, dryRun, by: session.principal, source, ...asked });
  return presentWritten(answerOf(written), write, session);
}

/** Returns the answer that the request had when it was carried out under its idempotency key; undefined where it was not. */
export async function replayOf(
  store: Store,
  request: FastifyRequest,
  session: Session,
  write: BulkWrite,
): Promise<(Answer & Shows) | undefined> {
  const source = writeSourceOf(request);
  const keyed = idempotencyOf(request, session.owner, source);
  if (!keyed.idempotency) return undefined;
  const { collections: _, ...batch } = write;
  const tried = await store.write({ ...batch, dryRun: true, by: session.principal, source, ...keyed });
  return "answer" in tried && tried.replayed ? presentWritten(answerOf(tried), write, session) : undefined;
}

/** Returns the key of each record as it was sent, whatever it is. */
export function idsOf(collection: Collection, items: readonly unknown[]): unknown[] {
  return items.map((item) => (isObject(item) ? item[collection.key.name] : undefined));
}

export function isVersion(version: unknown): version is number {
  return Number.isSafeInteger(version);
}

export function versionMissing(): Problem {
  return { field: "version", code: "REQUIRED", message: "With match=version each record needs the version that was read." };
}

/** Makes the result of a record that failed. `id` is its key as it was sent. */
export function failedResult(
  collection: Collection,
  index: number,
  id: unknown,
  httpError: HttpError,
): BatchResult & { outcome: "failed" } {
  const named = Number.isSafeInteger(id) ? { [collection.key.name]: id } : {};
  return { index, outcome: "failed", status: httpError.status, ...named, problem: problemBody(httpError) };
}
