// Sorts the keys of all records in memory, some slices at a time, so that a store writes them one after the other.

import type { KeyOfRecord } from "../engine/match-keys.ts";
import { type Scan, widthOf } from "../engine/match-scan.ts";
import type { MatchedTable } from "../engine/matched-records.ts";
import type { Store } from "../engine/store.ts";

const SLICES = 500; // in memory at once, of some 2,000 keys each: some 20 MB
const ROWS_AT_ONCE = 4_000; // of a slice that is full of one key: so long others wait for their writes

/** Holds the sorted part of a scan: it is worthless as soon as another process has taken a step. */
interface Held {
  touchedAt: number;
  first: number;
  slices: number[][]; // key, id, key, id …
  /** The last record that was read. Undefined after all. */
  read: number | undefined;
  changed: Set<number>;
}

export interface Sorter {
  /** Takes one step of the phase in which the records that share keys are compared. Undefined where another process has taken it. */
  step(store: Store, matched: MatchedTable, scan: Scan): Promise<Scan | undefined>;
  /** These records have changed, and are found already by the keys that they have now. */
  pass(before: Scan, ids: readonly number[], now: Scan | undefined): void;
}

export function createSorter(): Sorter {
  const scans = new Map<string, Held>();
  return {
    async step(store, matched, scan) {
      const slice = scan.after ?? 0;
      let held = scans.get(scan.collection);
      if (held?.touchedAt !== scan.touchedAt || slice >= held.first + SLICES) {
        held = { touchedAt: scan.touchedAt, first: slice, slices: [], read: Number.MIN_SAFE_INTEGER, changed: new Set() };
        scans.set(scan.collection, held);
      }
      if (held.read !== undefined) {
        await readSome(store, scan, held, held.read);
        return scan;
      }
      const rows = held.slices[slice - held.first]?.splice(-2 * ROWS_AT_ONCE) ?? [];
      const isLast = !held.slices[slice - held.first]?.length;
      scans.delete(scan.collection); // of a write that fails the rows are read anew
      const next = await store.duplicates.addToSlice(matched, scan, sorted(rows, held.changed), isLast);
      if (!next || next.phase === "done") return next;
      held.touchedAt = next.touchedAt;
      scans.set(scan.collection, held);
      return next;
    },
    pass(before, ids, now) {
      const held = scans.get(before.collection);
      if (held?.touchedAt !== before.touchedAt || !now) return;
      for (const id of ids) held.changed.add(id);
      held.touchedAt = now.touchedAt;
    },
  };
}

async function readSome(store: Store, scan: Scan, held: Held, after: number): Promise<void> {
  const width = widthOf(scan);
  const range = { from: held.first * width, to: (held.first + SLICES) * width };
  const { keys, last } = await store.duplicates.keysAfter(scan.collection, after, range);
  for (const [key, id] of keys) {
    const slice = (key - (key % width)) / width - held.first;
    held.slices[slice] ??= [];
    held.slices[slice].push(key, id);
  }
  held.read = last;
}

function sorted(rows: readonly number[], changed: ReadonlySet<number>): KeyOfRecord[] {
  const keys: KeyOfRecord[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const [key = 0, id = 0] = [rows[at], rows[at + 1]];
    if (!changed.has(id)) keys.push([key, id]);
  }
  return keys.sort(([one, a], [other, b]) => one - other || a - b);
}
