import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const CHECK_EVERY = 200; // ms

/**
 * While the service stops, requests are finished and idle connections ended. Node itself ends only those that are idle
 * when the server closes. A connection that was just answering becomes idle later, and one that a browser opened ahead of
 * need counts as busy; both would delay the stop until their timeout. So idle connections are ended again and again.
 */
export function drainConnections(app: FastifyInstance, isStopping: () => boolean): void {
  // Before it closes, every answer ends its connection, so that a balancer opens the next one elsewhere.
  app.addHook("onRequest", (_request, reply, done) => {
    if (isStopping()) reply.header("connection", "close");
    done();
  });
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)); // not "data": a listener for it makes Node read more slowly
  });
  app.addHook("preClose", (done) => {
    if (app.server.listening) {
      const timer = setInterval(() => {
        app.server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, CHECK_EVERY);
      app.server.once("close", () => clearInterval(timer));
    }
    done();
  });
}
