// `intake dictionary`: shows, compares and applies a dictionary, without a service and through one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const KEY = `ink_preset.${ADMIN_SECRET}`;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "intake-dictionary-"));
});
afterEach(killProcesses);
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const place = () => (database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder });

/** Writes what `show` has printed, changed. */
function edit(from: string, name: string, change: (fields: Record<string, unknown>[]) => unknown): string {
  const dataPackage = JSON.parse(readFileSync(from, "utf8"));
  change(dataPackage.resources[0].schema.fields);
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(dataPackage));
  return path;
}

test("a version is shown, compared and applied in the store, and the next one through the service that runs on it", {
  timeout: 240_000,
}, async () => {
  const service = await startProcess({ ...place(), ADMIN_KEY: KEY });
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const body = JSON.stringify([1, 2].map((objectId) => ({ objectId, lastName: "Ek", accountID: "A" })));
  expect((await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body })).status).toBe(201);
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);

  const run = (...args: string[]) => runCommand("dictionary", args, place());
  expect((await run("history")).out).toMatch(/^1 {2}\S+ {2}a file/);
  const shown = join(folder, "shown.json");
  expect(await run("show", "--output", shown)).toEqual({ code: 0, error: "", out: `Version 1 is in ${shown}.\n` });
  expect((await run("diff", shown)).out).toBe("The file changes nothing.\n");
  const added = edit(shown, "added.json", (fields) => fields.push({ name: "nickname", title: "Nickname", type: "string" }));
  expect((await run("diff", added)).out).toBe("customers.nickname: added\n");
  const bringing = JSON.parse(readFileSync(added, "utf8"));
  writeFileSync(added, JSON.stringify({ ...bringing, roles: [{ name: "Newsletter", scope: "customers:read" }] }));
  const applied = await run("apply", added, "--comment", "For the newsletter");
  const made = 'The role "Newsletter": made\n';
  expect([applied.code, applied.out]).toEqual([0, `customers.nickname: added\nVersion 2 is applied.\n${made}`]);
  const kept = 'The role "Newsletter": kept; There is a role with this name, which stays as it is.\n';
  expect((await run("apply", added)).out).toBe(`The file is the dictionary already.\n${kept}`);
  expect((await run("history")).out).toMatch(/^2 .*For the newsletter\n1 /);

  const mistaken = edit(shown, "mistaken.json", (fields) =>
    fields.push({ id: fields[1]?.id, name: "second", title: "Second", type: "string" }),
  );
  const isMistake = { code: 78, error: expect.stringMatching(/\n {2}\/package\S+: .*\n$/) };
  for (const command of ["diff", "apply"]) expect(await run(command, mistaken)).toMatchObject(isMistake);

  const restarted = await startProcess({ ...place(), ADMIN_KEY: KEY });
  const roles = await fetch(`${restarted.url}/v1/roles`, { headers: await authorize(restarted.url, "preset", ADMIN_SECRET) });
  expect((await roles.json()).roles).toContainEqual(expect.objectContaining({ name: "Newsletter", scope: "customers:read" }));
  const through = (...args: string[]) => runCommand("dictionary", args, { URL: restarted.url, ADMIN_KEY: KEY });
  const newest = join(folder, "newest.json");
  await through("show", "--output", newest);
  const twins = edit(newest, "twins.json", (fields) =>
    Object.assign(fields.find(({ name }) => name === "lastName") ?? {}, { constraints: { unique: true } }),
  );
  const refused = await through("diff", twins);
  expect([refused.code, refused.error]).toEqual([78, expect.stringContaining("customers.lastName: unique")]);
  for (const command of ["diff", "apply"]) expect(await through(command, mistaken)).toMatchObject(isMistake);
  const withRole = join(folder, "with-role.json");
  writeFileSync(
    withRole,
    JSON.stringify({ ...JSON.parse(readFileSync(newest, "utf8")), roles: [{ name: "Readers", scope: "customers:read" }] }),
  );
  expect((await through("diff", withRole)).out).toBe('The role "Readers": made\n');
  expect((await through("apply", withRole)).out).toBe('The file is the dictionary already.\nThe role "Readers": made\n');
  const renamed = edit(newest, "renamed.json", (fields) =>
    Object.assign(fields.find(({ name }) => name === "nickname") ?? {}, { name: "calledBy" }),
  );
  expect((await through("apply", renamed)).out).toContain("customers.calledBy: renamed (nickname → calledBy)\nVersion 3 is applied.");
  const answers = await fetch(`${restarted.url}/v1/customers?nickname=x`, {
    headers: await authorize(restarted.url, "preset", ADMIN_SECRET),
  });
  expect([answers.status, answers.headers.get("intake-renamed"), answers.headers.get("dictionary-version")]).toEqual([
    200,
    "nickname=calledBy",
    "3",
  ]);
});
