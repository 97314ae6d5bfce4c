// Work that the service does by itself, from when it listens until it stops.

export interface BackgroundWork {
  start(): void;
  /** Begins nothing any more, and ends when what is under way has ended. */
  stop(): Promise<void>;
}

/** `run` goes on until its signal is aborted. */
export function createBackgroundWork(run: (signal: AbortSignal) => Promise<void>): BackgroundWork {
  const stopping = new AbortController();
  let ended = Promise.resolve();
  return {
    start() {
      ended = run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
