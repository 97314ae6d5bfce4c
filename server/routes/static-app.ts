// The built browser app at /: files with their caching and security headers, pages by index.html. Knows no record.

import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { httpErrors } from "../http/errors.ts";
import { CACHING, FILE_ADDRESS, fileHeaders, HASHED_FOLDER } from "../http/page-headers.ts";

const HEADERS = Object.entries(fileHeaders());
const IS_FILE = new RegExp(FILE_ADDRESS);
const NOT_SHOWN = /^\/(_headers|_redirects|hosting\/.*|.*\.(br|gz))$/; // for other hosts; or sent in another file's place

/**
 * Serves `folder` if the app was built into it. Answers what the not-found handler calls for addresses that no door
 * has: the app's page for a browser that navigates, so that a reload of any screen works; otherwise a true 404.
 */
export async function serveApp(
  app: FastifyInstance,
  folder: string,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  if (!existsSync(join(folder, "index.html"))) return async () => Promise.reject(httpErrors.notFound());
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: true,
    index: "index.html",
    cacheControl: false,
    preCompressed: true, // by the build
    allowedPath: (path) => !NOT_SHOWN.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, HASHED_FOLDER));
      reply.header("Cache-Control", isHashed ? CACHING.hashed : CACHING.named);
      for (const [name, value] of HEADERS) reply.header(name, value);
    },
  });
  return async (request, reply) => {
    if (!isNavigation(request)) throw httpErrors.notFound();
    return reply.sendFile("index.html");
  };
}

function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split("?", 1)[0] ?? "";
  const isPage = !path.startsWith("/v1/") && path !== "/v1" && !path.startsWith(`/${HASHED_FOLDER}`) && !IS_FILE.test(path);
  return isPage && (request.method === "GET" || request.method === "HEAD") && /text\/html/.test(request.headers.accept ?? "");
}
