// A proxy before the service that injects faults into the batches of an upload and forwards everything else.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const FAULTS = ["dropBefore", "dropAfter", "delay", "duplicate", "429", "503", "500after", "413", "cut"] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxy {
  port: number;
  /** Says how many batches met a fault. */
  met: number;
  close(): void;
}

export interface FaultProxyOptions {
  /** The fault of each batch, counted from 0. */
  fault(batch: number): Fault | undefined;
  /** Removes the idempotency key from every request, like a service that ignores it. */
  dropsKeys?: boolean;
  /** Says how much longer a delayed batch takes, in milliseconds. */
  delay?: number;
}

interface Reply {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** `service` is called for each request and returns the port where the service listens now. */
export async function startFaultProxy(
  service: () => number,
  { fault, dropsKeys = false, delay = 400 }: FaultProxyOptions,
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  let batches = 0;

  async function forward(from: IncomingMessage, body: Buffer): Promise<Reply> {
    const headers = { ...from.headers };
    if (dropsKeys) delete headers["idempotency-key"];
    return new Promise((resolve, reject) => {
      const to = request({ port: service(), host: "127.0.0.1", method: from.method, path: from.url, headers, agent }, async (reply) => {
        resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body: await read(reply).catch(() => Buffer.alloc(0)) });
      });
      to.on("error", reject);
      to.end(body);
    });
  }

  async function serve(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await read(from);
    const isBatch = from.method === "POST" && /^\/v1\/customers(?:\/batch)?\?/.test(from.url ?? "");
    const kind = isBatch ? fault(batches++) : undefined;
    if (kind) proxy.met++;
    if (kind === "dropBefore") return void to.destroy();
    if (kind === "429" || kind === "503" || kind === "413") return refuse(to, Number(kind));
    if (kind === "delay") await pause(delay);
    if (kind === "duplicate") void forward(from, body).catch(() => undefined);
    const reply = await forward(from, body);
    if (kind === "dropAfter") return void to.destroy();
    if (kind === "500after") return refuse(to, 500);
    to.writeHead(reply.status, reply.headers);
    if (kind !== "cut") return void to.end(reply.body);
    to.write(reply.body.subarray(0, reply.body.length / 2), () => to.destroy());
  }

  const server = createServer((from, to) => {
    serve(from, to).catch(() => to.destroy()); // the service does not answer, so this does not either
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    met: 0,
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
  return proxy;
}

function refuse(to: ServerResponse, status: number): void {
  const body = JSON.stringify({ type: "about:blank", title: "On purpose", status, detail: `The proxy answered ${status}.` });
  const wait = status === 429 || status === 503 ? { "Retry-After": "1" } : {};
  to.writeHead(status, { "Content-Type": "application/problem+json", "Content-Length": Buffer.byteLength(body), ...wait });
  to.end(body);
}

async function read(from: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of from) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
