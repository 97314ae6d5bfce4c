// Counts failed sign-ins for each source and each key id, in the memory of one process.

export interface Attempts {
  /** Seconds to wait before the next attempt, 0 for none. */
  waitFor(names: readonly string[]): number;
  fail(names: readonly string[]): void;
}

export const MAX_FAILED = 10; // in one window, for one name
export const WINDOW_SECONDS = 60;
const WINDOW = WINDOW_SECONDS * 1_000; // ms
const MAX_NAMES = 10_000; // an attacker can invent any number of names

export function createAttempts(clock: () => number = Date.now): Attempts {
  const windows = new Map<string, { from: number; failed: number }>();
  const current = (name: string) => {
    const window = windows.get(name);
    return window && clock() - window.from < WINDOW ? window : undefined;
  };
  return {
    waitFor(names) {
      const until = names.map((name) => {
        const window = current(name);
        return window && window.failed >= MAX_FAILED ? window.from + WINDOW - clock() : 0;
      });
      return Math.ceil(Math.max(0, ...until) / 1_000);
    },
    fail(names) {
      for (const name of names) {
        const window = current(name);
        if (window) window.failed++;
        else {
          windows.delete(name); // moves the name to the end: a Map keeps the order of insertion
          windows.set(name, { from: clock(), failed: 1 });
        }
      }
      for (const name of windows.keys()) {
        if (windows.size <= MAX_NAMES) break;
        windows.delete(name);
      }
    },
  };
}
