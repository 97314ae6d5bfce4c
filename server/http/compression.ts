// gzip of responses with exact lengths, and which coding a request body has (RFC 9110 section 8.4.1).

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { acceptsGzip } from "./content-negotiation.ts";

const zip = promisify(gzip);

const MIN_BYTES = 1_024; // below, compressing gains nothing

/** Returns the response body, compressed where the client accepts it. HEAD needs it too, for the Content-Length of GET. */
export async function encodeBody(
  request: FastifyRequest,
  body: string,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const headers = { vary: "Accept, Accept-Encoding" };
  if (Buffer.byteLength(body) < MIN_BYTES || !acceptsGzip(request.headers["accept-encoding"])) return { body, headers };
  return { body: await zip(body, { level: 4 }), headers: { ...headers, "content-encoding": "gzip" } };
}

/** `identity` means the same as no Content-Encoding (RFC 9110 section 12.5.3). */
export function isPlain({ headers }: FastifyRequest): boolean {
  const coding = headers["content-encoding"];
  return coding === undefined || /^identity$/i.test(coding);
}

/** Knows its old name x-gzip, too (RFC 9110 section 8.4.1.3). */
export function isGzip({ headers }: FastifyRequest): boolean {
  return /^(x-)?gzip$/i.test(headers["content-encoding"] ?? "");
}
