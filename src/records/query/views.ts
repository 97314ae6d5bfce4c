// Keeps in this browser what a person's lists and new records begin with.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { isOf } from "../../browser/person.ts";
import { type Search, VIEW_PARAMETER } from "./list-url.ts";

/** A view of the service, with what it showed when it was last seen. */
export interface HomeView {
  id: string;
  search: Search;
}

export interface SavedViews {
  /** Says what the collection opens with. */
  home?: HomeView | undefined;
  /** The last chosen columns, separated by commas. Part of the address that the collection opens with. */
  columns?: string | undefined;
  widths?: ColumnWidths | undefined;
  /** The sidebar has it above the others. */
  isFavourite?: boolean | undefined;
  /** The group in which the sidebar has it is folded. */
  isFolded?: boolean | undefined;
  /** The values that the person stored last in its sticky fields. */
  sticky?: Readonly<Fields> | undefined;
}

/** Maps names of fields to rem. A column that is not here is as wide as it needs. */
export type ColumnWidths = Readonly<Record<string, number>>;

export interface Views {
  of(collection: Collection): SavedViews;
  put(collection: Collection, saved: SavedViews): void;
  subscribe(listener: () => void): () => void;
}

const NOTHING: SavedViews = {};
const VIEWS_KEY = "intake.views "; // and whose they are, and the collection's name

/** Forgets those of other people, in local storage. `person`: from personKey(). */
export function forgetViewsOfOthers(storage: Storage, person: string): void {
  for (const key of Object.keys(storage))
    if (key.startsWith(VIEWS_KEY) && !isOf(person, key.slice(VIEWS_KEY.length))) storage.removeItem(key);
}

/**
 * `target`: the window, for storage events. `person`: who is signed in, from personKey(); a view has what they searched for. If `storage`
 * throws, as in some private windows, views last as long as the tab.
 */
export function createViews(target: EventTarget, storage: Pick<Storage, "getItem" | "setItem">, person: () => string): Views {
  const byKey = new Map<string, SavedViews>();
  const keyOf = ({ name }: Collection) => `${VIEWS_KEY}${person()} ${name}`;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  // Otherwise this tab would write its old views over those that another tab saved.
  target.addEventListener("storage", (event) => {
    const { key } = event as StorageEvent;
    if (key === null) byKey.clear();
    else byKey.delete(key);
    notify();
  });
  return {
    of(collection) {
      const key = keyOf(collection);
      const known = byKey.get(key) ?? read(storage, key);
      byKey.set(key, known);
      return known;
    },
    put(collection, saved) {
      const key = keyOf(collection);
      byKey.set(key, saved);
      try {
        storage.setItem(key, JSON.stringify(saved));
      } catch {
        // The storage is full or forbidden. This tab still has it.
      }
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the address that a collection opens with: its home view, or all records with the last chosen columns. */
export function homeSearch({ home, columns }: SavedViews): Search {
  if (home) return { ...home.search, [VIEW_PARAMETER]: home.id };
  return columns ? { columns } : {};
}

function read(storage: Pick<Storage, "getItem">, key: string): SavedViews {
  try {
    return (JSON.parse(storage.getItem(key) ?? "null") as SavedViews | null) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}
