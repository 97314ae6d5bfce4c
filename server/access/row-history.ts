// Answers what a store knows of the past, for callers who see some records only: each change as their sight had it.

import type { FieldChanges } from "../../core/contract/history.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { CheckedRecord } from "../engine/row-rights.ts";
import type { ReadOptions, Store } from "../engine/store.ts";
import type { ActivityFilter, ActivityLine } from "../history/store/activity.ts";
import {
  FORGOTTEN,
  keptValue,
  type LaterChange,
  placeOfDeletion,
  type StoredEntry,
  type StoredOrigin,
  valueKept,
} from "../history/store/reads.ts";
import { RUN_END, type RunPlace } from "../history/store/runs.ts";
import type { RowSight } from "./row-store.ts";

const MOST_READS = 20; // for one answer of a filter that few entries meet
const AT_ONCE = 500; // keys in one read of records, and deletions of which some are seen
const MOST_LATER = 5_000; // changes read at once
const MOST_OF_LINE = 100; // changes of a write or a run that are looked at for one line of the activity
const NEWEST = Number.MAX_SAFE_INTEGER;

/** A record before or after a change: what it was, "nothing" where it was not there, or "unknown" where its values are not kept. */
type State = CheckedRecord | "nothing" | "unknown";

interface Sides {
  before: State;
  after: State;
}

type Past = Pick<Store, "history" | "feed">;

/**
 * A change by which a record comes into sight is its creation, and one by which it leaves it a deletion. What happened out of sight is left
 * out, and so is an erasure: nobody can tell any more whether the record was seen.
 */
export function limitHistory(store: Store, collections: readonly Collection[], sight: RowSight): Past {
  const { history, feed } = store;
  const past = createPast(store, collections, sight);
  const { limited, shown } = past;
  const { listRunEntries, sizeOfRun } = limitRuns(history, past);
  return {
    history: {
      ...history,
      listRunEntries,
      sizeOfRun,
      async listEntries(name, id, before, limit, write) {
        if (!limited(name)) return history.listEntries(name, id, before, limit, write);
        let [version, place] = [before, write];
        return readOver(limit, shown, async (last?: StoredEntry) => {
          if (last) [version, place] = [last.version, last.write];
          return history.listEntries(name, id, version, limit, place);
        });
      },
      async listDeletions(name, after, limit) {
        if (!limited(name)) return history.listDeletions(name, after, limit);
        const { entries, rest } = await history.listDeletions(name, after, Math.max(limit, AT_ONCE));
        const seen = await shown(entries);
        const last = seen[limit - 1];
        return seen.length > limit && last ? { entries: seen.slice(0, limit), rest: placeOfDeletion(last) } : { entries: seen, rest };
      },
      async listActivity(filter, ...others) {
        const found = await history.listActivity(filter, ...others);
        const isOne = ({ collection, size }: ActivityLine) => limited(collection) !== undefined && size === 1;
        const ones = new Map((await shown(found.lines.filter(isOne))).map((line) => [placeOf(line), line]));
        const lines: ActivityLine[] = [];
        for (const line of found.lines) {
          const seen = isOne(line) ? ones.get(placeOf(line)) : await shownLine(history, past, line, filter);
          if (seen) lines.push(seen);
        }
        return { ...found, lines };
      },
      async listChanges(...given) {
        const found = await history.listChanges(...given);
        return { ...found, lines: await shown(found.lines) };
      },
      // Nobody can say how many of them are seen without reading them all.
      countChanges: (filter, run) =>
        history.countChanges({ ...filter, collections: filter.collections.filter((name) => !limited(name)) }, run),
      async summarizeRun(run) {
        const parts = await history.summarizeRun(run);
        const sized = parts.map(async (part) => ({ ...part, size: Math.min(part.size, await sizeOfRun(part.collection, run)) }));
        return (await Promise.all(sized)).filter(({ collection, size }) => size > 0 || !limited(collection));
      },
    },
    feed: {
      ...feed,
      async read(after, filter, limit, options) {
        const page = await feed.read(after, filter, limit, options);
        return { ...page, entries: await shown(page.entries, options) };
      },
      readAgain: async (...given) => shown(await feed.readAgain(...given)),
    },
  };
}

