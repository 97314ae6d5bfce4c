// The routes of recipes and views alike: they say who sees one, and who saves, changes and deletes it.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, object, oneOfWords } from "../http/json-schemas.ts";
import { oneOf, readParameters } from "../http/query-parameters.ts";
import type { FieldReader } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { randomId } from "../people/auth/random-codes.ts";
import type { Kind } from "./kind.ts";
import { RECIPES } from "./recipes.ts";
import type { NotSaved, Saved } from "./store/saved.ts";
import { VIEWS } from "./views.ts";

export function savedRoutes(collections: readonly Collection[], store: Store): Route[] {
  return [RECIPES, VIEWS].flatMap((kind) => [
    { url: API_ROOT + kind.path, GET: listSaved(kind, collections, store), POST: createSaved(kind, collections, store) },
    { url: `${API_ROOT}${kind.path}/:id`, GET: readSaved(kind, store), PUT: changeSaved(kind, store), DELETE: deleteSaved(kind, store) },
  ]);
}

function listSaved(kind: Kind, collections: readonly Collection[], { saved }: Store): RouteHandler {
  const names = oneOf(...collections.map(({ name }) => name));
  const words = { expects: "a collection that you may read, by its name", meaning: `Only the ${kind.many} of this collection.` };
  const parameters = { collection: { ...names, ...words } };
  return {
    scope: "signed-in",
    doc: {
      id: `list_${kind.many}`,
      summary: kind.summaries.list,
      parameters,
      responses: { 200: object({ [kind.many]: listOf(kind.schemas.inList) }) },
    },
    async handle(request, { principal, scope }) {
      const { collection } = readParameters<{ collection: string }>(request.query, parameters);
      const all = await saved.listSaved(kind.kind, principal);
      const seen = all.filter((one) => kind.sees(scope, one.collection) && (!collection || one.collection === collection));
      return jsonAnswer(200, { [kind.many]: kind.inList(seen) }, NO_STORE);
    },
  };
}

function createSaved(kind: Kind, collections: readonly Collection[], store: Store): RouteHandler {
  const names = collections.map(({ name }) => name);
  const collection: FieldReader<string> = (given) =>
    names.includes(given as string) ? { value: given as string } : { problem: "collection must be one that you may read, by its name." };
  const { all, required, new: more } = kind.fields;
  const body = object({ collection: oneOfWords(names), ...all, ...more }, ["collection", ...required]);
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: kind.bodyLimit,
    doc: {
      id: `create_${kind.kind}`,
      summary: kind.summaries.create,
      body: { ...body, additionalProperties: false },
      responses: { 201: kind.schemas.one },
      sentHeaders: { 201: ["Location"] },
      errors: [409, 422],
    },
    async handle(request, { principal, scope }) {
      const { id = randomId(), createdBy = principal, ...given } = kind.readNew(request.body, collection);
      requireRight(kind, scope, given.collection, given.isShared);
      if (!isSame(createdBy, principal)) {
        if (!allows(scope, "admin")) throw httpErrors.insufficientScope("admin");
        await requireMaker(store, createdBy);
      }
      const now = Date.now();
      const made = { version: 1, createdAt: now, createdBy, updatedAt: now, updatedBy: principal };
      const item = accepted(kind, await store.saved.addSaved({ id, kind: kind.kind, ...given, ...made }, kind.most));
      return jsonAnswer(201, kind.toWire(item), { ...NO_STORE, location: `${API_ROOT}${kind.path}/${item.id}` });
    },
  };
}

function readSaved(kind: Kind, store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: { id: `read_${kind.kind}`, summary: kind.summaries.read, responses: { 200: kind.schemas.one }, errors: [404] },
    async handle(request, session) {
      return jsonAnswer(200, kind.toWire(await itemOf(kind, store, request, session)), NO_STORE);
    },
  };
}

function changeSaved(kind: Kind, store: Store): RouteHandler {
  const { all, required } = kind.fields;
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: kind.bodyLimit,
    doc: {
      id: `change_${kind.kind}`,
      summary: kind.summaries.change,
      body: { ...object({ ...all, version: { type: "integer", minimum: 1 } }, required), additionalProperties: false },
      responses: { 200: kind.schemas.one },
      errors: [404, 409, 412, 422],
    },
    async handle(request, session) {
      const { version, ...given } = kind.readChange(request.body);
      const { id, collection } = await ownItemOf(kind, store, request, session);
      requireRight(kind, session.scope, collection, given.isShared);
      const change = { ...given, updatedAt: Date.now(), updatedBy: session.principal };
      const changed = await store.saved.changeSaved(kind.kind, id, change, version, kind.most);
      if (changed === "missing") throw httpErrors.notFound(kind.errors.missing);
      if (changed === "other version") throw httpErrors.changedMeanwhile(kind.kind);
      return jsonAnswer(200, kind.toWire(accepted(kind, changed)), NO_STORE);
    },
  };
}

function deleteSaved(kind: Kind, store: Store): RouteHandler {
  return {
    scope: "signed-in",
    doc: { id: `delete_${kind.kind}`, summary: kind.summaries.delete, responses: { 204: null }, errors: [404] },
    async handle(request, session) {
      const { id } = await ownItemOf(kind, store, request, session);
      if (!(await store.saved.deleteSaved(kind.kind, id))) throw httpErrors.notFound(kind.errors.missing);
      return emptyAnswer(204);
    },
  };
}

/** Throws for a name or a number of items that the store has refused. */
function accepted({ errors }: Kind, outcome: Saved | NotSaved): Saved {
  if (typeof outcome === "string") throw errors[outcome]();
  if ("confusableWith" in outcome) throw httpErrors.nameConfusable(outcome);
  return outcome;
}

function requireRight(kind: Kind, scope: string, collection: string, isShared: boolean): void {
  const lacking = kind.lacks(scope, collection, isShared);
  if (lacking) throw httpErrors.insufficientScope(lacking);
}

/** People and keys are never deleted: whoever made an item is still there, perhaps disabled or revoked. */
async function requireMaker(store: Store, { type, id }: Principal): Promise<void> {
  if (type === "user" ? await store.people.readUser(id) : await store.readKey(id)) return;
  const detail = type === "user" ? `There is no person with the id ${id}.` : `There is no API key with the id ${id}.`;
  throw httpErrors.validation([{ pointer: "/createdBy", code: "REFERENCE_NOT_FOUND", detail }]);
}

function isSame(one: Principal, other: Principal): boolean {
  return one.type === other.type && one.id === other.id;
}

/** Throws NOT_FOUND, also for an item of a collection that the caller does not see, and for somebody else's own. */
async function itemOf(kind: Kind, { saved }: Store, request: FastifyRequest, { scope, principal }: Session): Promise<Saved> {
  const item = await saved.readSaved(kind.kind, idOf(request));
  const isSeen = item && kind.sees(scope, item.collection) && (item.isShared || isSame(item.createdBy, principal));
  if (!isSeen) throw httpErrors.notFound(kind.errors.missing);
  return item;
}

async function ownItemOf(kind: Kind, store: Store, request: FastifyRequest, session: Session): Promise<Saved> {
  const item = await itemOf(kind, store, request, session);
  const isOwn = isSame(item.createdBy, session.principal) && !kind.lacks(session.scope, item.collection, item.isShared);
  if (!isOwn && !allows(session.scope, "admin")) throw httpErrors.insufficientScope("admin");
  return item;
}
