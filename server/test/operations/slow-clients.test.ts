// Clients that send too slowly, without end or too much, against the real service.

import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";

// Time enough for a slow machine, where the time limits are not what is tested.
const NO_HURRY = { HEADER_SECONDS: "300", REQUEST_SECONDS: "300" };

let folder: string;
let service: Started;
let headers: Record<string, string>;
let patient: Started;
let patientHeaders: Record<string, string>;
let signed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-slow-"));
  const limits = {
    HEADER_SECONDS: "2",
    REQUEST_SECONDS: "4",
    RATE_PER_SECOND: "100000",
    RATE_BURST: "100000",
    MAX_SOURCE_CONNECTIONS: "2000",
  };
  service = await startProcess({ DATA_DIR: folder, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...limits });
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
  patient = await startProcess({ DATA_DIR: join(folder, "patient"), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...NO_HURRY });
  patientHeaders = await authorize(patient.url, "preset", ADMIN_SECRET);
  signed = `Host: intake\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\n`;
});
afterAll(() => {
  killProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends `begin` at once and then `drop` again and again. Resolves with the answer when the connection is closed, by the service or after `isDone`. */
function stall({ url }: Started, begin: string, drop: string, isDone: (answer: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    let drops: NodeJS.Timeout | undefined;
    const socket: Socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(begin);
      drops = setInterval(() => socket.writable && drop && socket.write(drop), 100);
    });
    socket.on("data", (data) => {
      answer += data;
      if (isDone(answer)) socket.destroy();
    });
    socket.on("error", () => undefined); // a drop that is sent after the end
    socket.on("close", () => {
      clearInterval(drops);
      resolve(answer);
    });
  });
}

type SlowClient = [name: string, begin: () => string, drop: string, expected: RegExp, isPatient?: true];

// Who has no token is refused whatever the time limits are: from the patient service, for on a slow machine two seconds may pass first.
const SLOW_CLIENTS: SlowClient[] = [
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
    "a body without a token",
    () => "POST /v1/customers HTTP/1.1\r\nHost: intake\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
    " ",
    /^HTTP\/1\.1 401 /,
    true,
  ],
];

test("six hundred slow connections get 408 and are closed, and other clients are served meanwhile", { timeout: 180_000 }, async () => {
  let open = 0;
  const ends = SLOW_CLIENTS.flatMap(([name, begin, drop, expected, isPatient]) =>
    Array.from({ length: 100 }, async () => {
      open++;
      const isDone = (answer: string) => isPatient === true && answer.includes("\r\n\r\n"); // it would wait for the body
      const answer = await stall(isPatient ? patient : service, begin(), drop, isDone);
      open--;
      return { name, answer, expected };
    }),
  );
  let served = 0;
  while (open > 0) {
    const body = JSON.stringify({ lastName: "Ek", accountID: String(served) });
    expect((await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
    expect((await fetch(`${service.url}/v1/customers?limit=1`, { headers })).status).toBe(200);
    served++;
  }
  expect(served).toBeGreaterThan(0);
  for (const { name, answer, expected } of await Promise.all(ends)) {
    expect([name, answer.slice(0, 60)]).toEqual([name, expect.stringMatching(expected)]);
    expect(answer).toContain("content-type: application/problem+json");
  }
});

async function memory(): Promise<number> {
  const text = await (await fetch(`${patient.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

test("twenty bodies of a gigabyte, compressed to one megabyte each, need less than 512 MiB", { timeout: 180_000 }, async () => {
  const part = gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")); // a gzip file may have many parts (RFC 1952 section 2.2)
  const bomb = Buffer.concat(Array.from({ length: 16 }, () => part));
  const before = await memory();
  const send = async () => {
    const init = { method: "POST", headers: { ...patientHeaders, "content-encoding": "gzip" }, body: bomb };
    return (await fetch(`${patient.url}/v1/customers`, init)).status;
  };
  const sent = Promise.all(Array.from({ length: 20 }, send));
  let most = 0;
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([sent.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), 20))]);
    most = Math.max(most, await memory());
  }
  expect([413, 429]).toEqual(expect.arrayContaining(await sent)); // 429: the twenty together are more than one key may have
  expect(most - before).toBeLessThan(512 * 1024 * 1024);
  expect((await fetch(`${patient.url}/v1/customers?limit=1`, { headers: patientHeaders })).status).toBe(200);
});

test("a client that sends far too much gets the 413, although it is still sending", { timeout: 180_000 }, async () => {
  const body = "x".repeat(20_000_000);
  const send = async () => {
    const reply = await fetch(`${patient.url}/v1/customers`, { method: "POST", headers: patientHeaders, body });
    return ((await reply.json()) as { code: string }).code;
  };
  expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array.from({ length: 20 }, () => "TOO_LARGE"));
});