/** Reads up to `limit` entries that are seen. `read`: gives those after an entry, or the first ones. */
async function readOver(
  limit: number,
  shown: ShownPast["shown"],
  read: (last?: StoredEntry) => Promise<StoredEntry[]>,
): Promise<StoredEntry[]> {
  const seen: StoredEntry[] = [];
  let last: StoredEntry | undefined;
  for (let i = 0; i < MOST_READS && seen.length < limit; i++) {
    const entries = await read(last);
    seen.push(...(await shown(entries)));
    last = entries.at(-1);
    if (!last || entries.length < limit) break;
  }
  return seen.slice(0, limit);
}

/** A line stands for a write or a run: the last of its changes that is seen, and how many of the last ones are. */
async function shownLine(
  history: Past["history"],
  { limited, shown }: ShownPast,
  line: ActivityLine,
  filter: ActivityFilter,
): Promise<ActivityLine | undefined> {
  if (!limited(line.collection)) return line;
  const by = line.by ? await history.findPrincipal(line.by.id) : undefined;
  const own = { ...filter, collections: [line.collection], source: line.source.type, by };
  const of = line.source.run === null ? { write: line.write } : { run: line.source.run };
  const { lines } = await history.listChanges(own, of, { at: NEWEST, write: line.write, id: NEWEST }, MOST_OF_LINE);
  const seen = await shown(lines);
  return seen[0] && { ...seen[0], size: seen.length };
}

function placeOf({ write, collection, id }: StoredEntry): string {
  return `${write} ${collection} ${id}`;
}

function limitRuns(history: Past["history"], { limited, seenSides }: ShownPast): Pick<Past["history"], "listRunEntries" | "sizeOfRun"> {
  /** The changes of records that are seen, as they are stored: they are undone as such. */
  const listRunEntries: Past["history"]["listRunEntries"] = async (name, run, place, limit) => {
    const found = await history.listRunEntries(name, run, place, limit);
    const collection = limited(name);
    if (!collection) return found;
    const { sides, before, after } = await seenSides(collection, found.entries);
    const isSeen = (entry: StoredEntry) => after.has(entry) || (sides.get(entry)?.after === "nothing" && before.has(entry));
    return { ...found, entries: found.entries.filter(isSeen) };
  };
  return {
    listRunEntries,
    /** Counts what is seen of the last changes of the run. */
    async sizeOfRun(name, run) {
      if (!limited(name)) return history.sizeOfRun(name, run);
      let size = 0;
      for (let [i, place] = [0, RUN_END as RunPlace | null]; i < MOST_READS && place; i++) {
        const { entries, rest } = await listRunEntries(name, run, place, AT_ONCE);
        size += entries.length;
        place = rest;
      }
      return size;
    },
  };
}

interface ShownPast {
  /** Returns the collection where some of its records are not seen. */
  limited(name: string): Collection | undefined;
  /** Says for each entry what its record was before and after it, and whether that was seen. */
  seenSides(collection: Collection, entries: readonly StoredEntry[], options?: ReadOptions): Promise<SeenSides>;
  /** Returns the entries that the caller may know, as their sight had them, in the same order. */
  shown<Entry extends StoredEntry>(entries: readonly Entry[], options?: ReadOptions): Promise<Entry[]>;
}

interface SeenSides {
  sides: ReadonlyMap<StoredEntry, Sides>;
  before: ReadonlySet<StoredEntry>;
  after: ReadonlySet<StoredEntry>;
}

