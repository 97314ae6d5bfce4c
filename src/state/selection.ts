// The selected records of a collection, over all of its pages and searches.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";

/** By key, in the order of selecting. */
export type Selection = ReadonlyMap<number, WireRecord>;

export interface Selections {
  of(collection: Collection): Selection;
  put(collection: Collection, selection: Selection): void;
  subscribe(listener: () => void): () => void;
  /** Signed out: nobody's records stay in memory. */
  clear(): void;
}

const NONE: Selection = new Map();

export function createSelections(): Selections {
  const byCollection = new Map<string, Selection>();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (collection) => byCollection.get(collection.name) ?? NONE,
    put(collection, selection) {
      byCollection.set(collection.name, selection);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      byCollection.clear();
      notify();
    },
  };
}

export function select(collection: Collection, selection: Selection, records: readonly WireRecord[]): Selection {
  return new Map([...selection, ...records.map((record) => [keyOf(collection, record), record] as const)]);
}

export function unselect(selection: Selection, ids: Iterable<number>): Selection {
  const left = new Map(selection);
  for (const id of ids) left.delete(id);
  return left;
}

/** One row on or off; from `anchor`, when that is on the page too, all rows up to it become as this one. */
export function pick(collection: Collection, selection: Selection, page: readonly WireRecord[], id: number, anchor?: number): Selection {
  const at = page.findIndex((record) => keyOf(collection, record) === id);
  const from = anchor === undefined ? -1 : page.findIndex((record) => keyOf(collection, record) === anchor);
  const rows = from === -1 ? page.slice(at, at + 1) : page.slice(Math.min(at, from), Math.max(at, from) + 1);
  if (!selection.has(id)) return select(collection, selection, rows);
  return unselect(
    selection,
    rows.map((record) => keyOf(collection, record)),
  );
}

/** The selected records with what the page shows of them now: what one sees is what one acts on. */
export function asShown(collection: Collection, selection: Selection, page: readonly WireRecord[]): Selection {
  const seen = page.filter((record) => selection.has(keyOf(collection, record)));
  return seen.length > 0 ? select(collection, selection, seen) : selection;
}

function keyOf(collection: Collection, record: WireRecord): number {
  return record[collection.key.name] as number;
}
