// The OpenAPI document as one static HTML page without scripts.

import type { Schema } from "../http/json-schemas.ts";
import type { OpenApi, Operation } from "./document.ts";
import { resolved } from "./responses.ts";

/** Header fields that are left out, because nearly every answer has them. */
const EVERYWHERE = new Set(["Request-Id", "Cache-Control", "RateLimit", "RateLimit-Policy", "Vary"]);

export function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      method === "head" || method === "options" ? [] : [{ path, method, operation }],
    ),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))].sort(
    (a, b) => Number(a === "Service") - Number(b === "Service"),
  );
  const under = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  const contents = tags.map(
    (tag) =>
      `<h2>${escapeHtml(tag)}</h2><ul>${under(tag)
        .map(
          ({ path, method, operation }) =>
            `<li><a href="#${operation.operationId}"><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</a></li>`,
        )
        .join("")}</ul>`,
  );
  const sections = tags.map(
    (tag) =>
      `<h2>${escapeHtml(tag)}</h2>${under(tag)
        .map(({ path, method, operation }) => section(path, method, operation))
        .join("")}`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<section id="schema-${name}"><h3>${escapeHtml(name)}</h3>${propertiesTable(schema)}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API ${escapeHtml(document.info.version)}</title><link rel="stylesheet" href="docs.css"></head><body>
<nav aria-label="Contents">${contents.join("")}<h2>Shapes</h2><ul>${Object.keys(document.components.schemas)
    .map((name) => `<li><a href="#schema-${name}">${escapeHtml(name)}</a></li>`)
    .join("")}</ul></nav>
<main><h1>${escapeHtml(document.info.title)} API <small>${escapeHtml(document.info.version)}</small></h1><p>${prose(document.info.description)}</p>
<p>For programs: <a href="v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${sections.join("")}<h2>Shapes</h2>${schemas.join("")}</main></body></html>`;
}

function section(path: string, method: string, operation: Operation): string {
  const scopes = operation.security[0]?.token;
  const words = scopes?.map((scope) => `<code>${scope}</code>`).join(" ");
  const who = words ? `Needs a token with the scope ${words}.` : scopes ? "Needs a token." : "Needs no token.";
  return `<section id="${operation.operationId}"><h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${prose(operation.summary)}. ${who}</p>${parametersTable(operation)}${bodyText(operation)}${answersTable(operation)}</section>`;
}

function parametersTable({ parameters = [] }: Operation): string {
  const rows = parameters.map((one) => [
    `<code>${escapeHtml(String(one.name))}</code>`,
    escapeHtml(String(one.in)),
    prose(String(one.description ?? "")),
  ]);
  return rows.length > 0 ? `<details open><summary>Parameters</summary>${table(["Name", "In", "What"], rows)}</details>` : "";
}

function bodyText({ requestBody }: Operation): string {
  if (!requestBody) return "";
  const [schema] = Object.values(requestBody.content).map((one) => one.schema);
  return `<p>Body: ${Object.keys(requestBody.content)
    .map((type) => `<code>${escapeHtml(type)}</code>`)
    .join(" or ")}: ${typeText(schema ?? {})}</p>`;
}

function answersTable({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description, headers = {}, content = {} } = resolved(response);
    const bodies = Object.entries(content).map(([type, { schema }]) => `<code>${escapeHtml(type)}</code> ${typeText(schema)}`);
    const fields = Object.keys(headers).filter((name) => !EVERYWHERE.has(name));
    return [
      `<code>${status}</code>`,
      prose(description),
      bodies.join("<br>"),
      fields.map((name) => `<code>${escapeHtml(name)}</code>`).join(" "),
    ];
  });
  return table(["Status", "When", "Body", "Header fields"], rows);
}

function propertiesTable(schema: Schema): string {
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => {
    const what = one.description ?? one.title ?? "";
    return [`<code>${escapeHtml(name)}</code>${required.includes(name) ? "" : " <i>optional</i>"}`, typeText(one), prose(String(what))];
  });
  return table(["Field", "Type", "What"], rows);
}

/** A schema in a few words; a named one as a link. */
function typeText(schema: Schema): string {
  if (typeof schema.$ref === "string") {
    const name = escapeHtml(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const choice = (schema.anyOf ?? schema.allOf) as Schema[] | undefined;
  if (choice) return choice.map(typeText).join(schema.anyOf ? " or " : " and ");
  if (schema.enum) return (schema.enum as unknown[]).map((one) => `<code>${escapeHtml(String(one))}</code>`).join(" or ");
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.type === "array") return `list of ${typeText((schema.items ?? {}) as Schema)}`;
  if (schema.type === "object" && schema.properties) {
    const inner = Object.entries(schema.properties as Record<string, Schema>);
    return `{ ${inner.map(([name, one]) => `<code>${escapeHtml(name)}</code>: ${typeText(one)}`).join(", ")} }`;
  }
  return escapeHtml(String(schema.format ?? schema.type ?? "anything"));
}

function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const line = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll" tabindex="0"><table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table></div>`;
}

/** HTML of a text, in which words between backticks are code. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export const DOCS_STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; --line: light-dark(#e4e1d8, #2d3136); --soft: light-dark(#f4f2ec, #121416); --link: light-dark(#1f4fa3, #8fb4ff); }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); background: light-dark(#fbfaf7, #16181b); color: light-dark(#1d2127, #e9e7e1); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; box-sizing: border-box; background: var(--soft); font-size: .85rem; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li { margin: .3rem 0; overflow-wrap: anywhere; } nav h2 { font-size: .9rem; margin: 1.2rem 0 .3rem; } nav b { font-size: .7rem; display: inline-block; min-width: 4.6em; } nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
main { padding: 2rem clamp(1rem, 4vw, 4rem); max-width: 62rem; }
h1 small { font-weight: 400; opacity: .7; } main > h2 { margin-top: 3rem; } section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; scroll-margin-top: 1rem; }
a { color: var(--link); } code { font: .9em ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
.method { font-size: .75rem; padding: .2em .6em; border-radius: 4px; color: #fff; background: #47525f; } .get { background: #17693c; } .post { background: #1f4fa3; } .put, .patch { background: #8a5200; } .delete { background: #b3261e; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); } th { font-weight: 600; }
td code { overflow-wrap: normal; } summary { cursor: pointer; font-weight: 600; }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; max-height: 14rem; border-bottom: 1px solid var(--line); } }
`;
