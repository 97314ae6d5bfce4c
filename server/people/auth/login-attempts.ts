// Counts attempts by names such as a source or a key id, in windows of a minute, in the memory of one process.

export interface Attempts {
  /** Counts one wrong attempt under each name. Answers the seconds to wait before the next one, 0 while there were few. */
  fail(names: readonly string[]): number;
}

export interface AttemptWindow {
  /** Says when it ends, in ms of the clock. */
  until: number;
  /** Attempts that were begun, without those that were given back. */
  begun: number;
  /** Counts those of them that were wrong. */
  wrong: number;
}

export interface AttemptWindows {
  /** Returns the window of a name that goes on. */
  find(name: string): AttemptWindow | undefined;
  /** Begins a window in the place of the one before. */
  begin(name: string, ms?: number): AttemptWindow;
  /** Returns the ms until it ends. */
  rest(window: AttemptWindow): number;
}

export const MAX_FAILED = 10; // in one window, for one name
export const MOST_OF_SOURCE = 100; // for one source, whoever is meant: a whole office may have one address
export const WINDOW_SECONDS = 60;
export const WINDOW = WINDOW_SECONDS * 1_000; // ms
const MAX_NAMES = 10_000; // an attacker can invent any number of names

/** `clock` answers ms. It must never be set: with one set back nobody could sign in until it caught up. */
export function createWindows(clock = () => performance.now()): AttemptWindows {
  const windows = new Map<string, AttemptWindow>();
  return {
    find(name) {
      const known = windows.get(name);
      return known && clock() < known.until ? known : undefined;
    },
    begin(name, ms = WINDOW) {
      const window = { until: clock() + ms, begun: 0, wrong: 0 };
      windows.delete(name); // moves the name to the end: a Map keeps the order of insertion
      windows.set(name, window);
      const [oldest] = windows.size > MAX_NAMES ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      return window;
    },
    rest: ({ until }) => Math.max(0, until - clock()),
  };
}

/**
 * Counts after the comparison, for what a limit does not protect but keeps quiet: random secrets, whose right one is never locked out
 * (decision 201), and open requests. What people choose or carry is counted before (guesses.ts).
 *
 * `most`: wrong attempts in one window. `clock`: as that of `createWindows`.
 */
export function createAttempts(clock?: () => number, most = MAX_FAILED): Attempts {
  const windows = createWindows(clock);
  /** ms until this name may fail again */
  function count(name: string): number {
    const window = windows.find(name) ?? windows.begin(name);
    window.begun += 1;
    return window.begun > most ? windows.rest(window) : 0;
  }
  return { fail: (names) => Math.ceil(Math.max(0, ...names.map(count)) / 1_000) };
}
