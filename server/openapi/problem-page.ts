// The page that explains a problem's code, at the address in its `type`.

import { PROBLEM_CATALOGUE, type ProblemMeaning, problemPath, VALUE_PROBLEMS } from "../../core/contract/problem-catalogue.ts";
import type { HttpErrorCode } from "../../core/contract/problems.ts";
import { reasonOf } from "../http/problem.ts";
import { escapeHtml, htmlPage, prose } from "./html.ts";

const CODES = Object.keys(PROBLEM_CATALOGUE) as HttpErrorCode[];

/** Returns undefined for a code that there is not. */
export function problemPage(code: string): string | undefined {
  const known = CODES.find((one) => one === code);
  if (!known) return undefined;
  const { title, status, meaning, whatToDo, isTransient } = PROBLEM_CATALOGUE[known];
  const values = known === "VALIDATION" ? `<h2>The codes in errors</h2>${valuesTable()}` : "";
  return htmlPage(
    `${title} · ${known}`,
    `<main class="page"><p class="crumbs"><a href="/docs">API</a> / <a href="/docs#problems">Problems</a></p>
<p class="badges"><code>${known}</code> ${statusText(status)}</p><h1>${escapeHtml(title)}</h1><p class="lead">${prose(meaning)}</p>
<h2>What to do</h2><p>${prose(whatToDo)}</p><h2>Sending it again</h2><p>${againText(isTransient)}</p>${values}</main>`,
  );
}

function againText(isTransient: ProblemMeaning["isTransient"]): string {
  if (isTransient)
    return "The same request can succeed later. Wait as long as <code>Retry-After</code> says; send writes with an <code>Idempotency-Key</code>.";
  return "The same request gets the same answer. Change something first.";
}

function statusText(status: readonly number[]): string {
  return status.map((one) => `<span class="status">${one} ${escapeHtml(reasonOf(one))}</span>`).join(" ");
}

/** Lists all codes with their meanings, for /docs. */
export function problemsTable(): string {
  const rows = CODES.map((code) => {
    const { title, status } = PROBLEM_CATALOGUE[code];
    return `<tr><td><a href="${problemPath(code)}"><code>${code}</code></a></td><td>${status.join(", ")}</td><td>${escapeHtml(title)}</td></tr>`;
  });
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Code</th><th>Status</th><th>What it is</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function valuesTable(): string {
  const rows = Object.entries(VALUE_PROBLEMS).map(([code, meaning]) => `<tr><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`);
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
