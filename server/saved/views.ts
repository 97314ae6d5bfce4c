// Views of lists: readers of a collection have their own, and who writes its records makes some for all.

import type { FastifyRequest } from "fastify";
import { API_ROOT, VIEWS_PATH } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { allows } from "../../core/contract/scopes.ts";
import { MAX_VIEW_NAME, MAX_VIEW_SEARCH, MOST_VIEWS, MOST_VIEWS_OF_PERSON, type View } from "../../core/contract/views.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, oneOfWords, type Schema } from "../http/json-schemas.ts";
import { limitErrors } from "../http/limits.ts";
import { oneOf, readParameters } from "../http/query-parameters.ts";
import { type FieldReader, flag, line, optional, readFields, version } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { madeOnWire } from "./store/made-by.ts";
import type { StoredView } from "./store/views.ts";

const MOST = { all: MOST_VIEWS, ofMaker: MOST_VIEWS_OF_PERSON };
const VIEW = named("IntakeView");
const BODY_BYTES = 6 * (MAX_VIEW_SEARCH + 1_000); // each character may be written as \\u1234

const search: FieldReader<Record<string, string>> = (given) =>
  isObject(given) && Object.values(given).every((one) => typeof one === "string") && JSON.stringify(given).length <= MAX_VIEW_SEARCH
    ? { value: given as Record<string, string> }
    : { problem: `search must be an object of texts, of at most ${MAX_VIEW_SEARCH} characters of JSON.` };

const place: FieldReader<number> = (given) =>
  typeof given === "number" && Number.isFinite(given) ? { value: given } : { problem: "place must be a number." };

const idOfView: FieldReader<string> = (given) =>
  typeof given === "string" && /^[0-9a-f]{16}$/.test(given)
    ? { value: given }
    : { problem: "id must be 16 hexadecimal digits in lower case." };

const maker: FieldReader<Principal> = (given) =>
  isObject(given) && (given.type === "user" || given.type === "key") && typeof given.id === "string" && /^[\w-]{1,64}$/.test(given.id)
    ? { value: { type: given.type, id: given.id, name: "" } }
    : { problem: 'createdBy must be a person or an API key, such as { "type": "user", "id": "…" }.' };

/** What a view that comes back had. Names and times are not taken from the body. */
const COMING_BACK = { id: optional(idOfView), createdBy: optional(maker) };

const READERS = { name: line("name", MAX_VIEW_NAME), isShared: flag, search, place: optional(place) };

const FIELDS: Record<string, Schema> = {
  name: { type: "string", minLength: 1, maxLength: MAX_VIEW_NAME },
  isShared: { type: "boolean", description: "For everybody who reads the collection. It needs the right to create or update records." },
  search: { type: "object", additionalProperties: { type: "string" }, description: "As the app writes it. It is stored as it is." },
  place: { type: "number", description: "Where it stands among the others; left out: where it was, or last." },
};
const REQUIRED = ["name", "isShared", "search"];
const BACK_FIELDS: Record<string, Schema> = {
  id: {
    type: "string",
    pattern: "^[0-9a-f]{16}$",
    description:
      "That of a view that was deleted and comes back, so that links to it go on. Or a new one by the caller, so that a view that is sent twice is made once: the second answer is 409.",
  },
  createdBy: {
    ...object({ type: { enum: ["user", "key"] }, id: { type: "string", maxLength: 64 }, name: { type: "string" } }, ["type", "id"]),
    description: "Whose view comes back. It needs the right `admin`, unless it is the caller.",
  },
};

export function viewRoutes(collections: readonly Collection[], store: Store): Route[] {
  return [
    { url: API_ROOT + VIEWS_PATH, GET: listViews(collections, store), POST: createView(collections, store) },
    { url: `${API_ROOT}${VIEWS_PATH}/:id`, GET: readView(store), PUT: changeView(store), DELETE: deleteView(store) },
  ];
}

const toWire = (stored: StoredView): View => ({ ...stored, ...madeOnWire(stored) });

function listViews(collections: readonly Collection[], { views }: Store): RouteHandler {
  const parameters = { collection: { ...oneOf(...collections.map(({ name }) => name)), meaning: "Only the views of this collection." } };
  return {
    scope: "signed-in",
    doc: {
      id: "list_views",
      summary: "The views for all, and the caller's own, of all collections that the caller reads, in their order",
      parameters,
      responses: { 200: object({ views: listOf(VIEW) }) },
    },
    async handle(request, { principal, scope }) {
      const { collection } = readParameters<{ collection: string }>(request.query, parameters);
      const all = await views.listViews(principal);
      const seen = all.filter((one) => mayRead(scope, one.collection) && (!collection || one.collection === collection));
      return jsonAnswer(200, { views: seen.map(toWire) }, NO_STORE);
    },
  };
}

