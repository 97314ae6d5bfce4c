// Guessing of passwords, passkeys and codes: attempts are counted before they are compared.

import type { AttemptTable } from "../store/attempts.ts";
import { type AttemptWindow, createWindows, MAX_FAILED, MOST_OF_SOURCE, WINDOW } from "./login-attempts.ts";

/** `most` wrong attempts a minute under one name. */
export interface GuessLimit {
  name: string;
  most: number;
}

export interface Guesses {
  /**
   * Runs `compare`, which resolves to undefined for a wrong secret, and resolves as it does. The attempt counts under each name while
   * it is under way, so that many at once are no more than the limit allows. It is given back unless the secret was wrong: also when
   * `compare` throws, because then nothing was learnt. Throws TooManyGuesses without running `compare`.
   *
   * `rank`: which attempt of the minute it is for the name with the most, from 1. It is the turn in which passwords are hashed.
   */
  run<T>(limits: readonly GuessLimit[], compare: (rank: number) => Promise<T | undefined>): Promise<T | undefined>;
}

/** Is thrown instead of comparing a secret. A route answers 429. */
export class TooManyGuesses extends Error {
  /** Says for how long to wait before the next attempt. */
  readonly seconds: number;
  constructor(ms: number) {
    super("Too many attempts.");
    this.seconds = Math.max(1, Math.ceil(ms / 1_000));
  }
}

const UNDER_WAY = 1_000; // ms to wait for attempts that may still prove right

/** Counts by source and name together, so that nobody can lock a person out from elsewhere. `way`: of signing in. */
export function limitOfName(way: "password" | "passkey", source: string, name: string): GuessLimit {
  return { name: `${way} ${source} ${name}`, most: MAX_FAILED };
}

/** Limits all ways to sign in from one source together. */
export function limitOfSource(source: string): GuessLimit {
  return { name: `source ${source}`, most: MOST_OF_SOURCE };
}

/** Limits sign-ins at the organisation's provider, apart from the other ways: while it is down, passwords go on. */
export function limitOfProvider(source: string): GuessLimit {
  return { name: `provider ${source}`, most: MOST_OF_SOURCE };
}

/** Limits somebody who is signed in, from wherever: whoever has taken over a session may come from many addresses. */
export function limitOfPerson(id: string): GuessLimit {
  return { name: `person ${id}`, most: MAX_FAILED };
}

/**
 * Counts in memory, and in the `table` that several processes share, if there is one. Memory is asked first: a flood ends there, and the
 * table never has more than the limit under way.
 */
export function createGuesses(table?: AttemptTable, clock?: () => number): Guesses {
  const windows = createWindows(clock);

  function waitFor({ name, most }: GuessLimit): number {
    const window = windows.find(name);
    if (!window || window.begun < most) return 0;
    const rest = windows.rest(window);
    return window.wrong >= most ? rest : Math.min(UNDER_WAY, rest);
  }

  function count(limits: readonly GuessLimit[]): AttemptWindow[] {
    const wait = Math.max(...limits.map(waitFor));
    if (wait > 0) throw new TooManyGuesses(wait);
    return limits.map(({ name }) => {
      const window = windows.find(name) ?? windows.begin(name);
      window.begun += 1;
      return window;
    });
  }

  async function countInTable(limits: readonly GuessLimit[]): Promise<(() => Promise<void>) | undefined> {
    const counted = await table?.count(limits, WINDOW);
    if (!counted || "giveBack" in counted) return counted?.giveBack;
    // It is remembered, so that a flood does not ask the table again and again; not for long, for another process may give one back.
    const { full, wait } = counted;
    Object.assign(windows.begin(full.name, Math.min(UNDER_WAY, wait)), { begun: full.most, wrong: full.most });
    throw new TooManyGuesses(wait);
  }

  return {
    async run(limits, compare) {
      const counted = count(limits);
      const rank = Math.max(...counted.map(({ begun }) => begun));
      let giveBack: (() => Promise<void>) | undefined;
      let isWrong = false;
      try {
        giveBack = await countInTable(limits);
        const result = await compare(rank);
        isWrong = result === undefined;
        return result;
      } finally {
        for (const window of counted) {
          if (isWrong) window.wrong += 1;
          else window.begun -= 1;
        }
        if (!isWrong) await giveBack?.();
      }
    },
  };
}
