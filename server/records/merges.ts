// Several records become one, and a merge is taken apart again.

import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { isMergeRun, type Merge, MOST_MERGED, NOBODY } from "../../core/contract/merges.ts";
import { API_ROOT, mergesPath } from "../../core/contract/paths.ts";
import { isRunId } from "../../core/contract/runs.ts";
import type { Right } from "../../core/contract/scopes.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withCurrentNames } from "../../core/dictionary/current-names.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { readFileValues } from "../../core/dictionary/files.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { checkNumber, validateRecord } from "../../core/dictionary/validate.ts";
import { presentWritten } from "../access/present-written.ts";
import type { AnswerForm, Batch, Store } from "../engine/store.ts";
import { requireScopes } from "../http/authenticate.ts";
import { httpErrors } from "../http/errors.ts";
import { answerOf, idempotencyOf } from "../http/idempotency.ts";
import { listOf, named, object, type Schema, schemaNames, writtenSchema } from "../http/json-schemas.ts";
import { acknowledge, clampedCount, flag, readParameters, text } from "../http/query-parameters.ts";
import { type FieldReader, optional, readFields } from "../http/read-fields.ts";
import { pathOf } from "../http/request.ts";
import { jsonAnswer, NO_STORE, showing } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import { type Session, unwritableFields } from "../people/auth/access-tokens.ts";
import { scopesForLookups } from "./expand.ts";
import { type CheckedValues, toValues, writeCorrectable } from "./write-one.ts";
import { writeSourceOf } from "./write-source.ts";

const MOST_LISTED = 100;
const MOST_ANSWERS = 4_000; // characters
const MOST_RUN = 64; // characters

const key: FieldReader<number> = (given) =>
  Number.isSafeInteger(given) ? { value: Number(given) } : { problem: "survivor must be the key of the record that stays." };

const others: FieldReader<number[]> = (given) => {
  const isList = Array.isArray(given) && given.length > 0 && given.length < MOST_MERGED && given.every(Number.isSafeInteger);
  return isList && new Set(given).size === given.length
    ? { value: given }
    : { problem: `others must be the keys of 1 to ${MOST_MERGED - 1} records that become part of the survivor, each once.` };
};

const versions: FieldReader<Record<string, number>> = (given) =>
  isObject(given) && Object.values(given).every(Number.isSafeInteger)
    ? { value: given as Record<string, number> }
    : { problem: "versions must have the version of each record that was looked at, by its key." };

const run: FieldReader<string> = (given) =>
  isMergeRun(given)
    ? { value: given }
    : { problem: "run must be 10 to 26 letters, digits or underscores, which name the merges of one run." };

const values: FieldReader<Record<string, unknown>> = (given) =>
  isObject(given) ? { value: given } : { problem: "values must be an object with what the survivor gets." };

/** An error of a dry run, as it would stand in the `errors` of a problem. */
const REFUSED: Schema = object(
  {
    ...{ pointer: { type: "string" }, code: { type: "string" }, detail: { type: "string" } },
    ...{ href: { type: "string" }, count: { type: "integer" }, rule: { type: "string" }, constraint: { type: "string" } },
  },
  ["code", "detail"],
);
const COUNTS: Schema = { type: "object", additionalProperties: { type: "integer", minimum: 0 } };

/** `whole`: every collection and field, also those that the caller may not see, for what refers to the records has to move. */
export function mergeRoutes(collection: Collection, whole: readonly Collection[], store: Store): Route[] {
  const url = API_ROOT + mergesPath(collection.name);
  return [
    { url, GET: listHandler(collection, store), POST: mergeHandler(collection, whole, store) },
    { url: `${url}/:id`, DELETE: apartHandler(collection, whole, store) },
  ];
}

function listHandler(collection: Collection, store: Store): RouteHandler {
  const { name } = collection;
  const listParameters = { survivor: clampedCount(Number.MAX_SAFE_INTEGER), run: text(MOST_RUN), limit: clampedCount(MOST_LISTED) };
  return {
    scope: `${name}:read`,
    doc: {
      id: `list_${name}_merges`,
      summary: `${collection.title}: the merges that can be taken apart, the latest first`,
      parameters: {
        ...listParameters,
        survivor: { ...listParameters.survivor, meaning: "Only those into this record." },
        run: { ...listParameters.run, meaning: "Only those of this run." },
      },
      responses: { 200: object({ merges: listOf(named("IntakeMerge")) }) },
    },
    async handle(request) {
      const asked = readParameters<{ survivor: number; run: string; limit: number }>(request.query, listParameters);
      const { survivor, run: of, limit = MOST_LISTED } = asked;
      const ofRun = of !== undefined && { run: isMergeRun(of) ? of : "" }; // of which no merge is, instead of one that cannot be one
      const found = await store.merges.listMerges(name, { limit, ...(survivor !== undefined && { survivor }), ...ofRun });
      const merges = found.map((one): Merge => ({ ...one, at: new Date(one.at).toISOString() }));
      const ids = merges.flatMap((one) => [one.survivor, ...one.others]);
      return showing(jsonAnswer(200, { merges }, NO_STORE), () => [{ collection: name, ids }]);
    },
  };
}

