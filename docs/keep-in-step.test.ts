// The example of the change feed: a second database ends up the same, whatever the feed has and whoever reads it.

import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeys } from "../server/people/auth/api-keys.ts";
import { openTestService, type TestService } from "../server/testing/service.ts";
import { keepInStep } from "./keep-in-step.ts";

let service: TestService;
let baseUrl: string;
let key: string;
let file: string;
const folder = mkdtempSync(join(tmpdir(), "intake-copy-"));
beforeEach(async ({ task }) => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1`;
  key = await createKeys(service.store).create("read");
  file = join(folder, `${task.id}.db`);
});
afterEach(() => service.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Copy = { id: number; name: string; version: number }[];

function readCopy(): Copy {
  const db = new Database(file);
  try {
    return db.prepare("SELECT id, name, version FROM customers ORDER BY id").all() as Copy;
  } finally {
    db.close();
  }
}

async function readService(): Promise<Copy> {
  const found: Copy = [];
  for (let cursor = ""; ; ) {
    const { json } = await service.call("GET", `/v1/customers?limit=1000&sort=objectId${cursor}`);
    for (const { objectId, lastName, version } of json.customers) found.push({ id: objectId, name: lastName, version });
    if (!json.next) return found;
    cursor = `&cursor=${json.next}`;
  }
}

const write = (body: unknown) => service.call("POST", "/v1/customers?onError=continue&onConflict=update", body);
const customers = (first: number, n: number, name = "Ek") =>
  Array.from({ length: n }, (_, i) => ({ objectId: first + i, lastName: `${name} ${i}`, accountID: `${i}` }));

/** The example until it is stopped; it ends by nothing else. */
function follow(): () => Promise<void> {
  const stop = new AbortController();
  const ended = keepInStep(baseUrl, key, file, stop.signal).catch((error: Error) => error);
  return async () => {
    stop.abort();
    expect(await ended).toMatchObject({ name: "AbortError" });
  };
}

/** Until the copy has what the service has, or the example has ended. */
async function followUntilEqual(): Promise<void> {
  const stop = follow();
  await vi.waitFor(async () => expect(readCopy()).toEqual(await readService()), { timeout: 60_000, interval: 100 }).finally(stop);
}

/** The service forgets all changes but those that nobody can read yet; the new customer comes after them. */
async function forgetChanges(): Promise<void> {
  const { next } = (await service.call("GET", "/v1/changes?after=now")).json;
  await service.call("POST", "/v1/customers", { lastName: "Newest", accountID: "1" });
  const isReadable = async () => expect((await service.call("GET", `/v1/changes?after=${next}`)).json.changes).toHaveLength(1);
  await vi.waitFor(isReadable, { timeout: 60_000, interval: 10 });
  const tomorrow = Date.now() + 86_400_000;
  while (await service.store.sweepHistory({ values: tomorrow, changes: tomorrow }));
}

test("the copy has what the service has, though it was stopped and started again", { timeout: 180_000 }, async () => {
  for (let round = 1; round <= 5; round++) {
    const stop = follow();
    await write(customers(1, 200, `R${round}`));
    await service.call("POST", "/v1/customers/deletions?onError=continue", [{ objectId: round }, { objectId: 100 + round }]);
    if (round === 5) await vi.waitFor(async () => expect(readCopy()).toEqual(await readService()), { timeout: 60_000 });
    await stop(); // before that, somewhere within the page
  }
  expect(readCopy()).toHaveLength(198);
});

test("a copy that begins when the service has forgotten the changes is whole, also when its first reading was stopped midway", {
  timeout: 180_000,
}, async () => {
  await write(customers(1, 2_500));
  await forgetChanges();
  const stop = new AbortController();
  const stopAtSecondPage = ({ url = "" }: IncomingMessage) => url.includes("/customers?") && url.includes("cursor=") && stop.abort();
  service.app.server.on("request", stopAtSecondPage);
  await expect(keepInStep(baseUrl, key, file, stop.signal)).rejects.toMatchObject({ name: "AbortError" });
  service.app.server.off("request", stopAtSecondPage);
  expect(readCopy()).toEqual([]); // a part of it is not shown as the whole
  await followUntilEqual();
  expect(readCopy()).toHaveLength(2_501);
});

test("a copy that is further back than the changes are kept is read anew, without what was deleted meanwhile", {
  timeout: 180_000,
}, async () => {
  await write(customers(1, 20));
  await followUntilEqual();
  await write(customers(5, 3, "Changed"));
  await service.call("POST", "/v1/customers/deletions", [{ objectId: 1 }, { objectId: 20 }]);
  await forgetChanges();
  await followUntilEqual();
  expect(readCopy()).toHaveLength(19);
  await write(customers(5, 3, "Changed again"));
  await followUntilEqual();
});

test("a copy whose cursor the service has never given, as after a restore, is read anew", { timeout: 180_000 }, async () => {
  await write(customers(1, 20));
  await followUntilEqual();
  const db = new Database(file);
  db.exec(`UPDATE place SET cursor = 's.99999.1'; DELETE FROM customers WHERE id = 7;
    INSERT INTO customers VALUES (901, 'Taken back by the restore', 1)`);
  db.close();
  await followUntilEqual();
  await write(customers(21, 5));
  await followUntilEqual();
});

test("somebody who reads the copy neither stops the example nor is stopped by it", { timeout: 180_000 }, async () => {
  await write(customers(1, 20));
  await followUntilEqual();
  const stop = follow();
  const reader = new Database(file);
  const read = reader.prepare("SELECT count(*) AS n FROM customers");
  reader.exec("BEGIN");
  expect(read.get()).toMatchObject({ n: 20 });
  await write(customers(21, 5));
  await vi.waitFor(() => expect(readCopy()).toHaveLength(25), { timeout: 60_000, interval: 100 });
  expect(read.get()).toMatchObject({ n: 20 });
  reader.exec("COMMIT");
  reader.close();
  await stop();
});
