// Answers to what never becomes a request of Fastify's: malformed HTTP, headers that are too long, time limits.

import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { ANSWER_HEADERS } from "../http/page-headers.ts";
import { problemAnswer, reasonOf } from "../http/problem.ts";
import { closeSoon } from "./connection-closing.ts";
import { corsHeaders } from "./cors.ts";

export function rejectExpectation(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  const { status, headers, body } = rawAnswer(httpErrors.expectationFailed());
  response.writeHead(status, { ...headers, ...corsHeaders(origins, request.headers.origin) }).end(body);
}

export interface ConnectionRejections {
  /** Follows the requests of the server, so that each is answered once. */
  watch(server: Server): void;
  /** Answers what cannot be read as a request, and the connection ends. Bytes after an answer that ends it have none of their own. */
  reject(error: NodeJS.ErrnoException, socket: Socket): void;
}

/** `allowed`: the CORS fields of answers that are given before the origin of the page is known. */
export function createConnectionRejections(allowed: Record<string, string>): ConnectionRejections {
  const latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  function write(error: NodeJS.ErrnoException, socket: Socket): void {
    const { status, headers, body } = rawAnswer(connectionError(error.code));
    const lines = Object.entries({ ...headers, ...allowed }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join("")}\r\n${body}`);
    closeSoon(socket);
  }
  return {
    watch: (server) => server.on("request", (request, response) => latest.set(request.socket, { request, response })),
    reject(error, socket) {
      if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
      const last = latest.get(socket);
      const isBody = last !== undefined && !last.request.complete;
      // A refused body, or bytes behind a request that asked for the end of the connection: they are no other request.
      const isAnswered = isBody ? last.response.headersSent : error.code === "HPE_CLOSED_CONNECTION";
      const end = () => (isAnswered ? closeSoon(socket) : write(error, socket));
      if (last === undefined || last.response.closed || (isBody && !isAnswered)) return end();
      socket.pause();
      last.response.once("close", end); // what was asked before is answered first
    },
  };
}

/** Returns the whole answer. The connection ends with it. */
function rawAnswer(httpError: HttpError): { status: number; headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const { status, headers, body } = problemAnswer(httpError, { requestId });
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { ...headers, ...ANSWER_HEADERS, "Request-Id": requestId, "Content-Length": length, Connection: "close" },
    body,
  };
}

function connectionError(code: string | undefined): HttpError {
  if (code === "HPE_HEADER_OVERFLOW") return httpErrors.headersTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return httpErrors.requestTimeout();
  return httpErrors.badRequest("This is not a request that HTTP allows.");
}
