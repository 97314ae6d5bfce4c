// The rate limit of each API key: a token bucket in the memory of one process.

export interface RateLimiter {
  /** Counts one request. `left`: how many more may follow at once. `wait`: seconds until one may be sent, 0 if this one may. */
  take(name: string): { left: number; wait: number };
  perSecond: number;
  burst: number;
}

const MAX_NAMES = 10_000; // keys; the one seen longest ago is forgotten, which can only give it more

/** `clock` answers ms. It must never be set: with one set back no bucket would fill until it caught up. */
export function createRateLimiter(perSecond: number, burst: number, clock = () => performance.now()): RateLimiter {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    perSecond,
    burst,
    take(name) {
      const now = clock();
      const before = buckets.get(name) ?? { level: burst, at: now };
      const level = Math.min(burst, before.level + ((now - before.at) / 1_000) * perSecond);
      const isAllowed = level >= 1;
      buckets.delete(name); // moves the name to the end: a Map keeps the order of insertion
      buckets.set(name, { level: isAllowed ? level - 1 : level, at: now });
      const [oldest] = buckets.size > MAX_NAMES ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
      return toResult(level, isAllowed, perSecond);
    },
  };
}

function toResult(level: number, isAllowed: boolean, perSecond: number): { left: number; wait: number } {
  return isAllowed ? { left: Math.floor(level - 1), wait: 0 } : { left: 0, wait: Math.max(1, Math.ceil((1 - level) / perSecond)) };
}