function createPast(store: Store, collections: readonly Collection[], sight: RowSight): ShownPast {
  const limited = (name: string) => collections.find((one) => one.name === name && sight.filtersOf(one));
  const walk = createWalk(store);
  const seenSides: ShownPast["seenSides"] = async (collection, entries, options) => {
    const sides = await walk(collection, entries, options);
    const sideOf = (side: keyof Sides) => entries.map((entry) => ({ entry, side, state: sides.get(entry)?.[side] }));
    const both = [...sideOf("before"), ...sideOf("after")];
    const seen = await sight.keepSeen(collection, both, ({ state }) => (typeof state === "object" ? state : undefined));
    const has = (side: keyof Sides) => new Set(seen.filter((one) => one.side === side).map(({ entry }) => entry));
    return { sides, before: has("before"), after: has("after") };
  };
  const leadsOutOfSight = async ({ collection: name, mergedInto }: StoredEntry) => {
    const collection = mergedInto === undefined ? undefined : limited(name);
    if (!collection) return false;
    const survivor = await store.read(collection, Number(mergedInto));
    return (await sight.keepSeen(collection, [survivor], (one) => one)).length === 0;
  };
  return {
    limited,
    seenSides,
    async shown(entries, options) {
      const all = new Map(entries.map((entry) => [entry, entry]));
      for (const name of new Set(entries.map((entry) => entry.collection))) {
        const collection = limited(name);
        if (!collection) continue;
        const own = entries.filter((entry) => entry.collection === name);
        const seen = await seenSides(collection, own, options);
        for (const entry of own) {
          const now = asSeen(collection, entry, seen);
          if (now) all.set(entry, now);
          else all.delete(entry);
        }
      }
      const kept = entries.flatMap((entry) => all.get(entry) ?? []);
      return Promise.all(kept.map(async (entry) => ((await leadsOutOfSight(entry)) ? withoutSurvivor(entry) : entry)));
    },
  };
}

function withoutSurvivor<Entry extends StoredEntry>({ mergedInto: _, ...entry }: Entry): Entry {
  return entry as unknown as Entry;
}

/** Tells nothing of what a record was before it came into sight. Its values stand with it, because the record of today may be out of sight. */
function asSeen<Entry extends StoredEntry>(collection: Collection, entry: Entry, { sides, before, after }: SeenSides): Entry | undefined {
  const was = sides.get(entry);
  if (after.has(entry)) {
    if (before.has(entry) || was?.before === "unknown") return entry;
    const changes = valuesOf(collection, was?.after as CheckedRecord, (value) => [null, value]);
    return { ...entry, ...(was?.before !== "nothing" && { operation: "created" }), changes };
  }
  if (!before.has(entry)) return undefined;
  return was?.after === "nothing"
    ? entry
    : { ...entry, operation: "deleted", changes: valuesOf(collection, was?.before as CheckedRecord, (value) => [value, null]) };
}

function valuesOf({ fields, key }: Collection, record: CheckedRecord, pairOf: (value: Value) => FieldChanges[string]): FieldChanges {
  const given = fields.filter((field) => field !== key && (record[field.name] ?? null) !== null);
  return Object.fromEntries(given.map(({ name }) => [name, pairOf(record[name] as Value)]));
}

