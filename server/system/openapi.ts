// The API documentation as the caller may know it: /v1/openapi.json for programs, /docs for people.

import { createHash } from "node:crypto";
import { API_ROOT, OPENAPI_PATH } from "../../core/contract/paths.ts";
import { PROBLEMS_PATH } from "../../core/contract/problem-catalogue.ts";
import { allowsSome } from "../../core/contract/scopes.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { visiblePackage } from "../dictionary/dictionary.ts";
import type { Answer } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { isNotModified } from "../http/preconditions.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import { docsPage } from "../openapi/docs-page.ts";
import { DOCS_STYLE } from "../openapi/docs-style.ts";
import { createOpenApi } from "../openapi/document.ts";
import { problemPage } from "../openapi/problem-page.ts";

const HTML_TYPE = "text/html";
const CSS_TYPE = "text/css";
const MOST_KEPT = 50; // documents: as many as there are sets of collections that callers see
/** The one Trusted Types policy is that of docs.js, for what this service itself answers to a key. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types docs";

export interface DocumentedParts {
  dataPackage: unknown;
  collections: readonly Collection[];
  publicUrl: string;
  /** Returns every other route of the service, as it is with these collections alone. */
  routesWith(collections: readonly Collection[], dataPackage: unknown): readonly Route[];
}

interface Documents {
  document: Answer;
  page: Answer;
}

/** Lists the routes of the documentation: of all other routes, and of themselves. */
export function openapiRoutes(parts: DocumentedParts): Route[] {
  const documentsFor = createDocuments(parts, () => own);
  const forCaller = (type: string, doc: RouteHandler["doc"], which: keyof Documents): RouteHandler => ({
    scope: "open",
    knowsCaller: true,
    produces: [type],
    compresses: true,
    doc,
    isBeforePasskey: true,
    async handle(request, { scope, mustAddPasskey }) {
      const answer = documentsFor(mustAddPasskey ? "" : scope)[which];
      return isNotModified(request, { ...answer, headers: { etag: answer.headers.etag?.slice("W/".length) ?? "" } })
        ? unchanged(answer)
        : answer;
    },
  });
  const forAll = (type: string, doc: RouteHandler["doc"], handle: RouteHandler["handle"]): RouteHandler => {
    return { scope: "open", ignoresParameters: true, produces: [type], compresses: true, doc, handle };
  };
  const text: RouteHandler["doc"]["responses"] = { 200: { type: "string" } };
  const cached = { headers: ["If-None-Match"], sentHeaders: { 200: ["ETag"], 304: ["ETag"] } };
  const own: Route[] = [
    {
      url: API_ROOT + OPENAPI_PATH,
      GET: forCaller(
        "application/json",
        {
          id: "openapi",
          summary: "This document: with a token what its owner may know, without one the general part",
          responses: { 200: { type: "object" }, 304: null },
          ...cached,
        },
        "document",
      ),
    },
    {
      url: "/docs",
      GET: forCaller(HTML_TYPE, { id: "docs", summary: "This document, for people", responses: { ...text, 304: null }, ...cached }, "page"),
    },
    {
      url: `${PROBLEMS_PATH}/:code`,
      GET: forAll(HTML_TYPE, { id: "problem", summary: "What a problem's code means", responses: text, errors: [404] }, async (request) => {
        const explained = problemPage((request.params as { code: string }).code);
        if (explained === undefined) throw httpErrors.notFound("There is no problem with this code.");
        return textAnswer(HTML_TYPE, explained);
      }),
    },
    {
      url: "/docs.css",
      GET: forAll(CSS_TYPE, { id: "docs_style", summary: "How /docs looks", responses: text }, async () =>
        textAnswer(CSS_TYPE, DOCS_STYLE),
      ),
    },
  ];
  return own;
}

/** The documents for a scope are made when somebody first asks for them, from the dictionary as its owner has it. */
function createDocuments({ dataPackage, collections, publicUrl, routesWith }: DocumentedParts, own: () => readonly Route[]) {
  const kept = new Map<string, Documents>();
  return (scope: string): Documents => {
    const names = collections.flatMap(({ name }) => (allowsSome(scope, name) ? name : [])).join(" ");
    const known = kept.get(names);
    if (known) return known;
    const visible = visiblePackage(dataPackage, collections, scope);
    const seen = collectionsOf(visible);
    const openApi = createOpenApi([...routesWith(seen, visible), ...own()], seen, publicUrl);
    const caching = { "cache-control": `${seen.length > 0 ? "private, " : ""}no-cache`, vary: "Authorization" };
    const made: Documents = {
      // The app on another host asks for it without CORS, to tell a service that does not allow the host from one that is silent.
      document: tagged(jsonAnswer(200, openApi, { ...caching, "cross-origin-resource-policy": "cross-origin" })),
      page: tagged(textAnswer(HTML_TYPE, docsPage(openApi, seen), caching)),
    };
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(names, made);
    return made;
  };
}

/** Returns the answer with an ETag of its text. It is weak: the same text also goes out as gzip. */
function tagged(answer: Answer): Answer {
  const etag = `W/"${createHash("sha256").update(answer.body).digest("base64url")}"`;
  return { ...answer, headers: { ...answer.headers, etag } };
}

/** Answers 304 with what a cache needs, Vary as with the compressed text (RFC 9110 section 15.4.5). */
function unchanged({ headers: { "content-type": _, ...headers } }: Answer): Answer {
  return { status: 304, headers: { ...headers, vary: `${headers.vary}, Accept, Accept-Encoding` }, body: "" };
}

/** Reads them anew, so that nothing in them tells of a collection that is left out. */
function collectionsOf(dataPackage: { resources: readonly unknown[] }): readonly Collection[] {
  if (dataPackage.resources.length === 0) return [];
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(`a part of the dictionary cannot be read: ${JSON.stringify(read.mistakes)}`);
  return read.collections;
}

function textAnswer(type: string, body: string, more: Record<string, string> = {}): Answer {
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-cache",
    "content-security-policy": PAGE_POLICY,
    ...more,
  };
  return { status: 200, headers, body };
}
