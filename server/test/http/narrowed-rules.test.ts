// A rule that was narrowed refuses nobody for a value that they have not changed.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EMPLOYEES, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const full = {
  name: "Lucía D’Angelo",
  age: 41,
  hiredatetime: "2026-01-31T07:30:00.000Z",
  permanent: true,
  location: "Utrecht",
  birthday: "1985-06-30",
  workload: 0.8,
  salary: "4150.55",
  begins: "08:30:00",
  firstyear: 2019,
  contract: "part",
  email: "lucia@example.com",
  phone: "+31 (0)30 123 4567",
  notes: "Speaks Dutch.\nAlso Spanish.",
};
/** Holds what the second dictionary says of these fields; each value above, and each missing one, breaks it. */
const NARROWED: Record<string, Record<string, unknown>> = {
  name: { constraints: { required: true, maxLength: 5 } },
  age: { constraints: { minimum: 50 } },
  hiredatetime: { constraints: { maximum: "2020-01-01T00:00:00Z" } },
  location: { constraints: { minLength: 20 } },
  birthday: { constraints: { minimum: "2000-01-01" } },
  workload: { constraints: { maximum: 0.5 } },
  salary: { decimals: 1 },
  badge: { constraints: { required: true, unique: true, pattern: "XX-[0-9]+" } },
  begins: { constraints: { minimum: "12:00" } },
  firstyear: { constraints: { maximum: 2000 } },
  contract: { categories: [{ value: "full", label: "Full time" }] },
  email: { constraints: { pattern: ".*@corp\\.example" } },
  phone: { format: "email" },
  profile: { constraints: { required: true } },
  notes: { format: undefined },
};

let database: TestDatabase;
let service: TestService;
/** Record 1 lacks a badge and a profile. */
beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openTestService(EMPLOYEES, {}, database);
  const ids = Array.from({ length: 30 }, (_, i) => i + 1);
  const records = ids.map((id) => ({ id, ...full, ...(id > 1 && { badge: `NL-${1000 + id}`, profile: "https://example.com" }) }));
  expect((await first.call("POST", "/v1/employees", records)).status).toBe(201);
  for (const id of [20, 21, 22, 23]) expect((await first.call("DELETE", `/v1/employees/${id}`)).status).toBe(204);
  const source = { "intake-source": "upload; run=before" };
  expect((await first.call("POST", "/v1/employees?onConflict=update", [{ id: 24, location: "Lagos", age: 42 }], source)).status).toBe(200);
  expect((await first.call("POST", "/v1/employees/deletions", [{ id: 25 }], source)).status).toBe(200);
  expect((await first.call("PATCH", "/v1/employees/26", { age: 99, location: "Lagos" })).status).toBe(200);
  await first.close();
  const dataPackage = JSON.parse(readFileSync(EMPLOYEES, "utf8"));
  for (const field of dataPackage.resources[0].schema.fields) Object.assign(field, NARROWED[field.name]);
  const narrowed = join(database.folder, "narrowed.json");
  writeFileSync(narrowed, JSON.stringify(dataPackage));
  service = await openTestService(narrowed, {}, database);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const read = async (id: number) => (await service.call("GET", `/v1/employees/${id}`)).json;
const codesOf = (json: { errors?: { pointer: string; code: string }[] }) =>
  Object.fromEntries((json.errors ?? []).map(({ pointer, code }) => [pointer.split("/").at(-1), code]));

test("a new record is held to every rule of today", async () => {
  const { badge, profile, ...others } = { badge: "NL-1", profile: null, ...full };
  const refused = await service.call("POST", "/v1/employees", { ...others, badge, profile });
  expect(refused.status).toBe(422);
  expect(codesOf(refused.json)).toEqual({
    name: "TOO_LONG",
    age: "TOO_SMALL",
    hiredatetime: "TOO_LARGE",
    location: "TOO_SHORT",
    birthday: "TOO_SMALL",
    workload: "TOO_LARGE",
    salary: "TOO_PRECISE",
    badge: "PATTERN",
    begins: "TOO_SMALL",
    firstyear: "TOO_LARGE",
    contract: "ENUM",
    email: "PATTERN",
    phone: "PATTERN",
    profile: "REQUIRED",
    notes: "CHARACTERS",
  });
  for (const path of ["/v1/employees/5000", "/v1/employees/21"])
    expect(codesOf((await service.call("PUT", path, full)).json)).toMatchObject({ name: "TOO_LONG", profile: "REQUIRED" });
});

const UPSERT = "/v1/employees?onConflict=update";
type Send = (id: number, record: Record<string, unknown>) => ReturnType<TestService["call"]>;

