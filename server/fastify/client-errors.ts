// Answers to what never becomes a request of Fastify's: malformed HTTP, headers that are too long, time limits.

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
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

/** Writes the answer to the socket, and the connection ends. */
export function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const { status, headers, body } = rawAnswer(connectionError(error.code));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join("")}\r\n${body}`);
  closeSoon(socket);
}

/** The whole answer. The connection ends with it. */
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
