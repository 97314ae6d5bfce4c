// Ends requests whose bodies arrive too slowly, but for those that may. Node knows one time for all of them.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { mayBeSlow } from "../http/slow-bodies.ts";
import { limitUnreadBodies } from "./connection-closing.ts";

const CHECK_EVERY = 500; // ms

/** Limits how long bodies come, and how much of them is read after an answer. `seconds`: for a body, from the end of its header on. */
export function limitBodies(app: FastifyInstance, seconds: number): void {
  limitUnreadBodies(app);
  limitBodyTimes(app, seconds);
}

function limitBodyTimes(app: FastifyInstance, seconds: number): void {
  const coming = new Map<IncomingMessage, number>(); // with the time by which it must be there
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    for (const [request, until] of coming) {
      if (request.complete || request.destroyed || mayBeSlow(request)) coming.delete(request);
      else if (until <= now) {
        coming.delete(request);
        const late = Object.assign(new Error("the body came too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }); // as Node's own
        app.server.emit("clientError", late, request.socket);
      }
    }
    if (coming.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  app.server.on("request", (request: IncomingMessage) => {
    const { headers } = request;
    if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
    coming.set(request, performance.now() + seconds * 1_000);
    timer ??= setInterval(check, CHECK_EVERY).unref();
  });
}
