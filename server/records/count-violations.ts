// Counts once a day how many stored records break rules, so that it is seen whether they become fewer.

import { setTimeout as sleep } from "node:timers/promises";
import { TREND_DAYS } from "../../core/contract/violations.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import { type Store, StoreTooCostly } from "../engine/store.ts";
import { withField } from "../engine/violation-counts.ts";
import { newDeliveryId } from "../webhooks/sending/delivery-id.ts";

const EVERY = 600_000; // ms
const DAY = 86_400_000; // ms

/** Returns the day of now in UTC, since 1970. */
export function dayOf(now = Date.now()): number {
  return Math.floor(now / DAY);
}

/** Goes on until the signal is aborted. */
export function createViolationCounter(
  living: Pick<LivingDictionary, "served">,
  report: ReportWork,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    while (!signal.aborted) {
      const { collections, store } = living.served();
      for (const one of collections) if (!signal.aborted) await unattended("violations", report, () => countOnce(one, collections, store));
      await sleep(EVERY, undefined, { signal, ref: false }).catch(() => undefined); // it is only aborted
    }
  };
}

/** Counts unless that was done today. A day on which not all could be counted is left out. */
export async function countOnce(collection: Collection, collections: readonly Collection[], store: Store, day = dayOf()): Promise<void> {
  const { violationCounts: kept } = store;
  if (!(await kept.claimDay(collection.name, day))) return;
  try {
    const parents = parentsOf(collection, collections).map(({ parent }) => parent);
    const { counts, complete } = await store.countBroken(collection, { parents });
    const named = counts.map((one) => withField(one, columnName(collection.byName.get(one.field) ?? { name: one.field })));
    if (complete) await kept.keepCounts(collection.name, { day, counts: named }, day - TREND_DAYS + 1, newDeliveryId(Date.now()));
  } catch (error) {
    if (error instanceof StoreTooCostly) return;
    await kept.releaseDay(collection.name, day);
    throw error;
  }
}
