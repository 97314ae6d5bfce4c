export const MAX_BATCH = 10_000; // records in one write to a collection
export const ADVISED_BATCH = 1_000; // records; the size of batches that the upload sends
export const MAX_COLLECTION_BODY = 8 * 1024 * 1024; // bytes
export const MAX_RECORD_BODY = 64 * 1024; // bytes
export const MAX_PAGE = 1_000; // records in a page; a larger `limit` counts as this
export const DEFAULT_PAGE = 100; // records
export const MAX_SEARCH = 200; // characters of what is searched for
export const MAX_PROBLEMS = 100; // errors in one problem body; with more, `truncated` is set
export const IDEMPOTENCY_HOURS = 24; // how long, at least, a response is stored under its idempotency key
const MARGIN_HOURS = 1; // for clocks that differ and requests that wait
/**
 * Says whether the answer to a request is still stored under its key. `sentAt`, epoch ms: when it was first sent. One in the future is from
 * before the clock was set back: nobody knows how old it is.
 */
export function mayRepeat(sentAt: number, now: number, hours = IDEMPOTENCY_HOURS): boolean {
  return Math.abs(now - sentAt) < (hours - MARGIN_HOURS) * 3_600_000;
}
export const MAX_IDEMPOTENCY_KEY = 255; // visible ASCII characters
export const LEAST_PASSWORD = 12; // characters (code points after NFC)
export const TOKEN_SECONDS = 3_600;
