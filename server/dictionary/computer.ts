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

/** The values of a collection must follow from these formulas. */
type Wanted = Pick<StoredComputation, "formulas" | "changes" | "day">;

/** Computes what is to be computed anew, also what a process has begun that was killed. */
export async function computeAnew(living: Living, signal: AbortSignal): Promise<void> {
  const names = living.served().collections.flatMap((one) => (formulasOf(one).length > 0 ? one.name : []));
  if (names.length === 0) return;
  const { computations } = living.served().store;
  const [stored, changes] = [await computations.readComputations(), await computations.countFormulaChanges()];
  for (const name of names)
    await computeCollection(
      living,
      { name, changes: changes.get(name) ?? 0 },
      stored.find(({ collection }) => collection === name),
      signal,
    );
}

async function computeCollection(
  living: Living,
  { name, changes }: { name: string; changes: number },
  stored: StoredComputation | undefined,
  signal: AbortSignal,
): Promise<void> {
  const collection = living.served().collections.find((one) => one.name === name);
  if (!collection) return;
  const day = formulasOf(collection).some(({ readsToday }) => readsToday) ? dayIn(collection.timeZone ?? "UTC", Date.now()) : null;
  const wanted: Wanted = { formulas: formulasText(collection), changes, day };
  const isSame = stored?.formulas === wanted.formulas && stored.changes === changes && stored.day === day;
  if (isSame && stored.state === "done") return;
  if (stored && stored.version > living.served().version) return; // this process has not heard of the newest formulas
  if (isSame && stored.touchedAt > Date.now() - ABANDONED) return; // another process is at it
  let current = isSame ? stored : await begin(living, collection, wanted, stored);
  if (!isSame && current && living.served().store.isShared) await pause(LATE_WRITES, signal);
  while (current?.state === "running" && !signal.aborted) {
    const began = performance.now();
    current = await step(living, current);
    if (current?.state === "running") await pause(performance.now() - began, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // it is only aborted
}

/** Notes what is to be computed. Undefined where another process has begun meanwhile. */
async function begin(
  living: Living,
  collection: Collection,
  wanted: Wanted,
  stored: StoredComputation | undefined,
): Promise<StoredComputation | undefined> {
  const { store, version } = living.served();
  const isOfDay = stored?.formulas === wanted.formulas && stored.changes === wanted.changes && stored.state === "done";
  const now = Date.now();
  const next: StoredComputation = {
    ...{ collection: collection.name, run: isOfDay ? `day-${wanted.day}` : `formulas-${version}`, version, ...wanted },
    ...{ state: "running", at: now, after: null },
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
