// The values that a record had when it was new, which the history does not keep twice.

import type { FieldChanges } from "../../../core/contract/history.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import type { StoredEntry } from "../../store/history/reads.ts";
import type { Store } from "../../store/store.ts";

/** The fields of a record at one version, but for its key. */
export type State = Record<string, Value | null>;

const NEWEST = Number.MAX_SAFE_INTEGER;
const PAGE = 100; // entries

/**
 * The states of a record, newest first, from the present one back: each with the entry that made it. What the record is now is
 * read first, so a change that comes meanwhile is left out.
 */
export async function* statesOf(collection: Collection, store: Store, id: number): AsyncGenerator<{ entry: StoredEntry; state: State }> {
  const current = await store.read(collection, id);
  let state: State = Object.fromEntries(fieldsOf(collection).map((name) => [name, (current?.[name] ?? null) as Value | null]));
  for (let before = current ? current.version + 1 : NEWEST; ; ) {
    const entries: StoredEntry[] = await store.history.listEntries(collection.name, id, before, PAGE);
    for (const entry of entries) {
      yield { entry, state };
      state = stateBefore(state, entry);
    }
    const last = entries.at(-1);
    if (!last) return;
    before = last.version;
  }
}

/** Before a new record there was nothing, or the values that its deletion has kept. */
export function stateBefore(state: State, { changes, isForgotten }: StoredEntry): State {
  const known = isForgotten ? null : changes;
  const before = (name: string) => (known ? (known[name] ? known[name][0] : (state[name] ?? null)) : null);
  return Object.fromEntries(Object.keys(state).map((name) => [name, before(name)]));
}

/** The changes of an entry, also of a record that was new then: every field that it had. */
export async function changesOf(collection: Collection, store: Store, wanted: StoredEntry): Promise<FieldChanges> {
  if (wanted.changes) return wanted.changes;
  if (wanted.operation === "erased") return {};
  for await (const { entry, state } of statesOf(collection, store, wanted.id)) {
    if (entry.version === wanted.version) return asNew(state);
    if (entry.version < wanted.version) break;
  }
  return {}; // it has been erased meanwhile
}

export function asNew(state: State): FieldChanges {
  const given = Object.entries(state).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, [null, value]]));
}

function fieldsOf({ fields, key }: Collection): string[] {
  return fields.filter((field) => field !== key).map(({ name }) => name);
}
