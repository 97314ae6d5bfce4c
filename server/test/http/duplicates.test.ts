// Records that are stored twice are found, explained and kept apart; nobody learns of what they may not see.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { toCompared } from "../../../core/dictionary/compare-records.ts";
import { keysOf } from "../../../core/dictionary/match-keys.ts";
import { checkOnce, createFollower } from "../../duplicates/matcher.ts";
import { type Scan, widthOf } from "../../engine/match-scan.ts";
import { type MatchedTable, matchedTable } from "../../engine/matched-records.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, ...more });
const MATCH = {
  comparisons: [
    { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 3 },
    { fields: ["phone"], as: "phone", weight: 6 },
    { fields: ["born"], as: "date", weight: 4, unlike: 2 },
  ],
  same: 9,
  maybe: 5,
};
const PACKAGE = {
  title: "People",
  resources: [
    {
      name: "people",
      singular: "person",
      title: "People",
      label: ["firstName", "lastName"],
      match: MATCH,
      schema: {
        fields: [
          field("id", { type: "integer" }),
          field("firstName"),
          field("lastName"),
          field("phone"),
          field("born", { type: "date" }),
          field("city"),
          field("note"),
        ],
        primaryKey: "id",
      },
    },
    { name: "marks", title: "Marks", schema: { fields: [field("id", { type: "integer" })], primaryKey: "id" } },
  ],
};

let service: LivingService;
let follower = createFollower();
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
/** As the service does beside requests, until everything is looked at. Transactions of other tests may hold the feed up. */
async function followAll(): Promise<void> {
  const { json: mark } = await send("POST", "/v1/marks", {});
  const marks = async () => (await send("GET", "/v1/changes?collection=marks&limit=1000")).json.changes as { objectId: number }[];
  await vi.waitFor(async () => expect((await marks()).some(({ objectId }) => objectId === mark.id)).toBe(true), 50_000);
  for (let quiet = 0; quiet < 2; ) quiet = (await checkOnce(service.living, follower)) ? 0 : quiet + 1;
}
async function store(...people: object[]): Promise<void> {
  expect((await send("POST", "/v1/people", people)).status).toBe(201);
  await followAll();
}
async function pairs(headers: Record<string, string> = {}, query = ""): Promise<string[]> {
  const { status, json } = await send("GET", `/v1/people/duplicates${query}`, undefined, headers);
  expect(status).toBe(200);
  return json.pairs.map(({ a, b }: { a: number; b: number }) => `${a}-${b}`);
}
async function roleWith(conditions: object, scope = "people:read people:update"): Promise<{ authorization: string }> {
  const admin = { as: "admin" };
  const name = JSON.stringify(conditions).slice(0, 40);
  const { json: role } = await send("POST", "/v1/roles", { name, scope, conditions: { people: conditions } }, admin);
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, admin);
  return { authorization: `Bearer ${key.key}` };
}

const ANNA = { id: 1, firstName: "Anna", lastName: "Müller", phone: "+49 171 1234567", born: "1980-03-04", city: "Bonn" };

