// The example of the change feed: a second database that is interrupted again and again ends up the same.

import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createKeys } from "../server/auth/api-keys.ts";
import { openTestService, type TestService } from "../server/testing/service.ts";
import { keepInStep } from "./keep-in-step.ts";

let service: TestService;
let baseUrl: string;
const folder = mkdtempSync(join(tmpdir(), "intake-copy-"));
const file = join(folder, "copy.db");
beforeAll(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

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
  const { json } = await service.call("GET", "/v1/customers?limit=1000&sort=objectId");
  return json.customers.map(({ objectId, lastName, version }: Record<string, unknown>) => ({ id: objectId, name: lastName, version }));
}

test("the copy has what the service has, though it was stopped and started again", async () => {
  const key = await createKeys(service.store).create("read");
  const write = (body: unknown) => service.call("POST", "/v1/customers?onError=continue&onConflict=update", body);
  for (let round = 1; round <= 5; round++) {
    const stop = new AbortController();
    const running = keepInStep(baseUrl, key, file, stop.signal).catch((error: Error) => error.name);
    await write(Array.from({ length: 200 }, (_, i) => ({ objectId: i + 1, lastName: `R${round} ${i}`, accountID: `${i}` })));
    await service.call("POST", "/v1/customers/deletions?onError=continue", [{ objectId: round }, { objectId: 100 + round }]);
    if (round === 5) await vi.waitFor(async () => expect(readCopy()).toEqual(await readService()), { timeout: 60_000 });
    stop.abort(); // before that, somewhere within the page
    expect(await running).toBe("AbortError");
  }
  expect(readCopy()).toHaveLength(198);
});
