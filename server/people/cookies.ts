// The cookies that the service sets. No script can read them, and each is sent to one part of the API alone.

import type { FastifyRequest } from "fastify";

export interface Cookie {
  name: string;
  path: string;
  /** Strict: never with a request that another site began. Lax: also when a link there leads here. */
  sameSite: "Strict" | "Lax";
}

/**
 * Writes a `Set-Cookie` field. An empty value with 0 seconds takes the cookie back. Browsers keep one with Secure on https only, and believe the
 * prefix of its name only then (RFC 6265bis, section 4.1.3), so that nobody on the way sets another; on this computer itself it may be http.
 */
export function setCookie(request: FastifyRequest, { name, path, sameSite }: Cookie, value: string, seconds: number): string {
  const secure = isOnThisComputer(request) ? "" : "; Secure";
  return `${nameAt(request, name)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Returns the value of a cookie in a request, empty without one. */
export function readCookie(request: FastifyRequest, { name }: Cookie): string {
  return new RegExp(`(?:^|; *)${nameAt(request, name)}=([^;]*)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
}

function nameAt(request: FastifyRequest, name: string): string {
  return isOnThisComputer(request) ? name : `__Secure-${name}`;
}

function isOnThisComputer({ headers: { host = "" } }: FastifyRequest): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host);
}
