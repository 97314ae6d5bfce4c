// Clients that hold on to the real service: by sending too slowly, by never ending, by bodies that swell. Everyone else is served meanwhile.

import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";

let folder: string;
let service: Started;
let headers: Record<string, string>;
let signed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-slow-"));
  const limits = { HEADER_SECONDS: "1", REQUEST_SECONDS: "2", RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  service = await startProcess({ DATA_DIR: folder, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...limits });
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
  signed = `Host: intake\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\n`;
});
afterAll(() => {
  killProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends `begin` at once and then `drop` every now and then. Resolves with what was heard when the service closes the connection. */
function stall(begin: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    let drops: NodeJS.Timeout | undefined;
    const socket: Socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => {
      socket.write(begin);
      drops = setInterval(() => socket.writable && drop && socket.write(drop), 100);
    });
    socket.on("data", (data) => {
      heard += data;
    });
    socket.on("error", () => undefined); // a drop that comes after the end
    socket.on("close", () => {
      clearInterval(drops);
      resolve(heard);
    });
  });
}

const KINDS: [name: string, begin: () => string, drop: string, answer: RegExp][] = [
  ["a header that never ends", () => "GET /livez HTTP/1.1\r\nHost: intake\r\n", "X: y\r\n", /^HTTP\/1\.1 408 /],
  ["a first line that never ends", () => "GET /", "x", /^HTTP\/1\.1 408 /],
  ["nothing at all", () => "", "", /^HTTP\/1\.1 408 /],
  ["a body that never ends", () => `POST /v1/customers HTTP/1.1\r\n${signed}Content-Length: 100000\r\n\r\n`, " ", /^HTTP\/1\.1 408 /],
  [
    "chunks that never end",
    () => `POST /v1/customers HTTP/1.1\r\n${signed}Transfer-Encoding: chunked\r\n\r\n`,
    "1\r\n \r\n",
    /^HTTP\/1\.1 408 /,
  ],
  [
    "a body that nobody waits for",
    () => "POST /v1/customers HTTP/1.1\r\nHost: intake\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
    " ",
    /^HTTP\/1\.1 401 /,
  ],
];

test("six hundred connections that dribble get 408 and are closed; others are served all the while", { timeout: 60_000 }, async () => {
  let open = 0;
  const ends = KINDS.flatMap(([name, begin, drop, answer]) =>
    Array.from({ length: 100 }, async () => {
      open++;
      const heard = await stall(begin(), drop);
      open--;
      return { name, heard, answer };
    }),
  );
  let served = 0;
  while (open > 0) {
    const body = JSON.stringify({ lastName: "Ek", accountID: String(served) });
    expect((await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
    expect((await fetch(`${service.url}/v1/customers?limit=1`, { headers })).status).toBe(200);
    served++;
  }
  expect(served).toBeGreaterThan(10);
  for (const { name, heard, answer } of await Promise.all(ends)) {
    expect([name, heard.slice(0, 60)]).toEqual([name, expect.stringMatching(answer)]);
    expect(heard).toContain("content-type: application/problem+json");
  }
});

async function memory(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

test("twenty bodies of a gigabyte, each zipped to one megabyte, cost no gigabyte", { timeout: 60_000 }, async () => {
  const part = gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")); // a gzip file may have many parts (RFC 1952 section 2.2)
  const bomb = Buffer.concat(Array.from({ length: 16 }, () => part));
  const before = await memory();
  const send = async () => {
    const init = { method: "POST", headers: { ...headers, "content-encoding": "gzip" }, body: bomb };
    return (await fetch(`${service.url}/v1/customers`, init)).status;
  };
  const sent = Promise.all(Array.from({ length: 20 }, send));
  let most = 0;
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([sent.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), 20))]);
    most = Math.max(most, await memory());
  }
  expect(await sent).toEqual(Array.from({ length: 20 }, () => 413));
  expect(most - before).toBeLessThan(512 * 1024 * 1024);
  expect((await fetch(`${service.url}/v1/customers?limit=1`, { headers })).status).toBe(200);
});

test("who sends far too much hears why, however much of it is still on its way", { timeout: 60_000 }, async () => {
  const patient = await startProcess({ DATA_DIR: join(folder, "patient"), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  const own = await authorize(patient.url, "preset", ADMIN_SECRET);
  const body = "x".repeat(20_000_000);
  const send = async () => {
    const reply = await fetch(`${patient.url}/v1/customers`, { method: "POST", headers: own, body });
    return ((await reply.json()) as { code: string }).code;
  };
  expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array.from({ length: 20 }, () => "TOO_LARGE"));
});
