// Many writes in one request, in the order in which they are sent; also of parents with their children.

import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, batchPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import { ACTIONS, type Acknowledged, type Action, type OnDuplicate, OPERATION_OUTCOMES } from "../../core/contract/records.ts";
import type { Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withCurrentNames } from "../../core/dictionary/current-names.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { WriteOp } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import { httpErrors } from "../http/errors.ts";
import { named, object, resultsSchema, type Schema, schemaNames } from "../http/json-schemas.ts";
import { parseJsonRecords } from "../http/parse-json-body.ts";
import { acknowledge, type Parameter, readParameters } from "../http/query-parameters.ts";
import { pathOf } from "../http/request.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { BULK_PARAMETERS, idsOf, mostValues, replayOf, toOps, writeBulk } from "./bulk-write.ts";
import { type CreateParts, type PostOptions, toPost } from "./create-many.ts";
import { toDeletion } from "./delete-many.ts";
import { asksForDuplicates, duplicateParameter, requireCompared, withDuplicates } from "./on-duplicate.ts";
import { invalidForm, many, pointerOf, type Sent } from "./unwrap-body.ts";

const OPERATIONS = "operations";
const RECORD = "record";
const REFERENCE = "$ref";
const ALL_OR_NOTHING =
  "Operations on several collections, and those that refer to each other, are all done or none: leave out onError=continue.";
const FORM = `{"${OPERATIONS}":[{"action":"create","${RECORD}":{…}}]}`;
const OPERATION_VALUES = 4; // of an operation besides those of its record

/** `onDuplicate`: known where records of the address are compared. */
function parametersOf(collection: Collection) {
  return { ...BULK_PARAMETERS, acknowledge, ...duplicateParameter(collection) };
}

type AllParameters = ReturnType<typeof parametersOf> & { onDuplicate: Parameter<OnDuplicate> };

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

export function batchRoute(collection: Collection, collections: readonly Collection[], { store, limits, catchUp }: CreateParts): Route {
  const parameters = parametersOf(collection);
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
        parameters,
        headers: ["Idempotency-Key", SOURCE_HEADER],
        body: bodySchema(collection, limits.recordsPerRequest),
        responses: { 200: results, 207: results },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session, { signal }) {
        requireCompared(collection, request);
        const given = readParameters(request.query, parameters as AllParameters);
        const { onError = "stop", dryRun = false, unlessChangedSince } = given;
        const body = await parseJsonRecords(request.body, mostValues(collection, limits, OPERATION_VALUES));
        const sent = unwrapOperations(body, limits.recordsPerRequest);
        const placed = sent.items.map((item) => placeOf(item, collection, collections));
        requireRights(placed, collections, request, session);
        const checked = await toOps(placed, (_, i) => toOp(placed, i, pointerOf(sent, i), given));
        const { rejected } = checked;
        const collectionOf = ({ of = collection.name }: WriteOp) => collections.find(({ name }) => name === of) ?? collection;
        const finding = { store, catchUp, owner: session.limitedAs, signal };
        const ops = await withDuplicates(given.onDuplicate, checked.ops, collectionOf, finding);
        const isSeveral = placed.some(({ isOther, references }) => isOther || references.length > 0);
        if (isSeveral && onError === "continue") throw invalidForm("", ALL_OR_NOTHING);
        const atomic = onError === "stop";
        const form = {
          kind: "results",
          verb: "mixed",
          atomic,
          pointer: sent.pointer,
          isMany: true,
          member: RECORD,
          ids: placed.map(({ of, record }) => idsOf(of, [record])[0]),
          rejected,
          ...(isSeveral && { of: placed.map(({ of, isOther }) => (isOther ? of.name : undefined)) }),
          instance: pathOf(request),
          requestId: request.id,
        } as const;
        const write = { collection, ops, isSequence: true, atomic, dryRun, unlessChangedSince, form, ...(isSeveral && { collections }) };
        if (!isSeveral || rejected.size === 0) return writeBulk(store, request, session, write);
        // An operation that is refused makes nothing, so there is no telling what is wrong with those that refer to it.
        const replay = await replayOf(store, request, session, write);
        if (!replay) throw httpErrors.validation([...rejected.values()].flat());
        return replay;
      },
    },
  };
}

function bodySchema(collection: Collection, most: number): Schema {
  const items = { anyOf: [named(schemaNames(collection).operation), named("IntakeOperation")] };
  const list = { type: "array", items, minItems: 1, maxItems: most };
  return { anyOf: [object({ [OPERATIONS]: list }), list] };
}

/** Throws VALIDATION when the body has neither form, or nothing in it, and 413 for more than `most` operations. */
function unwrapOperations(body: unknown, most: number): Sent {
  const isWrapped = isObject(body) && Object.keys(body).length === 1 && Array.isArray(body[OPERATIONS]);
  const items = isWrapped ? body[OPERATIONS] : body;
  if (!Array.isArray(items)) throw invalidForm("", `Send operations in an array: ${FORM}.`);
  return { ...many(items, isWrapped ? `/${OPERATIONS}` : "", most), member: RECORD };
}

/** An operation with the collection of its record. */
interface Placed {
  item: unknown;
  /** The collection of the address where the operation names none, or one that the caller does not have. */
  of: Collection;
  /** It is not the one of the address. */
  isOther: boolean;
  isKnown: boolean;
  record: unknown;
  /** Fields that refer to the record of another operation, with what says which one. */
  references: readonly (readonly [field: string, operation: unknown])[];
}

