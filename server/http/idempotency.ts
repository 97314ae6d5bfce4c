// The Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header), by which the store finds its answer.

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { MAX_IDEMPOTENCY_KEY } from "../../core/contract/limits.ts";
import type { Answer, Written } from "../store/store.ts";
import { httpErrors } from "./errors.ts";

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY}}$`);

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const given = headers["idempotency-key"];
  if (given === undefined) return undefined;
  if (typeof given === "string" && VISIBLE.test(given)) return given;
  throw httpErrors.badHeader("Idempotency-Key", `Idempotency-Key takes 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters.`);
}

/**
 * The stored key is a hash of `owner` (the API key's id), method, path and header, so that the keys of two clients never
 * collide. Everything else that decides the effect is in the fingerprint: query, If-Match, If-None-Match and the bytes of the body.
 */
export function idempotencyOf(request: FastifyRequest, owner: string): { idempotency?: { key: string; fingerprint: string } } {
  const given = idempotencyKeyOf(request);
  if (given === undefined) return {};
  const [path = "", query = ""] = request.url.split("?", 2);
  const key = createHash("sha256").update([owner, request.method, path, given].join("\n")).digest("base64url");
  const fingerprint = createHash("sha256").update(`${query}\n${request.headers["if-match"] ?? ""}\n`);
  if (request.headers["if-none-match"] !== undefined) fingerprint.update(`${request.headers["if-none-match"]}\n`);
  if (Buffer.isBuffer(request.body)) fingerprint.update(request.body);
  return { idempotency: { key, fingerprint: fingerprint.digest("base64url") } };
}

/** The answer of a write. Throws when the idempotency key was used for another request (422) or is in use (409). */
export function answerOf(written: Written): Answer {
  if ("rejected" in written)
    throw written.rejected === "reused" ? httpErrors.idempotencyKeyReused() : httpErrors.idempotencyKeyInProgress();
  if (!written.replayed) return written.answer;
  return { ...written.answer, headers: { ...written.answer.headers, "Idempotent-Replayed": "true" } };
}
