// The part of /docs that is made from the OpenAPI document: operations and shapes.

import type { Schema } from "../http/json-schemas.ts";
import { escapeHtml, prose } from "./html.ts";
import {
  type Described as Answer,
  type Content,
  type OpenApi,
  type Operation,
  type Parameter,
  parametersOf,
  resolved,
} from "./openapi-types.ts";

/** Header fields that are left out, because nearly every answer has them. */
const EVERYWHERE = new Set(["Request-Id", "Cache-Control", "RateLimit", "RateLimit-Policy", "Vary"]);
/** Header fields that a browser sets by itself, or that describe a body which the page does not send. */
const NOT_OF_SCRIPTS = new Set(["Origin", "Accept-Encoding", "Content-Encoding"]);
const MOST_OPEN = 6; // parameters; more of them are folded

export interface Described {
  path: string;
  method: string;
  operation: Operation;
  parameters: readonly Parameter[];
  /** Its responses by status. */
  answers: readonly [status: string, answer: Answer][];
}

export function operationsOf(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const answers = Object.entries(operation.responses).map(([status, one]): [string, Answer] => [status, resolved(document, one)]);
      return { path, method, operation, parameters: parametersOf(document, operation), answers };
    }),
  );
}

export function operationHtml({ path, method, operation, parameters, answers }: Described): string {
  const example = Object.values(operation.requestBody?.content ?? {})[0];
  const [body] = Object.values((example?.examples ?? {}) as Record<string, { value: unknown }>);
  const isJson = Object.keys(operation.requestBody?.content ?? {})[0] === "application/json";
  const tryIt = operation.requestBody && !isJson ? "" : ` data-try="${method.toUpperCase()} ${escapeHtml(path)}"`;
  const fields = parameters.flatMap((one) => (one.in === "header" && !NOT_OF_SCRIPTS.has(one.name) ? one.name : []));
  const headers = fields.length > 0 ? ` data-headers="${fields.join(" ")}"` : "";
  const data = `${tryIt}${headers}${operation.requestBody ? ` data-body="${escapeHtml(JSON.stringify(body?.value ?? {}, undefined, 2))}"` : ""}`;
  return `<section id="${operation.operationId}" class="operation"${data}><h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><b>${prose(operation.summary)}.</b></p><p>${prose(operation.description)}</p>${parametersHtml(parameters)}${bodyHtml(operation)}${answersTable(operation, answers)}</section>`;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  const rows = parameters.map((one) => [`<code>${escapeHtml(one.name)}</code>`, one.in, prose(String(one.description ?? ""))]);
  if (rows.length === 0) return "";
  const isOpen = rows.length <= MOST_OPEN ? " open" : "";
  return `<details${isOpen}><summary>Parameters (${rows.length})</summary>${table(["Name", "In", "What"], rows)}</details>`;
}

function bodyHtml({ requestBody }: Operation): string {
  if (!requestBody) return "";
  const types = Object.keys(requestBody.content).map((type) => `<code>${escapeHtml(type)}</code>`);
  const [media] = Object.values(requestBody.content);
  return `<h4>Body</h4><p>${types.join(" or ")}: ${typeText(media?.schema ?? {})}</p>${examplesHtml(requestBody.content)}`;
}

function examplesHtml(content: Content): string {
  return Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples as Record<string, { summary?: string; value: unknown }>))
    .map(
      ({ summary, value }) =>
        `<details class="example"><summary>Example: ${escapeHtml(summary ?? "")}</summary><pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, undefined, 2))}</code></pre></details>`,
    )
    .join("");
}

function answersTable({ responses }: Operation, answers: Described["answers"]): string {
  const rows = answers.map(([status, { description, headers = {}, content = {} }]) => {
    const bodies = Object.entries(content).map(([type, { schema }]) => `<code>${escapeHtml(type)}</code> ${typeText(schema)}`);
    const fields = Object.keys(headers).filter((name) => !EVERYWHERE.has(name));
    return [
      `<code>${status}</code>`,
      prose(description),
      bodies.join("<br>"),
      fields.map((name) => `<code>${escapeHtml(name)}</code>`).join(" "),
    ];
  });
  const own = Object.entries(responses).flatMap(([, response]) => ("$ref" in response ? [] : [examplesHtml(response.content ?? {})]));
  return `<details><summary>Answers (${rows.length})</summary>${table(["Status", "When", "Body", "Header fields"], rows)}</details>${own.join("")}`;
}

export function schemaHtml([name, schema]: [string, Schema]): string {
  const parts = ((schema.allOf ?? [schema]) as Schema[]).map((one) => (one.properties ? propertiesTable(one) : `<p>${typeText(one)}</p>`));
  return `<section id="schema-${name}" class="operation"><h3>${escapeHtml(name)}</h3>${parts.join("")}</section>`;
}

function propertiesTable(schema: Schema): string {
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => {
    const what = one.description ?? one.title ?? "";
    return [`<code>${escapeHtml(name)}</code>${required.includes(name) ? "" : " <i>optional</i>"}`, typeText(one), prose(String(what))];
  });
  return table(["Field", "Type", "What"], rows);
}

/** Writes a schema in a few words; a named one as a link. */
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
  return escapeHtml([schema.format ?? schema.type ?? "anything"].flat().join(" or "));
}

function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const line = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll" tabindex="0"><table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table></div>`;
}