/** Finds what records were before and after changes, from what they are now and what was changed since. */
function createWalk({ list, history, feed }: Store) {
  return async (collection: Collection, entries: readonly StoredEntry[], options?: ReadOptions): Promise<Map<StoredEntry, Sides>> => {
    const ids = [...new Set(entries.map(({ id }) => id))];
    const current = await readCurrent(collection, ids, options);
    const origins = new Map(
      (
        await history.readOrigins(
          collection.name,
          ids.filter((id) => !current.has(id)),
        )
      ).map((one) => [one.id, one]),
    );
    // The entry itself says all of a record that nobody has changed since.
    const isLast = ({ id, version, operation }: StoredEntry) =>
      current.has(id) ? current.get(id)?.version === version : operation === "deleted";
    const later = await readLater(
      collection,
      entries.filter((entry) => !isLast(entry)),
      options,
    );
    const sides = new Map<string, Sides>();
    for (const id of ids) {
      const own = entries.filter((entry) => entry.id === id && isLast(entry)).map(toStep);
      const steps = [...(later.get(id) ?? []), ...own].sort((one, other) => other.write - one.write);
      let state = stateNow(current.get(id), steps[0]);
      for (const step of steps.filter((one, i) => one.write !== steps[i - 1]?.write)) {
        if (step.version > (current.get(id)?.version ?? NEWEST)) continue; // it came meanwhile
        const after = state;
        state = stateBefore(collection, state, step, origins.get(id));
        sides.set(`${id} ${step.write}`, { before: state, after });
      }
    }
    return new Map(entries.map((entry) => [entry, sides.get(`${entry.id} ${entry.write}`) ?? { before: "unknown", after: "unknown" }]));
  };

  async function readCurrent(collection: Collection, ids: readonly number[], options?: ReadOptions): Promise<Map<number, WireRecord>> {
    const found = new Map<number, WireRecord>();
    const { name } = collection.key;
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const values = ids.slice(from, from + AT_ONCE);
      const page = {
        words: [],
        filters: [{ name, operator: "in" as const, values }],
        limit: values.length,
        sort: [{ name, descending: false }],
      };
      for (const record of (await list(collection, page, options)).records) found.set(record[name] as number, record);
    }
    return found;
  }

  async function readLater({ name }: Collection, entries: readonly StoredEntry[], options?: ReadOptions): Promise<Map<number, Step[]>> {
    const found = new Map<number, Step[]>();
    const from = Math.min(...entries.map(({ write }) => write));
    let ids = [...new Set(entries.map(({ id }) => id))].sort((one, other) => one - other);
    for (let after = { id: 0, write: 0 }; ids.length > 0; ) {
      const later = await feed.readLater({ collection: name, ids, from, after, limit: MOST_LATER }, options);
      for (const change of later) found.set(change.id, [...(found.get(change.id) ?? []), change]);
      const last = later.at(-1);
      if (!last || later.length < MOST_LATER) break;
      after = last;
      ids = ids.filter((id) => id >= last.id);
    }
    return found;
  }
}

/** A change as the history keeps it. */
type Step = Omit<LaterChange, "id">;

function toStep({ write, version, changes, isForgotten, operation }: StoredEntry): Step {
  if (isForgotten || operation === "erased") return { write, version, changes: FORGOTTEN };
  const isDeletion = operation === "deleted";
  const kept = changes && isDeletion ? Object.fromEntries(Object.entries(changes).map(([name, [was]]) => [name, keptValue(was)])) : changes;
  return { write, version, changes: kept && JSON.stringify(kept) };
}

function stateNow(current: WireRecord | undefined, last: Step | undefined): State {
  if (current) return current;
  return last && isDeletion(last) ? "nothing" : "unknown";
}

/** A deletion keeps the values, a change the pairs of them. */
function isDeletion({ changes }: Step): boolean {
  return changes !== null && changes !== FORGOTTEN && Object.values(JSON.parse(changes) as object).every((one) => !Array.isArray(one));
}

function stateBefore(collection: Collection, state: State, step: Step, origin: StoredOrigin | undefined): State {
  if (step.changes === FORGOTTEN) return "unknown";
  if (step.changes === null) return "nothing";
  const changes = JSON.parse(step.changes) as Record<string, unknown>;
  if (isDeletion(step)) {
    const values = Object.fromEntries(collection.fields.map(({ name }) => [name, valueKept(changes[name]) ?? null]));
    // An earlier record under the same key was somebody else's.
    const { createdAt = null, createdBy = null } = origin?.version === step.version ? origin : {};
    return { ...values, createdAt, createdBy };
  }
  if (typeof state !== "object") return "unknown";
  return { ...state, ...Object.fromEntries(Object.entries(changes).map(([name, pair]) => [name, (pair as unknown[])[0]])) };
}
