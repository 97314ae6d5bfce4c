// `intake check` beside a running service: what a start with another dictionary would do, and that nothing is done.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, runCommand, startProcess } from "../../testing/process.ts";
import { DICTIONARY } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "intake-check-"));
});
afterEach(killProcesses);
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const place = () => ({ DATA_DIR: join(folder, "data"), ...(database.url && { DATABASE_URL: database.url }) });
const check = (...args: string[]) => runCommand("check", args, place());

/** The shipped dictionary in which one field may be another. */
function write(name: string, change: (fields: Record<string, unknown>[]) => void): string {
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  const [customers] = dataPackage.resources;
  for (const order of ["label", "list", "form"]) delete customers[order]; // they name fields that a change may take away
  change(customers.schema.fields);
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(dataPackage, null, 2));
  return path;
}

test("what a start would refuse, drop and leave behind is said before it, and nothing is changed", { timeout: 180_000 }, async () => {
  const closed = (values: string[]) =>
    write(`closed-${values.length}.json`, (fields) => {
      Object.assign(fields[3] ?? {}, { constraints: { enum: values } });
      if (values.length > 1) fields.push({ name: "unused" });
    });
  expect(await check(closed(["A", "B"]))).toEqual({
    code: 0,
    error: "",
    out: "The dictionary is right. There is no store yet that it could be held against.\n",
  });
  const service = await startProcess({ ...place(), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, DICTIONARY: closed(["A", "B"]) });
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const records = [1, 2, 3].map((objectId) => ({ objectId, lastName: "Ek", firstName: "Ida", accountID: objectId < 3 ? "B" : "A" }));
  const sent = await fetch(`${service.url}/v1/customers`, { method: "POST", headers, body: JSON.stringify(records) });
  expect(sent.status).toBe(201);

  const narrowed =
    'customers.accountID: 2 records have "B", which is no value of the field any more; they stay as they are until they are next changed';
  const dropped = "customers.unused: it is not in the file, so it is retired: hidden, and kept with its values";
  for (let times = 0; times < 2; times += 1) {
    const fits = await check(closed(["A"]));
    expect(fits).toEqual({
      code: 0,
      error: "",
      out: `The dictionary is right, and fits the records that are stored.
  ${dropped}
  ${narrowed}
`,
    });
  }
  const json = await check(closed(["A"]), "--json");
  expect([json.code, JSON.parse(json.out)]).toEqual([0, { ok: true, mistakes: [], notes: [dropped, narrowed] }]);

  const twins = write("twins.json", (fields) => Object.assign(fields[1] ?? {}, { constraints: { unique: true } }));
  const refused = await check(twins);
  expect([refused.code, refused.out]).toEqual([78, ""]);
  expect(refused.error).toMatch(
    /^the dictionary does not fit the records that are stored:\n {2}customers\.firstName, line \d+: 3 records share their values with others, but the field is unique now \(\d+ and \d+\)\n$/,
  );
  const asJson = await check(twins, "--json");
  expect([asJson.code, JSON.parse(asJson.out)]).toMatchObject([
    78,
    { ok: false, mistakes: [expect.stringContaining("customers.firstName")] },
  ]);
  const required = await check(write("required.json", (fields) => void fields.push({ name: "phone", constraints: { required: true } })));
  expect(required.out).toContain("customers.phone: 3 records have no value, but the field is required now; they stay as they are");
  const slip = await check(write("slip.json", (fields) => Object.assign(fields[1] ?? {}, { requierd: true })));
  expect([slip.code, slip.error]).toEqual([78, expect.stringMatching(/customers\.firstName, line \d+, requierd: is not a key here/)]);

  const reply = await fetch(`${service.url}/v1/customers/1`, { headers });
  expect([reply.status, await reply.json()]).toMatchObject([200, { firstName: "Ida", unused: null }]);
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  expect((await check(closed(["A"]))).out).toContain(narrowed); // also beside a store that nobody holds
  const started = await startProcess({ ...place(), DICTIONARY: closed(["A"]), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  const lines = started
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? JSON.parse(line) : []));
  expect(lines).toMatchObject([
    { level: 40, msg: `dictionary: ${narrowed}` },
    { level: 40, msg: `dictionary: ${dropped}` },
  ]);
});