test.each<[string, number, Send]>([
  ["PUT", 2, (id, record) => service.call("PUT", `/v1/employees/${id}`, record)],
  ["PATCH", 3, (id, record) => service.call("PATCH", `/v1/employees/${id}`, record)],
  ["upsert", 4, (_, record) => service.call("POST", UPSERT, record)],
  ["update of many", 5, (_, record) => service.call("POST", `${UPSERT}&onMissing=error`, [record])],
  ["upsert by a unique field", 6, (_, { id: _id, ...record }) => service.call("POST", `${UPSERT}&matchBy=badge`, record)],
  ["batch", 7, (_, record) => service.call("POST", "/v1/employees/batch", [{ action: "upsert", record }])],
  ["PUT where values are missing", 1, (id, record) => service.call("PUT", `/v1/employees/${id}`, record)],
])("what was read is sent back with a change, twice: %s", async (_, id, send) => {
  const before = await read(id);
  for (const age of [60, 61]) {
    const reply = await send(id, { ...before, age });
    expect([reply.status, codesOf(reply.json)]).toEqual([200, {}]);
    expect(await read(id)).toMatchObject({ ...full, age });
  }
  const refused = await send(id, { ...before, age: 43, name: "Another long name" });
  expect([refused.status, codesOf(refused.json)]).toEqual([422, { age: "TOO_SMALL", name: "TOO_LONG" }]);
});

test("a file's rows are each judged by their own record: a new one must keep every rule", async () => {
  const [known, other] = [await read(8), await read(9)];
  const rows = [{ ...known, begins: "13:00:00" }, { ...other, id: 4000, badge: "XX-4000" }, { ...other, name: "Longer still" }, other];
  const { status, json } = await service.call("POST", `${UPSERT}&onError=continue`, rows);
  expect(status).toBe(207);
  expect(json.results.map(({ outcome, problem }: { outcome: string; problem?: object }) => [outcome, codesOf(problem ?? {}).name])).toEqual(
    [
      ["updated", undefined],
      ["failed", "TOO_LONG"],
      ["failed", "TOO_LONG"],
      ["failed", undefined], // its key came before
    ],
  );
});

test("a value that is missing stays so, and one that is there is not taken away", async () => {
  expect((await service.call("PATCH", "/v1/employees/1", { profile: null, badge: null, permanent: false })).status).toBe(200);
  expect(codesOf((await service.call("PATCH", "/v1/employees/14", { profile: null })).json)).toEqual({ profile: "REQUIRED" });
  const { profile: _, ...without } = await read(14);
  expect(codesOf((await service.call("PUT", "/v1/employees/14", without)).json)).toEqual({ profile: "REQUIRED" });
});

test("two people who send back what they read at once are both heard, or one is told", async () => {
  const before = await read(10);
  const etag = { "if-match": `"10-${before.version}"` };
  const both = await Promise.all([60, 61].map((age) => service.call("PUT", "/v1/employees/10", { ...before, age }, etag)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test("a refused request is corrected under its key, and a write that passes is not done twice", async () => {
  const before = await read(11);
  const send = (fields: object, key: string) =>
    service.call("POST", "/v1/employees?onConflict=update", { ...before, ...fields }, { "idempotency-key": key });
  expect((await send({ name: "Another long name" }, "k-1")).status).toBe(422);
  const done = await send({ age: 70 }, "k-1");
  const again = await send({ age: 70 }, "k-1");
  expect([done.status, again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, 200, done.text, "true"]);
  expect((await read(11)).version).toBe(before.version + 1);
});

test("an earlier version is brought back though its values break rules of today, and a deleted record, twice", async () => {
  const restored = await service.call("POST", "/v1/employees/26/restore", { version: 1 });
  expect([restored.status, restored.json]).toEqual([200, expect.objectContaining(full)]);
  expect((await service.call("POST", "/v1/employees/20/restore", { version: 1 })).json).toMatchObject({ ...full, id: 20 });
  expect((await service.call("DELETE", "/v1/employees/20")).status).toBe(204);
  expect((await service.call("POST", "/v1/employees/20/restore", { version: 3 })).json).toMatchObject({ ...full, id: 20 });
});

test("a deleted record stays deleted while another one has its unique value, and the answer names the field", async () => {
  const taken = { ...(await read(12)), badge: "XX-1" };
  expect((await service.call("PUT", "/v1/employees/12", taken)).status).toBe(200);
  expect((await service.call("DELETE", "/v1/employees/12")).status).toBe(204);
  expect((await service.call("PATCH", "/v1/employees/13", { badge: "XX-1" })).status).toBe(200);
  const version = taken.version + 1;
  for (const _ of [1, 2]) {
    const refused = await service.call("POST", "/v1/employees/12/restore", { version });
    expect([refused.status, codesOf(refused.json)]).toEqual([422, { badge: "UNIQUE" }]);
  }
  expect((await service.call("PATCH", "/v1/employees/13", { badge: "XX-2" })).status).toBe(200);
  expect((await service.call("POST", "/v1/employees/12/restore", { version })).status).toBe(201);
});

test("a run is taken back though what was before breaks rules of today", async () => {
  const undone = await service.call("POST", "/v1/employees/undo", { run: "before" });
  expect(undone.json).toMatchObject({ reversed: 2, failed: 0, left: [] });
  expect(await read(24)).toMatchObject(full);
  expect(await read(25)).toMatchObject({ ...full, id: 25 });
});

test("the store opens again with what broke rules", async () => {
  await service.reopen();
  expect(await read(1)).toMatchObject({ profile: null });
});
