// Lists records that may be stored twice, finds those that are like one that somebody types, and keeps pairs apart.

import type { FastifyRequest } from "fastify";
import { type DuplicatePair, differentPath, duplicatesPath, similarPath } from "../../core/contract/duplicates.ts";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { canonical } from "../../core/dictionary/canonical.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compareRecords, toCompared } from "../../core/dictionary/compare-records.ts";
import type { Match } from "../../core/dictionary/match.ts";
import type { StoredPair } from "../engine/duplicate-pairs.ts";
import { type Scan, slicesOf } from "../engine/match-scan.ts";
import type { ReadOptions, Store } from "../engine/store.ts";
import { type Cursors, MAX_CURSOR } from "../http/cursor.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, schemaNames } from "../http/json-schemas.ts";
import { parseJson } from "../http/parse-json-body.ts";
import { clampedCount, readParameters, text } from "../http/query-parameters.ts";
import { type FieldReader, readFields } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, showing } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { recordNotFound } from "../records/record-id.ts";
import { findSimilar, MOST_FOUND, readSeen } from "../records/similar-records.ts";
import { unwrapOne } from "../records/unwrap-body.ts";

interface DuplicateParts {
  store: Store;
  cursors: Cursors;
  /** The collections as they are, also for callers who know less of them. */
  whole: { collections: readonly Collection[] };
}

const PAIRS = 20;
const MOST_PAIRS = 100;
const MOST_READ = 5; // times as many pairs as are asked for: then a page is short

/** Returns no route where nothing is compared that the caller knows. `collection`: as the caller knows it. */
export function duplicateRoutes(collection: Collection, parts: DuplicateParts): Route[] {
  const { match } = collection;
  if (!match) return [];
  return [listRoute(collection, match, parts), similarRoute(collection, match, parts), differentRoute(collection, parts)];
}

function listRoute(collection: Collection, match: Match, { store, cursors, whole }: DuplicateParts): Route {
  const { name } = collection;
  // The order of the points would tell who does not know all that is compared of what they do not know.
  const isByKey = canonical(whole.collections.find((one) => one.name === name)?.match) !== canonical(match);
  const list = JSON.stringify(["duplicates", name, isByKey]);
  const parameters = { limit: clampedCount(MOST_PAIRS), cursor: text(MAX_CURSOR) };
  return {
    url: API_ROOT + duplicatesPath(name),
    GET: {
      scope: `${name}:read`,
      compresses: true,
      doc: {
        id: `duplicates_${name}`,
        summary: `${collection.title} that may be stored twice: pairs, with why they are alike`,
        parameters,
        responses: {
          200: object(
            {
              pairs: { ...listOf(named("IntakeDuplicatePair")), description: "The most alike first." },
              [name]: { ...listOf(named(schemaNames(collection).record)), description: "The records of the pairs." },
              progress: { type: "number", minimum: 0, maximum: 1, description: "The part of the records that has been looked through." },
              next: { type: "string", description: "The cursor of the next page, if there may be one." },
            },
            ["pairs", name, "progress"],
          ),
        },
      },
      async handle(request, { limitedAs: owner }, { signal }) {
        const { limit = PAIRS, cursor } = readParameters<{ limit: number; cursor: string }>(request.query, parameters);
        const place = cursor === undefined ? undefined : cursors.open(list, cursor);
        const [a, b, from] = place && "after" in place ? place.after.map(Number) : [];
        const after = a === undefined ? undefined : { a, b: Number(b), place: Number(from) };
        const found = await findPairs(collection, match, { store, isByKey, limit, options: { owner, signal } }, after);
        const { last } = found;
        const body = {
          pairs: found.pairs,
          [name]: [...found.records.values()],
          progress: progressOf(await store.duplicates.readScan(name)),
          ...(last && { next: cursors.seal(list, { after: [last.a, last.b, last.place] }) }),
        };
        return showing(jsonAnswer(200, body), () => [{ collection: name, ids: [...found.records.keys()] }]);
      },
    },
  };
}

interface Finding {
  store: Store;
  isByKey: boolean;
  limit: number;
  options: ReadOptions;
}

