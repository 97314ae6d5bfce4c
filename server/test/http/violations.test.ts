// Stored records that break rules of today are counted and listed, for everybody as far as they may know them.

import { afterAll, beforeAll, expect, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { brokenBy } from "../../../core/dictionary/violations.ts";
import { openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const text = (name: string, constraints: object = {}, more: object = {}) => ({ name, title: name, type: "string", constraints, ...more });
const LOOSE = [
  text("name"),
  text("short"),
  text("code"),
  text("mail"),
  text("state"),
  text("note", {}, { format: "multiline" }),
  { name: "age", title: "Age", type: "integer" },
  { name: "share", title: "Share", type: "number" },
  { name: "pay", title: "Pay", type: "number", decimals: 4 },
  { name: "day", title: "Day", type: "date" },
];
const STRICT = [
  text("name", { required: true, maxLength: 5 }),
  text("short", { minLength: 2, maxLength: 4 }),
  text("code", { required: true, pattern: "[A-Z]-[0-9]+", maxLength: 6 }),
  text("mail", {}, { format: "email" }),
  text("state", { enum: ["new", "old"], maxLength: 4 }),
  text("note"),
  { name: "age", title: "Age", type: "integer", constraints: { minimum: 18, maximum: 99, enum: [17, 20, 40, 120] } },
  { name: "share", title: "Share", type: "number", constraints: { maximum: 0.5 } },
  { name: "pay", title: "Pay", type: "number", decimals: 2, constraints: { minimum: "-3" } },
  { name: "day", title: "Day", type: "date", constraints: { minimum: "2020-01-01", required: true } },
];
const key = { name: "id", title: "Number", type: "integer" };
const packageOf = (fields: object[]) => ({
  name: "things",
  title: "Things",
  resources: [
    { name: "things", title: "Things", schema: { fields: [key, ...fields], primaryKey: ["id"] } },
    {
      name: "parts",
      title: "Parts",
      schema: {
        fields: [key, { name: "thingId", title: "Thing", type: "integer" }, text("state")],
        primaryKey: ["id"],
        foreignKeys: [
          {
            fields: ["thingId"],
            reference: { resource: "things", fields: ["id"] },
            ...(fields === STRICT && { where: { state: "state" } }),
          },
        ],
      },
    },
  ],
});

/** Values on both sides of each rule; a record has one of each field. */
const VALUES: Record<string, unknown[]> = {
  name: ["Ann", null, "Annabel", "ÄÖÜ😀é", "😀😀😀😀😀😀"],
  short: ["ab", null, "a", "abcde", "ä"],
  code: ["A-1", null, "a-1", "A-1234567", "B-22"],
  mail: ["a@example.org", null, "nobody"],
  state: ["new", null, "newest", "odd", "old", "New"],
  note: ["one", null, "one\ntwo", "one\ttwo"],
  age: [20, null, 17, 120, 50, 40],
  share: [0.5, null, 0.51, -1],
  pay: ["1.23", null, "1.234", "-1.23", "-1.234", "-3.5", "-3.001", "12345.6789", "100", "-100"],
  day: ["2020-01-01", null, "2019-12-31"],
};
const things = Array.from({ length: 300 }, (_, i) =>
  Object.fromEntries([
    ["id", i + 1],
    ...Object.entries(VALUES).map(([name, values], at) => [name, values[(i * (at + 1) + Math.floor(i / 11)) % values.length] ?? null]),
  ]),
);

let database: TestDatabase;
let service: TestService;
const { collections } = readDataPackage(packageOf(STRICT)) as Extract<ReturnType<typeof readDataPackage>, { collections: unknown }>;
const expected = new Map<string, number[]>();

beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openTestService(packageOf(LOOSE), {}, database);
  const made = await first.call("POST", "/v1/things", things);
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  const parts = things.slice(0, 12).map(({ id }, i) => ({ id, thingId: id, state: [null, "new", "other"][i % 3] }));
  expect((await first.call("POST", "/v1/parts", parts)).status).toBe(201);
  await first.close();
  service = await openTestService(packageOf(STRICT), {}, database);
  const [collection] = collections;
  for (const thing of things)
    for (const field of collection?.fields ?? []) {
      const name = `${brokenBy(field, (thing[field.name as keyof typeof thing] ?? null) as Value | null)} ${field.name}`;
      if (!name.startsWith("undefined ")) expected.set(name, [...(expected.get(name) ?? []), thing.id as number]);
    }
}, 60_000);
afterAll(async () => {
  await service.close();
  await database.drop();
});

