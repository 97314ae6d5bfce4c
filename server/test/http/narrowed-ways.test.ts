// Every rule that can be narrowed, against every way to change another field of a record that breaks it.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const TEXT = { type: "string" };
/** The value breaks what the field has in the second dictionary. */
interface Narrowed {
  first?: Record<string, unknown>;
  now: Record<string, unknown>;
  value: unknown;
  /** A value that keeps the second rules, of another shape for each record where it is unique. */
  good: unknown;
}
const RULES: Record<string, Narrowed> = {
  required: { first: TEXT, now: { ...TEXT, constraints: { required: true } }, value: null, good: "there" },
  pattern: { first: TEXT, now: { ...TEXT, constraints: { pattern: "[A-Z]+" } }, value: "small", good: "LARGE" },
  minLength: { first: TEXT, now: { ...TEXT, constraints: { minLength: 4 } }, value: "abc", good: "abcd" },
  maxLength: { first: TEXT, now: { ...TEXT, constraints: { maxLength: 4 } }, value: "abcde", good: "abcd" },
  minimum: { first: { type: "integer" }, now: { type: "integer", constraints: { minimum: 10 } }, value: 9, good: 10 },
  maximum: { first: { type: "number" }, now: { type: "number", constraints: { maximum: 0.5 } }, value: 0.75, good: 0.25 },
  earliest: {
    first: { type: "date" },
    now: { type: "date", constraints: { minimum: "2020-01-01" } },
    value: "2019-12-31",
    good: "2020-01-01",
  },
  latest: { first: { type: "time" }, now: { type: "time", constraints: { maximum: "12:00" } }, value: "13:00:00", good: "11:00:00" },
  enum: { first: TEXT, now: { ...TEXT, constraints: { enum: ["new", "old"] } }, value: "odd", good: "old" },
  categories: {
    first: { ...TEXT, categories: ["a", "b"].map((value) => ({ value, label: value })) },
    now: { ...TEXT, categories: [{ value: "a", label: "A" }] },
    value: "b",
    good: "a",
  },
  email: { first: TEXT, now: { ...TEXT, format: "email" }, value: "nobody", good: "a@example.org" },
  uri: { first: TEXT, now: { ...TEXT, format: "uri" }, value: "no address", good: "https://example.org" },
  phone: { first: TEXT, now: { ...TEXT, format: "phone" }, value: "call me", good: "+49 30 1234567" },
  lines: { first: { ...TEXT, format: "multiline" }, now: TEXT, value: "one\ntwo", good: "one" },
  decimals: { first: { type: "number", decimals: 4 }, now: { type: "number", decimals: 1 }, value: "1.2345", good: "1.2" },
};
const NAMES = Object.keys(RULES);

function packageOf(isNarrowed: boolean) {
  const fields = NAMES.map((name) => ({ name, title: name, ...RULES[name]?.[isNarrowed ? "now" : "first"] }));
  const key = { name: "id", title: "Number", type: "integer", constraints: isNarrowed ? { minimum: 100_000 } : {} };
  const code = { name: "code", title: "Code", type: "string", constraints: { unique: true, ...(isNarrowed && { pattern: "X-[0-9]+" }) } };
  const parentId = { name: "caseId", title: "Case", type: "integer" };
  const reference = { resource: "cases", fields: ["id"] };
  const number = { name: "number", title: "Number", type: "integer" };
  return {
    name: "narrowed",
    title: "Narrowed",
    resources: [
      {
        name: "cases",
        title: "Cases",
        schema: {
          fields: [
            key,
            code,
            { name: "other", title: "Other", type: "string" },
            { name: "text", title: "Text", type: "string" },
            ...fields,
          ],
          primaryKey: ["id"],
        },
      },
      {
        name: "notes",
        title: "Notes",
        schema: {
          fields: [number, parentId, { name: "other", title: "Other", type: "string" }],
          primaryKey: ["number"],
          foreignKeys: [{ fields: ["caseId"], reference }],
        },
      },
    ],
  };
}

