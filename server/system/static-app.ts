// The built browser app at /, with its caching and security headers.

import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { accepts } from "../http/content-negotiation.ts";
import { httpErrors } from "../http/errors.ts";
import { CACHING, FILE_ADDRESS, fileHeaders, HASHED_FOLDER } from "../http/page-headers.ts";

const HEADERS = Object.entries(fileHeaders());
const IS_FILE = new RegExp(FILE_ADDRESS);
const HIDDEN = /^\/(_headers|_redirects|hosting\/.*|.*\.(br|gz))$/; // for other hosts, or sent in place of another file

/**
 * Serves `folder` if the app was built into it. Returns the handler for addresses without a route: it answers whoever accepts a page
 * with the app's, so that every screen can be reloaded and monitors find it, and everything else with 404.
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
    allowedPath: (path) => !HIDDEN.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, HASHED_FOLDER));
      reply.header("Cache-Control", isHashed ? CACHING.hashed : CACHING.named);
      for (const [name, value] of HEADERS) reply.header(name, value);
    },
  });
  return async (request, reply) => {
    const varies = reply.getHeader("vary"); // set where origins are allowed
    reply.header("vary", varies === undefined ? "Accept" : `${varies}, Accept`);
    if (!isNavigation(request)) throw httpErrors.notFound();
    return reply.sendFile("index.html");
  };
}

function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split("?", 1)[0] ?? "";
  const isPage =
    !path.startsWith("/v1/") && path !== "/v1" && !path.startsWith(`/${HASHED_FOLDER}`) && !IS_FILE.test(path) && !HIDDEN.test(path);
  return isPage && (request.method === "GET" || request.method === "HEAD") && accepts(request.headers.accept, "text/html");
}
