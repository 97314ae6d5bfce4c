// A proxy before the service that holds writes back until a test lets them through.

import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ServiceProxy {
  url: string;
  /** The token of the latest write. */
  token(): string;
  /** Lets this many writes of records through, waiting ones first, and holds later ones back. */
  letThrough(writes: number): void;
  /** Resolves once a write is held back. */
  untilHeld(): Promise<void>;
  /** From now on answers each write with 503 and `Retry-After: 900`. */
  reject(): void;
  /** From now on answers each report of a run with 404, as a service of an earlier version does. */
  refuseReports(): void;
  /** Lets all writes through, waiting ones first. */
  open(): void;
  close(): void;
}

export async function openServiceProxy(service: string): Promise<ServiceProxy> {
  let left = Number.POSITIVE_INFINITY;
  let token = "";
  let isRefusing = false;
  let hasReports = true;
  let waiting: (() => void)[] = [];
  let notify: () => void = () => undefined;
  let nextWrite = new Promise<void>((resolve) => (notify = resolve));
  const server = createServer((incoming, response) => {
    const isWrite = incoming.method === "POST" && !/^\/v1\/(?:oauth\/|\w+\/lookup$)/.test(incoming.url ?? "");
    if (isWrite) token = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    if (isWrite && isRefusing) {
      incoming.resume();
      response.writeHead(503, { "Retry-After": "900", "Content-Type": "application/problem+json" }).end("{}");
      return;
    }
    if (incoming.method === "PUT" && !hasReports) {
      incoming.resume();
      response.writeHead(404, { "Content-Type": "application/problem+json" }).end("{}");
      return;
    }
    const forward = () => forwardRequest(service, incoming, response);
    if (!isWrite || left > 0) {
      if (isWrite) left--;
      forward();
      return;
    }
    waiting.push(forward);
    notify();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => token,
    letThrough(writes) {
      nextWrite = new Promise<void>((resolve) => (notify = resolve));
      left = writes;
      for (; left > 0 && waiting.length > 0; left--) waiting.shift()?.();
      if (waiting.length > 0) notify();
    },
    untilHeld: () => nextWrite,
    reject() {
      isRefusing = true;
    },
    refuseReports() {
      hasReports = false;
    },
    open() {
      isRefusing = false;
      hasReports = true;
      left = Number.POSITIVE_INFINITY;
      for (const forward of waiting) forward();
      waiting = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forwardRequest(service: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(service);
  const { method, headers, url } = incoming;
  const outgoing = request({ hostname, port, method, headers, path: url }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}
