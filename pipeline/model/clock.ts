/** Time and chance, given so that tests need no time and see every chance. */
export interface Clock {
  now(): number; // epoch ms
  /** Resolves, never rejects, after so many milliseconds or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 ≤ n < 1 */
  random(): number;
}

export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
    }),
};
