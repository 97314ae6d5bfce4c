// Ends connections whose clients would go on sending: after an answer before the end of the body, and after a 408.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const MOST_UNREAD = 256 * 1024; // bytes of a body that are read after its answer, so that the connection can be used again
const LINGER = 1_000; // ms for the client to read its answer

/**
 * An answer may come before the whole body has arrived: a refusal, or a request whose body means nothing. The rest is read and
 * thrown away, but only so much; then the connection is closed. Otherwise anyone could make the service read without end.
 */
export function limitUnreadBodies(app: FastifyInstance): void {
  app.addHook("onSend", ({ raw }, reply, _payload, done) => {
    if (hasBody(raw) && !raw.complete) {
      // It may send the body or not (RFC 9110 section 10.1.1), so what comes next on this connection cannot be told.
      if (raw.headers.expect !== undefined) reply.header("connection", "close");
      dropRest(raw);
    }
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function dropRest(request: IncomingMessage): void {
  const { socket } = request;
  const before = socket.bytesRead;
  const onData = () => {
    if (socket.bytesRead - before > MOST_UNREAD) {
      request.off("data", onData).pause();
      closeSoon(socket);
    }
  };
  request.on("data", onData).resume();
}

/**
 * Closes the connection after what was written, whatever the client does. Nothing more is read from it, so that a client that
 * is still sending has to stop and finds the answer; a connection that is closed at once would lose it (RFC 9112 section 9.6).
 */
export function closeSoon(socket: Socket): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
