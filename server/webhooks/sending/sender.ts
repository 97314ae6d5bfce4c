// Sends the changes to the webhooks. Any number of processes run it: a lease in the store says who sends for a webhook.

import { setTimeout as sleep } from "node:timers/promises";
import { createTurns, type TurnParts } from "./turns.ts";

/** All in ms. */
export interface SenderTiming {
  /** `checkEvery` passes between two looks for changes, `restFor` when there is no webhook to send for. */
  checkEvery: number;
  restFor: number;
  /** A process that is killed holds up its webhooks for so long. */
  lease: number;
}

export const DEFAULT_TIMING: SenderTiming = { checkEvery: 500, restFor: 3_000, lease: 10_000 };

const AT_ONCE = 8; // webhooks that a process sends for, and as many again that have failed: one that hangs holds up none that answers

export interface SenderParts extends Omit<TurnParts, "lease"> {
  timing?: SenderTiming;
}

/** Sends until the signal is aborted, and ends when what is under way has been noted: within 15 s. */
export function createSender(parts: SenderParts): (signal: AbortSignal) => Promise<void> {
  const { store, log, timing = DEFAULT_TIMING } = parts;
  const turns = createTurns({ ...parts, lease: timing.lease });
  const running = new Map<string, { hasFailed: boolean; turn: Promise<void> }>();

  /** Begins to send for those that may have something to send. Returns ms until the next look. */
  async function check(signal: AbortSignal): Promise<number> {
    const webhooks = await store.webhooks.listFreeWebhooks(Date.now());
    if (webhooks.length === 0) return running.size > 0 ? timing.checkEvery : timing.restFor;
    const state = await store.feed.state();
    for (const webhook of webhooks) {
      const hasFailed = webhook.failures > 0;
      const others = [...running.values()].filter((one) => one.hasFailed === hasFailed);
      if (others.length >= AT_ONCE || running.has(webhook.id) || turns.hasNothing(webhook, state)) continue;
      const turn = turns
        .take(webhook, state, signal)
        .catch((error) => log.error({ err: error }, "webhook"))
        .finally(() => running.delete(webhook.id));
      running.set(webhook.id, { hasFailed, turn });
    }
    return timing.checkEvery;
  }

  return async (signal) => {
    while (!signal.aborted) {
      const pause = await check(signal).catch((error) => {
        log.error({ err: error }, "webhooks");
        return timing.restFor;
      });
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined); // the signal ended it
    }
    await Promise.all([...running.values()].map(({ turn }) => turn));
  };
}
