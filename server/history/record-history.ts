// The history of one record, and bringing an earlier version back.

import { type FieldChanges, type HistoryEntry, type HistoryPage, SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, collectionPath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type Fields, validateKept } from "../../core/dictionary/validate.ts";
import { presentDetails } from "../access/present-written.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, writtenSchema } from "../http/json-schemas.ts";
import { ifMatch, ifNoneMatch } from "../http/preconditions.ts";
import { clampedCount, readParameters } from "../http/query-parameters.ts";
import { type FieldReader, readFields } from "../http/read-fields.ts";
import { jsonAnswer, showing } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { unwritableFields } from "../people/auth/access-tokens.ts";
import { recordIdOf, recordNotFound } from "../records/record-id.ts";
import { toDetails } from "../records/store-errors.ts";
import { createWriteOne } from "../records/write-one.ts";
import { changesOfAll, newOnes, stateBefore, statesOf } from "./new-records.ts";
import type { StoredEntry } from "./store/reads.ts";

const MOST_ENTRIES = 100; // on a page
const DEFAULT_ENTRIES = 50;
const NEWEST = Number.MAX_SAFE_INTEGER;
const MOST_PARTS = 100; // records that are part of one
const MOST_READS = 10; // of the history of each for one page

/** Holds what is known of the records without anything hidden. */
export interface Whole {
  collections: readonly Collection[];
  store: Store;
}

/** `whole`: bringing a record back brings back what the caller may not see, too. */
export function historyRoutes(collection: Collection, store: Store, whole: Whole): Route[] {
  return [historyRoute(collection, store), restoreRoute(collection, store, whole)];
}

function historyRoute(collection: Collection, store: Store): Route {
  const parameters = { limit: clampedCount(MOST_ENTRIES), before: clampedCount(999_999_999) };
  return {
    url: `${API_ROOT}${collectionPath(collection.name)}/:id/history`,
    GET: {
      scope: `${collection.name}:read`,
      compresses: true,
      doc: {
        id: `history_${collection.singular}`,
        summary: `Who changed one ${collection.noun}, when and how, newest first; also of a deleted one`,
        parameters,
        responses: { 200: object({ history: listOf(named("IntakeHistoryEntry")), next: nullable({ type: "integer" }) }) },
        errors: [404],
      },
      async handle(request, { limitedAs }, { signal }) {
        const { limit = DEFAULT_ENTRIES, before = NEWEST } = readParameters<Record<keyof typeof parameters, number>>(
          request.query,
          parameters,
        );
        const id = recordIdOf(collection, request);
        const found = await store.history.listEntries(collection.name, id, before, limit + 1);
        if (found.length === 0 && !(await store.read(collection, id))) throw recordNotFound(collection);
        const shown = found.slice(0, limit);
        const now = newOnes(shown).length > 0 ? await store.read(collection, id) : undefined;
        const current = new Map(now && [[id, now]]);
        const options = { owner: limitedAs, signal };
        const isLast = found.length <= limit;
        const merged = await mergedEntries(collection, store, id, { before, after: isLast ? 0 : (shown.at(-1)?.write ?? 0) });
        const entries = [...shown, ...merged].sort(
          (one, other) => other.write - one.write || Number(other.id === id) - Number(one.id === id) || other.id - one.id,
        );
        const changes = await changesOfAll(collection, store, { entries, current }, options);
        const page: HistoryPage = {
          history: entries.map((entry) => ({
            ...toHistoryEntry(entry, changes.get(entry) ?? {}),
            ...(entry.id !== id && { mergedFrom: entry.id }),
          })),
          next: found.length > limit ? (shown.at(-1)?.version ?? null) : null,
        };
        const ids = [...new Set(entries.map((entry) => entry.id))];
        const shows = () => (ids.length > 0 ? [{ collection: collection.name, ids }] : []);
        return showing(jsonAnswer(200, page as unknown as Record<string, unknown>), shows);
      },
    },
  };
}

/**
 * Returns the entries of the records that are part of this one, which stand in one page of its history. `before`: as the request has it.
 * `after`: the write with which the page ends.
 */
