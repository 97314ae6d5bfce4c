// The real process stopped at work: requests are finished, it exits with 0, and nothing delays it.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started, startProcess } from "../../testing/process.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-stop-"));
});
afterEach(killProcesses);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ADMIN_KEY = `ink_preset.${ADMIN_SECRET}`;
const start = (name: string) => startProcess({ DATA_DIR: join(folder, name), ADMIN_KEY });
const post = ({ url }: Started, headers: Record<string, string>, from: number, count: number) => {
  const records = Array.from({ length: count }, (_, i) => ({ objectId: from + i, lastName: "long ".repeat(39), accountID: "1" }));
  return fetch(`${url}/v1/customers`, { method: "POST", headers, body: JSON.stringify(records) });
};
/** A store that was closed properly is one plain file; one whose process was killed has a log, too. */
const filesOf = (name: string) => readdirSync(join(folder, name));

test("an export that is running is sent to its end", { timeout: 180_000 }, async () => {
  const service = await start("export");
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  for (let i = 0; i < 5; i++) expect((await post(service, headers, 1 + 10_000 * i, 10_000)).status).toBe(201);
  const reply = await fetch(`${service.url}/v1/customers`, { headers: { ...headers, accept: "text/csv" } });
  service.child.kill("SIGTERM");
  await expect
    .poll(
      () =>
        fetch(`${service.url}/livez`).then(
          () => "open",
          () => "closed",
        ),
      { timeout: 30_000 },
    )
    .toBe("closed");
  const rows = (await reply.text()).trimEnd().split("\n");
  expect([rows.length, rows.at(-1)]).toEqual([50_001, expect.stringMatching(/^50000,/)]);
  expect(await service.ended).toBe(0);
  expect(filesOf("export")).toEqual(["intake.db", "intake.db.lock", "intake.db.reserve"]);
});

test("batches that are running are stored and answered", { timeout: 180_000 }, async () => {
  const service = await start("batch");
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const first = post(service, headers, 1, 8_000);
  const acknowledged: number[] = [];
  const write = async (from: number): Promise<void> => {
    const reply = await post(service, headers, from, 1_000).catch(() => undefined);
    if (reply?.status === 201) acknowledged.push(from);
    if (reply) await write(from + 1_000);
  };
  const writing = Promise.all([write(100_000), write(1_000_000)]);
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(2);
  service.child.kill("SIGTERM");
  expect((await first).status).toBe(201);
  await writing;
  expect(await service.ended).toBe(0);
  expect(filesOf("batch")).toEqual(["intake.db", "intake.db.lock", "intake.db.reserve"]);
  const again = await start("batch");
  const stored = new Set((await readAll(again.url, headers)).map(({ objectId }) => objectId));
  expect(acknowledged.filter((from) => !stored.has(from) || !stored.has(from + 999))).toEqual([]);
  expect([stored.has(1), stored.has(8_000), stored.size % 1_000]).toEqual([true, true, 0]);
});

test("before it closes, the service answers for DRAIN_SECONDS, says no at /readyz and ends its connections", {
  timeout: 180_000,
}, async () => {
  const service = await startProcess({ DATA_DIR: join(folder, "drain"), ADMIN_KEY, DRAIN_SECONDS: "15" });
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  service.child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status, { timeout: 14_000 }).toBe(503);
  const reply = await post(service, headers, 1, 10);
  expect([reply.status, reply.headers.get("connection")]).toEqual([201, "close"]);
  expect(await service.ended).toBe(0);
});

test("idle and unused connections do not delay the stop", { timeout: 180_000 }, async () => {
  const service = await start("idle");
  const { port, hostname } = new URL(service.url);
  const ends = Array.from(
    { length: 3 },
    () => new Promise((resolve) => connect(Number(port), hostname).on("error", resolve).once("close", resolve)),
  );
  await fetch(`${service.url}/livez`).then((reply) => reply.text());
  service.child.kill("SIGTERM");
  await Promise.all(ends);
  expect(await service.ended).toBe(0);
  expect(filesOf("idle")).toEqual(["intake.db", "intake.db.lock", "intake.db.reserve"]);
});
