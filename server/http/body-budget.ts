// Bounds the bytes of request bodies that the process holds at once: in all, and for each person or organisation's key.

import { httpErrors } from "./errors.ts";
import { type Limits, limitErrors } from "./limits.ts";

/** The share of one request. */
export interface HeldBytes {
  /** Counts `bytes` more. Throws 429 when the owner's requests would hold too many, 503 when the process would. */
  take(bytes: number): void;
  /** Gives everything back. Must be called once, whatever became of the request. */
  release(): void;
}

export interface BodyBudget {
  /** `owner`: as Session.limitedAs has it. Requests without a token share one budget, under "". */
  hold(owner: string): HeldBytes;
}

/** A body needs its bytes twice while it is unzipped, so a budget is never smaller than that. */
export function createBodyBudget({ heldBytes, keyHeldBytes, collectionBytes }: Limits): BodyBudget {
  const most = Math.max(heldBytes, 2 * collectionBytes);
  const mostOfKey = Math.max(keyHeldBytes, 2 * collectionBytes);
  const byOwner = new Map<string, number>();
  let all = 0;
  return {
    hold(owner) {
      let own = 0;
      return {
        take(bytes) {
          const ofOwner = (byOwner.get(owner) ?? 0) + bytes;
          if (ofOwner > mostOfKey) throw limitErrors.tooManyBytes(mostOfKey);
          if (all + bytes > most) throw httpErrors.busyWithBodies();
          own += bytes;
          all += bytes;
          byOwner.set(owner, ofOwner);
        },
        release() {
          const left = (byOwner.get(owner) ?? 0) - own;
          if (left > 0) byOwner.set(owner, left);
          else byOwner.delete(owner);
          all -= own;
          own = 0;
        },
      };
    },
  };
}
