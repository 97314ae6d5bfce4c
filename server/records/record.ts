// One record: GET, PUT, PATCH, DELETE.

import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, recordPath } from "../../core/contract/paths.ts";
import { childrenOf, type Parent, parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withCurrentNames } from "../../core/dictionary/current-names.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { type Awaitable, whenThere } from "../engine/script/awaitable.ts";
import type { Answer, Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { bodyForms, named, type Schema, schemaNames, writtenSchema } from "../http/json-schemas.ts";
import { parseJson } from "../http/parse-json-body.ts";
import { ifMatch, ifNoneMatch, isNotModified } from "../http/preconditions.ts";
import { acknowledge, type Parameters, readParameters } from "../http/query-parameters.ts";
import { jsonAnswer, notModified, readAnswer, showing } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Shows } from "../people/auth/read-audit.ts";
import { expandParameter, expandRecords, parentsIn, scopesForParents } from "./expand.ts";
import { leadToSurvivor } from "./merged-address.ts";
import { newRecordIdOf, recordIdOf } from "./record-id.ts";
import { unwrapOne } from "./unwrap-body.ts";
import { type CheckedValues, createWriteOne, toValues } from "./write-one.ts";

export function recordRoute(collection: Collection, collections: readonly Collection[], store: Store): Route {
  const parents = parentsOf(collection, collections);
  const write = createWriteOne(collection, store);
  const docs = docsOf(collection, { isParent: childrenOf(collections, collection).length > 0, parents });
  const alongDeletion = scopesAlongDeletion(collection, collections);
  return {
    url: `${API_ROOT}/${collection.name}/:id`,
    GET: readHandler(collection, parents, store, docs.GET),
    PUT: {
      scope: `${collection.name}:update`,
      // Without If-Match it creates the record where there is none.
      alsoNeeds: ({ headers }) => (headers["if-match"] === undefined ? [`${collection.name}:create`] : []),
      doc: docs.PUT,
      acceptedTypes: [JSON_TYPE],
      async handle(request, session) {
        const given = readParameters(request.query, { acknowledge });
        const id = await newRecordIdOf(collection, request, store);
        return write(request, session, () => {
          const { pointer, ...values } = readOne(collection, request, id, false);
          return { op: { verb: "put", id, ...values, ...ifMatch(request, id), ...ifNoneMatch(request, id), ...given }, pointer };
        });
      },
    },
    PATCH: {
      scope: `${collection.name}:update`,
      doc: docs.PATCH,
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      async handle(request, session) {
        const given = readParameters(request.query, { acknowledge });
        const id = recordIdOf(collection, request);
        return write(request, session, () => {
          const { pointer, ...values } = readOne(collection, request, id, true);
          return { op: { verb: "patch", id, ...values, ...ifMatch(request, id), ...given }, pointer };
        });
      },
    },
    DELETE: {
      scope: `${collection.name}:delete`,
      alsoNeeds: () => alongDeletion,
      doc: docs.DELETE,
      async handle(request, session) {
        const id = recordIdOf(collection, request);
        return write(request, session, () => ({ op: { verb: "delete", id, ...ifMatch(request, id) }, pointer: "" }));
      },
    },
  };
}

function readHandler(collection: Collection, parents: readonly Parent[], store: Store, doc: RouteHandler["doc"]): RouteHandler {
  const parameters = expandParameter(parents);
  return {
    scope: `${collection.name}:read`,
    alsoNeeds: ({ query }) => scopesForParents(parents, query),
    doc: { ...doc, parameters },
    handle(request, { limitedAs: owner }, end) {
      const { expand = [] } = readParameters<{ expand: string[] }>(request.query, parameters as Parameters<{ expand: string[] }>);
      const id = recordIdOf(collection, request);
      const wanted = parents.filter(({ field }) => expand.includes(field.reference.as));
      const elsewhere = () => leadToSurvivor(collection, store, request, (survivor) => recordPath(collection.name, survivor));
      /** Says what was found, where If-Match allows its version. */
      const allowed = <T extends { version: number }>(found: T): T => {
        const { ifMatch: versions } = ifMatch(request, id);
        if (versions && versions !== "any" && !versions.includes(found.version)) throw httpErrors.preconditionFailed();
        return found;
      };
      // It has no ETag: what is beside the record changes without a new version of it.
      if (wanted.length > 0)
        return whenThere(store.read(collection, id), async (record) => {
          if (!record) return elsewhere();
          const [expanded = {}] = await expandRecords(store, [allowed(record)], wanted, { owner, signal: end.signal });
          const shows = () => [{ collection: collection.name, ids: [id] }, ...parentsIn([expanded], wanted)];
          return showing(jsonAnswer(200, expanded), shows);
        });
      const shows = () => [{ collection: collection.name, ids: [id] }];
      return whenThere(store.readJson(collection, id), (found): Awaitable<Answer & Shows> => {
        if (!found) return elsewhere();
        const answer = readAnswer(id, allowed(found));
        return showing(isNotModified(request, answer) ? notModified(answer) : answer, shows);
      });
    },
  };
}

function docsOf(collection: Collection, { isParent, parents }: { isParent: boolean; parents: readonly Parent[] }) {
  const { singular, noun } = collection;
  const names = schemaNames(collection);
  const one = (name: string): Schema => bodyForms(collection, named(name), 1);
  const record = named(names.record);
  const written = writtenSchema(collection);
  return {
    GET: {
      id: `read_${singular}`,
      summary: `One ${noun}`,
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: record, 304: null, 308: null },
      sentHeaders: { 200: [parents.length > 0 ? "ETag?" : "ETag"], 304: ["ETag"], 308: ["Location"] },
      errors: [404, 412],
    },
    PUT: {
      id: `put_${singular}`,
      summary: `Replaces a ${noun}, or creates it under this id`,
      parameters: { acknowledge },
      headers: ["If-Match", "If-None-Match", SOURCE_HEADER],
      body: one(names.whole),
      responses: { 200: written, 201: written },
      sentHeaders: { 200: ["ETag"], 201: ["ETag", "Location"] },
      errors: [409, 412, 422],
    },
    PATCH: {
      id: `patch_${singular}`,
      summary: `Changes the fields that are given (RFC 7396)`,
      parameters: { acknowledge },
      headers: ["If-Match", "Idempotency-Key", SOURCE_HEADER],
      body: one(names.part),
      responses: { 200: written },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 409, 412, 422],
    },
    DELETE: {
      id: `delete_${singular}`,
      summary: `Deletes a ${noun}; again is the same`,
      headers: ["If-Match", SOURCE_HEADER],
      responses: { 204: null },
      errors: [404, ...(isParent ? [409] : []), 412],
    },
  };
}

/** Returns the record in the body and the JSON pointer to it. Throws ID_MISMATCH for another id than the path has. */
function readOne(collection: Collection, request: FastifyRequest, id: number, partial: boolean): CheckedValues & { pointer: string } {
  const { item, pointer } = unwrapOne(collection, parseJson(request.body));
  const values = toValues(validateRecord(collection, withCurrentNames(collection, item), { from: "json", partial }));
  const { key } = collection;
  const isWrongKey = values.problems?.some(({ field }) => field === key.name);
  if (Object.hasOwn(item, key.name) && values.given[key.name] !== id && !isWrongKey) {
    const detail = `The ${key.title} in the body is not the one in the address; it never changes.`;
    throw httpErrors.validation([{ pointer: `${pointer}/${key.name}`, code: "ID_MISMATCH", detail }], "ID_MISMATCH");
  }
  return { ...values, pointer };
}
