// Requests to a collection with their answers, as examples of the OpenAPI document. The tests send each to a real service.

import type { ProblemBody } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { sampleTexts } from "../../core/dictionary/sample-texts.ts";
import { type Fields, isValue, validateRecord, valueOfKind } from "../../core/dictionary/validate.ts";
import { csvLine } from "../../core/text/csv.ts";
import { httpErrors } from "../http/errors.ts";
import { limitErrors } from "../http/limits.ts";
import { problemBody } from "../http/problem.ts";

export interface Example {
  operationId: string;
  /** Is unique in the operation. */
  name: string;
  summary: string;
  /** Begins with `?`. */
  query?: string;
  body?: unknown;
  status: number;
  answer?: unknown;
  /** It is about the record 7, which must be there. */
  needsRecord: boolean;
}

export const EXAMPLE_ID = 7;
const MOST_FIELDS = 30; // of a collection whose records are shown whole; of a wider one only what is sent, and that once
const MOST_OPTIONAL = 4; // values in an example besides the required ones
const NEW_ID = 1_000_000_001; // the first that the service assigns
const AT = "2026-11-24T09:30:00.000Z";
const BY = { type: "key", id: "k5zq3vwm", name: "ERP" };

type Own = Pick<Example, "name" | "summary" | "status"> & Partial<Example>;

/** Is empty for a collection with a required field for which no value is known, because it has a pattern and no example. */
export function examplesOf(collection: Collection): Example[] {
  const sent = sampleOf(collection);
  if (!sent || collection.references.some(({ required }) => required)) return [];
  const { name, singular, key } = collection;
  const changed = collection.fields.find((field) => field !== key && !field.unique && field.name in sent);
  if (!changed) return [];
  const change = { [changed.name]: sent[changed.name] };
  const made = stored(collection, sent, NEW_ID);
  const read = stored(collection, sent, EXAMPLE_ID);
  const result = resultIn(collection);
  const summary = (counts: Record<string, number>) => ({
    total: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    ...counts,
  });
  const of = (operationId: string, needsRecord: boolean, own: Own): Example => ({ operationId, needsRecord, ...own });
  const post = (own: Own, needsRecord = false) => of(`post_${name}`, needsRecord, own);
  const listed = { name: "page", summary: "A page", status: 200, answer: { [name]: [read] } };
  const examples = [
    of(`list_${name}`, true, listed),
    post({ name: "one", summary: "One record", body: sent, status: 201, answer: made }),
    post({ name: "many", summary: "Many records, all or nothing", body: { [name]: [sent] }, status: 201, answer: { [name]: [made] } }),
    post({
      name: "partialFailure",
      summary: "Each for itself, with onError=continue",
      query: "?onError=continue",
      body: [sent, {}],
      status: 207,
      answer: {
        results: [result("created", 201, NEW_ID), { index: 1, outcome: "failed", status: 422, problem: rejectionOf(collection, "/1") }],
        summary: summary({ total: 2, created: 1, failed: 1 }),
      },
    }),
    post(
      {
        name: "matchVersion",
        summary: "Changes only what nobody changed meanwhile, with onConflict=update, match=version and onError=continue",
        query: "?onConflict=update&match=version&onError=continue",
        body: [{ [key.name]: EXAMPLE_ID, ...change, version: 1 }],
        status: 207,
        answer: { results: [result("unchanged", 200, EXAMPLE_ID)], summary: summary({ total: 1, unchanged: 1 }) },
      },
      true,
    ),
    ...[importExample(collection, sent), ...chosenExamples(collection, change)],
    of(`post_${name}_deletions`, true, {
      name: "matchVersion",
      summary: "Deletes what nobody changed meanwhile, with match=version",
      query: "?match=version",
      body: [{ [key.name]: EXAMPLE_ID, version: 1 }],
      status: 200,
      answer: { results: [result("deleted", 200, EXAMPLE_ID)], summary: { total: 1, deleted: 1, unchanged: 0, failed: 0 } },
    }),
    ...batchExamples(collection, sent, change).map((own) => of(`post_${name}_batch`, true, own)),
    of(`read_${singular}`, true, { name: "record", summary: "The record", status: 200, answer: read }),
    of(`put_${singular}`, false, { name: "create", summary: "A record under an id of your own", body: sent, status: 201, answer: read }),
    of(`put_${singular}`, true, { name: "replace", summary: "The whole record", body: sent, status: 200, answer: read }),
    of(`patch_${singular}`, true, { name: "change", summary: "One field", body: change, status: 200, answer: read }),
  ];
  if (collection.fields.length > MOST_FIELDS)
    return examples.filter(({ name: own }) => own === "one" || own === "change").map(({ answer, ...asked }) => asked);
  // Where no field is required, an empty record does not fail.
  return collection.fields.some(({ required }) => required) ? examples : examples.filter((one) => one.name !== "partialFailure");
}