async function mergedEntries(
  { name }: Collection,
  { history, merges }: Store,
  id: number,
  { before, after }: { before: number; after: number },
): Promise<StoredEntry[]> {
  const parts = new Set<number>();
  const survivors = [id];
  for (const survivor of survivors)
    for (const { others } of await merges.listMerges(name, { survivor, limit: MOST_PARTS }))
      for (const other of others) {
        parts.add(other);
        if (survivors.length < MOST_PARTS) survivors.push(other);
      }
  if (parts.size === 0) return [];
  const [first] = before === NEWEST ? [] : await history.listEntries(name, id, before + 1, 1);
  const entries: StoredEntry[] = [];
  for (const part of parts) {
    let last = first?.write ?? NEWEST;
    for (let reads = 0; reads < MOST_READS; reads++) {
      const some = await history.listEntries(name, part, NEWEST, MOST_ENTRIES, last);
      entries.push(...some.filter(({ write }) => write >= after));
      last = some.at(-1)?.write ?? 0;
      if (some.length < MOST_ENTRIES || last < after) break;
    }
  }
  return entries;
}

const version: FieldReader<number> = (given) =>
  Number.isSafeInteger(given) && Number(given) > 0 ? { value: Number(given) } : { problem: "version must be a whole number from 1." };

function restoreRoute(collection: Collection, store: Store, whole: Whole): Route {
  const all = whole.collections.find(({ name }) => name === collection.name) ?? collection;
  const written = writtenSchema(collection);
  const write = createWriteOne(collection, store);
  return {
    url: `${API_ROOT}${collectionPath(collection.name)}/:id/restore`,
    POST: {
      scope: `${collection.name}:update`,
      // It works as PUT does: without If-Match it creates the record where it was deleted.
      alsoNeeds: ({ headers }) => (headers["if-match"] === undefined ? [`${collection.name}:create`] : []),
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `restore_${collection.singular}`,
        summary: `Writes the values of an earlier version as a new one; brings a deleted ${collection.noun} back`,
        headers: ["Idempotency-Key", "If-Match", "If-None-Match", SOURCE_HEADER],
        body: { ...object({ version: { type: "integer", minimum: 1 } }), additionalProperties: false },
        responses: { 200: written, 201: written },
        sentHeaders: { 200: ["ETag"], 201: ["ETag", "Location"] },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const id = recordIdOf(collection, request);
        const wanted = readFields(request.body, { version });
        return write(request, session, async () => {
          const kept = await valuesAt(all, whole.store, id, wanted.version);
          const validated = validateKept(all, kept, true);
          if (validated.problems) throw httpErrors.validation(presentDetails(toDetails(validated.problems, ""), all, session));
          // What the caller may not change stays as it is in a record that is there, as with every other write.
          const isThere = session.narrowed !== undefined && (await whole.store.read(all, id)) !== undefined;
          const unwritable = unwritableFields(session, all.name);
          const own = Object.entries(validated.record).filter(([name]) => !(isThere && unwritable.has(name)));
          const given = Object.fromEntries(own);
          const op = { verb: "put", id, given, ...ifMatch(request, id), ...ifNoneMatch(request, id) } as const;
          return { op, pointer: "", isRestore: true };
        });
      },
    },
  };
}

/** Leaves out what the store alone needs. */
export function toHistoryEntry(entry: StoredEntry, changes: FieldChanges): HistoryEntry {
  const { version, at, operation, by, source, acknowledged, mergedInto } = entry;
  const more = { ...(acknowledged && { acknowledged }), ...(mergedInto !== undefined && { mergedInto }) };
  return { version, at, operation, by, source, changes, ...more };
}

/** Returns the record as it was at a version. Throws 404 for a version that is not kept, and for a deletion. */
export async function valuesAt(collection: Collection, store: Store, id: number, wanted: number): Promise<Fields> {
  const key = { [collection.key.name]: id };
  const current = await store.read(collection, id);
  if (current?.version === wanted) return { ...onlyFields(collection, current), ...key };
  for await (const { entry, state } of statesOf(collection, store, id)) {
    if (entry.version === wanted && entry.operation !== "deleted" && entry.operation !== "erased") return { ...state, ...key };
    if (entry.version <= wanted || entry.isForgotten) break;
    // The oldest entry may be a change of a record that is older than the history.
    if (entry.version === wanted + 1 && entry.operation === "updated") return { ...stateBefore(state, entry), ...key };
  }
  throw versionNotKept(collection, wanted);
}

function onlyFields({ fields }: Collection, record: WireRecord): Fields {
  return Object.fromEntries(fields.map(({ name }) => [name, (record[name] ?? null) as Value | null]));
}

function versionNotKept({ noun }: Collection, wanted: number) {
  return httpErrors.notFound(`The history of this ${noun} has no values of version ${wanted}. Choose one of its other versions.`);
}
