// One request in three languages, with nothing but what each brings along. The tests run every sample.

import { escapeHtml } from "./html.ts";

export interface SampleRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const NAMES = { curl: "curl", typescript: "TypeScript", python: "Python" };
export type Language = keyof typeof NAMES;
export const LANGUAGES = Object.keys(NAMES) as Language[];

/** The address and the key of the reader are in `INTAKE_URL` and `INTAKE_KEY`. */
export const SAMPLES: Record<Language, (request: SampleRequest) => string> = {
  curl({ method, path, headers = {}, body }) {
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const fields = [...Object.entries(headers), ...(body === undefined ? [] : [["Content-Type", "application/json"]])];
    return [
      `curl -sS ${method === "GET" || method === "POST" ? "" : `-X ${method} `}"$INTAKE_URL"${quoted(path)}`,
      '-H "Authorization: Bearer $INTAKE_KEY"',
      ...fields.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
    ].join(" \\\n  ");
  },
  typescript({ method, path, headers = {}, body }) {
    const fields = { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) };
    const lines = Object.entries(fields).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
    return `const reply = await fetch(process.env.INTAKE_URL + ${JSON.stringify(path)}, {
  method: ${JSON.stringify(method)},
  headers: {
    Authorization: \`Bearer \${process.env.INTAKE_KEY}\`,
${lines.join("")}  },${body === undefined ? "" : `\n  body: JSON.stringify(${literal(body, "  ")}),`}
});
if (!reply.ok) throw new Error((await reply.json()).detail);
console.log(await reply.text());`;
  },
  python({ method, path, headers = {}, body }) {
    const fields = { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) };
    const lines = Object.entries(fields).map(([name, value]) => `        ${JSON.stringify(name)}: ${pythonText(value)},\n`);
    return `import json, os, urllib.request

request = urllib.request.Request(
    os.environ["INTAKE_URL"] + ${JSON.stringify(path)},
    method=${JSON.stringify(method)},
    headers={
        "Authorization": "Bearer " + os.environ["INTAKE_KEY"],
${lines.join("")}    },${body === undefined ? "" : `\n    data=json.dumps(${pythonLiteral(body)}).encode(),`}
)
with urllib.request.urlopen(request) as reply:
    print(reply.read().decode())`;
  },
};

/** Writes it as people do: on lines of its own where it is long. */
function literal(value: unknown, indent: string): string {
  const short = JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, " ");
  return short.length < 70 ? short : JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`);
}

function pythonText(text: string): string {
  return text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

function pythonLiteral(value: unknown): string {
  return literal(value, "    ")
    .replaceAll(/\bnull\b(?=[\s,}\]])/g, "None")
    .replaceAll(/\btrue\b(?=[\s,}\]])/g, "True")
    .replaceAll(/\bfalse\b(?=[\s,}\]])/g, "False");
}

/** Writes the samples below each other; the page's script makes tabs of them. */
export function samplesHtml(request: SampleRequest): string {
  const parts = LANGUAGES.map(
    (language) =>
      `<div data-language="${language}"><p class="caption">${NAMES[language]}</p><pre tabindex="0"><code>${escapeHtml(SAMPLES[language](request))}</code></pre></div>`,
  );
  return `<div class="samples">${parts.join("")}</div>`;
}
