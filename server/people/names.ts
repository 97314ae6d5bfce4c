// Names of people, for whoever knows a field of a person: its values are ids.

import { API_ROOT, NAMES_PATH } from "../../core/contract/paths.ts";
import type { PersonName } from "../../core/contract/people.ts";
import { allows, allowsSome } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { listOf, object } from "../http/json-schemas.ts";
import { isNotModified } from "../http/preconditions.ts";
import { jsonAnswer, notModified } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { etagOfValues } from "./store/etags.ts";
import type { People } from "./store/people.ts";

const TEXT = { type: "string" };
const NAME = object({ id: TEXT, name: TEXT, email: TEXT, isActive: { type: "boolean" } }, ["id", "name", "isActive"]);

/**
 * Names everybody, also who has left: their names stand in records. Whoever knows no field of a person gets nobody, and whoever may not
 * enter people gets no addresses. `collections`: as the caller may know them.
 */
export function namesRoute(collections: readonly Collection[], people: People): Route {
  const naming = collections.filter(({ fields }) => fields.some(({ isPerson }) => isPerson)).map(({ name }) => name);
  return {
    url: API_ROOT + NAMES_PATH,
    GET: {
      scope: "signed-in",
      doc: {
        id: "list_names",
        summary: "The names of people, where a collection has a field of a person; with addresses for those who may enter people there",
        headers: ["If-None-Match"],
        responses: { 200: object({ people: listOf(NAME) }), 304: null },
        sentHeaders: { 200: ["ETag"], 304: ["ETag"] },
      },
      async handle(request, { scope }) {
        const isShown = naming.some((name) => allowsSome(scope, name));
        const enters = naming.some((name) => allows(scope, `${name}:create`) || allows(scope, `${name}:update`));
        const users = isShown ? await people.listUsers() : [];
        const names = users
          .map(({ id, name, email, status }): PersonName => ({ id, name, ...(enters && { email }), isActive: status !== "disabled" }))
          .sort((one, other) => compareNames(one.name, other.name, "en") || (one.id < other.id ? -1 : 1));
        const answer = jsonAnswer(
          200,
          { people: names },
          { "cache-control": "private, no-cache", etag: etagOfValues(JSON.stringify(names)) },
        );
        return isNotModified(request, answer) ? notModified(answer) : answer;
      },
    },
  };
}
