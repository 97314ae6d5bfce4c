// Requests that wait for changes and streams of them, counted for each person and each key of the organisation.

import { limitErrors } from "../http/limits.ts";

export interface Followers {
  /** Counts one until `signal` is aborted. Throws 429 when this owner has too many. */
  begin(owner: string, signal: AbortSignal): void;
}

export function createFollowers(mostPerOwner: number): Followers {
  const counts = new Map<string, number>();
  return {
    begin(owner, signal) {
      const before = counts.get(owner) ?? 0;
      if (before >= mostPerOwner) throw limitErrors.tooManyFollowers(mostPerOwner);
      if (signal.aborted) return;
      counts.set(owner, before + 1);
      const end = () => {
        const left = (counts.get(owner) ?? 1) - 1;
        if (left > 0) counts.set(owner, left);
        else counts.delete(owner);
      };
      signal.addEventListener("abort", end, { once: true });
    },
  };
}
