// Converts the stored values of a field in batches. What a killed process has begun another one ends.

import { setTimeout as sleep } from "node:timers/promises";
import type { Principal } from "../../core/contract/principals.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { isPackage, type PackageField } from "../../core/dictionary/packages.ts";
import { convertedValue, convertValue } from "../../core/forms/conversion.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { StoreOutdated } from "../engine/store.ts";
import { applyPackage } from "./apply-package.ts";
import { computeAnew } from "./computer.ts";
import { withoutConversion, withTakenName } from "./convert-package.ts";
import { emptyRetired } from "./emptier.ts";
import { ABANDONED, nextRecords, rewrite } from "./rewrite-records.ts";
import type { StoredConversion } from "./store/conversions.ts";

/** Is on its way, whoever began it: a write and a version need their id alone. */
type Running = StoredConversion & { by: Principal };

export interface Converter {
  /** Goes on with this conversion now. */
  wake(id: string): void;
  /** Looks again and again for conversions to go on with. */
  run(signal: AbortSignal): Promise<void>;
}

const EVERY = 2_000; // ms
const MOST_LEFT = 100; // records that are named

export function createConverter(living: Pick<LivingDictionary, "served" | "apply" | "onChange">, report: ReportWork): Converter {
  let woken: string | undefined;
  let stir = () => {};
  living.onChange(() => stir());

  async function work(conversion: Running, signal: AbortSignal): Promise<void> {
    for (let current: Running | undefined = conversion; current && !signal.aborted; ) {
      const began = performance.now();
      current = await step(living, current);
      await sleep(performance.now() - began, undefined, { signal }).catch(() => undefined); // it is only aborted
    }
  }

  async function goOn(signal: AbortSignal): Promise<void> {
    const own = woken;
    woken = undefined;
    for (const stored of await living.served().store.conversions.readConversions()) {
      const { id, state, touchedAt } = stored;
      const conversion: Running = { ...stored, by: { ...stored.by, name: "" } };
      if (state === "running" && (id === own || touchedAt < Date.now() - ABANDONED)) await work(conversion, signal);
      else if (state !== "running") await leave(living, conversion);
    }
    await computeAnew(living, signal);
    await emptyRetired(living, signal);
  }

  return {
    wake(id) {
      woken = id;
      stir();
    },
    async run(signal) {
      while (!signal.aborted) {
        await unattended("conversions", report, () => goOn(signal));
        if (woken !== undefined || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            resolve();
          };
          const timer = setTimeout(end, EVERY);
          signal.addEventListener("abort", end);
          stir = end;
        });
      }
    },
  };
}

/** Returns the two fields as the dictionary has them now. */
export function pairIn(dataPackage: unknown, { collection, from, to }: StoredConversion): { from?: PackageField; to?: PackageField } {
  const fields = isPackage(dataPackage) ? (dataPackage.resources.find(({ name }) => name === collection)?.schema.fields ?? []) : [];
  const [source, target] = [from, to].map((id) => fields.find((field) => field.id === id));
  return { ...(source && { from: source }), ...(target && { to: target }) };
}

