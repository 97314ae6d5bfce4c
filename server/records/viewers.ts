// Says who has a record open: each tab says so again and again, and gets who else does.

import type { FastifyRequest } from "fastify";
import { API_ROOT, viewersPath } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import type { RecordPlace } from "../engine/viewers.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { type Parameter, readParameters } from "../http/query-parameters.ts";
import { emptyAnswer, jsonAnswer } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { recordIdOf, recordNotFound } from "./record-id.ts";

const KNOWN_FOR = 75_000; // ms after it was said; browsers wake a tab in the background once a minute

const TAB = "^[A-Za-z0-9_-]{1,32}$";
const tab: Parameter<string> = {
  expects: "1 to 32 letters, digits, _ or -",
  schema: { type: "string", pattern: TAB },
  read: (text) => (new RegExp(TAB).test(text) ? text : undefined),
};
const parameters = { tab };

/** People see each other. An API key gets an empty list, and does not appear. */
export function viewersRoute(collection: Collection, store: Store): Route {
  const { viewers } = store;
  const placeOf = async (request: FastifyRequest): Promise<RecordPlace> => {
    const id = recordIdOf(collection, request);
    if (!(await store.read(collection, id))) throw recordNotFound(collection);
    return { collection: collection.name, id };
  };
  return {
    url: API_ROOT + viewersPath(collection.name, ":id"),
    PUT: {
      scope: `${collection.name}:read`,
      isBackground: true,
      doc: {
        id: `view_${collection.singular}`,
        summary: `Says for ${KNOWN_FOR / 1_000} s that you have this ${collection.noun} open, in one tab or window of several, and answers who else does`,
        parameters,
        responses: { 200: object({ viewers: listOf(named("Principal")) }) },
        errors: [404],
      },
      async handle(request, { principal }) {
        const { tab = "" } = readParameters<{ tab: string }>(request.query, parameters);
        const place = await placeOf(request);
        if (principal.type !== "user") return jsonAnswer(200, { viewers: [] });
        const now = Date.now();
        await viewers.add(place, { person: principal, tab }, now + KNOWN_FOR);
        const people = await viewers.list(place, now);
        return jsonAnswer(200, { viewers: people.filter(({ id }) => id !== principal.id) });
      },
    },
    DELETE: {
      scope: `${collection.name}:read`,
      isBackground: true,
      doc: {
        id: `leave_${collection.singular}`,
        summary: `Says that this tab has the ${collection.noun} open no more`,
        parameters,
        responses: { 204: null },
        errors: [404],
      },
      async handle(request, { principal }) {
        const { tab = "" } = readParameters<{ tab: string }>(request.query, parameters);
        await viewers.remove(await placeOf(request), { person: principal, tab });
        return emptyAnswer(204);
      },
    },
  };
}