const countsOf = (rules: { constraint: string; field: string; count: number }[]) =>
  Object.fromEntries(rules.map(({ constraint, field, count }) => [`${constraint} ${field}`, count]));

test("every constraint of every field is counted as the form judges it, and only what is broken", async () => {
  const { status, json } = await service.call("GET", "/v1/things/violations");
  expect([status, json.complete]).toEqual([200, true]);
  expect(countsOf(json.rules)).toEqual(Object.fromEntries([...expected].map(([name, ids]) => [name, ids.length])));
  const broken = new Set(json.rules.map(({ constraint }: { constraint: string }) => constraint));
  expect([...broken].sort()).toEqual(
    ["characters", "decimals", "enum", "format", "maxLength", "maximum", "minLength", "minimum", "pattern", "required"].sort(),
  );
});

test("the records of each are listed in pages, each record once", async () => {
  for (const [name, ids] of expected) {
    const [constraint, field] = name.split(" ");
    const found: number[] = [];
    let cursor = "";
    do {
      const { status, json } = await service.call("GET", `/v1/things/violations?constraint=${constraint}&field=${field}&limit=7${cursor}`);
      expect(status).toBe(200);
      expect(json.things.length).toBeLessThanOrEqual(7);
      found.push(...json.things.map(({ id }: { id: number }) => id));
      cursor = json.next ? `&cursor=${json.next}` : "";
    } while (cursor);
    expect([name, found]).toEqual([name, ids]);
  }
});

test("a parent that does not agree counts as the broken foreign key", async () => {
  const { json } = await service.call("GET", "/v1/parts/violations");
  const differ = things.slice(0, 12).filter((thing, i) => i % 3 > 0 && thing.state !== ["new", "other"][(i % 3) - 1]);
  expect(countsOf(json.rules)).toEqual({ "foreignKey thingId": differ.length });
  const page = await service.call("GET", "/v1/parts/violations?constraint=foreignKey&field=thingId");
  expect(page.json.parts.map(({ id }: { id: number }) => id)).toEqual(differ.map(({ id }) => id));
});

test("a value that is mended counts no more, and one that is stored otherwise meanwhile does", async () => {
  const before = countsOf((await service.call("GET", "/v1/things/violations")).json.rules);
  const [id] = expected.get("required name") as number[];
  expect((await service.call("PATCH", `/v1/things/${id}`, { name: "Bea" })).status).toBe(200);
  const after = countsOf((await service.call("GET", "/v1/things/violations")).json.rules);
  expect(after).toEqual({ ...before, "required name": (before["required name"] ?? 0) - 1 });
  expect((await service.call("POST", `/v1/things/${id}/restore`, { version: 1 })).status).toBe(200);
  expect(countsOf((await service.call("GET", "/v1/things/violations")).json.rules)).toEqual(before);
});

