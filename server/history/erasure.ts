// Erasing a record for good, and the copy of all that is held about it. Both are for administrators.

import { setImmediate as nextTurn } from "node:timers/promises";
import { type Erasure, type RecordCopy, SOURCE_HEADER, type Source } from "../../core/contract/history.ts";
import { API_ROOT, collectionPath, REWRITE_PATH } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type Store, StoreTooCostly } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, TIME } from "../http/json-schemas.ts";
import { emptyAnswer, jsonAnswer, NO_STORE, showing, textAnswer } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { recordIdOf, recordNotFound } from "../records/record-id.ts";
import { describeUse } from "../records/store-errors.ts";
import { writeSourceOf } from "../records/write-source.ts";
import { asNew, statesOf } from "./new-records.ts";
import { toHistoryEntry } from "./record-history.ts";

/** The content of files, as an erasure needs it. */
export interface ErasedContent {
  /** Returns the hashes that a record and all versions of it name. */
  of(collection: Collection, store: Store, id: number): Promise<string[]>;
  /** Removes those that nothing names any more. */
  remove(hashes: readonly string[], store: Store): Promise<void>;
}

export function erasureRoutes(
  collection: Collection,
  collections: readonly Collection[],
  store: Store,
  content: ErasedContent | undefined,
): Route[] {
  const isParent = childrenOf(collections, collection).length > 0;
  return [erasureRoute(collection, store, isParent, content), copyRoute(collection, store)];
}

function erasureRoute(collection: Collection, store: Store, isParent: boolean, content: ErasedContent | undefined): Route {
  return {
    url: `${API_ROOT}${collectionPath(collection.name)}/:id/erasure`,
    POST: {
      scope: "admin",
      isUntimed: true, // it goes through the search index and all stored answers
      seesRetired: true,
      doc: {
        id: `erase_${collection.singular}`,
        summary: `Erases a ${collection.noun} with its history for good. Only that it was erased stays, when and by whom`,
        headers: [SOURCE_HEADER],
        responses: { 200: named("IntakeErasure") },
        errors: isParent ? [404, 409] : [404],
      },
      async handle(request, session) {
        const id = recordIdOf(collection, request);
        const source = writeSourceOf(request);
        logSecurityEvent(request, "erased", { principal: session.principal, target: `${collection.name}/${id}` });
        const erasure = await eraseRecord(collection, store, id, { by: session.principal, source, content });
        if (!erasure) throw recordNotFound(collection);
        return jsonAnswer(200, { ...erasure }, NO_STORE);
      },
    },
  };
}

export function rewriteRoute(store: Store): Route {
  return {
    url: API_ROOT + REWRITE_PATH,
    POST: {
      scope: "admin",
      isUntimed: true,
      doc: {
        id: "rewrite",
        summary: "Rewrites the store's files without what erased and deleted records have left in them. Writes wait meanwhile",
        responses: { 204: null },
        errors: [409],
      },
      async handle(request, session) {
        logSecurityEvent(request, "rewritten", { principal: session.principal });
        await rewriteStore(store, false);
        return emptyAnswer(204);
      },
    },
  };
}

/** Does as `Store.rewrite` does. Throws REWRITE_TOO_LONG where it would keep others waiting for too long. */
export async function rewriteStore(store: Store, isAlone: boolean): Promise<void> {
  await store.rewrite(isAlone).catch((error) => {
    throw error instanceof StoreTooCostly ? httpErrors.rewriteTooLong() : error;
  });
}

function copyRoute(collection: Collection, store: Store): Route {
  const { name } = collection;
  const properties = {
    collection: { type: "string" },
    objectId: { type: "integer" },
    copiedAt: TIME,
    record: nullable({ type: "object" }), // also with fields that are retired, which its schema lacks
    history: listOf(named("IntakeHistoryEntry")),
  };
  return {
    url: `${API_ROOT}${collectionPath(name)}/:id/copy`,
    GET: {
      scope: "admin",
      seesRetired: true,
      doc: {
        id: `copy_${collection.singular}`,
        summary: `All that is held about one ${collection.noun}: as it is now, and its whole history; also of a deleted one`,
        responses: { 200: object(properties) },
        sentHeaders: { 200: ["Content-Disposition"] },
        errors: [404],
      },
      async handle(request, session) {
        const id = recordIdOf(collection, request);
        const copy = await copyOf(collection, store, id);
        if (!copy) throw recordNotFound(collection);
        logSecurityEvent(request, "copied", { principal: session.principal, target: `${name}/${id}` });
        const headers = { ...NO_STORE, "content-disposition": `attachment; filename="${name}-${id}.json"` };
        return showing(textAnswer(200, await toJson(copy), headers), () => [{ collection: name, ids: [id] }]);
      },
    },
  };
}

const AT_ONCE = 1_000; // entries

/** Writes the copy as JSON, made in pieces: others are answered meanwhile, though a record has a hundred thousand versions. */
async function toJson({ history, ...copy }: RecordCopy): Promise<string> {
  const pieces: string[] = [];
  for (let i = 0; i < history.length; i += AT_ONCE) {
    pieces.push(JSON.stringify(history.slice(i, i + AT_ONCE)).slice(1, -1));
    await nextTurn();
  }
  return `${JSON.stringify(copy).slice(0, -1)},"history":[${pieces.join(",")}]}`;
}

/**
 * Returns undefined for an id that never was. Throws IN_USE while other records refer to it. Content that only the record named goes with
 * it; what a crash leaves of that is removed by the next sweep.
 */
export async function eraseRecord(
  collection: Collection,
  store: Store,
  id: number,
  { by, source, content }: { by: Principal; source: Source; content?: ErasedContent | undefined },
): Promise<Erasure | undefined> {
  const hashes = (await content?.of(collection, store, id)) ?? [];
  const outcome = await store.erase(collection, id, by, source);
  if (!outcome) return undefined;
  if (outcome !== true) throw httpErrors.inUse([{ code: "IN_USE", ...describeUse(collection, outcome) }]);
  await content?.remove(hashes, store).catch((cause) => {
    throw httpErrors.filesLeft(cause);
  });
  const [entry] = await store.history.listEntries(collection.name, id, Number.MAX_SAFE_INTEGER, 1);
  if (!entry) throw new Error("an erasure that was just written is not stored");
  return { collection: collection.name, objectId: id, version: entry.version, at: entry.at, by: entry.by };
}

/** Returns all that is held about a record; undefined for an id that never was. */
export async function copyOf(collection: Collection, store: Store, id: number): Promise<RecordCopy | undefined> {
  const copiedAt = new Date().toISOString();
  const record = (await store.read(collection, id)) ?? null;
  const history: RecordCopy["history"] = [];
  for await (const { entry, state } of statesOf(collection, store, id)) {
    history.push(toHistoryEntry(entry, entry.changes ?? asNew(state)));
  }
  const isKnown = record !== null || history.length > 0;
  return isKnown ? { collection: collection.name, objectId: id, copiedAt, record, history } : undefined;
}