/** Converts the next records. Returns how far it is then; undefined where there is nothing left to do here. */
async function step(living: Pick<LivingDictionary, "served" | "apply">, conversion: Running): Promise<Running | undefined> {
  const { dataPackage, collections, store } = living.served();
  const { from, to } = pairIn(dataPackage, conversion);
  const save = async (change: Partial<Omit<StoredConversion, "by">>) => {
    const next = { ...conversion, ...change, touchedAt: Date.now() };
    return (await store.conversions.saveConversion(next, conversion.after)) ? next : undefined;
  };
  if (!from || !to?.convertedFrom) {
    const isDone = to !== undefined && !to.retired; // the process ended when the name was taken, before that was noted
    await save(isDone ? { state: "done" } : { state: "failed", detail: "The service ended before it had begun. Nothing was changed." });
    return undefined;
  }
  const collection = collections.find(({ name }) => name === conversion.collection) as Collection;
  const [source, target] = [from, to].map(({ name }) => collection.byName.get(name)) as [Field, Field];
  const { after } = conversion;
  const { records, more } = await nextRecords(store, collection, after);
  try {
    const failed = await convert(living, conversion, { collection, target, records });
    const counted = countAll(conversion, { collection, source, target, records, failed });
    const last = records.at(-1)?.[collection.key.name] as number | undefined;
    const next = await save({ ...counted, after: last ?? after });
    if (!next || more) return next;
    return await finish(living, next);
  } catch (error) {
    if (error instanceof StoreOutdated) return conversion; // another dictionary has come: this batch is converted by that
    throw error;
  }
}

interface Work {
  collection: Collection;
  target: Field;
  records: readonly WireRecord[];
}

/** Writes what the field lacks, as the write itself does it for every write meanwhile. Returns the keys of records where that is not possible. */
async function convert(
  living: Pick<LivingDictionary, "served">,
  { id: run, by }: Running,
  { collection, target, records }: Work,
): Promise<Set<number>> {
  const lacking = records.filter((record) => convertedValue(collection, target, record) !== (record[target.name] ?? null));
  return rewrite(living.served().store, collection, lacking, { by, source: { type: "conversion", run } });
}

type Counts = Pick<StoredConversion, "seen" | "converted" | "left" | "empty" | "leftRecords">;

function countAll(
  before: Counts,
  { collection, source, target, records, failed }: Work & { source: Field; failed: ReadonlySet<number> },
): Counts {
  const counts = { ...before, leftRecords: [...before.leftRecords] };
  const reads = target.convertedFrom?.isBack ? {} : target.convertedFrom;
  for (const record of records) {
    const id = record[collection.key.name] as number;
    const value = (record[source.name] ?? null) as Value | null;
    const isConverted = convertValue(source, target, value, reads) !== undefined && !failed.has(id);
    counts.seen++;
    counts[value === null ? "empty" : isConverted ? "converted" : "left"]++;
    if (value !== null && !isConverted && counts.leftRecords.length < MOST_LEFT) counts.leftRecords.push(id);
  }
  const { seen, converted, left, empty, leftRecords } = counts;
  return { seen, converted, left, empty, leftRecords };
}

/** All values are converted, and those that come are converted by their writes: the field takes the name. */
async function finish(living: Pick<LivingDictionary, "served" | "apply">, conversion: Running): Promise<Running | undefined> {
  const { collection, name, fromKind, toKind, by, undoes } = conversion;
  const { store } = living.served();
  const end = (change: Partial<StoredConversion>) =>
    store.conversions.saveConversion({ ...conversion, ...change, touchedAt: Date.now() }, conversion.after);
  try {
    const comment = undoes ? `${collection}.${name} is ${toKind} again` : `${collection}.${name}: ${fromKind} became ${toKind}`;
    await applyPackage(living, withTakenName(living.served().dataPackage, conversion), { by, comment });
    await end({ state: "done" });
  } catch (error) {
    if (error instanceof StoreOutdated) return conversion;
    if (!(error instanceof DictionaryRefused)) throw error;
    await end({ state: "failed", detail: error.message });
    await leave(living, { ...conversion, state: "failed" });
  }
  return undefined;
}

/** Nothing is converted any more by the writes, once a conversion is cancelled or has failed. */
export async function leave(living: Pick<LivingDictionary, "served" | "apply">, conversion: Running): Promise<void> {
  const { dataPackage } = living.served();
  if (conversion.state === "done" || !pairIn(dataPackage, conversion).to?.convertedFrom) return;
  const { collection, name, by } = conversion;
  await applyPackage(living, withoutConversion(dataPackage, conversion), { by, comment: `${collection}.${name} is not converted` });
}
