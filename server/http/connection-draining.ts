// Connections while the service stops: what runs is finished, what waits for nothing is ended. Knows no request.

import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const CHECK_EVERY = 200; // ms

/**
 * When a server closes, Node ends the connections that are idle at that moment. One that was just answering goes back to
 * waiting for its next request afterwards, and one that a browser or proxy opened ahead of need counts as busy: each would
 * hold up the end for as long as it may wait. So they are looked at again until none is left.
 */
export function endConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)); // not "data": a listener to that takes Node off its fast way of reading
  });
  app.addHook("preClose", (done) => {
    if (app.server.listening) {
      const look = setInterval(() => {
        app.server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, CHECK_EVERY);
      app.server.once("close", () => clearInterval(look));
    }
    done();
  });
}
