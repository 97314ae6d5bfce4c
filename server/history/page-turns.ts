// Costly pages of one person come one after another, however many are asked for at once.

export interface PageTurns {
  /** Runs `work` when all that came before for this owner has ended. Rejects with the reason of `signal` if it is aborted by then. */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createPageTurns(): PageTurns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(owner, signal, work) {
      const before = last.get(owner);
      const begin = async () => {
        signal.throwIfAborted();
        return work();
      };
      const own = before ? before.then(begin, begin) : begin();
      last.set(owner, own);
      try {
        return await own;
      } finally {
        if (last.get(owner) === own) last.delete(owner);
      }
    },
  };
}
