// The documentation as it is read: for programs at /v1/openapi.json, for people at /docs. Made once, from the doors themselves.

import { API_ROOT, OPENAPI_PATH } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Door, Way } from "../http/route.ts";
import { DOCS_STYLE, docsPage } from "../openapi/docs-page.ts";
import { describe } from "../openapi/document.ts";

const HTML_TYPE = "text/html";
const CSS_TYPE = "text/css";
const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function openapiDoors(doors: readonly Door[], collections: readonly Collection[]): Door[] {
  const way = (type: string, doc: Way["doc"], give: () => ReturnType<typeof jsonAnswer>): Way => {
    return { scope: "open", gives: [type], compresses: true, doc, handle: async () => give() };
  };
  const text = (type: string, body: string) => {
    const headers = { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache", "content-security-policy": PAGE_POLICY };
    return { status: 200, headers, body };
  };
  const own: Door[] = [
    {
      url: API_ROOT + OPENAPI_PATH,
      GET: way("application/json", { id: "openapi", summary: "This document", answers: { 200: { type: "object" } } }, () => document),
    },
    {
      url: "/docs",
      GET: way(HTML_TYPE, { id: "docs", summary: "This document, for people", answers: { 200: { type: "string" } } }, () => page),
    },
    {
      url: "/docs.css",
      GET: way(CSS_TYPE, { id: "docs_style", summary: "How /docs looks", answers: { 200: { type: "string" } } }, () => style),
    },
  ];
  const described = describe([...doors, ...own], collections);
  const document = jsonAnswer(200, described, { "cache-control": "no-cache" });
  const page = text(HTML_TYPE, docsPage(described));
  const style = text(CSS_TYPE, DOCS_STYLE);
  return own;
}
