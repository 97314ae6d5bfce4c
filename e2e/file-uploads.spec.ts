// A large file of a record: by a line that breaks, to a service that is killed, cancelled, and by the client.

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, openAsBlob, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { putFile } from "../client/files.ts";
import { createClient } from "../client/http-client.ts";
import { createKeySession } from "../client/token-exchange.ts";
import { type BreakingLine, startBreakingLine } from "./support/breaking-line.ts";
import { devicesWith, field, signInAt } from "./support/devices.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, type Row } from "./support/service.ts";

const MB = 1_000_000;
const PACKAGE = devicesWith([field("manual", "Manual", "Anleitung", { format: "file", maxSize: 100 * MB })]);

let service: OwnService;
let line: BreakingLine | undefined;
let folder: string;
let path: string;
let hash: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-large-"));
  service = await startService(async () => ({ FILES: join(folder, "files") }), { dataPackage: PACKAGE });
  path = join(folder, "manual.bin");
  const bytes = randomBytes(40 * MB);
  writeFileSync(path, bytes);
  hash = createHash("sha256").update(bytes).digest("hex");
});
test.afterEach(() => line?.close());
test.afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

const api = () => openApi(service.port);
const read = async (id: number) => (await (await api()).call("GET", `/devices/${id}`)).json as Row;
const manual = (page: Page) => page.locator('[data-field="manual"]');
const status = (page: Page) => manual(page).getByRole("status");
/** The uploads of which pieces are kept. */
const unfinished = () =>
  readdirSync(join(folder, "files"), { recursive: true, encoding: "utf8" }).filter((name) => /^unfinished\/./.test(name));

async function make(): Promise<number> {
  return Number((await (await api()).call("POST", "/devices", { name: "Pump" })).json.id);
}

async function openAt(page: Page, id: number, how: { bytes: number; times: number }): Promise<BreakingLine> {
  line = await startBreakingLine(service.port, how);
  await signInAt(page, `http://127.0.0.1:${line.port}/devices/${id}`);
  return line;
}

test("goes on by itself where the line broke", async ({ page }) => {
  test.setTimeout(120_000);
  const id = await make();
  const bad = await openAt(page, id, { bytes: 11 * MB, times: 4 });
  await manual(page).locator("input[type=file]").setInputFiles(path);
  await expect(status(page)).toHaveText("manual.bin is stored.", { timeout: 90_000 });
  expect(bad.broken).toBe(4);
  expect((await read(id)).manual).toBe(`manual.bin (application/octet-stream, ${40 * MB} bytes, sha256 ${hash})`);
  expect(bad.sent).toBeLessThan(80 * MB); // five times the whole would be 200
  await expect.poll(unfinished).toEqual([]);
});

test("goes on by itself when the service was killed and comes back", async ({ page }) => {
  test.setTimeout(120_000);
  const id = await make();
  const bad = await openAt(page, id, { bytes: 0, times: 0 });
  await manual(page).locator("input[type=file]").setInputFiles(path);
  await expect.poll(() => unfinished().length).toBeGreaterThan(2);
  await service.kill();
  await service.start();
  await expect(status(page)).toHaveText("manual.bin is stored.", { timeout: 90_000 });
  expect(String((await read(id)).manual)).toContain(hash);
  expect(bad.sent).toBeLessThan(80 * MB);
});

test("is removed from the service by Cancel", async ({ page }) => {
  const id = await make();
  await openAt(page, id, { bytes: 0, times: 0 });
  let held: (() => void) | undefined;
  await page.route("**/uploads/*", async (route) => {
    if (route.request().method() === "PATCH" && route.request().headers()["upload-offset"] !== "0")
      await new Promise<void>((resolve) => (held = resolve)); // so that there is time to press
    await route.fallback();
  });
  await manual(page).locator("input[type=file]").setInputFiles(path);
  await expect.poll(() => unfinished().length).toBeGreaterThan(1);
  await manual(page).getByRole("button", { name: "Cancel manual.bin", exact: true }).click();
  await expect(status(page)).toHaveText("manual.bin is not stored.");
  await expect.poll(unfinished).toEqual([]);
  held?.();
  expect((await read(id)).manual).toBe(null);
});

test("is sent by the client of other programs in the same way", async () => {
  test.setTimeout(120_000);
  const id = await make();
  line = await startBreakingLine(service.port, { bytes: 7 * MB, times: 5 });
  const baseUrl = `http://127.0.0.1:${line.port}/v1`;
  const client = createClient({ baseUrl, session: createKeySession(baseUrl, ADMIN_KEY) });
  const record = await putFile(client, "devices", { id, version: 1 }, "manual", { content: await openAsBlob(path), name: "manual.bin" });
  expect([line.broken, record.version, String(record.manual).includes(hash)]).toEqual([5, 2, true]);
  await expect.poll(unfinished).toEqual([]);
});
