// Reads If-Match and If-None-Match (RFC 9110 § 13).

import type { FastifyRequest } from "fastify";
import type { Answer, Match } from "../engine/store.ts";
import type { AllowedTags } from "../people/store/etags.ts";
import { httpErrors } from "./errors.ts";

const ETAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/;
const ETAG = /(W\/)?"([\x21\x23-\x7e]*)"/g;

/** Returns the versions of record `id` that If-Match allows. A weak tag never matches (RFC 9110 section 13.1.1). */
export function ifMatch(request: FastifyRequest, id: number): { ifMatch?: Match } {
  const match = readMatch(request.headers["if-match"], "If-Match", id, true);
  return match === undefined ? {} : { ifMatch: match };
}

/** Returns the versions of record `id` that If-None-Match excludes. */
export function ifNoneMatch(request: FastifyRequest, id: number): { ifNoneMatch?: Match } {
  const match = readMatch(request.headers["if-none-match"], "If-None-Match", id, false);
  return match === undefined ? {} : { ifNoneMatch: match };
}

/** Returns the ETags that If-Match allows of what is no record. A weak one never matches. */
export function ifMatchTags(request: FastifyRequest): AllowedTags | undefined {
  const header = request.headers["if-match"];
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  if (!ETAGS.test(header)) throw invalidTags("If-Match");
  return [...header.matchAll(ETAG)].flatMap(([, weak, tag]) => (weak ? [] : [`"${tag}"`]));
}

/** Throws 412 where If-Match names a version of what has no ETag: none can match (RFC 9110 section 13.1.1). */
export function rejectIfMatch(request: FastifyRequest): void {
  if (Array.isArray(readMatch(request.headers["if-match"], "If-Match", 0, true))) throw httpErrors.preconditionFailed();
}

/** Says whether to answer a GET by 304: the client has this version already, by weak comparison (RFC 9110 section 13.1.2). */
export function isNotModified(request: FastifyRequest, { headers }: Answer): boolean {
  const header = request.headers["if-none-match"];
  if (header === undefined) return false;
  if (header === headers.etag || header.trim() === "*") return true;
  if (!ETAGS.test(header)) throw invalidTags("If-None-Match");
  return [...header.matchAll(ETAG)].some(([, , tag]) => `"${tag}"` === headers.etag);
}

function readMatch(header: string | undefined, name: string, id: number, isStrong: boolean): Match | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  if (!ETAGS.test(header)) throw invalidTags(name);
  const versions: number[] = [];
  for (const [, weak, tag = ""] of header.matchAll(ETAG)) {
    const [, tagId, version] = /^([1-9][0-9]*)-([1-9][0-9]*)$/.exec(tag) ?? [];
    if (!(weak && isStrong) && Number(tagId) === id) versions.push(Number(version));
  }
  return versions;
}

function invalidTags(name: string) {
  return httpErrors.badHeader(name, `${name} takes ETags in double quotes, or *.`);
}
