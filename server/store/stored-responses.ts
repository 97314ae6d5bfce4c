// Stored answers, replayed to requests that repeat an idempotency key.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { IDEMPOTENCY_HOURS } from "../../core/contract/limits.ts";
import type { Answer, Written } from "./store.ts";

const LIFETIME = 2 * IDEMPOTENCY_HOURS * 3_600_000; // ms; twice what the API promises
const SWEEP_EVERY = 3_600_000; // ms
const FIRST_SWEEP = 300_000; // ms after the start; by then a machine that starts has got the right time

/**
 * The returned function answers before which time, in ms since 1970, stored responses may be deleted now; undefined while it is
 * not due. A clock that is set ahead does not make them old: their age is counted from the start of this process.
 */
export function createSweep(now = Date.now, elapsed = () => performance.now()): () => number | undefined {
  const [startedAt, from] = [now(), elapsed()];
  let next = from + FIRST_SWEEP;
  return () => {
    if (elapsed() < next) return undefined;
    next = elapsed() + SWEEP_EVERY;
    return Math.floor(Math.min(now(), startedAt + elapsed() - from)) - LIFETIME; // PostgreSQL's bigint takes no fraction
  };
}

/** A row of the table `replies`. */
export interface StoredResponse {
  fingerprint: string;
  status: number;
  headers: string;
  body: Buffer;
}

/** Compressed at level 1: the answer to 1,000 records is 100 KB of repetitive text, and every stored byte is written twice. */
export function packResponse({ status, headers, body }: Answer): Omit<StoredResponse, "fingerprint"> {
  return { status, headers: JSON.stringify(headers), body: deflateRawSync(body, { level: 1 }) };
}

/** The first answer again, if the fingerprint of the request is the same. */
export function replay(stored: StoredResponse, fingerprint: string | undefined): Written {
  if (stored.fingerprint !== fingerprint) return { rejected: "reused" };
  const answer = { status: stored.status, headers: JSON.parse(stored.headers), body: unpackBody(stored.body) };
  return { answer, replayed: true };
}

/** The text of a body as packResponse has packed it. */
export function unpackBody(body: Uint8Array): string {
  return inflateRawSync(body).toString();
}