let database: TestDatabase;
let service: TestService;
let next = 0;
/** Makes records that each break one rule, and the last one all of them at once. */
const ids = new Map<string, number[]>();
const WAYS = 16;

beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openTestService(packageOf(false), {}, database);
  const good = Object.fromEntries(NAMES.map((name) => [name, RULES[name]?.good]));
  const bad = Object.fromEntries(NAMES.map((name) => [name, RULES[name]?.value]));
  const made = [...NAMES, "all"].flatMap((name) =>
    Array.from({ length: WAYS }, () => {
      const id = ++next;
      ids.set(name, [...(ids.get(name) ?? []), id]);
      return { id, code: `c${id}`, other: "first", text: String(id), ...(name === "all" ? bad : { ...good, [name]: RULES[name]?.value }) };
    }),
  );
  expect((await first.call("POST", "/v1/cases", made)).status).toBe(201);
  const source = { "intake-source": "upload; run=earlier" };
  const inRun = [...ids.values()].map((own) => own[UNDONE]);
  const gone = [...ids.values()].map((own) => own[DELETED]);
  const update = inRun.map((id) => ({ id, other: "of the run" }));
  expect((await first.call("POST", "/v1/cases?onConflict=update", update, source)).status).toBe(200);
  expect(
    (
      await first.call(
        "POST",
        "/v1/cases/deletions",
        gone.map((id) => ({ id })),
      )
    ).status,
  ).toBe(200);
  const note = { number: 1, caseId: ids.get("all")?.[0], other: "first" };
  expect((await first.call("POST", "/v1/notes", [note, { ...note, number: 2 }])).status).toBe(201);
  await first.close();
  service = await openTestService(packageOf(true), {}, database);
}, 60_000);
afterAll(async () => {
  await service.close();
  await database.drop();
});

const [UNDONE, DELETED, RESTORED] = [WAYS - 1, WAYS - 2, WAYS - 3];
const read = async (id: number) => (await service.call("GET", `/v1/cases/${id}`)).json;
const post = (query: string, body: unknown) => service.call("POST", `/v1/cases?${query}`, body);

/** Changes `other` of a record, as the named way does it. */
const WAYS_TO_CHANGE: Record<string, (id: number, other: string) => Promise<Reply>> = {
  "the form, a row of the list and one cell (PATCH)": (id, other) => service.call("PATCH", `/v1/cases/${id}`, { other }),
  "a form that was typed over (PUT)": async (id, other) => service.call("PUT", `/v1/cases/${id}`, { ...(await read(id)), other }),
  "a change of many, and pasted cells": (id, other) => post("onConflict=update&onMissing=error&onError=continue", [{ id, other }]),
  "a file with all columns": async (id, other) => post("onConflict=update&onError=continue", [{ ...(await read(id)), other }]),
  "a file that says which by a unique field": async (id, other) => {
    const { id: _, ...record } = await read(id);
    return post("onConflict=update&onMissing=error&matchBy=code&onError=continue", [{ ...record, other }]);
  },
  "a request that is all or nothing": async (id, other) => post("onConflict=update", { ...(await read(id)), other }),
  "update in a batch": (id, other) => service.call("POST", "/v1/cases/batch", [{ action: "update", record: { id, other } }]),
  "upsert in a batch": async (id, other) =>
    service.call("POST", "/v1/cases/batch", [{ action: "upsert", record: { ...(await read(id)), other } }]),
};

const failuresOf = ({ json }: Reply) =>
  [json, ...(json?.results ?? []).map((one: { problem?: object }) => one.problem ?? {})].flatMap(({ errors = [] }) => errors);

