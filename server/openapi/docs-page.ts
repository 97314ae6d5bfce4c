// The documentation for people at /docs: a guide, and a reference made from the OpenAPI document.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type GuideSection, guideOf } from "./guide.ts";
import { escapeHtml, htmlPage, prose } from "./html.ts";
import type { OpenApi } from "./openapi-types.ts";
import { type Described, operationHtml, operationsOf, schemaHtml } from "./reference.ts";
import { samplesHtml } from "./samples.ts";

export function docsPage(document: OpenApi, collections: readonly Collection[]): string {
  const guide = guideOf(collections);
  const operations = operationsOf(document);
  const under = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  const tags = document.tags.map(({ name, description }) => ({ name, description, own: under(name) }));
  const { title, version, description } = document.info;
  const contents = [
    group(
      "Guide",
      guide.map(({ id, title }) => link(id, escapeHtml(title), title)),
    ),
    ...tags.map(({ name, own }) => group(name, own.map(operationLink))),
    group(
      "Shapes",
      Object.keys(document.components.schemas).map((name) => link(`schema-${name}`, escapeHtml(name), name)),
      false,
    ),
  ];
  const reference = tags.map(
    ({ name, description, own }) => `<h2>${escapeHtml(name)}</h2><p>${prose(description)}</p>${own.map(operationHtml).join("")}`,
  );
  const shapes = Object.entries(document.components.schemas).map(schemaHtml);
  return htmlPage(
    `${title} API`,
    `<a class="skip" href="#content">Skip to content</a><header><a href="/docs"><b>${escapeHtml(title)}</b> API <small>${escapeHtml(version)}</small></a>
<div class="tools"></div></header><nav aria-label="Contents">${contents.join("")}</nav>
<main id="content" tabindex="-1"><h1>${escapeHtml(title)} API</h1><p class="lead">Records in and out for programs, with what you know from HTTP: JSON, ETags, problem documents, and nothing written twice.</p>
${guide.map(guideHtml).join("")}<h2 id="reference">Reference</h2><p>${prose(description)}</p><p>For programs: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1). It names the collections that the caller may see; without a token it has the general part alone.</p>
${reference.join("")}<h2>Shapes</h2>${shapes.join("")}</main><script src="/docs.js" defer></script>`,
  );
}

function guideHtml({ id, title, parts, table = "" }: GuideSection): string {
  const html = parts.map((part) => (typeof part === "string" ? `<p>${prose(part)}</p>` : samplesHtml(part)));
  return `<section id="${id}" class="guide"><h2>${escapeHtml(title)}</h2>${html.join("")}${table}</section>`;
}

function group(name: string, links: string[], isOpen = true): string {
  return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(name)}</summary><ul>${links.join("")}</ul></details>`;
}

/** `found`: what a search looks through, besides the text. */
function link(id: string, html: string, found: string): string {
  return `<li><a href="#${id}" data-search="${escapeHtml(found.toLowerCase())}">${html}</a></li>`;
}

function operationLink({ path, method, operation }: Described): string {
  const short = path.replace(/^\/v1\//, "/");
  const html = `<span class="method ${method}">${method.toUpperCase()}</span> ${escapeHtml(short)}`;
  return link(operation.operationId, html, `${method} ${path} ${operation.operationId} ${operation.summary}`);
}
