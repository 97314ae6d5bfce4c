// Many writes in one request, each with an action of its own, in the order in which they are sent.

import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, batchPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import { ACTIONS, type Acknowledged, type Action, OPERATION_OUTCOMES } from "../../core/contract/records.ts";
import type { Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { AnswerForm, Store, WriteOp } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import { named, object, resultsSchema, type Schema, schemaNames } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { parseJsonRecords } from "../http/parse-json-body.ts";
import { acknowledge, readParameters } from "../http/query-parameters.ts";
import { pathOf } from "../http/request.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { BULK_PARAMETERS, idsOf, mostValues, toOps, writeBulk } from "./bulk-write.ts";
import { type PostOptions, toPost } from "./create-many.ts";
import { toDeletion } from "./delete-many.ts";
import { invalidForm, many, pointerOf, type Sent } from "./unwrap-body.ts";

const OPERATIONS = "operations";
const RECORD = "record";
const FORM = `{"${OPERATIONS}":[{"action":"create","${RECORD}":{…}}]}`;
const OPERATION_VALUES = 4; // of an operation besides those of its record

const PARAMETERS = { ...BULK_PARAMETERS, acknowledge };
const ACKNOWLEDGE: Schema = { anyOf: [{ const: "all" }, { type: "array", items: { type: "string" } }] };

const RIGHTS: Record<Action, readonly Right[]> = {
  create: ["create"],
  update: ["update"],
  upsert: ["create", "update"],
  delete: ["delete"],
};

const POSTS: Record<Exclude<Action, "delete">, PostOptions> = {
  create: { onConflict: "error", onMissing: "create" },
  update: { onConflict: "update", onMissing: "error" },
  upsert: { onConflict: "update", onMissing: "create" },
};

export function batchRoute(collection: Collection, collections: readonly Collection[], store: Store, limits: Limits): Route {
  const results = resultsSchema(collection, OPERATION_OUTCOMES);
  return {
    url: API_ROOT + batchPath(collection.name),
    POST: {
      scope: "signed-in",
      needsOneOf: [`${collection.name}:create`, `${collection.name}:update`, `${collection.name}:delete`],
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.collectionBytes,
      acceptsGzip: true,
      doc: {
        id: `post_${collection.name}_batch`,
        summary: `${collection.title}: creates, changes and deletes many in one request, each as its action says`,
        parameters: PARAMETERS,
        headers: ["Idempotency-Key", SOURCE_HEADER],
        body: bodySchema(collection, limits.recordsPerRequest),
        responses: { 200: results, 207: results },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const given = readParameters(request.query, PARAMETERS);
        const { onError = "stop", dryRun = false, unlessChangedSince } = given;
        const body = await parseJsonRecords(request.body, mostValues(collection, limits, OPERATION_VALUES));
        const sent = unwrapOperations(body, limits.recordsPerRequest);
        requireRights(collection, collections, sent.items, request, session);
        const { ops, rejected } = await toOps(sent.items, (item, i) => toOp(collection, item, pointerOf(sent, i), given));
        const atomic = onError === "stop";
        const form: AnswerForm = {
          kind: "results",
          verb: "mixed",
          atomic,
          pointer: sent.pointer,
          isMany: true,
          member: RECORD,
          ids: idsOf(
            collection,
            sent.items.map((item) => (isObject(item) ? item[RECORD] : undefined)),
          ),
          rejected,
          instance: pathOf(request),
          requestId: request.id,
        };
        return writeBulk(store, request, session, { collection, ops, isSequence: true, atomic, dryRun, unlessChangedSince, form });
      },
    },
  };
}

function bodySchema(collection: Collection, most: number): Schema {
  const action = { enum: ACTIONS };
  const operation = {
    ...object({ action, [RECORD]: named(schemaNames(collection).part), acknowledge: ACKNOWLEDGE }, ["action", RECORD]),
    additionalProperties: false,
  };
  const list = { type: "array", items: operation, minItems: 1, maxItems: most };
  return { anyOf: [object({ [OPERATIONS]: list }), list] };
}

/** Throws VALIDATION when the body has neither form, or nothing in it, and 413 for more than `most` operations. */
function unwrapOperations(body: unknown, most: number): Sent {
  const isWrapped = isObject(body) && Object.keys(body).length === 1 && Array.isArray(body[OPERATIONS]);
  const items = isWrapped ? body[OPERATIONS] : body;
  if (!Array.isArray(items)) throw invalidForm("", `Send operations in an array: ${FORM}.`);
  return { ...many(items, isWrapped ? `/${OPERATIONS}` : "", most), member: RECORD };
}

function isAction(action: unknown): action is Action {
  return ACTIONS.includes(action as Action);
}

/** Who may not do all of it does none of it. Throws 403. */
function requireRights(
  collection: Collection,
  collections: readonly Collection[],
  items: readonly unknown[],
  request: FastifyRequest,
  session: Session,
): void {
  const actions = new Set(items.map((item) => (isObject(item) ? item.action : undefined)).filter(isAction));
  const own = [...actions].flatMap((action) => RIGHTS[action]).map((right) => `${collection.name}:${right}` as const);
  const along = actions.has("delete") ? scopesAlongDeletion(collection, collections) : [];
  requireScopes(request, session, [...new Set([...own, ...along])]);
}

/** `pointer`: the record's. */
function toOp(
  collection: Collection,
  item: unknown,
  pointer: string,
  { match, acknowledge }: Pick<PostOptions, "match" | "acknowledge">,
): WriteOp | ProblemDetail[] {
  const own = pointer.slice(0, -(RECORD.length + 1)); // the operation's
  if (!isObject(item))
    return [{ pointer: own, code: "FORM", detail: `An operation is a JSON object: {"action":"create","${RECORD}":{…}}.` }];
  const { action, [RECORD]: record, acknowledge: names = acknowledge, ...others } = item;
  const problems: ProblemDetail[] = Object.keys(others).map((name) => ({
    pointer: `${own}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    code: "UNKNOWN_FIELD",
    detail: `An operation has "action", "${RECORD}" and "acknowledge", nothing else.`,
  }));
  if (!isAcknowledged(names))
    problems.push({ pointer: `${own}/acknowledge`, code: "KIND", detail: '"acknowledge" holds names of rules in an array, or is "all".' });
  if (!isAction(action)) {
    const code = action === undefined ? "REQUIRED" : "ENUM";
    problems.push({ pointer: `${own}/action`, code, detail: `"action" must be one of ${ACTIONS.join(", ")}.` });
  }
  if (record === undefined) {
    problems.push({ pointer, code: "REQUIRED", detail: `"${RECORD}" holds the ${collection.noun}; to delete it, its key is enough.` });
  }
  if (problems.length > 0 || !isAction(action) || !isAcknowledged(names)) return problems;
  if (action === "delete") return toDeletion(collection, record, pointer, match !== undefined);
  return toPost(collection, record, pointer, { ...POSTS[action], ...(match && { match }), acknowledge: names });
}

function isAcknowledged(given: unknown): given is Acknowledged | undefined {
  return given === undefined || given === "all" || (Array.isArray(given) && given.every((name) => typeof name === "string"));
}
