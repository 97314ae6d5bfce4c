// Stands between the command and the service and holds writes back on order, so that a test knows what is under way. For tests only.

import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ServiceProxy {
  url: string;
  /** The Authorization of the latest write. */
  token(): string;
  /** Lets so many writes of records through from now on, those that wait first; what follows waits. */
  letThrough(writes: number): void;
  /** Resolves when a write waits. */
  waits(): Promise<void>;
  /** From now on each write is asked to come again after a quarter of an hour. */
  reject(): void;
  /** What waits goes on, and whatever comes. */
  open(): void;
  close(): void;
}

export async function openServiceProxy(service: string): Promise<ServiceProxy> {
  let left = Number.POSITIVE_INFINITY;
  let token = "";
  let isRefusing = false;
  let held: (() => void)[] = [];
  let heard: () => void = () => undefined;
  let holding = new Promise<void>((resolve) => (heard = resolve));
  const server = createServer((given, answer) => {
    const isWrite = given.method === "POST" && given.url?.startsWith("/v1/customers") === true;
    if (isWrite) token = given.headers.authorization?.replace("Bearer ", "") ?? "";
    if (isWrite && isRefusing) {
      given.resume();
      answer.writeHead(503, { "Retry-After": "900", "Content-Type": "application/problem+json" }).end("{}");
      return;
    }
    const go = () => pass(service, given, answer);
    if (!isWrite || left > 0) {
      if (isWrite) left--;
      go();
      return;
    }
    held.push(go);
    heard();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => token,
    letThrough(writes) {
      holding = new Promise<void>((resolve) => (heard = resolve));
      left = writes;
      for (; left > 0 && held.length > 0; left--) held.shift()?.();
      if (held.length > 0) heard();
    },
    waits: () => holding,
    reject() {
      isRefusing = true;
    },
    open() {
      isRefusing = false;
      left = Number.POSITIVE_INFINITY;
      for (const go of held) go();
      held = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function pass(service: string, given: IncomingMessage, answer: ServerResponse): void {
  const { hostname, port } = new URL(service);
  const { method, headers, url } = given;
  const onward = request({ hostname, port, method, headers, path: url }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  given.pipe(onward);
}
