// An error as a page, for people whose browser was sent to an address of the API.

import type { FastifyRequest } from "fastify";
import { openCatalogue } from "../../core/i18n/languages.ts";
import { inCatalogue, SOURCE_LANGUAGE, t, tCode } from "../../core/i18n/translate.ts";
import type { Answer } from "../engine/store.ts";
import { preferredLanguage } from "../http/content-negotiation.ts";
import type { HttpError } from "../http/errors.ts";
import { escapeHtml, htmlPage } from "../openapi/html.ts";

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Says whether a browser shows the answer as a page. It says so itself where TLS is (Fetch Metadata); elsewhere by an Accept header that
 * begins as those of browsers do. What scripts and programs ask for is no navigation.
 */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  const mode = headers["sec-fetch-mode"];
  const isShown = mode === undefined ? /^text\/html,/i.test(headers.accept ?? "") : mode === "navigate";
  return isShown && (method === "GET" || method === "HEAD");
}

/** Speaks the language that the browser prefers, and links to the app at `home`. It repeats nothing that was sent. */
export async function errorPage(error: HttpError, request: FastifyRequest, home: string): Promise<Answer> {
  const language = preferredLanguage(request.headers["accept-language"]) ?? SOURCE_LANGUAGE;
  const { title, body } = inCatalogue(await openCatalogue(language), () => partsOf(error, request.id, home));
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    ...error.extra.headers,
  };
  return { status: error.status, headers, body: htmlPage(title, body, language) };
}

function partsOf({ code, message, status, extra: { errors = [] } }: HttpError, requestId: string, home: string) {
  const title = t("This page cannot be shown");
  const sentence = tCode(code, message);
  const details = [...new Set([message, ...errors.map(({ detail }) => detail)])].filter((detail) => detail !== sentence);
  const english = details.map((detail) => `<p lang="en">${escapeHtml(detail)}</p>`).join("");
  const body = `<main class="page"><h1>${escapeHtml(title)}</h1><p class="lead">${escapeHtml(sentence)}</p>${english}
<p><a href="${escapeHtml(home)}">${escapeHtml(t("Go to Intake"))}</a></p>
<p class="crumbs">${status} <code>${code}</code> · <code>${escapeHtml(requestId)}</code></p></main>`;
  return { title, body };
}
