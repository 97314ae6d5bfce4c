// Several processes on one PostgreSQL, of which one has brought the store to another dictionary.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { ADMIN_SECRET, killProcesses, startProcess } from "../../testing/process.ts";
import { openTestService, readCollections } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

afterEach(killProcesses);

const dictionaryOf = (...fields: object[]) => ({
  resources: [{ name: "things", schema: { fields: [{ name: "id", type: "integer" }, { name: "name" }, ...fields], primaryKey: "id" } }],
});

test("the process with the old dictionary says so on /readyz, and stays right, because nothing is dropped at once", {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase();
  const path = join(database.folder, "dictionary.json");
  const start = (dataPackage: object) => {
    writeFileSync(path, JSON.stringify(dataPackage));
    return openTestService(path, {}, database);
  };
  const old = await start(dictionaryOf({ name: "unused" }));
  expect((await old.call("POST", "/v1/things", { id: 1, name: "A" })).status).toBe(201);
  expect((await old.raw("GET", "/readyz")).status).toBe(200);
  const narrowed = await start(dictionaryOf({ name: "unused", constraints: { maxLength: 3 } }));
  for (let times = 0; times < 2; times += 1) {
    const ready = await old.raw("GET", "/readyz");
    expect([ready.status, ready.json.detail]).toEqual([503, expect.stringContaining("another dictionary by now")]);
  }
  expect((await old.call("GET", "/v1/things/1")).status).toBe(200); // its tables are as they were
  const next = await start(dictionaryOf());
  expect((await narrowed.call("PATCH", "/v1/things/1", { name: "B", unused: "u" })).json).toMatchObject({ name: "B", unused: "u" });
  expect((await narrowed.call("GET", "/v1/things")).status).toBe(200);
  expect((await next.raw("GET", "/readyz")).status).toBe(200);
  const { json } = await next.call("GET", "/v1/things/1");
  expect(json).toMatchObject({ id: 1, name: "B", version: 2 });
  expect(json).not.toHaveProperty("unused");
  const again = await openTestService(path, {}, database);
  expect((await next.raw("GET", "/readyz")).status).toBe(200); // the same dictionary once more
  for (const service of [old, narrowed, next, again]) await service.close();
  expect(readCollections(path).collections).toHaveLength(1);
  await database.drop();
});

test("a database that is not UTF-8 is refused with the command that makes a right one", { timeout: 60_000 }, async () => {
  const database = await createTestDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const name = `latin_${process.pid}_${Date.now()}`;
  await admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
  const url = Object.assign(new URL(database.url ?? ""), { pathname: `/${name}`, search: "" });
  const refused = await startProcess({ DATABASE_URL: url.href, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toBe(
    `Intake cannot start: the database ${name} has the encoding LATIN1, and must have UTF8. Make another one and name it in DATABASE_URL: createdb --encoding=UTF8 --template=template0 ${name}_utf8\n`,
  );
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
  await database.drop();
});
