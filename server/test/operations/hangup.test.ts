// SIGHUP: the file of the dictionary is read again, and served without a restart.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { DICTIONARY } from "../../testing/service.ts";

const folder = mkdtempSync(join(tmpdir(), "intake-hangup-"));
const file = join(folder, "datapackage.json");
let service: Started;
let headers: Record<string, string>;

beforeAll(async () => {
  copyFileSync(DICTIONARY, file);
  service = await startProcess({ DATA_DIR: join(folder, "store"), DICTIONARY: file, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
});
afterAll(() => {
  killProcesses();
  rmSync(folder, { recursive: true });
});

const get = (path: string) => fetch(`${service.url}/v1/${path}`, { headers });
const change = (edit: (fields: { name: string; title: string; type: string }[]) => void) => {
  const dataPackage = JSON.parse(readFileSync(file, "utf8"));
  edit(dataPackage.resources[0].schema.fields);
  writeFileSync(file, JSON.stringify(dataPackage, null, 2));
};

test("a new field is served, and a file with a mistake leaves everything as it is and is named in the log", async () => {
  expect((await get("customers?nickname=x")).status).toBe(400);
  change((fields) => fields.push({ name: "nickname", title: "Nickname", type: "string" }));
  service.child.kill("SIGHUP");
  await vi.waitFor(async () => expect((await get("customers?nickname=x")).status).toBe(200), { timeout: 30_000 });
  const body = JSON.stringify({ lastName: "Ek", accountID: "1", nickname: "E" });
  const made = await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body });
  expect([made.status, ((await made.json()) as { nickname: string }).nickname]).toEqual([201, "E"]);

  for (const [edit, reason] of [
    [(fields: object[]) => fields.push({ name: "height", title: "Height", typ: "integer" }), /is the one of before: .*height/s],
    [(fields: object[]) => fields.push({ name: "lastname", title: "Other", type: "string" }), /is the one of before: .*lastname/s],
  ] as const) {
    const before = readFileSync(file, "utf8");
    change(edit as Parameters<typeof change>[0]);
    service.child.kill("SIGHUP");
    await vi.waitFor(() => expect(service.output()).toMatch(reason), { timeout: 30_000 });
    expect((await get("customers?nickname=E")).status).toBe(200);
    writeFileSync(file, before);
  }
  const before = readFileSync(file, "utf8");
  const withoutNickname = (fields: { name: string }[]) =>
    fields.splice(
      fields.findIndex(({ name }) => name === "nickname"),
      1,
    );
  change(withoutNickname);
  service.child.kill("SIGHUP");
  await vi.waitFor(() => expect(service.output()).toContain("customers.nickname: it is not in the file, so it is retired"), {
    timeout: 30_000,
  });
  expect((await get("customers?nickname=E")).status).toBe(400);
  writeFileSync(file, before);
  service.child.kill("SIGHUP");
  await vi.waitFor(async () => expect((await get("customers?nickname=E")).status).toBe(200), { timeout: 30_000 });
});