function resultIn({ key }: Collection) {
  return (outcome: string, status: number, id: number) => ({ index: 0, outcome, status, [key.name]: id, version: 1 });
}

/** Sends a file with one row, and asks what would become of it. */
function importExample({ name }: Collection, sent: Fields): Example {
  const body = [Object.keys(sent), Object.values(sent).map(String)].map(csvLine).join("");
  return {
    operationId: `import_${name}`,
    name: "dryRun",
    summary: "A file of which is asked what would become of its rows",
    query: "?name=monday.csv&dryRun=true",
    body,
    status: 202,
    needsRecord: false,
    answer: {
      ...{ id: "7b9a0c52-6f0e-4b51-9a0f-2d5a3c1d7e90", collection: name, fileName: "monday.csv", bytes: body.length },
      ...{ dryRun: true, recipe: null, state: "queued", createdAt: AT, startedAt: null, endedAt: null },
      ...{ rowsTotal: null, rowsDone: 0, counts: null, problems: [], notes: [], why: null, run: null },
    },
  };
}

/** Makes the first of two requests: what would become of the records that a filter chooses, and the token that does it. */
function chosenExamples(collection: Collection, change: Readonly<Record<string, unknown>>): Example[] {
  const { name, key } = collection;
  const result = resultIn(collection);
  const dry = {
    run: "5f1c2b9e-7d3a-4c60-9a41-0e8b6d2f7c35",
    token: "q1d9Zk3xV7…",
    expiresAt: "2026-11-24T10:00:00.000Z",
    next: null,
    total: 1,
  };
  const asked = { query: `?${key.name}[lte]=${EXAMPLE_ID}&dryRun=true`, status: 207, needsRecord: true };
  return [
    {
      ...{ ...asked, operationId: `patch_${name}`, name: "dryRun", summary: "What would become of each, and the token that does it" },
      body: change,
      answer: {
        ...{ ...dry, results: [result("unchanged", 200, EXAMPLE_ID)] },
        summary: { total: 1, created: 0, updated: 0, unchanged: 1, skipped: 0, failed: 0 },
      },
    },
    {
      ...{ ...asked, operationId: `delete_${name}`, name: "dryRun", summary: "What would become of each, and the token that does it" },
      answer: { ...dry, results: [result("deleted", 200, EXAMPLE_ID)], summary: { total: 1, deleted: 1, unchanged: 0, failed: 0 } },
    },
  ];
}

/** Operations with an action each: all or nothing, and each for itself. */
function batchExamples(collection: Collection, sent: Fields, change: Readonly<Record<string, unknown>>): Own[] {
  const { key } = collection;
  const result = resultIn(collection);
  const summary = (counts: Record<string, number>) => ({
    total: 2,
    created: 1,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    failed: 0,
    ...counts,
  });
  return [
    {
      name: "mixed",
      summary: "Creates one record and changes another, both or neither",
      body: {
        operations: [
          { action: "create", record: sent },
          { action: "update", record: { [key.name]: EXAMPLE_ID, ...change } },
        ],
      },
      status: 200,
      answer: {
        results: [result("created", 201, NEW_ID), { ...result("unchanged", 200, EXAMPLE_ID), index: 1 }],
        summary: summary({ unchanged: 1 }),
      },
    },
    {
      name: "eachForItself",
      summary: "Each for itself, with onError=continue",
      query: "?onError=continue",
      body: [
        { action: "upsert", record: sent },
        { action: "delete", record: { [key.name]: EXAMPLE_ID } },
      ],
      status: 207,
      answer: {
        results: [result("created", 201, NEW_ID), { ...result("deleted", 200, EXAMPLE_ID), index: 1 }],
        summary: summary({ deleted: 1 }),
      },
    },
  ];
}

