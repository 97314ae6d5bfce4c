// kill −9 of the service while it erases a record: after the next start the record is whole, or nothing of it is left.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const RECORDS = 3_000;
const LONGEST = 400; // ms until the process is killed; an erasure of this store takes about as long

const nameOf = (id: number) => createHash("sha256").update(`name ${id}`).digest("hex");
const trace = (id: number) => nameOf(id).slice(8);
const recordOf = (objectId: number) => ({ objectId, lastName: nameOf(objectId), accountID: String(objectId) });

async function start() {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const started = await startProcess({
    ...store,
    ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`,
    RATE_PER_SECOND: "100000",
    RATE_BURST: "100000",
  });
  const headers = await authorize(started.url, "preset", ADMIN_SECRET);
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const init = { method, headers: { ...headers, ...more }, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${started.url}/v1/customers${path}`, init);
    return { status: reply.status, text: await reply.text() };
  };
  const rewrite = async () => (await fetch(`${started.url}/v1/rewrite`, { method: "POST", headers })).status;
  return { ...started, send, rewrite };
}

test("an erasure that is killed is finished at the next start, or was not begun", { timeout: 1_800_000 }, async () => {
  let service = await start();
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  for (let from = 0; from < RECORDS; from += 500) {
    const batch = ids.slice(from, from + 500).map(recordOf);
    expect((await service.send("POST", "", batch, { "idempotency-key": `b${from}` })).status).toBe(201);
  }
  let cut = 0;
  for (let round = 1; round <= rounds(3, 40); round++) {
    const id = round * 7;
    const answer = service.send("POST", `/${id}/erasure`).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, randomInt(LONGEST)));
    service.child.kill("SIGKILL");
    await service.ended;
    const acknowledged = (await answer)?.status === 200;
    service = await start();
    const { status, text } = await service.send("GET", `/${id}`);
    if (acknowledged) expect(status).toBe(404);
    if (status === 200) {
      expect(text).toContain(trace(id));
      continue;
    }
    if (!acknowledged) cut += 1;
    await service.send("GET", `/${id}/history`).then((history) => expect(history.text).toContain('"erased"'));
    const repeat = () => service.send("POST", "", ids.slice(0, 500).map(recordOf), { "idempotency-key": "b0" });
    await expect.poll(async () => (await repeat()).text, { timeout: 60_000 }).not.toContain(trace(id)); // PostgreSQL: in the background
    expect(await service.rewrite()).toBe(204);
    if (!database.url) for (const file of ["intake.db", "intake.db-wal"]) expect(bytesOf(file)).not.toContain(trace(id));
  }
  process.stderr.write(`  ${cut} erasures were cut short after their transaction\n`);
});

test("a rewrite that is killed leaves every record as it was", { timeout: 1_800_000 }, async () => {
  let service = await start();
  const countOf = async () => JSON.parse((await service.send("GET", "?limit=1&count=exact")).text).total;
  const before = await countOf();
  expect(before).toBeGreaterThan(0);
  for (let round = 0; round < rounds(3, 40); round++) {
    const answer = service.rewrite().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, randomInt(LONGEST)));
    service.child.kill("SIGKILL");
    await service.ended;
    await answer;
    service = await start();
    expect(await countOf()).toBe(before);
  }
  expect(await service.rewrite()).toBe(204);
  expect(await countOf()).toBe(before);
});

function bytesOf(name: string): string {
  const file = join(database.folder, name);
  return existsSync(file) ? readFileSync(file).toString("latin1") : "";
}
