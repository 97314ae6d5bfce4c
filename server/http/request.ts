import type { FastifyRequest } from "fastify";

/** Returns the path without the query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** Returns the id in the path of what has a random one; one that nothing has instead of one that cannot be one, such as a NUL. */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  return /^[0-9a-f]{16}$/.test(id) ? id : "";
}

/** Says whether every `%` of an address or a form begins a byte of UTF-8. Readers of queries replace others, as the WHATWG's URL standard says. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // a URIError says no more
  }
}