describe.each(Object.keys(WAYS_TO_CHANGE))("%s", (way) => {
  test.each([...NAMES, "all"])("is not held up by %s, twice", async (name) => {
    const id = ids.get(name)?.[Object.keys(WAYS_TO_CHANGE).indexOf(way)] as number;
    const before = await read(id);
    for (const other of ["changed", "changed again"]) {
      const reply = await WAYS_TO_CHANGE[way]?.(id, other);
      expect([failuresOf(reply as Reply), reply?.status]).toEqual([[], expect.toSatisfy((status) => status < 300)]);
      const { version, updatedAt, updatedBy, ...values } = await read(id);
      expect({ ...before, version, updatedAt, updatedBy, other }).toEqual({ ...values, version, updatedAt, updatedBy });
      expect(version).toBeGreaterThan(before.version);
    }
  });
});

test("a trial answers as the write would", async () => {
  for (const name of [...NAMES, "all"]) {
    const record = await read(ids.get(name)?.[0] as number);
    const reply = await post("onConflict=update&onError=continue&dryRun=true", [{ ...record, other: "tried" }]);
    expect([name, failuresOf(reply)]).toEqual([name, []]);
  }
});

test("undo of a run, a deleted record and an earlier version come back", async () => {
  expect((await service.call("POST", "/v1/cases/undo", { run: "earlier" })).json).toMatchObject({
    reversed: NAMES.length + 1,
    failed: 0,
    left: [],
  });
  for (const [name, own] of ids) {
    const restored = await service.call("POST", `/v1/cases/${own[DELETED]}/restore`, { version: 1 });
    expect([name, restored.status]).toEqual([name, 201]);
    const id = own[RESTORED] as number;
    expect((await service.call("PATCH", `/v1/cases/${id}`, { other: "later" })).status).toBe(200);
    expect((await service.call("POST", `/v1/cases/${id}/restore`, { version: 1 })).json).toMatchObject({ other: "first" });
  }
});

test("a record under a number that the key no longer takes is read and deleted", async () => {
  const id = ids.get("all")?.[8] as number;
  for (const path of ["", "/history"]) expect([path, (await service.call("GET", `/v1/cases/${id}${path}`)).status]).toEqual([path, 200]);
  expect((await service.call("GET", `/v1/cases/${ids.get("all")?.[0]}/notes`)).json.notes).toHaveLength(2);
  expect((await service.call("POST", "/v1/cases/deletions", [{ id }])).json).toMatchObject({ results: [{ outcome: "deleted" }] });
  expect((await service.call("DELETE", `/v1/cases/${ids.get("all")?.[9]}`)).status).toBe(204);
  const batch = [{ action: "delete", record: { id: ids.get("all")?.[10] } }];
  expect((await service.call("POST", "/v1/cases/batch", batch)).json).toMatchObject({ results: [{ outcome: "deleted" }] });
  for (const [path, method, code] of [
    ["/v1/cases/5000", "PUT", "KIND"],
    ["/v1/cases", "POST", "TOO_SMALL"],
  ] as const) {
    const made = await service.call(method, path, {
      id: 5000,
      code: "X-1",
      ...Object.fromEntries(NAMES.map((name) => [name, RULES[name]?.good])),
    });
    expect([method, made.status, failuresOf(made)[0]?.code]).toEqual([method, 422, code]);
  }
});

test("a parent is named by its number and by a unique value that breaks a rule of today", async () => {
  const id = ids.get("all")?.[0];
  for (const caseOf of [{ caseId: id }, { "case.code": `c${id}` }]) {
    const made = await service.call("POST", "/v1/notes", { ...caseOf, other: "new" });
    expect([failuresOf(made), made.status]).toEqual([[], 201]);
  }
  const below = await service.call("POST", `/v1/cases/${id}/notes`, { other: "below" });
  expect([failuresOf(below), below.status]).toEqual([[], 201]);
});

test("a conversion passes over them", async () => {
  const started = await service.call("POST", "/v1/dictionary/conversions", { field: "cases.text", to: { type: "integer" } });
  expect(started.status).toBe(201);
  let run = started.json;
  for (; run.state === "running"; await sleep(20)) run = (await service.call("GET", `/v1/dictionary/conversions/${run.id}`)).json;
  expect(run).toMatchObject({ state: "done", left: 0 });
});
