// The data dictionary, and an empty CSV file to fill in for each collection.

import { createHash } from "node:crypto";
import { API_ROOT, DICTIONARY_PATH, templatePath } from "../../core/contract/paths.ts";
import { allows, allowsSome } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { BOM, csvLine } from "../../core/text/csv.ts";
import type { Answer } from "../engine/store.ts";
import { isNotModified } from "../http/preconditions.ts";
import { jsonAnswer, notModified } from "../http/responses.ts";
import { CSV_TYPE, type Route, type RouteHandler } from "../http/route.ts";

/**
 * The collections on which the caller has no right are left out, and what refers to them. `version`: the number of the version that is served,
 * which stands in a package that has no version of its own; 0: there is none.
 */
export function dictionaryRoute(dataPackage: unknown, collections: readonly Collection[], version: number): Route {
  const answers = new Map<string, Answer>();
  const answerFor = (scope: string): Answer => {
    const seen = collections.map(({ name }) => [allowsSome(scope, name), allows(scope, `${name}:read`)]).join();
    const known = answers.get(seen);
    if (known) return known;
    const answer = withEtag(jsonAnswer(200, { ...(version > 0 && { version }), ...visiblePackage(dataPackage, collections, scope) }));
    answers.set(seen, answer);
    return answer;
  };
  const doc = {
    id: "dictionary",
    summary: "The data dictionary: a Frictionless Data Package",
    responses: { 200: { type: "object" }, 304: null },
    sentHeaders: { 200: ["ETag"], 304: ["ETag"] },
  };
  return { url: API_ROOT + DICTIONARY_PATH, GET: constant("signed-in", answerFor, doc) };
}

/** Returns the data package with the collections on which a scope has some right, and their references to those that it may read. */
export function visiblePackage(dataPackage: unknown, collections: readonly Collection[], scope: string): { resources: Resource[] } {
  const { resources } = dataPackage as { resources: Resource[] }; // in the order of `collections`
  const seen = collections.map(({ name }) => allowsSome(scope, name));
  const names = new Set(collections.flatMap(({ name }) => (allows(scope, `${name}:read`) ? name : [])));
  const visible = resources.filter((_, i) => seen[i]).map((resource) => withReferencesTo(names, resource));
  return { ...(dataPackage as object), resources: visible };
}

interface Resource {
  schema: { fields: { name: string }[]; foreignKeys?: { fields: string | string[]; reference: { resource: string } }[] };
}

/** Without the collection to which it refers, a field is a plain number to the caller, who is told that it is the key of something unseen. */
function withReferencesTo(names: ReadonlySet<string>, resource: Resource): Resource {
  const { foreignKeys = [], ...schema } = resource.schema;
  const seen = foreignKeys.filter(({ reference }) => names.has(reference.resource));
  const unseen = new Set(foreignKeys.filter((key) => !seen.includes(key)).flatMap(({ fields }) => fields));
  const fields = schema.fields.map((field) => (unseen.has(field.name) ? { ...field, isUnseenReference: true } : field));
  return { ...resource, schema: { ...schema, fields, ...(seen.length > 0 && { foreignKeys: seen }) } };
}

/** The header row has the fields' names, which an upload recognises in every language. */
export function templateRoute(collection: Collection): Route {
  const answer = withEtag({
    status: 200,
    headers: {
      "content-type": `${CSV_TYPE}; charset=utf-8; header=present`,
      "content-disposition": `attachment; filename="${collection.name}-template.csv"`,
      "cache-control": "no-cache",
    },
    body: BOM + csvLine(collection.fields.flatMap((field) => (isPassedOver(field) ? [] : field.name))),
  });
  const doc = {
    id: `template_${collection.name}`,
    summary: `${collection.title}: an empty file to fill`,
    responses: { 200: { type: "string" }, 304: null },
    sentHeaders: { 200: ["ETag", "Content-Disposition"], 304: ["ETag"] },
  };
  return {
    url: API_ROOT + templatePath(collection.name),
    GET: { ...constant(`${collection.name}:read`, () => answer, doc), produces: [CSV_TYPE] },
  };
}

/** Returns the answer with an ETag of its body. */
function withEtag(answer: Answer): Answer {
  const etag = `"${createHash("sha256").update(answer.body).digest("base64url").slice(0, 22)}"`;
  return { ...answer, headers: { ...answer.headers, etag } };
}

function constant(scope: RouteHandler["scope"], answerFor: (scope: string) => Answer, doc: RouteHandler["doc"]): RouteHandler {
  return {
    scope,
    doc: { ...doc, headers: ["If-None-Match"] },
    async handle(request, session) {
      const answer = answerFor(session.scope);
      return isNotModified(request, answer) ? notModified(answer) : answer;
    },
  };
}
