import { ApiError, NoReply } from "./errors.ts";

export interface RetryOptions {
  /** Milliseconds after which it gives up and throws the last error: two minutes unless given, Infinity for never. */
  patience?: number | undefined;
  /** Ends the waiting, with an AbortError. */
  signal?: AbortSignal | undefined;
}

const PATIENCE = 120_000; // ms
const FIRST_PAUSE = 250; // ms
const LONGEST_PAUSE = 30_000; // ms

/**
 * Calls `send` until it succeeds. It waits as long as the service asks (`Retry-After`, RFC 9110 section 10.2.3), else longer each
 * time. What cannot get better by itself, such as a value that is not valid, is thrown at once.
 *
 * `send` may be called after its request was carried out, because the answer was lost: give it an idempotency key or a version.
 *
 * @example
 * const key = crypto.randomUUID();
 * const customer = await withRetries(() => createRecord(client, "customers", fields, key));
 */
export async function withRetries<T>(send: () => Promise<T>, { patience = PATIENCE, signal }: RetryOptions = {}): Promise<T> {
  const until = performance.now() + patience;
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
      const growing = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 8));
      const pause = Math.max(asked, growing * (0.5 + Math.random() / 2)); // so that not all programs come back at once
      if (performance.now() + pause > until) throw error;
      await wait(pause, signal);
    }
  }
}

/** Says whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoReply) return true;
  if (!(error instanceof ApiError)) return false;
  if (error.code === "TOO_MANY_UPLOADS") return false; // another one has to end, or a day to pass
  return [408, 425, 429].includes(error.status) || error.status >= 500 || ["IDEMPOTENCY_IN_PROGRESS", "UPLOAD_OFFSET"].includes(error.code);
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