/** Returns what is refused when a record has no values at all. */
function rejectionOf(collection: Collection, pointer: string): ProblemBody {
  const { problems = [] } = validateRecord(collection, {}, { from: "json", partial: false });
  const details = problems.map(({ field, code, message }) => ({ pointer: `${pointer}/${field}`, code, detail: message }));
  return problemBody(httpErrors.validation(details));
}

/** Values of the fields that have an example or are required, without the key; undefined if no value of a required one is known. */
function sampleOf(collection: Collection): Fields | undefined {
  // It leaves out values that may be there only once, so that an example can be sent again. The record to which an optional reference leads
  // may not be there.
  const others = collection.fields.filter(
    (field) => field !== collection.key && !field.required && !field.unique && !field.reference && !field.readOnly && field.example,
  );
  const chosen = new Set(others.slice(0, MOST_OPTIONAL));
  const fields = collection.fields.filter((field) => field !== collection.key && (field.required || chosen.has(field)));
  const values = fields.map((field): [string, Value | undefined] => [field.name, exampleOf(field)]);
  if (fields.some((field, i) => field.required && values[i]?.[1] === undefined)) return undefined;
  const known = values.filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function exampleOf(field: Field): Value | undefined {
  if (field.example) return valueIn(field, field.example);
  const [text] = field.required ? sampleTexts(field, 0) : [];
  return text === undefined ? undefined : valueIn(field, text);
}

function valueIn(field: Field, text: string): Value | undefined {
  const value = valueOfKind({ ...field, readOnly: false }, text, "text");
  return isValue(value) ? value : undefined;
}

function stored(collection: Collection, sent: Fields, id: number): Record<string, unknown> {
  const values = collection.fields.map(({ name }) => [name, sent[name] ?? null]);
  const own = { createdAt: AT, updatedAt: AT, createdBy: BY, updatedBy: BY, version: 1 };
  return { ...Object.fromEntries(values), [collection.key.name]: id, ...own };
}

/** Returns an error of every status, with the code that comes most. */
export function problemExample(status: number): ProblemBody | undefined {
  const make = ERROR_EXAMPLES[status];
  return make && problemBody(make(), { instance: "/v1/things/7", requestId: "0b1f6a52-6f0e-4b51-9a0f-2d5a3c1d7e90" });
}

const ERROR_EXAMPLES: Record<number, () => ReturnType<typeof httpErrors.notFound>> = {
  400: () =>
    httpErrors.badParameters([
      { parameter: "limit", code: "BAD_PARAMETER", detail: "limit must be a whole number of at least 1; more than 1000 is read as 1000." },
    ]),
  401: () => httpErrors.invalidToken(),
  403: () => httpErrors.insufficientScope("things:update"),
  404: () => httpErrors.notFound(),
  405: () => httpErrors.methodNotAllowed("POST", "GET, HEAD, OPTIONS"),
  406: () => httpErrors.notAcceptable("application/json"),
  409: () =>
    httpErrors.alreadyExists([
      { pointer: "/objectId", code: "ALREADY_EXISTS", detail: "Another thing already has this key.", href: "/v1/things/7" },
    ]),
  410: () => httpErrors.cursorExpired(),
  412: () => httpErrors.preconditionFailed(),
  413: () => httpErrors.tooLarge("The body may have at most 65536 bytes here."),
  414: () => httpErrors.uriTooLong(),
  415: () => httpErrors.unsupportedMediaType(["application/json"], "POST"),
  422: () => httpErrors.validation([{ pointer: "/name", code: "REQUIRED", detail: "Name is required." }]),
  429: () => limitErrors.tooManyRequests(1, 50),
  503: () => httpErrors.unavailable(),
};
