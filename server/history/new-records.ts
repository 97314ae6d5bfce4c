// The values that a record had when it was new, which the history does not keep twice.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FieldChanges } from "../../core/contract/history.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { ReadOptions, Store } from "../engine/store.ts";
import { FORGOTTEN, type LaterChange, type StoredEntry, toFieldChanges } from "./store/reads.ts";

/** The fields of a record at one version, but for its key. */
export type State = Record<string, Value | null>;

const NEWEST = Number.MAX_SAFE_INTEGER;
const PAGE = 100; // entries

/**
 * Yields the states of a record, newest first, from the present one back: each with the entry that made it. What the record is now is
 * read first, so a change that comes meanwhile is left out.
 */
export async function* statesOf(collection: Collection, store: Store, id: number): AsyncGenerator<{ entry: StoredEntry; state: State }> {
  const current = await store.read(collection, id);
  let state: State = Object.fromEntries(fieldsOf(collection).map((name) => [name, (current?.[name] ?? null) as Value | null]));
  for (let [before, write] = [current ? current.version + 1 : NEWEST, NEWEST]; ; ) {
    const entries: StoredEntry[] = await store.history.listEntries(collection.name, id, before, PAGE, write);
    for (const entry of entries) {
      yield { entry, state };
      state = stateBefore(state, entry);
    }
    const last = entries.at(-1);
    if (!last) return;
    [before, write] = [last.version, last.write];
  }
}

/** Before a new record there was nothing, or the values that its deletion has kept. */
export function stateBefore(state: State, { changes, isForgotten }: StoredEntry): State {
  const known = isForgotten ? null : changes;
  const before = (name: string) => (known ? (known[name] ? known[name][0] : (state[name] ?? null)) : null);
  return Object.fromEntries(Object.keys(state).map((name) => [name, before(name)]));
}

interface Entries {
  entries: readonly StoredEntry[];
  /** Their records as they are now, read before this: what comes meanwhile is left out. Only those that `newOnes` has are needed. */
  current: ReadonlyMap<number, WireRecord>;
}

/** Returns the entries of new records: what these had is in later entries, and in the records as they are now. */
export function newOnes(entries: readonly StoredEntry[]): StoredEntry[] {
  return entries.filter(({ changes, operation }) => !changes && operation !== "erased");
}

const MOST_LATER = 5_000; // changes read at once
const AT_ONCE = 500; // changes that are looked at in one turn of the process

/**
 * Returns the changes of each entry, also of records that were new then: every field that they had, and none of one that has been erased
 * meanwhile. Later changes of all these records are read together.
 */
export async function changesOfAll(
  collection: Collection,
  store: Store,
  { entries, current }: Entries,
  options: ReadOptions,
): Promise<Map<StoredEntry, FieldChanges>> {
  const names = fieldsOf(collection);
  const all = new Map(entries.map((entry) => [entry, entry.changes ?? {}]));
  // Nothing more need be read of a record that nobody has changed since.
  const isAsNow = ({ id, version }: StoredEntry) => current.get(id)?.version === version;
  for (const entry of newOnes(entries).filter(isAsNow)) all.set(entry, asNew(stateOf(names, untold(entry, names), current.get(entry.id))));
  const wanted = newOnes(entries).filter((entry) => !isAsNow(entry));
  wanted.sort((one, other) => one.id - other.id || one.write - other.write);
  const byPlace = new Map(wanted.map((entry) => [`${entry.id} ${entry.write}`, entry]));
  const lastWrites = new Map(wanted.map(({ id, write }) => [id, write]));
  const from = Math.min(...wanted.map(({ write }) => write));
  let open: NewRecord | undefined;
  const close = () => {
    if (open) all.set(open.entry, asNew(stateOf(names, open, current.get(open.entry.id))));
    open = undefined;
  };
  for (let [ids, after] = [[...lastWrites.keys()], { id: 0, write: 0 }]; ids.length > 0; ) {
    const later = await store.feed.readLater({ collection: collection.name, ids, from, after, limit: MOST_LATER }, options);
    for (const [i, change] of later.entries()) {
      if (i > 0 && i % AT_ONCE === 0) await nextTurn();
      if (open?.entry.id !== change.id) close();
      if (change.version > (current.get(change.id)?.version ?? NEWEST)) continue;
      if (open) addLater(open, change);
      if (open?.unknown.size === 0) close();
      const entry = byPlace.get(`${change.id} ${change.write}`);
      if (entry) close();
      if (entry) open = untold(entry, names);
    }
    const last = later.at(-1);
    if (!last || later.length < MOST_LATER) break;
    // The rest is not read of a record whose values are all known by now.
    const isDone = !open && last.write >= (lastWrites.get(last.id) ?? 0);
    after = isDone ? { id: last.id + 1, write: 0 } : last;
    ids = ids.filter((id) => id >= after.id);
  }
  close();
  return all;
}

interface NewRecord {
  entry: StoredEntry;
  known: State;
  /** Fields that no later change has told of yet. */
  unknown: Set<string>;
}

function untold(entry: StoredEntry, names: readonly string[]): NewRecord {
  return { entry, known: {}, unknown: new Set(names) };
}

/** The first later change of a field has the value that it had before; a record that was new again, or whose values are forgotten, had none. */
function addLater({ known, unknown }: NewRecord, { changes }: LaterChange): void {
  const pairs = changes === null || changes === FORGOTTEN ? undefined : toFieldChanges(changes);
  for (const name of unknown) {
    if (pairs && !pairs[name]) continue;
    known[name] = pairs?.[name]?.[0] ?? null;
    unknown.delete(name);
  }
}

/** Takes what no change has told of from the record as it is now. */
function stateOf(names: readonly string[], { known, unknown }: NewRecord, now: WireRecord | undefined): State {
  return Object.fromEntries(names.map((name) => [name, ((unknown.has(name) ? now?.[name] : known[name]) ?? null) as Value | null]));
}

export function asNew(state: State): FieldChanges {
  const given = Object.entries(state).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, [null, value]]));
}

function fieldsOf({ fields, key }: Collection): string[] {
  return fields.filter((field) => field !== key).map(({ name }) => name);
}
