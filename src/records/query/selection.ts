// The selected records of a collection, over all of its pages and searches.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { idOf } from "../../service/records.ts";

/** Records by id, in the order in which they were selected. */
export type Selection = ReadonlyMap<number, WireRecord>;

/** All that a list has are selected, also those that were not read. */
export interface Matching {
  /** The list's filters and search. */
  query: Readonly<Record<string, string>>;
  /** Counts how many there were. */
  total: number;
  /** Holds those that were shown since. One of them that is not selected was taken out. */
  shown: ReadonlySet<number>;
}

export interface Selections {
  of(collection: Collection): Selection;
  /** `matching`: stays as it is unless given. Without any selected record there is none. */
  put(collection: Collection, selection: Selection, matching?: Matching | "none"): void;
  matchingOf(collection: Collection): Matching | undefined;
  subscribe(listener: () => void): () => void;
  /** Runs at the sign-out. */
  clear(): void;
}

const NONE: Selection = new Map();

export function createSelections(): Selections {
  const byCollection = new Map<string, Selection>();
  const matching = new Map<string, Matching>();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (collection) => byCollection.get(collection.name) ?? NONE,
    matchingOf: (collection) => matching.get(collection.name),
    put(collection, selection, all) {
      byCollection.set(collection.name, selection);
      if (all === "none" || selection.size === 0) matching.delete(collection.name);
      else if (all) matching.set(collection.name, all);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      byCollection.clear();
      matching.clear();
      notify();
    },
  };
}

export function select(collection: Collection, selection: Selection, records: readonly WireRecord[]): Selection {
  return new Map([...selection, ...records.map((record) => [idOf(collection, record), record] as const)]);
}

export function unselect(selection: Selection, ids: Iterable<number>): Selection {
  const left = new Map(selection);
  for (const id of ids) left.delete(id);
  return left;
}

/** Toggles one row. With an `anchor` on the same page, all rows between them get the same state. */
export function pick(collection: Collection, selection: Selection, page: readonly WireRecord[], id: number, anchor?: number): Selection {
  const at = page.findIndex((record) => idOf(collection, record) === id);
  const from = anchor === undefined ? -1 : page.findIndex((record) => idOf(collection, record) === anchor);
  const rows = from === -1 ? page.slice(at, at + 1) : page.slice(Math.min(at, from), Math.max(at, from) + 1);
  if (!selection.has(id)) return select(collection, selection, rows);
  return unselect(
    selection,
    rows.map((record) => idOf(collection, record)),
  );
}

/**
 * Updates the selected records to the versions on the page, so that actions apply to what the user sees. A page may come from before a
 * change of them, until it is read again: an older version is passed over.
 */
export function asShown(collection: Collection, selection: Selection, page: readonly WireRecord[]): Selection {
  const seen = page.filter((record) => record.version > (selection.get(idOf(collection, record))?.version ?? Infinity));
  return seen.length > 0 ? select(collection, selection, seen) : selection;
}
