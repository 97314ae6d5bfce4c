import type { FastifyRequest } from "fastify";

export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}