function mergeHandler(collection: Collection, whole: readonly Collection[], store: Store): RouteHandler {
  const { name } = collection;
  const record = writtenSchema(collection);
  const mergeParameters = { dryRun: flag, acknowledge };
  return {
    ...rightsOf(collection, whole),
    acceptedTypes: [JSON_TYPE],
    doc: {
      id: `merge_${name}`,
      summary: `${collection.title}: makes one record of 2 to ${MOST_MERGED}. What refers to the others refers to the survivor from then on, and their addresses lead to it`,
      parameters: mergeParameters,
      headers: ["Idempotency-Key", SOURCE_HEADER],
      body: bodySchema(collection),
      responses: {
        200: object({ record: { anyOf: [...record.anyOf, { type: "null" }] }, moved: COUNTS, errors: listOf(REFUSED) }),
        201: object({ id: { type: "string" }, record, moved: COUNTS, warnings: named("IntakeWarnings") }, ["id", "record", "moved"]),
      },
      errors: [404, ...(childrenOf(whole, collection).length > 0 ? [409] : []), 412, 422],
    },
    async handle(request, session) {
      const { dryRun = false, acknowledge: accepted } = readParameters(request.query, mergeParameters);
      const given = readFields(request.body, { survivor: key, others, values: optional(values), versions, run: optional(run) });
      const all = [given.survivor, ...given.others];
      requireDistinct(given);
      requireMovable(collection, whole, session);
      const input = withCurrentNames(collection, given.values ?? {});
      const checked = await withFilesOf(
        all,
        toValues(validateRecord(collection, input, { from: "json", partial: true })),
        collection,
        store,
      );
      if (Object.hasOwn(input, collection.key.name)) throw keyStays(collection);
      requireScopes(request, session, scopesForLookups(collection, [{ verb: "patch", id: given.survivor, given: checked.given }]));
      const id = [...(given.run === undefined ? [] : [given.run]), randomUUID()].join("-");
      const plan = {
        kind: "merge",
        id,
        survivor: given.survivor,
        others: given.others,
        versions: given.versions,
        values: checked,
      } as const;
      const form = { ...formOf(request, id), isDryRun: dryRun, isApart: false, others: all };
      const idempotency = idempotencyOf(request, session.owner, writeSourceOf(request));
      const batch: Batch = {
        ...{ collection, by: session.principal, source: { type: "merge", run: id }, ops: [], atomic: true, dryRun, form },
        merge: { ...plan, ...(accepted && { acknowledge: accepted }) },
        ...(!dryRun && idempotency),
      };
      return presentWritten(answerOf(await writeCorrectable(store, batch)), batch, session);
    },
  };
}

/** Returns the values, with those files that one of the records has, as the caller sees it: nobody names another one. */
async function withFilesOf(ids: readonly number[], checked: CheckedValues, collection: Collection, store: Store): Promise<CheckedValues> {
  const { given, problems = [], refused = {} } = checked;
  const files = collection.fields.filter(({ name, file, readOnly }) => file && !readOnly && (refused[name] ?? null) !== null);
  if (files.length === 0) return checked;
  const records = await Promise.all(ids.map((id) => store.read(collection, id)));
  const filesOf = (value: unknown) => [value ?? []].flat();
  const known = files
    .filter(({ name }) => {
      const there = records.flatMap((record) => filesOf(record?.[name]));
      const hashes = readFileValues(refused[name]).map(({ hash }) => hash);
      return filesOf(refused[name]).every((one) => there.includes(one)) && new Set(hashes).size === hashes.length;
    })
    .map(({ name }) => name);
  const tooMany = files.flatMap((field) => (field.item && checkNumber(field, filesOf(refused[field.name]).length)) || []);
  const left = [...problems.filter(({ field }) => !known.includes(field)), ...tooMany.filter(({ field }) => known.includes(field))];
  const own = Object.fromEntries(known.map((name) => [name, refused[name] as Value]));
  return { given: { ...given, ...own }, ...(left.length > 0 && { problems: left, refused }) };
}

