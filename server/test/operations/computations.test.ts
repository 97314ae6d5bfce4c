// A run that computes values anew is ended by another process, and no record is written twice.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as nap } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started, startProcess } from "../../testing/process.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const RECORDS = 6_000;
const FORMULA = 'isEmpty(firstName) ? lastName : lastName + ", " + firstName';

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), "intake-computed-"));
const dictionary = join(folder, "datapackage.json");
const shipped = JSON.parse(readFileSync(join(import.meta.dirname, "../../../core/dictionary/datapackage.json"), "utf8"));
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const free = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  return startProcess({ ...store, DICTIONARY: dictionary, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...free });
}

async function killed(one: Started): Promise<void> {
  one.child.kill("SIGKILL");
  await one.ended;
}

test("kill -9 in the middle of a run", async () => {
  writeFileSync(dictionary, JSON.stringify(shipped));
  let service = await start();
  let headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${service.url}/v1${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  for (let from = 1; from <= RECORDS; from += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, i) => ({
      objectId: from + i,
      firstName: "A",
      lastName: `B${from + i}`,
      accountID: "x",
    }));
    expect((await send("POST", "/customers", some)).status).toBe(201);
  }
  await killed(service);
  const [customers] = shipped.resources;
  customers.schema.fields.push({ name: "sortName", title: "Sort name", type: "string", computed: FORMULA });
  writeFileSync(dictionary, JSON.stringify(shipped));

  service = await start();
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const run = async () => (await (await send("GET", "/dictionary/computations")).json()).computations[0];
  let kills = 0;
  for (let last = await run(); last?.state !== "done"; last = await run()) {
    if (kills < 2 && last?.seen > kills * 2_000) {
      kills++;
      await killed(service);
      service = await start();
    }
    await nap(10);
  }
  expect(kills).toBe(2);
  const all = (await readAll(service.url, headers)) as unknown as { objectId: number; sortName: string; version: number }[];
  expect(all.length).toBe(RECORDS);
  expect(all.filter(({ objectId, sortName }) => sortName !== `B${objectId}, A`)).toEqual([]);
  expect(new Set(all.map(({ version }) => version))).toEqual(new Set([2]));
}, 180_000);