/** Reads on until the page is full: pairs of which the caller sees one record only, or which are alike in what is hidden, are left out. */
async function findPairs(collection: Collection, match: Match, { store, isByKey, limit, options }: Finding, from: StoredPair | undefined) {
  const pairs: DuplicatePair[] = [];
  const records = new Map<number, WireRecord>();
  let last = from;
  for (let round = 0; round < MOST_READ; round++) {
    const stored = await store.duplicates.listPairs(collection.name, last, limit, isByKey);
    const seen = await readSeen(
      collection,
      store,
      stored.flatMap(({ a, b }) => [a, b]),
      options,
    );
    for (const pair of stored) {
      last = pair;
      const [one, other] = [seen.get(pair.a), seen.get(pair.b)];
      const likeness = one && other && compareRecords(match, toCompared(match, one), toCompared(match, other));
      if (!likeness?.level) continue;
      const { level, score, reasons } = likeness;
      pairs.push({ a: pair.a, b: pair.b, level, score, reasons });
      records.set(pair.a, one as WireRecord).set(pair.b, other as WireRecord);
      if (pairs.length === limit) return { pairs, records, last };
    }
    if (stored.length < limit) return { pairs, records, last: undefined };
  }
  return { pairs, records, last };
}

/** Half of the work is to note the keys of records, and half to compare those that share some. */
function progressOf(scan: Scan | undefined): number {
  if (!scan) return 0;
  const { phase, seen, total, after } = scan;
  if (phase === "done") return 1;
  const half = phase === "pairs" ? 1 + (after ?? 0) / slicesOf(scan) : Math.min(1, seen / Math.max(1, total));
  return Math.floor(half * 50) / 100;
}

function similarRoute(collection: Collection, match: Match, { store }: DuplicateParts): Route {
  const { name, noun, singular } = collection;
  return {
    url: API_ROOT + similarPath(name),
    POST: {
      scope: `${name}:read`,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `find_similar_${name}`,
        summary: `Finds up to ${MOST_FOUND} stored ${collection.title} that may be the ${noun} that is sent, which is not stored`,
        body: { type: "object", description: `Values of a ${noun}, also under "${singular}".` },
        responses: {
          200: object({
            similar: { ...listOf(named("IntakeSimilarRecord")), description: "The most alike first." },
            [name]: { ...listOf(named(schemaNames(collection).record)), description: "The records." },
          }),
        },
        errors: [422],
      },
      async handle(request, { limitedAs: owner }, { signal }) {
        const { item } = unwrapOne(collection, parseJson(request.body));
        const [found = []] = await findSimilar(collection, match, store, [item], { owner, signal });
        const body = { similar: found.map(({ similar }) => similar), [name]: found.map(({ record }) => record) };
        return showing(jsonAnswer(200, body), () => [{ collection: name, ids: found.map(({ similar }) => similar.id) }]);
      },
    },
  };
}

const isDifferent: FieldReader<false> = (given) =>
  given === false ? { value: false } : { problem: "same must be false. To make two records one, merge them; to take it back, delete it." };

function differentRoute(collection: Collection, { store }: DuplicateParts): Route {
  const { name, noun, singular } = collection;
  const scope = `${name}:update` as const;
  const pairOf = async (request: FastifyRequest) => {
    const [, one, other] = /^(\d{1,16})-(\d{1,16})$/.exec((request.params as { pair: string }).pair) ?? [];
    const [a = 0, b = 0] = [Number(one), Number(other)].sort((x, y) => x - y);
    if (one === undefined || a === b || !Number.isSafeInteger(b))
      throw httpErrors.notFound("The address ends with the keys of two records, such as 7-9.");
    const seen = await readSeen(collection, store, [a, b], {});
    if (seen.size < 2) throw recordNotFound(collection);
    return { collection: name, a, b };
  };
  return {
    url: API_ROOT + differentPath(name, ":pair"),
    PUT: {
      scope,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `put_different_${name}`,
        summary: `Says that two ${collection.title} are not the same, until what is compared of one of them changes`,
        body: { ...object({ same: { const: false } }), additionalProperties: false },
        responses: { 200: named("IntakeDifferentPair") },
        errors: [404, 422],
      },
      async handle(request, { principal: by }) {
        readFields(request.body, { same: isDifferent });
        const pair = await pairOf(request);
        const at = Date.now();
        await store.duplicates.keepDifferent({ ...pair, at, by });
        return jsonAnswer(200, { a: pair.a, b: pair.b, same: false, at: new Date(at).toISOString(), by });
      },
    },
    DELETE: {
      scope,
      doc: {
        id: `delete_different_${singular}`,
        summary: `Takes back that two records are not the same ${noun}; again is the same`,
        responses: { 204: null },
        errors: [404],
      },
      async handle(request) {
        await store.duplicates.endDifferent(await pairOf(request));
        return emptyAnswer(204);
      },
    },
  };
}
