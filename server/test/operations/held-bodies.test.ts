// Clients that make the service hold, read or unzip more than it should, against the real service.

import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const MIB = 1024 * 1024;
const NO_HURRY = { HEADER_SECONDS: "300", REQUEST_SECONDS: "300", RATE_PER_SECOND: "100000", RATE_BURST: "100000" };

let folder: string;
let started: Started;
let headers: Record<string, string>;
let service: TestService;
const sockets = new Set<Socket>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-held-"));
  started = await startProcess({ DATA_DIR: folder, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...NO_HURRY });
  headers = await authorize(started.url, "preset", ADMIN_SECRET);
  service = await openTestService();
  await service.app.listen({ port: 0 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
  killProcesses();
  rmSync(folder, { recursive: true, force: true });
});

interface Client {
  socket: Socket;
  answer: string;
  isClosed: boolean;
}

/** `allowHalfOpen`: the client goes on although the service has ended its side. */
function open(port: number): Client {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const client: Client = { socket, answer: "", isClosed: false };
  sockets.add(socket);
  socket.on("data", (data) => {
    client.answer += data;
  });
  socket.on("error", () => undefined); // what is sent after the end
  socket.on("close", () => {
    client.isClosed = true;
  });
  return client;
}

const portOf = (url: string) => Number(new URL(url).port);
const ownPort = () => (service.app.server.address() as { port: number }).port;
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause();
}

function postHeader(fields: Record<string, string>): string {
  const lines = Object.entries({ host: "intake", "content-type": "application/json", ...fields }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `POST /v1/customers HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

async function residentBytes(): Promise<number> {
  const text = await (await fetch(`${started.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

async function newKey(): Promise<string> {
  const reply = await fetch(`${started.url}/v1/keys`, { method: "POST", headers, body: JSON.stringify({ scope: "write" }) });
  return `Bearer ${((await reply.json()) as { key: string }).key}`;
}

/** The access token of a new key. */
async function newToken(): Promise<string> {
  const [id = "", secret = ""] = (await newKey()).slice("Bearer ink_".length).split(/\.(.*)/s);
  return (await authorize(started.url, id, secret)).authorization ?? "";
}

test.each([
  ["one key", 1, "429"],
  ["four keys", 4, "503"],
])("150 bodies of 8 MiB of %s whose last byte never comes need less than 250 MiB", { timeout: 300_000 }, async (_, keys, status) => {
  const tokens = await Promise.all(Array.from({ length: keys }, newToken));
  const before = await residentBytes();
  const body = Buffer.alloc(8 * MIB - 1, " ");
  const clients = Array.from({ length: 150 }, (_, i) => {
    const client = open(portOf(started.url));
    client.socket.write(postHeader({ authorization: tokens[i % keys] ?? "", "content-length": String(8 * MIB) }));
    client.socket.write(body);
    return client;
  });
  let most = 0;
  const isSettled = ({ answer, socket }: Client) => answer !== "" || socket.writableLength === 0;
  while (!clients.every(isSettled)) {
    most = Math.max(most, await residentBytes());
    await pause();
  }
  most = Math.max(most, await residentBytes());
  const statuses = clients.map(({ answer }) => answer.slice(9, 12));
  for (const { socket } of clients) socket.destroy();
  expect(statuses.filter((status) => status === "").length).toBeGreaterThan(0);
  expect(statuses).toContain(status);
  for (const { answer } of clients) if (answer) expect(answer).toMatch(/\r\nretry-after: \d+\r\n/i);
  expect((most - before) / MIB).toBeLessThan(250);
  const record = JSON.stringify({ lastName: "Ek", accountID: "1" });
  await expect
    .poll(async () => (await fetch(`${started.url}/v1/customers`, { method: "POST", headers, body: record })).status, { timeout: 60_000 })
    .toBe(201);
});

test.each([
  ["without a token", {}, 401],
  ["with a wrong media type", { "content-type": "text/plain" }, 415],
  ["with a length over the limit", {}, 413],
])("a client %s is read no further than a mebibyte", { timeout: 120_000 }, async (_, fields, status) => {
  let read = 0;
  service.app.server.once("connection", (socket: Socket) => {
    socket.once("close", () => {
      read = socket.bytesRead;
    });
  });
  const client = open(ownPort());
  const token = status === 401 ? {} : { authorization: `Bearer ${await service.tokenFor("write")}` };
  client.socket.write(postHeader({ ...token, ...fields, "content-length": "400000000" }));
  const piece = Buffer.alloc(64 * 1024, " ");
  for (let sent = 0; sent < 400_000_000 && !client.isClosed; sent += piece.length) {
    if (!client.socket.write(piece)) await pause();
    else if (sent % MIB === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => client.isClosed && read > 0);
  expect(client.answer.slice(9, 12)).toBe(String(status));
  expect(read).toBeLessThanOrEqual(MIB);
});

test("a connection can be used again after a small body was refused", async () => {
  const client = open(ownPort());
  for (let i = 1; i <= 3; i++) {
    client.socket.write(postHeader({ "content-length": "60000" }));
    client.socket.write("x".repeat(60_000));
    await until(() => client.answer.split("HTTP/1.1 401").length === i + 1);
  }
  expect(client.isClosed).toBe(false);
});

test("a connection ends after a 408, although the client goes on sending", { timeout: 120_000 }, async () => {
  const hasty = await startProcess({ DATA_DIR: join(folder, "hasty"), HEADER_SECONDS: "1", REQUEST_SECONDS: "2" });
  const client = open(portOf(hasty.url));
  client.socket.write("POST /v1/customers HTTP/1.1\r\nHost: intake\r\n");
  const drops = setInterval(() => client.socket.write("X: y\r\n"), 50);
  await until(() => client.isClosed);
  clearInterval(drops);
  expect(client.answer).toMatch(/^HTTP\/1\.1 408 /);
});

test("more connections than MAX_CONNECTIONS are closed, and one that ends makes room", { timeout: 120_000 }, async () => {
  const small = await startProcess({ DATA_DIR: join(folder, "small"), MAX_CONNECTIONS: "3" });
  const clients = Array.from({ length: 5 }, () => open(portOf(small.url)));
  const isAlive = ({ socket }: Client) => !socket.readableEnded && !socket.destroyed;
  await until(() => clients.filter(isAlive).length <= 3);
  const alive = clients.filter(isAlive);
  expect(alive).toHaveLength(3);
  alive[0]?.socket.destroy();
  await expect
    .poll(
      () =>
        fetch(`${small.url}/livez`, { headers: { connection: "close" } }).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
});

test.each([
  ["numbers", "[0,0,0,0,0,0,0,0]"],
  ["arrays", "[[],[],[],[],[],[],[],[]]"],
  ["nested arrays", "[[[[[[[]]]]]]]"],
  ["objects", '[{"a":0},{"b":0},{"c":0},{"d":0}]'],
])("a few kilobytes of gzip that become megabytes of %s are refused before they are parsed", async (_, pattern) => {
  const inner = pattern.slice(1, -1);
  const body = gzipSync(
    `[${Array(Math.floor((8 * MIB) / (inner.length + 1)) - 1)
      .fill(inner)
      .join(",")}]`,
  );
  const authorization = `Bearer ${await service.tokenFor("write")}`;
  const fields = { authorization, "content-type": "application/json", "content-encoding": "gzip" };
  for (const path of ["/v1/customers", "/v1/customers/deletions"]) {
    const reply = await service.raw("POST", path, fields, body);
    expect([reply.status, reply.json.detail]).toEqual([413, expect.stringContaining("values")]);
  }
});
