// Says what follows from an attempt to deliver.

import type { Consequence } from "../store/deliveries.ts";
import type { StoredWebhook } from "../store/webhooks.ts";
import type { Posted } from "./post.ts";

const SHORT_PAUSE = 250; // ms, after the first failure: most receivers that fail once take the next attempt
const FIRST_PAUSE = 5_000; // ms, after the second; each is twice the one before
const LONGEST_PAUSE = 3_600_000; // ms
const GIVE_UP_AFTER = 86_400_000; // ms without success
const GONE = 410;

/**
 * Adds jitter, so that not all receivers of a recovering host are called at the same moment. A pause that the receiver asks for
 * (Retry-After) is kept, but none is longer than the day after which it is given up. `random`: from 0 to 1.
 */
export function consequenceOf(posted: Posted, { since, failures }: StoredWebhook, now: number, random = Math.random()): Consequence {
  if (posted.problem === null) return { do: "go on" };
  if (posted.status === GONE) return { do: "switch off", reason: "gone" };
  if (now - (since ?? now) >= GIVE_UP_AFTER) return { do: "switch off", reason: "failing" };
  const next = failures === 0 ? SHORT_PAUSE : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 20));
  const pause = next * (0.75 + random / 2);
  return { do: "try again", nextAt: Math.round(now + Math.min(GIVE_UP_AFTER, Math.max(pause, posted.retryAfter ?? 0))) };
}
