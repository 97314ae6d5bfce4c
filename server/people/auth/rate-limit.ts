// The rate limit of each person and each key of the organisation: a token bucket in the memory of one process.

export interface RateLimiter {
  /** Counts one request. `left`: how many more may follow at once. `wait`: seconds until one may be sent, 0 if this one may. */
  take(name: string): { left: number; wait: number };
  perSecond: number;
  burst: number;
}

const MAX_NAMES = 10_000; // keys; those seen longest ago are forgotten, which can only give them more

interface Bucket {
  level: number;
  at: number;
}

/** `clock` answers ms. It must never be set: with one set back no bucket would fill until it caught up. */
export function createRateLimiter(perSecond: number, burst: number, clock = () => performance.now()): RateLimiter {
  let [buckets, older] = [new Map<string, Bucket>(), new Map<string, Bucket>()];
  function bucketOf(name: string, now: number): Bucket {
    const known = buckets.get(name);
    if (known) return known;
    if (buckets.size >= MAX_NAMES) [buckets, older] = [new Map(), buckets];
    const bucket = older.get(name) ?? { level: burst, at: now };
    buckets.set(name, bucket);
    return bucket;
  }
  return {
    perSecond,
    burst,
    take(name) {
      const now = clock();
      const bucket = bucketOf(name, now);
      const level = Math.min(burst, bucket.level + ((now - bucket.at) / 1_000) * perSecond);
      const isAllowed = level >= 1;
      bucket.level = isAllowed ? level - 1 : level;
      bucket.at = now;
      return toResult(level, isAllowed, perSecond);
    },
  };
}

function toResult(level: number, isAllowed: boolean, perSecond: number): { left: number; wait: number } {
  return isAllowed ? { left: Math.floor(level - 1), wait: 0 } : { left: 0, wait: Math.max(1, Math.ceil((1 - level) / perSecond)) };
}
