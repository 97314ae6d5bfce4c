// `intake erase` and `intake copy`, with and without a running service.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";
import { ORDERS } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

test("a record is copied and erased by command, through the service and without it", { timeout: 120_000 }, async () => {
  const place = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const env = { ...place, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` };
  const service = await startProcess(env);
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const body = JSON.stringify([7, 8].map((objectId) => ({ objectId, lastName: `Berg ${objectId}`, accountID: String(objectId) })));
  expect((await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
  const through = { ...env, URL: service.url };

  const copied = await runCommand("copy", ["customers", "7"], through);
  expect(JSON.parse(copied.out)).toMatchObject({ record: { lastName: "Berg 7" }, history: [{ operation: "created" }] });
  expect((await runCommand("erase", ["customers", "7"], through)).out).toMatch(/^Erased for good: customer 7, at 20.+Backups/);
  const left = await runCommand("copy", ["customers", "7"], through);
  expect(left.out).not.toContain("Berg");
  expect(JSON.parse(left.out)).toMatchObject({ record: null, history: [{ operation: "erased" }] });
  const unknown = await runCommand("erase", ["customers", "99"], through);
  expect([unknown.code, unknown.error]).toEqual([1, "There is no customer 99, and there never was.\n"]);
  const wrong = await runCommand("erase", ["customers", "8"], { ...through, ADMIN_KEY: "nonsense" });
  expect([wrong.code, wrong.error]).toEqual([1, expect.stringMatching(/^ADMIN_KEY does not look like "ink_<id>\.<secret>"\. URL names/)]);

  service.child.kill("SIGTERM");
  await service.ended;
  expect((await runCommand("erase", ["customers", "8"], env)).out).toMatch(/^Erased for good: customer 8/);
  expect((await runCommand("copy", ["customers", "8"], env)).out).not.toContain("Berg");
  expect((await runCommand("erase", ["--rewrite"], env)).out).toBe("The store's files are rewritten.\n");
  const again = await startProcess(env);
  expect((await runCommand("erase", ["--rewrite"], { ...env, URL: again.url })).out).toBe("The store's files are rewritten.\n");
  again.child.kill("SIGTERM");
  await again.ended;
  for (const words of [["customers", "7", "--rewrite"], [], ["customers"], ["customers", "x"], ["people", "7"], ["customers", "7", "8"]]) {
    expect((await runCommand("erase", words, env)).error).toMatch(/^intake erase COLLECTION ID/m);
  }
});

test("no command answers for a store that is not there, and each knows the dictionary that the store keeps", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-erase-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const command of ["copy", "erase"]) {
    const { code, error } = await runCommand(command, ["customers", "7"], { DATA_DIR: join(folder, "other") });
    expect([code, error]).toEqual([1, expect.stringContaining(`There is no store in ${folder}/other: name the store with DATA_DIR`)]);
  }
  expect(readdirSync(folder)).toEqual([]);
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  const place = own.url ? { DATABASE_URL: own.url } : { DATA_DIR: own.folder };
  const service = await startProcess({ ...place, DICTIONARY: ORDERS, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  if (!own.url) {
    service.child.kill("SIGTERM"); // it would be asked itself
    await service.ended;
  }
  expect((await runCommand("keys", ["list"], place)).code).toBe(0);
  const { code, error } = await runCommand("copy", ["customers", "7"], place);
  expect([code, error]).toEqual([1, expect.stringContaining("There is no customer 7, and there never was.")]);
});