function placeOf(item: unknown, own: Collection, collections: readonly Collection[]): Placed {
  if (!isObject(item)) return { item, of: own, isOther: false, isKnown: true, record: undefined, references: [] };
  const { collection: name = own.name, [RECORD]: given } = item;
  const found = collections.find((one) => one.name === name);
  const of = found ?? own;
  const record = isObject(given) ? withCurrentNames(of, given) : given;
  const references = isObject(record)
    ? Object.entries(record).flatMap(([field, value]) => (isReference(value) ? [[field, value[REFERENCE]] as const] : []))
    : [];
  return { item, of, isOther: of !== own, isKnown: found !== undefined, record, references };
}

function isReference(value: unknown): value is { [REFERENCE]: unknown } {
  return isObject(value) && Object.hasOwn(value, REFERENCE) && Object.keys(value).length === 1;
}

function isAction(action: unknown): action is Action {
  return ACTIONS.includes(action as Action);
}

/** Who may not do all of it does none of it. Throws 403. */
function requireRights(placed: readonly Placed[], collections: readonly Collection[], request: FastifyRequest, session: Session): void {
  const needed = placed.flatMap(({ item, of }) => {
    const action = isObject(item) ? item.action : undefined;
    if (!isAction(action)) return [];
    const along = action === "delete" ? scopesAlongDeletion(of, collections) : [];
    const compared = action !== "update" && action !== "delete" && of.match && asksForDuplicates(request.query);
    return [...RIGHTS[action].map((right) => `${of.name}:${right}` as const), ...along, ...(compared ? [`${of.name}:read` as const] : [])];
  });
  requireScopes(request, session, [...new Set(needed)]);
}

/** Returns the op of the operation at this place. `pointer`: its record's. */
function toOp(
  placed: readonly Placed[],
  index: number,
  pointer: string,
  { match, acknowledge }: Pick<PostOptions, "match" | "acknowledge">,
): WriteOp | ProblemDetail[] {
  const { item, of, isOther, isKnown, record, references } = placed[index] as Placed;
  const own = pointer.slice(0, -(RECORD.length + 1)); // the operation's
  if (!isObject(item))
    return [{ pointer: own, code: "FORM", detail: `An operation is a JSON object: {"action":"create","${RECORD}":{…}}.` }];
  const { action, collection: name, [RECORD]: _, acknowledge: names = acknowledge, ...others } = item;
  const problems: ProblemDetail[] = Object.keys(others).map((name) => ({
    pointer: `${own}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    code: "UNKNOWN_FIELD",
    detail: `An operation has "action", "collection", "${RECORD}" and "acknowledge", nothing else.`,
  }));
  if (!isKnown) problems.push({ pointer: `${own}/collection`, code: "ENUM", detail: `There is no collection ${JSON.stringify(name)}.` });
  if (!isAcknowledged(names))
    problems.push({ pointer: `${own}/acknowledge`, code: "KIND", detail: '"acknowledge" holds names of rules in an array, or is "all".' });
  if (!isAction(action)) {
    const code = action === undefined ? "REQUIRED" : "ENUM";
    problems.push({ pointer: `${own}/action`, code, detail: `"action" must be one of ${ACTIONS.join(", ")}.` });
  }
  if (record === undefined) {
    problems.push({ pointer, code: "REQUIRED", detail: `"${RECORD}" holds the ${of.noun}; to delete it, its key is enough.` });
  }
  const madeBy = new Map<string, number>();
  for (const [field, operation] of references) {
    const at = referredTo(placed, index, field, operation);
    if (typeof at === "number") madeBy.set(field, at);
    else problems.push({ pointer: `${pointer}/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`, code: "FORM", detail: at.wrong });
  }
  if (problems.length > 0 || !isAction(action) || !isAcknowledged(names)) return problems;
  const op =
    action === "delete"
      ? toDeletion(of, record, pointer, match !== undefined)
      : toPost(of, withPlaceholders(of, record, madeBy), pointer, { ...POSTS[action], ...(match && { match }), acknowledge: names });
  if (Array.isArray(op)) return op;
  return { ...op, ...(isOther && { of: of.name }), ...(madeBy.size > 0 && { madeBy: Object.fromEntries(madeBy) }) };
}

/** Returns the place of the earlier operation whose record the field refers to, or the sentence that says why it cannot. */
function referredTo(placed: readonly Placed[], index: number, name: string, operation: unknown): number | { wrong: string } {
  const field = placed[index]?.of.byName.get(name);
  if (!field?.reference) return { wrong: `Only a field that refers to another record takes {"${REFERENCE}":…}.` };
  const at = typeof operation === "string" && /^\d+$/.test(operation) ? Number(operation) : operation;
  if (typeof at !== "number" || !Number.isInteger(at) || at < 0 || at >= index)
    return { wrong: `"${REFERENCE}" is the place of an earlier operation of this request: "0" is the first.` };
  const { of, item } = placed[at] as Placed;
  if (of.name !== field.reference.collection || (isObject(item) && item.action === "delete"))
    return { wrong: `Operation ${at} makes no record of ${field.reference.collection}, to which ${field.title} refers.` };
  return at;
}

/** Returns the record with a key in each of these fields that is valid for now: the store puts the true one there. */
function withPlaceholders({ byName }: Collection, record: unknown, madeBy: ReadonlyMap<string, number>): unknown {
  if (madeBy.size === 0 || !isObject(record)) return record;
  const keys = [...madeBy.keys()].map((name) => [name, Number(byName.get(name)?.minimum ?? 1)]);
  return { ...record, ...Object.fromEntries(keys) };
}

function isAcknowledged(given: unknown): given is Acknowledged | undefined {
  return given === undefined || given === "all" || (Array.isArray(given) && given.every((name) => typeof name === "string"));
}
