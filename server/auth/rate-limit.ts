// How often an API key may ask: a bucket of tokens for each, filled at a steady rate. In memory: one process, one count.

export interface Rate {
  /** Takes one. `wait` is 0 when it was there; else the seconds until one is. */
  take(name: string): { left: number; wait: number };
  perSecond: number;
  burst: number;
}

const MAX_NAMES = 10_000; // keys; the one seen longest ago is forgotten, which only ever gives it more

export function createRate(perSecond: number, burst: number, clock: () => number = () => Date.now()): Rate {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    perSecond,
    burst,
    take(name) {
      const now = clock();
      const before = buckets.get(name) ?? { level: burst, at: now };
      const level = Math.min(burst, before.level + (Math.max(0, now - before.at) / 1_000) * perSecond);
      const isThere = level >= 1;
      buckets.delete(name); // to the end: a Map keeps the order of insertion
      buckets.set(name, { level: isThere ? level - 1 : level, at: now });
      const [oldest] = buckets.size > MAX_NAMES ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
      return answer(level, isThere, perSecond);
    },
  };
}

function answer(level: number, isThere: boolean, perSecond: number): { left: number; wait: number } {
  return isThere ? { left: Math.floor(level - 1), wait: 0 } : { left: 0, wait: Math.max(1, Math.ceil((1 - level) / perSecond)) };
}
