// Accept, Accept-Encoding, Accept-Language and Content-Type (RFC 9110 sections 8.3 and 12.5).

import { LANGUAGE_TAGS, LANGUAGES, type Language } from "../../core/i18n/languages.ts";

/** Returns the media type without its parameters, in lower case; "" without a header. */
export function mediaType(header: string | undefined): string {
  return header === undefined ? "" : (header.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Says whether an Accept header accepts `type`. */
export function accepts(header: string | undefined, type: string): boolean {
  return quality(header, type) > 0;
}

/** Returns the type with the highest quality in the header; the earlier one of `types` where they are equal. */
export function preferred<T extends string>(header: string | undefined, types: readonly [T, ...T[]]): T {
  return types.reduce((best, type) => (quality(header, type) > quality(header, best) ? type : best), types[0]);
}

/**
 * Says whether the answer may be compressed by gzip. An empty header wants none of the codings; `identity;q=0` alone does not accept it.
 */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && header.trim() !== "" && quality(header, "gzip", ["gzip", "*"]) > 0;
}

/** Lists the languages that people read, without the one for tests. */
export const OFFERED_LANGUAGES: readonly Language[] = LANGUAGE_TAGS.filter((tag) => LANGUAGES[tag].name !== undefined);

/** Returns the language of ours that an Accept-Language header prefers; undefined if it has none of them. */
export function preferredLanguage(header = ""): Language | undefined {
  const ranges = header.split(",").map((range) => ({ tag: mediaType(range).split("-")[0], q: qualityOf(range) }));
  const wanted = ranges.filter(({ q }) => q > 0).sort((a, b) => b.q - a.q);
  return wanted.flatMap(({ tag }) => OFFERED_LANGUAGES.filter((one) => one === tag))[0];
}

/** Returns 0 to 1. The most specific range that matches decides, also with q=0. */
function quality(header: string | undefined, type: string, ranges?: readonly string[]): number {
  if (header === undefined || header === "" || header === "*/*") return 1;
  return qualityAmong(header, ranges ?? [type, `${type.slice(0, type.indexOf("/"))}/*`, "*/*"]);
}

function qualityAmong(header: string, ranges: readonly string[]): number {
  let best = ranges.length;
  let found = 0;
  for (const range of header.split(",")) {
    const rank = ranges.indexOf(mediaType(range));
    if (rank === -1 || rank >= best) continue;
    best = rank;
    found = qualityOf(range);
  }
  return found;
}

function qualityOf(range: string): number {
  return Number(/;\s*q=([01](?:\.[0-9]{0,3})?)\s*(?:;|$)/i.exec(range)?.[1] ?? 1);
}