test("a hidden field is neither counted nor listed, and a cursor fits its own list only", async () => {
  const conditions = { things: { fields: { hidden: ["name", "code"] } } };
  const role = await service.call("POST", "/v1/roles", { name: "Some fields", scope: "things:read", conditions });
  expect(role.status).toBe(201);
  const person = await service.newPerson(role.json.id);
  // Not as the administrators' document says it, but as this person's.
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${person.token}` };
    const reply = await service.app.inject({ url: `/v1/things/violations${path}`, headers });
    return { status: reply.statusCode, json: reply.json() };
  };
  const counts = await ask("");
  expect(counts.json.rules.filter(({ field }: { field: string }) => ["name", "code"].includes(field))).toEqual([]);
  expect(counts.json.rules.length).toBeGreaterThan(5);
  expect((await ask("?constraint=required&field=name")).status).toBe(400);
  const page = await ask("?constraint=required&field=day&limit=2");
  expect(page.json.things[0]).not.toHaveProperty("name");
  expect((await ask(`?constraint=minimum&field=day&cursor=${page.json.next}`)).json.code).toBe("BAD_CURSOR");
  expect((await ask("?constraint=required")).status).toBe(400);
});

test("a record that may not be seen is neither counted nor listed, also where a hidden field chooses", async () => {
  const conditions = { things: { read: { where: "age=20" }, fields: { hidden: ["age"] } } };
  const role = await service.call("POST", "/v1/roles", { name: "Some records", scope: "things:read parts:read", conditions });
  expect(role.status).toBe(201);
  const { token } = await service.newPerson(role.json.id);
  const ask = async (path: string) =>
    (await service.app.inject({ url: `/v1/${path}`, headers: { authorization: `Bearer ${token}` } })).json();
  const seen = new Set(things.filter((thing) => thing["age" as keyof typeof thing] === 20).map(({ id }) => id));
  const left = [...expected].map(([name, ids]) => [name, ids.filter((id) => seen.has(id))] as const);
  const own = left.filter(([name, ids]) => ids.length > 0 && !name.endsWith(" age"));
  expect(own.length).toBeGreaterThan(5);
  expect(countsOf((await ask("things/violations")).rules)).toEqual(Object.fromEntries(own.map(([name, ids]) => [name, ids.length])));
  for (const [name, ids] of own) {
    const [constraint, field] = name.split(" ");
    const page = await ask(`things/violations?constraint=${constraint}&field=${field}&limit=500`);
    expect([name, page.things.map(({ id }: { id: number }) => id)]).toEqual([name, ids]);
  }
  // Nobody learns from a part what its thing has, which they may not see.
  expect((await ask("parts/violations")).rules).toEqual([]);
});

test("rules over several fields are counted and listed beside the constraints, but to nobody who does not see all their fields", async () => {
  const own = await createTestDatabase();
  const jobs = (rules?: object[]) => ({
    name: "jobs",
    title: "Jobs",
    resources: [
      {
        name: "jobs",
        title: "Jobs",
        ...(rules && { rules }),
        schema: {
          fields: [key, text("mail"), text("phone"), { name: "begin", type: "date" }, { name: "end", type: "date" }],
          primaryKey: ["id"],
        },
      },
    ],
  });
  const first = await openTestService(jobs(), {}, own);
  const stored = [
    { id: 1, begin: "2026-01-02", end: "2026-01-01", mail: "a" },
    { id: 2, begin: "2026-01-02", end: "2026-01-02", mail: "a" },
    { id: 3, begin: "2026-01-02", end: "2025-01-01" },
    { id: 4 },
    { id: 5, begin: "2026-01-02", end: "2020-01-01", phone: "1" },
  ];
  expect((await first.call("POST", "/v1/jobs", stored)).status).toBe(201);
  await first.close();
  const rules = [
    { name: "endAfterBegin", must: "end >= begin", message: "The end is not before the begin." },
    { name: "oneOfBoth", must: "!isEmpty(mail) || !isEmpty(phone)", fields: ["phone", "mail"], message: "One of both is needed." },
    { name: "kept", must: "isEmpty(old.mail) || mail == old.mail", message: "The mail stays." }, // says nothing about a stored record
  ];
  const open = await openTestService(jobs(rules), {}, own);
  const { json } = await open.call("GET", "/v1/jobs/violations");
  expect(json.rules).toEqual([
    { rule: "oneOfBoth", field: "phone", count: 2 },
    { rule: "endAfterBegin", field: "end", count: 3 },
  ]);
  const ids = async (query: string) =>
    (await open.call("GET", `/v1/jobs/violations?${query}`)).json.jobs?.map(({ id }: { id: number }) => id);
  expect(await ids("rule=endAfterBegin")).toEqual([1, 3, 5]);
  expect(await ids("rule=oneOfBoth")).toEqual([3, 4]);
  const page = (await open.call("GET", "/v1/jobs/violations?rule=endAfterBegin&limit=2")).json;
  expect([page.jobs.length, await ids(`rule=endAfterBegin&limit=2&cursor=${page.next}`)]).toEqual([2, [5]]);
  for (const wrong of ["rule=nothing", "rule=oneOfBoth&constraint=required&field=mail", "rule=oneOfBoth&field=mail"])
    expect([wrong, (await open.call("GET", `/v1/jobs/violations?${wrong}`)).status]).toEqual([wrong, 400]);
  const conditions = { jobs: { fields: { hidden: ["mail"] } } };
  const role = await open.call("POST", "/v1/roles", { name: "Without mail", scope: "jobs:read", conditions });
  const { token } = await open.newPerson(role.json.id);
  const counts = await open.app.inject({ url: "/v1/jobs/violations", headers: { authorization: `Bearer ${token}` } });
  expect(counts.json().rules).toEqual([{ rule: "endAfterBegin", field: "end", count: 3 }]);
  await open.close();
  await own.drop();
});

test("the impact of a draft counts the same records", async () => {
  const dictionary = (await service.call("GET", "/v1/dictionary")).json;
  const fields = dictionary.resources[0].schema.fields;
  for (const field of fields) {
    if (field.name === "code") field.constraints = { ...field.constraints, pattern: "A-[0-9]+" };
    if (field.name === "share") field.constraints = { maximum: 0 };
    if (field.name === "state") field.constraints = { ...field.constraints, enum: ["new"] };
  }
  const draft = await service.call("POST", "/v1/dictionary/drafts", { title: "Narrow", package: dictionary });
  expect(draft.status).toBe(201);
  const { json } = await service.call("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`);
  const violations = Object.fromEntries(json.changes.map((one: { path: string; violations: number }) => [one.path, one.violations]));
  const broken = (name: string, test: (value: unknown) => boolean) =>
    things.filter((thing) => thing[name as keyof typeof thing] !== null && test(thing[name as keyof typeof thing])).length;
  expect(violations).toMatchObject({
    "things.code": broken("code", (value) => !/^A-[0-9]+$/.test(String(value)) || String(value).length > 6),
    "things.share": broken("share", (value) => Number(value) > 0),
    "things.state": broken("state", (value) => value !== "new"),
  });
});

test("a collection of many fields is counted in several statements", async () => {
  const many = (most: number) =>
    Array.from({ length: 200 }, (_, i) => text(`f${i}`, { ...(i % 2 === 0 && { required: true }), minLength: 1, maxLength: most }));
  const wide = await createTestDatabase();
  const widePackage = (most: number) => ({
    title: "Wide",
    resources: [{ name: "things", title: "Things", schema: { fields: [key, ...many(most)], primaryKey: ["id"] } }],
  });
  const first = await openTestService(widePackage(9), {}, wide);
  const record = Object.fromEntries(many(9).map(({ name }) => [name, "abc"]));
  expect((await first.call("POST", "/v1/things", { id: 1, ...record })).status).toBe(201);
  await first.close();
  const second = await openTestService(widePackage(2), {}, wide);
  const { json } = await second.call("GET", "/v1/things/violations");
  expect(json.rules).toEqual(many(2).map(({ name }) => ({ constraint: "maxLength", field: name, count: 1 })));
  await second.close();
  await wide.drop();
}, 120_000);
