// Counts wrong API keys for each source and each key id, in the memory of one process.

export interface Attempts {
  /** Counts one wrong attempt under each name. Answers the seconds to wait before the next one, 0 while there were few. */
  fail(names: readonly string[]): number;
}

export const MAX_FAILED = 10; // in one window, for one name
export const WINDOW_SECONDS = 60;
const WINDOW = WINDOW_SECONDS * 1_000; // ms
const MAX_NAMES = 10_000; // an attacker can invent any number of names

/** `clock` answers ms. It must never be set: with one set back nobody could sign in until it caught up. */
export function createAttempts(clock = () => performance.now()): Attempts {
  const windows = new Map<string, { from: number; failed: number }>();
  /** ms until this name may fail again */
  function count(name: string): number {
    const now = clock();
    const known = windows.get(name);
    const window = known && now - known.from < WINDOW ? known : { from: now, failed: 0 };
    window.failed++;
    if (window !== known) {
      windows.delete(name); // moves the name to the end: a Map keeps the order of insertion
      windows.set(name, window);
      const [oldest] = windows.size > MAX_NAMES ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
    }
    return window.failed > MAX_FAILED ? window.from + WINDOW - now : 0;
  }
  return { fail: (names) => Math.ceil(Math.max(0, ...names.map(count)) / 1_000) };
}
