// Several real processes on one PostgreSQL, started together and killed during writes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, readAll, type Started, startProcess } from "../../testing/process.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const start = (env: Record<string, string> = {}) =>
  startProcess({ DATABASE_URL: database.url ?? "", ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, ...env });

test("every acknowledged record is stored once, although one of two processes is killed during writes", { timeout: 180_000 }, async () => {
  const acknowledged = new Set<number>();
  let next = 1;
  let killAt = 0; // acknowledged records
  let [survivor, killed] = (await Promise.all([start(), start()])) as [Started, Started];
  const headers = await authorize(survivor.url, "preset", ADMIN_SECRET);
  const write = async (service: Started, until: Promise<unknown>): Promise<void> => {
    let isOver = false;
    until.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const ids = Array.from({ length: 50 }, () => next++);
      const body = JSON.stringify(ids.map((objectId) => ({ objectId, lastName: `N${objectId}`, accountID: "1" })));
      const reply = await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body }).catch(() => undefined);
      if (reply?.status !== 201) return;
      for (const id of ids) acknowledged.add(id);
      if (acknowledged.size >= killAt) killed.child.kill("SIGKILL"); // while the other two writers wait for an answer
    }
  };
  for (let round = 0; round < 2; round++) {
    killAt = acknowledged.size + 500 * (round + 1);
    await Promise.all([survivor, killed, killed].map((service) => write(service, killed.ended)));
    [survivor, killed] = [await start(), survivor];
  }
  // A token issued by a process that was killed is valid at the next one.
  const stored = (await readAll(survivor.url, headers)).map(({ objectId }) => objectId);
  expect(acknowledged.size).toBeGreaterThan(0);
  expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored.length % 50).toBe(0); // a batch is stored whole or not at all
});

test("one of four processes that start at once on an empty database creates and prints the first key", { timeout: 180_000 }, async () => {
  const empty = await createTestDatabase();
  try {
    const all = await Promise.all(Array.from({ length: 4 }, () => start({ DATABASE_URL: empty.url ?? "", ADMIN_KEY: "" })));
    const printed = () => all.flatMap((one) => one.output().match(/ink_\S+/g) ?? []);
    await expect.poll(() => printed().length, { timeout: 30_000 }).toBeGreaterThan(0);
    for (const one of all) one.child.kill("SIGTERM");
    await Promise.all(all.map((one) => one.ended));
    const [key = "", ...more] = printed();
    expect(more).toEqual([]);
    const later = await start({ DATABASE_URL: empty.url ?? "", ADMIN_KEY: "" });
    const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(key) ?? [];
    const headers = await authorize(later.url, id, secret);
    const reply = await fetch(`${later.url}/v1/keys`, { headers });
    expect(((await reply.json()) as { keys: unknown[] }).keys).toHaveLength(1);
    later.child.kill("SIGTERM");
    expect(await later.ended).toBe(0);
    expect(later.output()).not.toContain("ink_");
  } finally {
    killProcesses();
    await empty.drop();
  }
});

test("the password of the database may stand in a file", { timeout: 60_000 }, async () => {
  const url = new URL(database.url ?? "");
  const file = join(database.folder, "password");
  writeFileSync(file, `${decodeURIComponent(url.password)}\n`);
  url.password = "";
  const service = await start({ DATABASE_URL: url.href.replaceAll("+", "%20"), PGPASSWORD_FILE: file });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test("a database that cannot be used gets one clear sentence without its password", { timeout: 180_000 }, async () => {
  const wrong = new URL(database.url ?? "");
  wrong.password = "secret-word";
  const rejected = await start({ DATABASE_URL: wrong.href });
  expect(await rejected.ended).toBe(1);
  expect(rejected.output()).toBe("Intake cannot start: PostgreSQL refused the user or password of DATABASE_URL\n");
});
