// The built browser app at /: files with their caching and security headers, pages by index.html. Knows no record.

import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "./refusal.ts";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types intake",
].join("; ");

const YEAR = 31_536_000; // seconds

/**
 * Serves `folder` if the app was built into it. Answers what the not-found handler calls for addresses that no door
 * has: the app's page for a browser that navigates, so that a reload of any screen works; otherwise a true 404.
 */
export async function serveApp(
  app: FastifyInstance,
  folder: string,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  if (!existsSync(join(folder, "index.html"))) return async () => Promise.reject(notFound());
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: true,
    index: "index.html",
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, "assets"));
      reply.header("Cache-Control", isHashed ? `public, max-age=${YEAR}, immutable` : "no-cache");
      if (path.endsWith(".html")) reply.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    },
  });
  return async (request, reply) => {
    if (!isNavigation(request)) throw notFound();
    return reply.sendFile("index.html");
  };
}

function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split("?", 1)[0] ?? "";
  const isPage = !path.startsWith("/v1/") && path !== "/v1" && !path.startsWith("/assets/") && !/\.[A-Za-z0-9]+$/.test(path);
  return isPage && (request.method === "GET" || request.method === "HEAD") && /text\/html/.test(request.headers.accept ?? "");
}