function apartHandler(collection: Collection, whole: readonly Collection[], store: Store): RouteHandler {
  const { name } = collection;
  const record = writtenSchema(collection);
  const apartParameters = { values: { ...text(MOST_ANSWERS), meaning: MEANING } };
  return {
    ...rightsOf(collection, whole),
    doc: {
      id: `take_${name}_apart`,
      summary: `${collection.title}: takes a merge apart. Each record comes back, and what was moved and not changed since refers to it again`,
      parameters: apartParameters,
      headers: [SOURCE_HEADER],
      responses: {
        200: object({ id: { type: "string" }, record, back: listOf({ type: "integer" }), moved: COUNTS, kept: COUNTS }),
      },
      errors: [404, 409],
    },
    async handle(request, session) {
      const { values: answers = "" } = readParameters<{ values: string }>(request.query, apartParameters);
      const { id: given } = request.params as { id: string };
      const id = isRunId(given) ? given : ""; // which no merge has, instead of one that cannot be one, such as a NUL
      writeSourceOf(request);
      requireMovable(collection, whole, session);
      const fixed = [...unwritableFields(session, name)];
      const form = { ...formOf(request, id), isDryRun: false, isApart: true, others: [] };
      const batch: Batch = {
        ...{ collection, by: session.principal, source: { type: "unmerge", run: id }, ops: [], atomic: true, isRestore: true, form },
        merge: { kind: "apart", id, belongs: readAnswers(collection, answers), fixed },
      };
      return presentWritten(answerOf(await store.write(batch)), batch, session);
    },
  };
}

function bodySchema(collection: Collection): Schema {
  const properties = {
    survivor: { type: "integer" },
    others: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: MOST_MERGED - 1 },
    values: named(schemaNames(collection).part),
    versions: { ...COUNTS, description: "Key → the version that was looked at, of each of the records." },
    run: { type: "string", pattern: "^\\w{10,26}$", description: "Names the run of which this merge is part. Its id begins with it." },
  };
  return { ...object(properties, ["survivor", "others", "versions"]), additionalProperties: false };
}

/** Merging takes these rights, and so does taking apart. */
function rightsOf(collection: Collection, whole: readonly Collection[]) {
  const needed = [`${collection.name}:delete` as const, ...scopesAlongMerge(collection, whole)];
  return { scope: `${collection.name}:update` as const, alsoNeeds: () => needed };
}

const MEANING =
  "For each field that a 409 asks about, the key of the record to which the value of now belongs, as in `phone:7,email:none`; `none`: to nobody, and each record gets the value of before.";

function formOf(request: FastifyRequest, merge: string) {
  const sent = { pointer: "/values", isMany: false, instance: pathOf(request), requestId: request.id };
  return { kind: "merge", merge, ...sent } as const satisfies Partial<AnswerForm>;
}

function requireDistinct({ survivor, others, versions }: { survivor: number; others: number[]; versions: Record<string, number> }): void {
  if (others.includes(survivor))
    throw httpErrors.validation([{ pointer: "/others", code: "KIND", detail: "The survivor must not be among the others." }]);
  const missing = [survivor, ...others].filter((id) => !Object.hasOwn(versions, String(id)));
  if (missing.length > 0)
    throw httpErrors.validation([
      { pointer: "/versions", code: "REQUIRED", detail: `versions lacks the version of ${missing.join(", ")}, as it was looked at.` },
    ]);
}

function keyStays({ key: { name, title } }: Collection) {
  return httpErrors.validation([
    { pointer: `/values/${name}`, code: "READ_ONLY", detail: `The survivor keeps its ${title}. Leave it out.` },
  ]);
}

/** Returns the right to change each collection of which records may have to move. It is needed even if none does, so that a refusal tells nothing. */
export function scopesAlongMerge(collection: Pick<Collection, "name">, whole: readonly Collection[]): `${string}:${Right}`[] {
  return [...new Set(childrenOf(whole, collection).map(({ child }) => `${child.name}:update` as const))];
}

/** Whoever may not change a reference moves no record by it. Throws 403, whether there is such a record or not. */
function requireMovable(collection: Collection, whole: readonly Collection[], session: Session): void {
  const isFixed = childrenOf(whole, collection).some(({ child, field }) => unwritableFields(session, child.name).has(field.name));
  if (isFixed)
    throw httpErrors.forbiddenByRoles(`Your roles do not let you change what refers to a ${collection.noun}, so that it is not merged.`);
}

/** Reads `phone:7,email:none`. Throws BAD_PARAMETER. */
function readAnswers({ byName }: Collection, given: string): Record<string, number | string> {
  const answers: Record<string, number | string> = {};
  for (const one of given.split(",").filter(Boolean)) {
    const { field = "", owner = "" } = /^(?<field>[^:]+):(?<owner>\d{1,16}|none)$/.exec(one)?.groups ?? {};
    if (!byName.has(field))
      throw httpErrors.badParameters([
        {
          parameter: "values",
          code: "BAD_PARAMETER",
          detail: "values must be fields with the key of a record or none, as in phone:7,email:none.",
        },
      ]);
    answers[field] = owner === NOBODY ? NOBODY : Number(owner);
  }
  return answers;
}
