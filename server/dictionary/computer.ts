// Computes stored values anew where their formulas are others now, or another day has come.

import { setTimeout as sleep } from "node:timers/promises";
import { SERVICE } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compute, formulasOf } from "../../core/dictionary/computed.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import { formulasText } from "../engine/formulas.ts";
import { StoreOutdated } from "../engine/store.ts";
import { ABANDONED, nextRecords, rewrite } from "./rewrite-records.ts";
import type { StoredComputation } from "./store/computations.ts";

type Living = Pick<LivingDictionary, "served">;

const LATE_WRITES = 1_000; // ms in which other processes end what they write by the formulas of before

export interface Computer {
  /** Goes on with all that is to be computed anew. */
  computeAnew(living: Living, signal: AbortSignal): Promise<void>;
}

/** What the values of a collection must follow from. */
type Wanted = Pick<StoredComputation, "formulas" | "day">;

export function createComputer(): Computer {
  const done = new Map<string, string>(); // collection → what its values follow from, as this process has found
  return {
    async computeAnew(living, signal) {
      const { collections } = living.served();
      const open = collections.filter((one) => done.get(one.name) !== JSON.stringify(wantedOf(one)));
      if (open.length === 0) return;
      const stored = await living.served().store.computations.readComputations();
      for (const collection of open) {
        const wanted = wantedOf(collection);
        const row = stored.find((one) => one.collection === collection.name);
        if (await computeCollection(living, collection.name, row, signal)) done.set(collection.name, JSON.stringify(wanted));
      }
    },
  };
}

function wantedOf(collection: Collection): Wanted {
  const day = formulasOf(collection).some(({ readsToday }) => readsToday) ? dayIn(collection.timeZone ?? "UTC", Date.now()) : null;
  return { formulas: formulasText(collection), day };
}

/** Computes what is to be computed, also what a killed process has begun. Returns whether the values follow from what the dictionary says now. */
async function computeCollection(
  living: Living,
  name: string,
  stored: StoredComputation | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const collection = living.served().collections.find((one) => one.name === name);
  if (!collection) return true;
  const wanted = wantedOf(collection);
  const isSame = stored?.formulas === wanted.formulas && stored.day === wanted.day;
  if (isSame && stored.state === "done") return true;
  if (!stored && wanted.formulas === "") return true;
  if (stored && stored.version > living.served().version) return false; // this process has not heard of the newest formulas
  if (isSame && stored.touchedAt > Date.now() - ABANDONED) return false; // another process is at it
  let current = isSame ? stored : await begin(living, collection, wanted, stored);
  if (!isSame && current?.state === "running" && living.served().store.isShared) await pause(LATE_WRITES, signal);
  while (current?.state === "running" && !signal.aborted) {
    const began = performance.now();
    current = await step(living, current);
    if (current?.state === "running") await pause(performance.now() - began, signal);
  }
  return current?.state === "done";
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // it is only aborted
}

/** Notes what is to be computed. Where nothing is, because fields are plain now, that is done at once. */
async function begin(
  living: Living,
  collection: Collection,
  { formulas, day }: Wanted,
  stored: StoredComputation | undefined,
): Promise<StoredComputation | undefined> {
  const { store, version } = living.served();
  const isOfDay = stored?.formulas === formulas && stored.state === "done";
  const now = Date.now();
  const next: StoredComputation = {
    ...{ collection: collection.name, run: isOfDay ? `day-${day}` : `formulas-${version}`, version, formulas, day },
    ...{ state: formulas === "" ? "done" : "running", at: now, after: null },
    ...{ seen: 0, total: await store.count(collection, { words: [] }), changed: 0, touchedAt: now },
  };
  return (await store.computations.saveComputation(next, stored?.touchedAt)) ? next : undefined;
}

/** Computes the next records anew. Returns how far it is then; undefined where another process or another dictionary goes on. */
async function step(living: Living, computation: StoredComputation): Promise<StoredComputation | undefined> {
  const { store, collections } = living.served();
  const collection = collections.find(({ name }) => name === computation.collection);
  if (!collection || formulasText(collection) !== computation.formulas) return undefined;
  const { records, more } = await nextRecords(store, collection, computation.after);
  const today = dayIn(collection.timeZone ?? "UTC", Date.now());
  const differing = records.filter((record) => {
    const anew = { ...record };
    compute(collection, anew, today);
    return formulasOf(collection).some(({ field: { name } }) => (anew[name] ?? null) !== (record[name] ?? null));
  });
  try {
    await rewrite(store, collection, differing, { by: SERVICE, source: { type: "computation", run: computation.run } });
  } catch (error) {
    if (error instanceof StoreOutdated) return undefined; // another dictionary has come: it is begun again with that
    throw error;
  }
  const next: StoredComputation = {
    ...computation,
    after: (records.at(-1)?.[collection.key.name] as number | undefined) ?? computation.after,
    seen: computation.seen + records.length,
    changed: computation.changed + differing.length,
    state: more ? "running" : "done",
    touchedAt: Date.now(),
  };
  return (await store.computations.saveComputation(next, computation.touchedAt)) ? next : undefined;
}
