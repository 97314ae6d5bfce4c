// Counts wrong API keys and passwords by names such as a source or a key id, in the memory of one process.

export interface Attempts {
  /** Counts one wrong attempt under each name. Answers the seconds to wait before the next one, 0 while there were few. */
  fail(names: readonly string[]): number;
  /** The seconds to wait before one more attempt may be made under these names, 0 if it may be made now. */
  wait(names: readonly string[]): number;
}

export const MAX_FAILED = 10; // in one window, for one name
export const MOST_OF_SOURCE = 100; // for one source, whoever is meant: a whole office may have one address
export const WINDOW_SECONDS = 60;
const WINDOW = WINDOW_SECONDS * 1_000; // ms
const MAX_NAMES = 10_000; // an attacker can invent any number of names

/** `most`: wrong attempts in one window. `clock` answers ms. It must never be set: with one set back nobody could sign in until it caught up. */
export function createAttempts(clock = () => performance.now(), most = MAX_FAILED): Attempts {
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
    return window.failed > most ? window.from + WINDOW - now : 0;
  }
  function rest(name: string): number {
    const known = windows.get(name);
    return known && known.failed >= most ? Math.max(0, known.from + WINDOW - clock()) : 0;
  }
  return {
    wait: (names) => Math.ceil(Math.max(0, ...names.map(rest)) / 1_000),
    fail: (names) => Math.ceil(Math.max(0, ...names.map(count)) / 1_000),
  };
}