function createView(collections: readonly Collection[], store: Store): RouteHandler {
  const { views } = store;
  const names = collections.map(({ name }) => name);
  const collection: FieldReader<string> = (given) =>
    names.includes(given as string) ? { value: given as string } : { problem: `collection must be one of ${names.join(", ")}.` };
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: BODY_BYTES,
    doc: {
      id: "create_view",
      summary: "A new view of a list, for everybody who reads the collection or for the caller alone",
      body: {
        ...object({ collection: oneOfWords(names), ...FIELDS, ...BACK_FIELDS }, ["collection", ...REQUIRED]),
        additionalProperties: false,
      },
      responses: { 201: VIEW },
      sentHeaders: { 201: ["Location"] },
      errors: [409, 422],
    },
    async handle(request, { principal, scope }) {
      readParameters(request.query, {});
      const { id = randomId(), createdBy = principal, ...given } = readFields(request.body, { collection, ...READERS, ...COMING_BACK });
      if (!mayRead(scope, given.collection)) throw httpErrors.insufficientScope(`${given.collection}:read`);
      if (given.isShared && !mayShare(scope, given.collection)) throw httpErrors.insufficientScope(`${given.collection}:update`);
      const now = Date.now();
      if (!isSame(createdBy, principal) && !allows(scope, "admin")) throw httpErrors.insufficientScope("admin");
      if (!isSame(createdBy, principal)) await requireMaker(store, createdBy);
      const made = { createdAt: now, createdBy, updatedAt: now, updatedBy: principal };
      const added = await views.addView({ id, ...given, version: 1, ...made }, MOST);
      if (added === "taken") throw httpErrors.viewNameTaken();
      if (added === "full") throw httpErrors.tooManyViews();
      if (added === "share") throw limitErrors.viewShareUsed();
      if ("confusableWith" in added) throw httpErrors.nameConfusable(added);
      return jsonAnswer(201, toWire(added), { ...NO_STORE, location: `${API_ROOT}${VIEWS_PATH}/${added.id}` });
    },
  };
}

function readView(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: { id: "read_view", summary: "One view", responses: { 200: VIEW }, errors: [404] },
    async handle(request, session) {
      readParameters(request.query, {});
      return jsonAnswer(200, toWire(await viewOf(store, request, session)), NO_STORE);
    },
  };
}

function changeView(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: BODY_BYTES,
    doc: {
      id: "change_view",
      summary: "Writes a view anew: its maker or, of one for all, an administrator. With `version`, only if it is still that one",
      body: { ...object({ ...FIELDS, version: { type: "integer", minimum: 1 } }, REQUIRED), additionalProperties: false },
      responses: { 200: VIEW },
      errors: [404, 409, 412, 422],
    },
    async handle(request, session) {
      readParameters(request.query, {});
      const { version: expected, ...given } = readFields(request.body, { ...READERS, version: optional(version) });
      const { id, collection } = await ownViewOf(store, request, session);
      if (given.isShared && !mayShare(session.scope, collection)) throw httpErrors.insufficientScope(`${collection}:update`);
      const change = { ...given, updatedAt: Date.now(), updatedBy: session.principal };
      const changed = await store.views.changeView(id, change, expected, MOST);
      if (changed === "missing") throw viewNotFound();
      if (changed === "taken") throw httpErrors.viewNameTaken();
      if (changed === "full") throw httpErrors.tooManyViews();
      if (changed === "share") throw limitErrors.viewShareUsed();
      if (changed === "other version") throw httpErrors.changedMeanwhile("view");
      if ("confusableWith" in changed) throw httpErrors.nameConfusable(changed);
      return jsonAnswer(200, toWire(changed), NO_STORE);
    },
  };
}

function deleteView(store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: {
      id: "delete_view",
      summary: "Deletes a view: its maker or, of one for all, an administrator",
      responses: { 204: null },
      errors: [404],
    },
    async handle(request, session) {
      readParameters(request.query, {});
      const { id } = await ownViewOf(store, request, session);
      if (!(await store.views.deleteView(id))) throw viewNotFound();
      return emptyAnswer(204);
    },
  };
}

function mayRead(scope: string, collection: string): boolean {
  return allows(scope, `${collection}:read`);
}

function mayShare(scope: string, collection: string): boolean {
  return allows(scope, `${collection}:create`) || allows(scope, `${collection}:update`);
}

function isMaker({ createdBy }: StoredView, { principal }: Session): boolean {
  return isSame(createdBy, principal);
}

/** People and keys are never deleted: whoever made a view is still there, perhaps disabled or revoked. */
async function requireMaker(store: Store, { type, id }: Principal): Promise<void> {
  if (type === "user" ? await store.people.readUser(id) : await store.readKey(id)) return;
  const detail = type === "user" ? `There is no person with the id ${id}.` : `There is no API key with the id ${id}.`;
  throw httpErrors.validation([{ pointer: "/createdBy", code: "REFERENCE_NOT_FOUND", detail }]);
}

function isSame(one: Omit<Principal, "name">, other: Omit<Principal, "name">): boolean {
  return one.type === other.type && one.id === other.id;
}

/** Throws NOT_FOUND, also for a view of a collection that the caller does not read, and for somebody else's own. */
async function viewOf({ views }: Store, request: FastifyRequest, session: Session): Promise<StoredView> {
  const view = await views.readView(idOf(request));
  if (!view || !mayRead(session.scope, view.collection) || !(view.isShared || isMaker(view, session))) throw viewNotFound();
  return view;
}

async function ownViewOf(store: Store, request: FastifyRequest, session: Session): Promise<StoredView> {
  const view = await viewOf(store, request, session);
  const isOwn = isMaker(view, session) && (!view.isShared || mayShare(session.scope, view.collection));
  if (!isOwn && !allows(session.scope, "admin")) throw httpErrors.insufficientScope("admin");
  return view;
}

function viewNotFound() {
  return httpErrors.notFound("There is no view with this id, or it is somebody else's own.");
}