describe.sequential("the work list", () => {
  test("of what was stored before the first look all pairs are found, with their reasons", async () => {
    const people = [
      ANNA,
      { id: 2, firstName: "Müller", lastName: "Anna", phone: "0171/1234567", city: "Köln" },
      { id: 3, firstName: "Ben", lastName: "Weber", born: "1990-01-01", city: "Bonn" },
      { id: 4, firstName: "Ben", lastName: "Webber", born: "1990-01-01", city: "Bonn" },
      { id: 5, firstName: "Eva", lastName: "Schulz", city: "Bonn" },
    ];
    expect((await send("POST", "/v1/people", people)).status).toBe(201);
    expect((await send("GET", "/v1/people/duplicates")).json).toEqual({ pairs: [], people: [], progress: 0 });
    await followAll();
    const { json } = await send("GET", "/v1/people/duplicates");
    expect(json.pairs).toEqual([
      {
        ...{ a: 1, b: 2, level: "same", score: 12 },
        reasons: [
          { fields: ["firstName", "lastName"], as: "name", found: "swapped" },
          { fields: ["phone"], as: "phone", found: "same" },
        ],
      },
      {
        ...{ a: 3, b: 4, level: "same", score: 9.1 },
        reasons: [
          { fields: ["firstName", "lastName"], as: "name", found: "letters", letters: 1 },
          { fields: ["born"], as: "date", found: "same" },
        ],
      },
    ]);
    expect(json.people.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4]);
    expect(json.progress).toBe(1);
  });

  test("pages follow each other by a cursor, which nobody can make up", async () => {
    const { json: first } = await send("GET", "/v1/people/duplicates?limit=1");
    expect(first.pairs).toMatchObject([{ a: 1, b: 2 }]);
    expect(await pairs({}, `?limit=1&cursor=${first.next}`)).toEqual(["3-4"]);
    expect((await send("GET", "/v1/people/duplicates?cursor=x")).status).toBe(400);
  });

  test("each write is followed: what becomes alike comes, what becomes different goes, and what is deleted", async () => {
    await store({ id: 6, firstName: "Eva", lastName: "Schultz", phone: null, born: null, city: "Ulm" });
    expect(await pairs()).toEqual(["1-2", "3-4", "5-6"]);
    await send("PATCH", "/v1/people/6", { lastName: "Klein" });
    await followAll();
    expect(await pairs()).toEqual(["1-2", "3-4"]);
    await send("PATCH", "/v1/people/6", { lastName: "Schulz" });
    await followAll();
    expect(await pairs()).toEqual(["1-2", "3-4", "5-6"]);
    await send("DELETE", "/v1/people/6");
    expect(await pairs()).toEqual(["1-2", "3-4"]); // at once: nobody sees it any more
    await followAll();
    expect(await service.store.duplicates.listPairs("people", undefined, 10, false)).toHaveLength(2);
  });

  test("two that are not the same stay apart until what is compared of one of them changes", async () => {
    const put = await send("PUT", "/v1/people/duplicates/4-3", { same: false });
    expect([put.status, put.json]).toMatchObject([200, { a: 3, b: 4, same: false, by: { type: "key", name: "Ada" } }]);
    expect(await pairs()).toEqual(["1-2"]);
    await send("PATCH", "/v1/people/4", { note: "Is somebody else." });
    await followAll();
    expect(await pairs()).toEqual(["1-2"]);
    await send("PATCH", "/v1/people/4", { lastName: "Weber" });
    await followAll();
    expect(await pairs()).toEqual(["1-2", "3-4"]);
    expect((await send("PUT", "/v1/people/duplicates/3-4", { same: false })).status).toBe(200);
    expect((await send("DELETE", "/v1/people/duplicates/3-4")).status).toBe(204);
    expect((await send("DELETE", "/v1/people/duplicates/3-4")).status).toBe(204);
    expect(await pairs()).toEqual(["1-2", "3-4"]);
  });

  test.each([
    ["3-99", { same: false }, 404],
    ["3-3", { same: false }, 404],
    ["x", { same: false }, 404],
    ["3-4", { same: true }, 422],
    ["3-4", {}, 422],
  ])("PUT %s %j is %i", async (pair, body, status) => {
    expect((await send("PUT", `/v1/people/duplicates/${pair}`, body)).status).toBe(status);
  });

  test("what is like a record that is not stored is found with a slip in it", async () => {
    const { json } = await send("POST", "/v1/people/duplicates/search", {
      person: { firstName: "Ana", lastName: "Mueller", phone: "0171 1234567" },
    });
    expect(json.similar).toMatchObject([
      { id: 1, level: "maybe", reasons: [{ found: "part" }, { as: "phone", found: "same" }] },
      { id: 2 },
    ]);
    expect(json.people).toMatchObject([{ id: 1 }, { id: 2 }]);
    const other = await send("POST", "/v1/people/duplicates/search", { firstName: "Nobody", lastName: "Known" });
    expect(other.json).toEqual({ similar: [], people: [] });
  });
});

describe.sequential("rights", () => {
  test("a pair is seen by those who see both records", async () => {
    const bonn = await roleWith({ read: { where: "city=Bonn" } });
    expect(await pairs(bonn)).toEqual(["3-4"]);
    expect((await send("PUT", "/v1/people/duplicates/1-2", { same: false }, bonn)).status).toBe(404);
    const { json } = await send("POST", "/v1/people/duplicates/search", ANNA, bonn);
    expect(json.similar.map(({ id }: { id: number }) => id)).toEqual([1]);
  });

  test.each(["hidden", "masked"])("what is %s is neither named nor compared", async (how) => {
    const caller = await roleWith({ fields: { [how]: ["phone"] } });
    const { json } = await send("GET", "/v1/people/duplicates", undefined, caller);
    expect(json.pairs).toMatchObject([
      { a: 1, b: 2, level: "maybe", score: 6, reasons: [{ as: "name" }] },
      { a: 3, b: 4 },
    ]);
    expect(JSON.stringify(json.pairs)).not.toContain("phone");
    const asked = await send("POST", "/v1/people/duplicates/search", { phone: ANNA.phone }, caller);
    expect(asked.json.similar).toEqual([]);
    expect(JSON.stringify((await send("GET", "/v1/dictionary", undefined, caller)).json.resources[0].match)).not.toContain("phone");
  });

  test("who sees nothing that is compared has no such list", async () => {
    const caller = await roleWith({ fields: { hidden: ["firstName", "phone", "born"] } });
    for (const path of ["/v1/people/duplicates", "/v1/people/duplicates?limit=1"])
      expect((await send("GET", path, undefined, caller)).status).toBe(404);
    expect((await send("POST", "/v1/people/duplicates/search", ANNA, caller)).status).toBe(404);
  });

  test("a pair is set apart by those who may change both records", async () => {
    const reader = await roleWith({}, "people:read");
    expect((await send("PUT", "/v1/people/duplicates/1-2", { same: false }, reader)).status).toBe(403);
    const bonn = await roleWith({ update: { where: "city=Bonn" } });
    expect((await send("PUT", "/v1/people/duplicates/1-2", { same: false }, bonn)).status).toBe(403);
    expect((await send("DELETE", "/v1/people/duplicates/1-2", undefined, bonn)).status).toBe(403);
    expect((await send("PUT", "/v1/people/duplicates/3-4", { same: false }, bonn)).status).toBe(200);
    expect((await send("DELETE", "/v1/people/duplicates/3-4", undefined, bonn)).status).toBe(204);
  });
});

