// Tells one outage of the store from the many requests that fail because of it.

import { StoreFull, StoreUnavailable } from "../engine/store.ts";

export interface StoreOutage {
  /** Says whether the error is one more of an outage whose first error was given here before. */
  isKnown(error: unknown): boolean;
  close(): void;
}

interface OutageLog {
  error(line: { err: unknown }, text: string): void;
  warn(text: string): void;
}

const PROBE_EVERY = 1_000; // ms

/** Asks the store after an error until it answers, and writes a line when it does not, with the reason, and one when it does again. */
export function watchOutages(ping: () => Promise<void>, log: OutageLog): StoreOutage {
  let isProbing = false;
  let isLost = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (): Promise<void> => {
    try {
      await ping();
    } catch (err) {
      if (isClosed) return;
      if (!isLost) log.error({ err }, "store lost");
      isLost = true;
      timer = setTimeout(probe, PROBE_EVERY).unref();
      return;
    }
    if (isLost) log.warn("store back");
    isProbing = isLost = false;
  };
  return {
    isKnown(error) {
      if (!(error instanceof StoreUnavailable) || error instanceof StoreFull) return false;
      if (isProbing) return true;
      isProbing = true;
      void probe();
      return false;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
