// The Idempotency-Key of a request (IETF draft-ietf-httpapi-idempotency-key-header) to what the store keeps answers under.

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
 * Scoped by owner, method and path, so that keys of two clients never meet. Everything else that decides the effect
 * is in the fingerprint: query, precondition and the bytes of the body.
 */
export function idempotencyOf(request: FastifyRequest, owner: string): { idempotency?: { key: string; fingerprint: string } } {
  const given = idempotencyKeyOf(request);
  if (given === undefined) return {};
  const [path = "", query = ""] = request.url.split("?", 2);
  const key = createHash("sha256").update([owner, request.method, path, given].join("\n")).digest("base64url");
  const fingerprint = createHash("sha256").update(`${query}\n${request.headers["if-match"] ?? ""}\n`);
  if (Buffer.isBuffer(request.body)) fingerprint.update(request.body);
  return { idempotency: { key, fingerprint: fingerprint.digest("base64url") } };
}

/** Throws the refusals for a key that was used otherwise or is in use. */
export function answerOf(written: Written): Answer {
  if ("refused" in written) throw written.refused === "reused" ? httpErrors.idempotencyKeyReused() : httpErrors.idempotencyKeyInProgress();
  if (!written.replayed) return written.answer;
  return { ...written.answer, headers: { ...written.answer.headers, "Idempotent-Replayed": "true" } };
}