describe.sequential("another dictionary, another process, an erasure", () => {
  const stored = (sql: string) => service.store.duplicates.listPairs(sql, undefined, 100, true);

  async function apply(change: (resource: Record<string, unknown>) => object): Promise<void> {
    const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
    const next = {
      ...dataPackage,
      resources: dataPackage.resources.map((one: { name: string }) => (one.name === "people" ? change(one) : one)),
    };
    const draft = await send("POST", "/v1/dictionary/drafts", { title: "match", comment: "", package: next });
    expect(draft.status).toBe(201);
    const headers = { "if-match": String(draft.headers.etag) };
    expect((await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, headers)).status).toBe(200);
  }

  test("a scan that was interrupted goes on where it was, in another process", async () => {
    const before = await service.store.duplicates.readScan("people");
    expect(before?.phase).toBe("done");
    follower = createFollower();
    await store(
      { id: 7, firstName: "Ida", lastName: "Vogel", phone: "+49 30 5550123" },
      { id: 8, firstName: "Ida", lastName: "Fogel", phone: "+49 30 5550123" },
    );
    expect(await pairs()).toContain("7-8");
    expect((await service.store.duplicates.readScan("people"))?.seen).toBe(before?.seen); // it has not begun anew
  });

  test("what changes while a scan sorts its keys is found by what it is now, whoever goes on", async () => {
    const many = Array.from({ length: 900 }, (_, i) => ({
      id: 1_000 + i,
      firstName: `Given${i}`,
      lastName: `Family${i}`,
      phone: `0800 ${100_000 + i}`,
    }));
    expect((await send("POST", "/v1/people", many)).status).toBe(201);
    await followAll();
    const { collections, store: stores } = service.living.served();
    const people = matchedTable(collections.find(({ name }) => name === "people") as Collection) as MatchedTable;
    const whole = (await stores.duplicates.readScan("people")) as Scan;
    const anew = { ...whole, phase: "clear", after: null, seen: 0, keys: 0 } as const;
    let scan = (await stores.duplicates.beginScan(anew)) as Scan;
    while (scan.phase !== "pairs") scan = (await stores.duplicates.noteStep(people, scan)) as Scan;
    while (scan.after === 0) scan = (await follower.sorter.step(stores, people, scan)) as Scan;
    expect(scan.phase).toBe("pairs"); // and has read the keys of all
    const before = keysOf(people.match, toCompared(people.match, many[5] ?? {}));
    await send("PATCH", "/v1/people/1005", { firstName: "Given6", lastName: "Family6", phone: "0800 100006" });
    await send("DELETE", "/v1/people/1007");
    await followAll();
    expect(await pairs()).toContain("1005-1006");
    expect(await stores.duplicates.findByKeys("people", before)).toEqual(new Map());
    expect(await stores.duplicates.findByKeys("people", keysOf(people.match, toCompared(people.match, many[7] ?? {})))).toEqual(new Map());
    const gone = many.filter(({ id }) => id !== 1_007).map(({ id }) => ({ action: "delete", record: { id } }));
    expect((await send("POST", "/v1/people/batch", gone)).status).toBe(200);
    await followAll();
  });

  test("a write that fails while keys are sorted loses none, and what is erased meanwhile is not found by its keys", async () => {
    const many = Array.from({ length: 900 }, (_, i) => ({
      id: 3_000 + i,
      firstName: `Ware${i}`,
      lastName: `Kase${i}`,
      phone: `0900 ${100_000 + (i === 4 ? 3 : i)}`,
    }));
    many[4] = { ...many[3], id: 3_004 } as (typeof many)[number];
    expect((await send("POST", "/v1/people", many)).status).toBe(201);
    await followAll();
    const { collections, store: stores } = service.living.served();
    const people = matchedTable(collections.find(({ name }) => name === "people") as Collection) as MatchedTable;
    const keysOfOne = (i: number) => keysOf(people.match, toCompared(people.match, many[i] ?? {}));
    const whole = (await stores.duplicates.readScan("people")) as Scan;
    let scan = (await stores.duplicates.beginScan({ ...whole, phase: "clear", after: null, seen: 0, keys: 0 })) as Scan;
    while (scan.phase !== "pairs") scan = (await stores.duplicates.noteStep(people, scan)) as Scan;
    const failing = vi.spyOn(stores.duplicates, "addToSlice").mockRejectedValueOnce(new Error("The connection is lost."));
    let failed = 0;
    const step = async () => {
      const next = await follower.sorter.step(stores, people, scan).catch(() => void failed++);
      scan = next ?? scan;
    };
    while (scan.after === 0) await step();
    expect([failed, failing.mock.calls.length > 1]).toEqual([1, true]);
    failing.mockRestore();
    const place = keysOfOne(7).findIndex((key) => key >= widthOf(scan));
    expect(place, "a key of the second slice").toBeGreaterThanOrEqual(0);
    expect((await send("POST", "/v1/people/3007/erasure", undefined, { as: "admin" })).status).toBe(200);
    await step();
    await followAll();
    expect(await stores.duplicates.findByKeys("people", keysOfOne(7))).toEqual(new Map());
    for (let i = 8; i < 40; i++)
      expect([...(await stores.duplicates.findByKeys("people", keysOfOne(i))).values()].flat(), `${i}`).toContain(3_000 + i);
    expect(await pairs()).toContain("3003-3004");
    const gone = many.filter(({ id }) => id !== 3_007).map(({ id }) => ({ action: "delete", record: { id } }));
    expect((await send("POST", "/v1/people/batch", gone)).status).toBe(200);
    await followAll();
  });

  test("of two processes that look at once one does each step", async () => {
    await Promise.all([checkOnce(service.living), checkOnce(service.living), checkOnce(service.living)]);
    await followAll();
    expect(await pairs()).toEqual(["1-2", "7-8", "3-4"]);
  });

  test("a field with another name is compared on, and a decision stays", async () => {
    expect((await send("PUT", "/v1/people/duplicates/1-2", { same: false })).status).toBe(200);
    await apply((resource) => {
      const schema = resource.schema as { fields: { name: string }[] };
      const fields = schema.fields.map((one) => (one.name === "phone" ? { ...one, name: "mobile" } : one));
      return { ...resource, schema: { ...schema, fields } };
    });
    const { json } = await send("GET", "/v1/dictionary");
    expect(json.resources[0].match.comparisons[1].fields).toEqual(["mobile"]);
    await followAll();
    expect(await pairs()).toEqual(["7-8", "3-4"]);
    expect((await send("DELETE", "/v1/people/duplicates/1-2")).status).toBe(204);
    expect(await pairs()).toContain("1-2");
  });

  test("with other comparisons the scan begins anew, and without any nothing is left", async () => {
    await apply((resource) => ({
      ...resource,
      match: { comparisons: [{ fields: ["mobile"], as: "phone", weight: 1 }], same: 1, maybe: 1 },
    }));
    await followAll();
    expect(await pairs()).toEqual(["1-2", "7-8"]);
    await apply(({ match: _, ...resource }) => resource);
    await followAll();
    expect((await send("GET", "/v1/people/duplicates")).status).toBe(404);
    expect(await stored("people")).toEqual([]);
    expect(await service.store.duplicates.readScan("people")).toBeUndefined();
    await apply((resource) => ({
      ...resource,
      match: { comparisons: [{ fields: ["mobile"], as: "phone", weight: 1 }], same: 1, maybe: 1 },
    }));
    await followAll();
    expect(await pairs()).toEqual(["1-2", "7-8"]);
  });

  test("of a record that is erased nothing is left", async () => {
    expect((await send("PUT", "/v1/people/duplicates/7-8", { same: false })).status).toBe(200);
    const erased = await send("POST", "/v1/people/8/erasure", undefined, { as: "admin" });
    expect(erased.status).toBeLessThan(300);
    expect(await stored("people")).toMatchObject([{ a: 1, b: 2 }]);
    await followAll();
    expect(await stored("people")).toMatchObject([{ a: 1, b: 2 }]);
  });
});
