// Says what a person may do with a collection, a record and its fields, and which role decides it.

import { EXPLAINED_RIGHTS } from "../../core/contract/explained-access.ts";
import { ACCESS_PATH, API_ROOT, isIdText } from "../../core/contract/paths.ts";
import { allowsSome } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Access } from "../access/access.ts";
import { explainAccess } from "../access/explain-access.ts";
import { askerOf } from "../access/row-conditions.ts";
import type { Store } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, object, type Schema } from "../http/json-schemas.ts";
import { readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { attributesOf } from "./auth/access-tokens.ts";
import { userNotFound } from "./persons.ts";
import { rightsOf } from "./store/role-rights.ts";

const TEXT: Schema = { type: "string" };
const YES_NO: Schema = { type: "boolean" };
const SHOWN: Schema = { enum: ["hidden", "masked", "readOnly", "changeable"] };
const GIVING = object({ name: TEXT, where: TEXT, isMet: YES_NO }, ["name"]);
const RIGHT = object(
  { right: { enum: EXPLAINED_RIGHTS }, isAllowed: YES_NO, roles: listOf(GIVING), isUnseen: { const: true }, sentence: TEXT },
  ["right", "isAllowed", "roles", "sentence"],
);
const FIELD = object({ field: TEXT, shown: SHOWN, roles: listOf(object({ name: TEXT, shown: SHOWN })), sentence: TEXT });
const ANSWER = object(
  {
    user: object({ id: TEXT, name: TEXT }),
    collection: TEXT,
    id: { type: "integer" },
    rights: listOf(RIGHT),
    fields: listOf(FIELD),
  },
  ["user", "collection", "rights", "fields"],
);

const PARAMETERS = {
  user: { ...text(64), meaning: "Whose access is explained; one's own unless given. Another's only to administrators." },
  collection: { ...text(64), meaning: "The name of the collection. It must be given." },
  id: {
    meaning: "The key of a record. Without it the answer is about the collection as a whole.",
    expects: "the key of a record",
    schema: { type: "integer", minimum: 1 },
    read: (given: string) => (isIdText(given) ? Number(given) : undefined),
  },
};

export interface ExplainParts {
  /** Has them as the caller may know them. */
  collections: readonly Collection[];
  store: Store;
  /** Has them as they are, with the records that the caller may see. */
  whole: Access & { store: Store };
}

export function explainedAccessRoute({ collections, store, whole }: ExplainParts): Route {
  return {
    url: API_ROOT + ACCESS_PATH,
    GET: {
      scope: "signed-in",
      doc: {
        id: "explain_access",
        summary: "What a person may do with a collection, or one of its records and its fields, by which role, in one sentence each",
        parameters: PARAMETERS,
        responses: { 200: ANSWER },
        errors: [404],
      },
      async handle(request, session) {
        const { user: asked = session.userId, collection: name, id } = readParameters(request.query, PARAMETERS);
        if (name === undefined) throw missing("collection", "the name of one");
        if (asked !== session.userId) requireScopes(request, session, ["admin"]);
        if (asked === undefined) throw missing("user", "the id of a person, because this is an API key of the organisation");
        const collection = collections.find((one) => one.name === name && allowsSome(session.scope, name));
        if (!collection) throw httpErrors.notFound("There is no collection with this name.");
        const user = await store.people.readUser(asked);
        if (!user) throw userNotFound();
        const all = whole.collections.find(({ name }) => name === collection.name) as Collection;
        const record = id === undefined || !(await store.read(collection, id)) ? undefined : await whole.store.read(all, id);
        if (id !== undefined && !record) throw httpErrors.notFound(`There is no ${collection.noun} with this key.`);
        const explained = await explainAccess({
          roles: rightsOf(user.roles, await store.people.listRoles()),
          asker: askerOf({ type: "user", id: user.id, name: user.name }, undefined, attributesOf(user)),
          collection: all,
          record,
          dictionary: whole,
          store: whole.store,
          hidden: session.hidden ?? new Map(),
        });
        const about = { user: { id: user.id, name: user.name }, collection: collection.name, ...(id !== undefined && { id }) };
        return jsonAnswer(200, { ...about, ...explained }, NO_STORE);
      },
    },
  };
}

function missing(parameter: string, expects: string) {
  return httpErrors.badParameters([{ parameter, code: "BAD_PARAMETER", detail: `${parameter} is needed: ${expects}.` }]);
}
