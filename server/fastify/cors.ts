// Says which pages of other origins may read an answer (CORS), also where Fastify answers before the plugin could.

import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";

const EXPOSED_HEADERS =
  "ETag, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Key, Idempotent-Replayed, WWW-Authenticate, Content-Length, Request-Id, Dictionary-Version, Intake-Renamed, Deprecation, Intake-Rights, traceparent, Date, Upload-Offset, Upload-Length, Upload-Expires, Tus-Resumable";

/** `origins`: those whose pages may call the API, besides the service's own. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 7200,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    strictPreflight: false,
    preflightContinue: true, // our own OPTIONS handler answers, with Allow
  });
}

/**
 * Returns the header fields of an answer to a header that could not be read, so that its origin is not known. Such an answer says nothing
 * of anybody.
 */
export function corsHeadersForAll(origins: readonly string[]): Record<string, string> {
  return origins.length === 0 ? {} : { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED_HEADERS };
}

/** Returns the header fields of an answer that is given before the plugin ran: an address that no route can read, a refused Expect. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Record<string, string> {
  if (origins.length === 0) return {};
  if (origin === undefined || !origins.includes(origin)) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS };
}
