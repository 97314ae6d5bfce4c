// The API's home document (links, version, limits), and the limits by themselves.

import { MOST_KEYS_OF_PERSON } from "../../core/contract/keys.ts";
import { IDEMPOTENCY_HOURS } from "../../core/contract/limits.ts";
import {
  API_ROOT,
  collectionPath,
  DICTIONARY_PATH,
  LIMITS_PATH,
  OPENAPI_PATH,
  TOKEN_PATH,
  templatePath,
} from "../../core/contract/paths.ts";
import { MOST_RECIPES_OF_PERSON } from "../../core/contract/recipes.ts";
import { allowsSome } from "../../core/contract/scopes.ts";
import { MOST_VIEWS_OF_PERSON } from "../../core/contract/views.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Awaitable } from "../engine/script/awaitable.ts";
import type { Store } from "../engine/store.ts";
import { idempotencyKeyOf } from "../http/idempotency.ts";
import { object, type Schema, TIME } from "../http/json-schemas.ts";
import { LIMIT_MEANINGS, type Limits } from "../http/limits.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";

const COUNT: Schema = { type: "integer", minimum: 1 };

/** Limits that no setting changes. */
const FIXED = {
  idempotencyHours: IDEMPOTENCY_HOURS,
  keysPerPerson: MOST_KEYS_OF_PERSON,
  recipesPerPerson: MOST_RECIPES_OF_PERSON,
  viewsPerPerson: MOST_VIEWS_OF_PERSON,
};
const FIXED_MEANINGS: Record<keyof typeof FIXED, string> = {
  idempotencyHours: "hours for which an answer is kept under its idempotency key, at least",
  keysPerPerson: "API keys of a person that are neither revoked nor expired",
  recipesPerPerson: "recipes that a person may have made, with all their API keys, or a key of the organisation",
  viewsPerPerson:
    "views for everybody in one collection that a person may have made, with all their API keys, or a key of the organisation",
};

export function homeRoutes(collections: readonly Collection[], store: Store, limits: Limits): Route[] {
  const published = { ...limits, ...FIXED };
  const meanings = { ...LIMIT_MEANINGS, ...FIXED_MEANINGS };
  const schema = object(
    Object.fromEntries(Object.entries(meanings).map(([name, meaning]) => [name, { ...COUNT, description: `${meaning}.` }])),
  );
  const linksTo = ({ name, title }: Collection) => ({
    title,
    href: API_ROOT + collectionPath(name),
    template: API_ROOT + templatePath(name),
  });
  const home = {
    version: API_ROOT.slice(1),
    links: {
      dictionary: API_ROOT + DICTIONARY_PATH,
      limits: API_ROOT + LIMITS_PATH,
      openapi: API_ROOT + OPENAPI_PATH,
      token: API_ROOT + TOKEN_PATH,
      docs: "/docs",
    },
    limits: published,
  };
  const address = { type: "string", format: "uri-reference" };
  const homeSchema = object({
    version: { const: home.version },
    collections: { type: "object", additionalProperties: object({ title: { type: "string" }, href: address, template: address }) },
    links: object(Object.fromEntries(Object.keys(home.links).map((name) => [name, address]))),
    limits: schema,
    time: { ...TIME, description: "By the service's own clock. What others write and cannot be read yet will have a later time." },
  });
  const visible = (scope: string) => collections.filter(({ name }) => allowsSome(scope, name));
  const homeFor = async (scope: string) => {
    const own = Object.fromEntries(visible(scope).map((one) => [one.name, linksTo(one)]));
    return { ...home, collections: own, time: new Date(await store.time()).toISOString() };
  };
  const route = (url: string, id: string, summary: string, bodyFor: (scope: string) => Awaitable<unknown>, answer: Schema): Route => ({
    url,
    GET: {
      scope: "signed-in",
      doc: { id, summary, responses: { 200: answer } },
      async handle(_, { scope }) {
        return jsonAnswer(200, await bodyFor(scope));
      },
    },
  });
  // An idempotency key is sent back, so that a client learns whether its keys reach the service at all.
  const limitsRoute = route(API_ROOT + LIMITS_PATH, "limits", "The limits of this service", () => published, schema);
  const handler = limitsRoute.GET as RouteHandler;
  const limitsHandler: RouteHandler = {
    ...handler,
    doc: { ...handler.doc, headers: ["Idempotency-Key"], sentHeaders: { 200: ["Idempotency-Key?"] } },
    async handle(request, ...others) {
      const answer = await handler.handle(request, ...others);
      const key = idempotencyKeyOf(request);
      return key === undefined ? answer : { ...answer, headers: { ...answer.headers, "idempotency-key": key } };
    },
  };
  return [
    route(
      `${API_ROOT}/`,
      "home",
      "Links to the collections on which the caller has a right, the version and the limits",
      homeFor,
      homeSchema,
    ),
    { ...limitsRoute, GET: limitsHandler },
  ];
}
