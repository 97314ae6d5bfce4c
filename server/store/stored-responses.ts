// Answers kept for requests that come again with the same idempotency key: how they are packed and replayed. No SQL.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { IDEMPOTENCY_HOURS } from "../../core/contract/limits.ts";
import type { Answer, Written } from "./store.ts";

export const RESPONSE_LIFETIME = 2 * IDEMPOTENCY_HOURS * 3_600_000; // ms; twice what the interface promises
export const SWEEP_EVERY = 3_600_000; // ms

/** A row of `replies`. */
export interface StoredResponse {
  fingerprint: string;
  status: number;
  headers: string;
  body: Buffer;
}

/** Level 1: the answer to 1,000 records is 100 KB of much the same text, and every byte kept is written twice. */
export function packResponse({ status, headers, body }: Answer): Omit<StoredResponse, "fingerprint"> {
  return { status, headers: JSON.stringify(headers), body: deflateRawSync(body, { level: 1 }) };
}

/** The first answer again, if the request is the same. */
export function replay(kept: StoredResponse, fingerprint: string | undefined): Written {
  if (kept.fingerprint !== fingerprint) return { refused: "reused" };
  const body = inflateRawSync(kept.body).toString();
  return { answer: { status: kept.status, headers: JSON.parse(kept.headers), body }, replayed: true };
}
