// The Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header), by which the store finds its answer.

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Source } from "../../core/contract/history.ts";
import { MAX_IDEMPOTENCY_KEY } from "../../core/contract/limits.ts";
import type { Answer, Batch, Written } from "../engine/store.ts";
import { httpErrors } from "./errors.ts";

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`);

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const given = headers["idempotency-key"];
  if (given === undefined) return undefined;
  if (typeof given === "string" && VISIBLE.test(given)) return given;
  throw httpErrors.badHeader("Idempotency-Key", `Idempotency-Key takes 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters.`);
}

/**
 * The stored key is a hash of `owner` (as Session.owner has it), method, path and header, so that the keys of two clients never
 * collide. In place of the owner stands the upload or batch run that a request belongs to: another person, or another API key, may go on
 * with it, and what had no answer must not be written again. Everything else that decides the effect is in the fingerprint: query,
 * If-Match, If-None-Match and the bytes of the body.
 */
export function idempotencyOf(request: FastifyRequest, owner: string, { type, run }: Source): Pick<Batch, "idempotency"> {
  const given = idempotencyKeyOf(request);
  if (given === undefined) return {};
  const [path = "", query = ""] = request.url.split("?", 2);
  const keyOf = (who: string) => createHash("sha256").update([who, request.method, path, given].join("\n")).digest("base64url");
  const fingerprint = createHash("sha256").update(`${query}\n${request.headers["if-match"] ?? ""}\n`);
  if (request.headers["if-none-match"] !== undefined) fingerprint.update(`${request.headers["if-none-match"]}\n`);
  if (Buffer.isBuffer(request.body)) fingerprint.update(request.body);
  const isOfRun = run !== null && (type === "upload" || type === "batch");
  const key = keyOf(isOfRun ? `run ${run}` : owner); // no owner is `run …`
  return { idempotency: { key, fingerprint: fingerprint.digest("base64url") } };
}

/** Returns the answer of a write. Throws when the idempotency key was used for another request (422) or is in use (409). */
export function answerOf(written: Written): Answer {
  if ("rejected" in written)
    throw written.rejected === "reused" ? httpErrors.idempotencyKeyReused() : httpErrors.idempotencyKeyInProgress();
  if (!written.replayed) return written.answer;
  return { ...written.answer, headers: { ...written.answer.headers, "Idempotent-Replayed": "true" } };
}
