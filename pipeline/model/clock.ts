/** Time and randomness, passed in so that tests control both. */
export interface Clock {
  now(): number; // epoch ms
  /** Resolves after so many milliseconds, or when the signal aborts. Never rejects. */
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
