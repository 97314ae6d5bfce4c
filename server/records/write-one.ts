// Writes one record, and answers with it: PUT, PATCH, DELETE, and bringing an earlier version back.

import type { FastifyRequest } from "fastify";
import type { Problem } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields, Validation } from "../../core/dictionary/validate.ts";
import { presentWritten } from "../access/present-written.ts";
import type { Awaitable } from "../engine/script/awaitable.ts";
import { isSpread } from "../engine/spread.ts";
import type { Answer, AnswerForm, Batch, Store, WriteOp, Written } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import { HttpError } from "../http/errors.ts";
import { answerOf, idempotencyOf } from "../http/idempotency.ts";
import { pathOf } from "../http/request.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shows } from "../people/auth/read-audit.ts";
import { scopesForLookups } from "./expand.ts";
import { recordIdOf } from "./record-id.ts";
import { writeSourceOf } from "./write-source.ts";

/** `pointer`: where the record stands in the body. */
export interface OneWrite extends Pick<Batch, "isRestore"> {
  op: WriteOp;
  pointer: string;
}

/**
 * `find` makes the write of the request, or throws what is wrong with it. A request that was carried out before, under its idempotency
 * key, has the answer of then even if it is refused today: the rules may have been narrowed since.
 */
export type WriteOne = (request: FastifyRequest, session: Session, find: () => Awaitable<OneWrite>) => Promise<Answer & Shows>;

const TAKES_KEY = ["PATCH", "POST"]; // the others may be sent again as they are

/** `isRepeatable`: a POST may be sent again as well, and takes no idempotency key. */
export function createWriteOne(collection: Collection, store: Store, isRepeatable = false): WriteOne {
  return async (request, session, find) => {
    const source = writeSourceOf(request);
    const keyed = TAKES_KEY.includes(request.method) && !isRepeatable ? idempotencyOf(request, session.owner, source) : {};
    const write = async ({ op, pointer, isRestore = false }: OneWrite, dryRun = false) => {
      const form: AnswerForm = { kind: "record", pointer, isMany: false, instance: pathOf(request), requestId: request.id };
      const own = { collection, by: session.principal, source, ops: [op], atomic: true, isRestore, form };
      const written = await writeCorrectable(store, { ...own, dryRun, ...keyed });
      return { written, present: () => presentWritten(answerOf(written), own, session) };
    };
    let one: OneWrite;
    try {
      one = await find();
    } catch (error) {
      if (!keyed.idempotency || !(error instanceof HttpError)) throw error;
      const refused: WriteOp = { verb: "patch", id: recordIdOf(collection, request), given: {}, problems: [] };
      const { written, present } = await write({ op: refused, pointer: "" }, true);
      if ("answer" in written && !written.replayed) throw error;
      return present();
    }
    requireScopes(request, session, scopesForLookups(collection, [one.op]));
    return (await write(one)).present();
  };
}

/** The part of a `WriteOp` that holds the values. */
export interface CheckedValues {
  given: Fields;
  problems?: Problem[];
  refused?: Fields;
}

export function toValues(validated: Validation): CheckedValues {
  if (validated.record) return { given: validated.record };
  const { valid: given, problems, refused } = validated;
  return { given, problems, refused };
}

/**
 * Writes the batch. A request that is refused for its values, or for warnings, can be corrected under its idempotency key, so what may be
 * refused is tried first, and the refusal is not stored.
 */
export async function writeCorrectable(store: Store, batch: Batch): Promise<Written> {
  const warns = isSpread(batch) || batch.collection.rules?.some(({ severity }) => severity === "warning");
  if (batch.idempotency && batch.atomic && (warns || batch.merge || batch.ops.some(mayFail))) {
    const tried = await store.write({ ...batch, dryRun: true });
    if (!("answer" in tried) || tried.replayed || tried.answer.status >= 400) return tried;
  }
  return store.write(batch);
}

function mayFail({ problems, duplicates }: WriteOp): boolean {
  return problems !== undefined || duplicates?.areRefused === true;
}
