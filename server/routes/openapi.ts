// The API documentation, made from the routes: /v1/openapi.json for programs, /docs for people.

import { API_ROOT, OPENAPI_PATH } from "../../core/contract/paths.ts";
import { PROBLEMS_PATH } from "../../core/contract/problem-catalogue.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { httpErrors } from "../http/errors.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import { docsPage } from "../openapi/docs-page.ts";
import { DOCS_STYLE } from "../openapi/docs-style.ts";
import { createOpenApi } from "../openapi/document.ts";
import { problemPage } from "../openapi/problem-page.ts";
import type { Answer } from "../store/store.ts";

const HTML_TYPE = "text/html";
const CSS_TYPE = "text/css";
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The routes of the documentation of `routes` and of themselves. */
export function openapiRoutes(routes: readonly Route[], collections: readonly Collection[], publicUrl: string): Route[] {
  const handler = (type: string, doc: RouteHandler["doc"], answer: () => Answer): RouteHandler => {
    return { scope: "open", produces: [type], compresses: true, doc, handle: async () => answer() };
  };
  const text = (type: string, body: string) => {
    const headers = { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache", "content-security-policy": PAGE_POLICY };
    return { status: 200, headers, body };
  };
  const own: Route[] = [
    {
      url: API_ROOT + OPENAPI_PATH,
      GET: handler("application/json", { id: "openapi", summary: "This document", responses: { 200: { type: "object" } } }, () => document),
    },
    {
      url: "/docs",
      GET: handler(HTML_TYPE, { id: "docs", summary: "This document, for people", responses: { 200: { type: "string" } } }, () => page),
    },
    {
      url: `${PROBLEMS_PATH}/:code`,
      GET: {
        ...handler(
          HTML_TYPE,
          { id: "problem", summary: "What a problem's code means", responses: { 200: { type: "string" } }, errors: [404] },
          () => page,
        ),
        handle: async (request) => {
          const explained = problemPage((request.params as { code: string }).code);
          if (explained === undefined) throw httpErrors.notFound("There is no problem with this code.");
          return text(HTML_TYPE, explained);
        },
      },
    },
    {
      url: "/docs.css",
      GET: handler(CSS_TYPE, { id: "docs_style", summary: "How /docs looks", responses: { 200: { type: "string" } } }, () => style),
    },
  ];
  const openApi = createOpenApi([...routes, ...own], collections, publicUrl);
  // The app on another host asks for it without CORS, to tell a service that does not allow the host from one that is silent.
  const document = jsonAnswer(200, openApi, { "cache-control": "no-cache", "cross-origin-resource-policy": "cross-origin" });
  const page = text(HTML_TYPE, docsPage(openApi, collections));
  const style = text(CSS_TYPE, DOCS_STYLE);
  return own;
}
