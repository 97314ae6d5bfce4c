// Hundreds of idle connections from one address, against the real service: others are answered all the same.

import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killProcesses, type Started, startProcess } from "../../testing/process.ts";

// A loopback has many addresses, which stand for as many clients.
const [CROWD, COLLEAGUE] = ["127.0.0.3", "127.0.0.2"];
const NO_HURRY = { HEADER_SECONDS: "300", REQUEST_SECONDS: "300" };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-connections-"));
});
afterAll(() => {
  killProcesses();
  rmSync(folder, { recursive: true, force: true });
});

const start = (name: string, env: Record<string, string>) => startProcess({ DATA_DIR: join(folder, name), ...NO_HURRY, ...env });
const portOf = ({ url }: Started) => Number(new URL(url).port);
const isOpen = (socket: Socket) => !socket.readableEnded && !socket.destroyed;

/** Connections that send nothing. Resolves when each is open or was closed by the service. */
async function crowd(service: Started, count: number, localAddress = CROWD): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect({ port: portOf(service), host: "127.0.0.1", localAddress });
      socket.on("error", () => undefined).resume();
      return new Promise<Socket>((resolve) => socket.once("connect", () => resolve(socket)).once("close", () => resolve(socket)));
    }),
  );
}

/** The status of an answer on a connection of its own; 0 when it was closed without one. */
function ask(service: Started, localAddress: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${service.url}/livez`, { agent: false, localAddress, headers }, (reply) =>
      resolve(reply.resume().statusCode ?? 0),
    );
    request.on("error", () => resolve(0));
  });
}

test("one address has MAX_SOURCE_CONNECTIONS, others get in, and one that ends makes room", { timeout: 120_000 }, async () => {
  const service = await start("default", {});
  const sockets = await crowd(service, 800);
  await expect.poll(() => sockets.filter(isOpen).length, { timeout: 60_000 }).toBe(500);
  expect([await ask(service, CROWD), await ask(service, COLLEAGUE), await ask(service, "127.0.0.1")]).toEqual([0, 200, 200]);
  expect(sockets.filter(isOpen)).toHaveLength(500);
  sockets.find(isOpen)?.destroy();
  await expect.poll(() => ask(service, CROWD), { timeout: 60_000 }).toBe(200);
});

test("a trusted proxy has as many as there may be in all; its clients are not told apart by connection", { timeout: 120_000 }, async () => {
  const service = await start("proxied", { TRUSTED_PROXIES: CROWD, MAX_SOURCE_CONNECTIONS: "50", MAX_CONNECTIONS: "400" });
  const sockets = await crowd(service, 300);
  expect(await ask(service, CROWD, { "x-forwarded-for": "192.0.2.7" })).toBe(200);
  expect(sockets.filter(isOpen)).toHaveLength(300);
  const others = await crowd(service, 80, COLLEAGUE);
  await expect.poll(() => others.filter(isOpen).length, { timeout: 60_000 }).toBe(50);
});
