// Says how many connections there may be at once, in all and from one source.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "../http/limits.ts";
import { sourceOf } from "../people/auth/source-address.ts";

/**
 * Beyond a limit a connection is closed without an answer, which costs next to nothing. With the limit in all alone, one client with
 * idle connections would keep everybody out. Through a trusted proxy come all clients, so its connections count in all only.
 */
export function limitConnections(
  server: Server,
  { connections, sourceConnections }: Pick<Limits, "connections" | "sourceConnections">,
  isTrusted: (address: string) => boolean = () => false,
): void {
  server.maxConnections = connections;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket; // Node remembers it once it was read, so that the log has it of a connection that has ended
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return; // undefined: it has ended already
    const source = sourceOf(remoteAddress);
    const count = open.get(source) ?? 0;
    if (count >= sourceConnections) return void socket.destroy();
    open.set(source, count + 1);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
  });
}
