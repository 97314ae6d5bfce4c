// POST to a collection: one record or many, all or nothing or each on its own.

import { SOURCE_HEADER } from "../../core/contract/history.ts";
import type { Problem, ProblemDetail } from "../../core/contract/problems.ts";
import { type Acknowledged, type OnConflict, type OnDuplicate, type OnMissing, WRITE_OUTCOMES } from "../../core/contract/records.ts";
import type { Parent } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withCurrentNames } from "../../core/dictionary/current-names.ts";
import { type Field, isObject, type ReferenceField } from "../../core/dictionary/fields.ts";
import { type Unique, uniquesOf } from "../../core/dictionary/unique-keys.ts";
import { type CheckOptions, type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import type { AnswerForm, Store, WriteOp } from "../engine/store.ts";
import { bodyForms, listOf, named, object, resultsSchema, schemaNames, writtenSchema } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { parseJsonRecords } from "../http/parse-json-body.ts";
import { acknowledge, oneOf, type Parameter, parameterText, readParameters } from "../http/query-parameters.ts";
import { pathOf } from "../http/request.ts";
import { JSON_TYPE, type RouteHandler } from "../http/route.ts";
import { BULK_PARAMETERS, idsOf, isVersion, mostValues, toOps, versionMissing, writeBulk } from "./bulk-write.ts";
import { childDoc, requireParent } from "./children.ts";
import { asksForDuplicates, type CatchUp, duplicateParameter, requireCompared, withDuplicates } from "./on-duplicate.ts";
import { toDetails } from "./store-errors.ts";
import { notRecord, pointerOf, unwrap } from "./unwrap-body.ts";
import { type CheckedValues, toValues } from "./write-one.ts";

export interface PostOptions {
  onConflict: OnConflict;
  onMissing: OnMissing;
  match?: "version";
  /** Says which record is meant instead of the key. */
  matchBy?: Unique;
  /** The new records are children of this one, whose id stands in the address. */
  parent?: { field: ReferenceField; id: number };
  acknowledge?: Acknowledged | undefined;
}

/** `matchBy`: the key says which record is meant, another unique field, or several that are unique together. */
function parametersOf(collection: Collection) {
  const unique = [collection.key.name, ...uniquesOf(collection).map(({ name }) => name)];
  const { unlessChangedSince, ...older } = BULK_PARAMETERS;
  return {
    ...older,
    onConflict: oneOf<OnConflict>("error", "skip", "update"),
    onMissing: oneOf<OnMissing>("create", "error"),
    ...(unique.length > 1 && { matchBy: oneOf(...unique) }),
    unlessChangedSince,
    acknowledge,
    ...duplicateParameter(collection),
  };
}

type AllParameters = ReturnType<typeof parametersOf> & { matchBy: Parameter<string>; onDuplicate: Parameter<OnDuplicate> };

export interface CreateParts {
  store: Store;
  limits: Limits;
  catchUp: CatchUp;
}

/** `under`: they are made below a parent. */
export function createHandler(collection: Collection, { store, limits, catchUp }: CreateParts, under?: Parent): RouteHandler {
  const parameters = parametersOf(collection);
  return {
    scope: `${collection.name}:create`,
    insteadNeeds: ({ query }) =>
      isUpdate(query) && parameterText(query, "onMissing") === "error" ? `${collection.name}:update` : undefined, // nothing is made
    alsoNeeds: ({ query }) => [
      ...(isUpdate(query) ? [`${collection.name}:update` as const] : []),
      ...(under ? [`${under.parent.name}:read` as const] : []),
      ...(collection.match && asksForDuplicates(query) ? [`${collection.name}:read` as const] : []),
    ],
    acceptedTypes: [JSON_TYPE],
    bodyLimit: limits.collectionBytes,
    acceptsGzip: true,
    doc: { ...postDoc(collection, limits, under), parameters },
    async handle(request, session, { signal }) {
      requireCompared(collection, request);
      const given = readParameters(request.query, parameters as AllParameters);
      const parent = under && { field: under.field, id: await requireParent(under, store, request) };
      const { onError = "stop", onConflict = "error", onMissing = "create", dryRun = false, match, unlessChangedSince } = given;
      const matchBy = uniquesOf(collection).find(({ name }) => name === given.matchBy);
      const body = await parseJsonRecords(request.body, mostValues(collection, limits));
      const sent = unwrap(collection, body, limits.recordsPerRequest);
      const options = {
        onConflict,
        onMissing,
        acknowledge: given.acknowledge,
        ...(match && { match }),
        ...(matchBy && { matchBy }),
        ...(parent && { parent }),
      };
      const checked = await toOps(sent.items, (item, i) => toPost(collection, item, pointerOf(sent, i), options));
      const { rejected } = checked;
      const finding = { store, catchUp, owner: session.limitedAs, signal };
      const ops = await withDuplicates(given.onDuplicate, checked.ops, () => collection, finding);
      const atomic = onError === "stop";
      const place = { pointer: sent.pointer, isMany: sent.isMany, instance: pathOf(request), requestId: request.id };
      const form: AnswerForm = atomic
        ? { kind: "records", ...place, rejected }
        : { kind: "results", verb: "write", atomic, ...place, ids: idsOf(collection, sent.items), rejected };
      return writeBulk(store, request, session, { collection, ops, atomic, dryRun, unlessChangedSince, form });
    },
  };
}

function isUpdate(query: unknown): boolean {
  return parameterText(query, "onConflict") === "update";
}

function postDoc(collection: Collection, limits: Limits, under: Parent | undefined): RouteHandler["doc"] {
  const names = schemaNames(collection);
  const { anyOf: one } = writtenSchema(collection);
  const written = {
    anyOf: [...one, object({ [collection.name]: listOf(writtenSchema(collection)), warnings: named("IntakeWarnings") }, [collection.name])],
  };
  return {
    ...(under ? childDoc("post", collection, under) : { id: `post_${collection.name}` }),
    summary: `${collection.title}${under ? ` of one ${under.parent.noun}` : ""}: writes one or many, all or nothing or each for itself`,
    headers: ["Idempotency-Key", SOURCE_HEADER],
    body: bodyForms(collection, named(names.part), limits.recordsPerRequest),
    responses: { 200: written, 201: written, 207: resultsSchema(collection, WRITE_OUTCOMES) },
    sentHeaders: { 200: ["ETag?"], 201: ["ETag?", "Location?"] }, // of one record
    errors: [404, 409, 412, 422],
  };
}

/** Returns the op of a record, or what is wrong with it. `pointer`: where it stands in the body. */
export function toPost(collection: Collection, item: unknown, pointer: string, options: PostOptions): WriteOp | ProblemDetail[] {
  if (!isObject(item)) return notRecord(collection, pointer).extra.errors ?? [];
  const { onConflict, onMissing, match, matchBy } = options;
  const check = { from: "json", partial: onConflict === "update", isNew: true } as const;
  const values = validateChild(collection, item, check, options.parent);
  const isWrong = values.problems?.some(({ code }) => code !== "READ_ONLY"); // what is computed may be sent as it will be
  if (isWrong && onConflict !== "update") return toDetails(values.problems ?? [], pointer); // it is a new record, or none
  const named = { ...values.refused, ...values.given };
  const id = (named[collection.key.name] ?? null) as number | null;
  const missing = findMissing(collection, named, item, options);
  if (missing) return toDetails(values.problems ?? [missing], pointer);
  const ifMatch = match && isVersion(item.version) ? { ifMatch: [item.version] } : {};
  const by = matchBy === undefined ? {} : { match: { field: matchBy.name } };
  return { verb: "post", id, ...values, onConflict, onMissing, ...ifMatch, ...by, acknowledge: options.acknowledge };
}

/** A record below a parent has that one, and names no other. */
function validateChild(
  collection: Collection,
  item: Record<string, unknown>,
  check: CheckOptions,
  parent: PostOptions["parent"],
): CheckedValues {
  if (!parent) return toValues(validateRecord(collection, withCurrentNames(collection, item), check));
  const { field, id } = parent;
  const values = toValues(validateRecord(collection, { ...withCurrentNames(collection, item), [field.name]: id }, check));
  if (!Object.hasOwn(item, field.name) || item[field.name] === id) return values;
  const message = `${field.title} is not the one in the address. Leave it out, or send the record to the other address.`;
  return { ...values, problems: [...(values.problems ?? []), { field: field.name, code: "ID_MISMATCH", message }] };
}

/** Returns the key (or what stands for it) or version that these options need and the record lacks. */
function findMissing(collection: Collection, record: Fields, item: Record<string, unknown>, options: PostOptions): Problem | undefined {
  const { key } = collection;
  const naming = options.matchBy?.fields ?? [key];
  const unnamed = naming.find((field) => !isNamedBy(collection, record, field));
  const isNamed = unnamed === undefined;
  if (unnamed && options.onMissing === "error") {
    return { field: unnamed.name, code: "REQUIRED", message: `Without ${unnamed.title} there is no telling which one to change.` };
  }
  const isBlind = options.match && isNamed && options.onConflict === "update" && !isVersion(item.version);
  return isBlind ? versionMissing() : undefined;
}

/** A parent may be named by another value of its own. */
function isNamedBy({ lookups }: Collection, record: Fields, { name }: Field): boolean {
  const names = [name, ...[...lookups.values()].filter(({ fills }) => fills === name).map((lookup) => lookup.name)];
  return names.some((one) => (record[one] ?? null) !== null);
}
