// Records are looked up by what is unique, also after merges, and only those that the caller sees.

import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { uniquesOf } from "../../../core/dictionary/unique-keys.ts";
import { findHolders } from "../../engine/find-holders.ts";
import { uniqueKey } from "../../engine/postgres/schema.ts";
import { withSqlitePlaces } from "../../engine/script/run-sqlite.ts";
import type { Statement } from "../../engine/script/script.ts";
import { openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const PACKAGE = {
  resources: [
    {
      name: "people",
      singular: "person",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "email", formerNames: ["mail"], constraints: { unique: true, caseless: true } },
          { name: "badge", constraints: { unique: true } },
          { name: "rank", type: "number", constraints: { unique: true, maximum: 1_000 } },
          { name: "price", type: "number", decimals: 2, constraints: { unique: true } },
          { name: "land" },
          { name: "number", type: "integer" },
          { name: "city" },
        ],
        primaryKey: "id",
        uniqueKeys: [["land", "number"]],
      },
    },
  ],
};

let database: TestDatabase;
let service: TestService;
let bonn: Headers;
let blind: Headers;
let partly: Headers;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await openTestService(PACKAGE, {}, database);
  bonn = await callerWith({ read: { where: "city=Bonn" } });
  partly = await callerWith({ fields: { hidden: ["number", "rank"], masked: ["badge"] } });
  blind = await callerWith({ fields: { hidden: ["email"] } });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

type Headers = Record<string, string>;
async function callerWith(people: object): Promise<Headers> {
  const role = await service.call("POST", "/v1/roles", { name: JSON.stringify(people), scope: "people:read", conditions: { people } });
  const key = await service.call("POST", "/v1/keys", { name: "Caller", roles: [role.json.id] });
  return { authorization: `Bearer ${key.json.key}` };
}
let last = 0;
async function make(record: object): Promise<number> {
  const { status, json } = await service.call("POST", "/v1/people", { id: ++last, ...record });
  expect([status, json]).toEqual([201, expect.anything()]);
  return json.id;
}
async function merge(survivor: number, other: number): Promise<void> {
  const versions: Record<string, number> = {};
  for (const id of [survivor, other]) versions[id] = (await service.call("GET", `/v1/people/${id}`)).json.version;
  const { status } = await service.call("POST", "/v1/people/merges", { survivor, others: [other], values: {}, versions });
  expect(status).toBe(201);
}
const lookUp = (field: string, values: unknown, headers?: Headers) => service.call("POST", "/v1/people/lookup", { field, values }, headers);
async function found(field: string, values: unknown[], headers?: Headers): Promise<unknown> {
  const { status, json } = await lookUp(field, values, headers);
  expect([status, json]).toEqual([200, { found: expect.any(Array) }]);
  return json.found;
}

describe("a lookup", () => {
  test("finds records by their key and by all that is unique, as it is compared when it is stored", async () => {
    const one = await make({ email: "Ada@x.org", rank: 0.1, price: "1204.50", land: "DE", number: 7 });
    const two = await make({ email: "bea@x.org", rank: 2, land: "DE", number: 8 });
    expect(await found("id", [two, 999_999, one])).toEqual([
      { value: two, id: two },
      { value: one, id: one },
    ]);
    expect(await found("email", ["ADA@X.ORG", "nobody@x.org", "bea@x.org"])).toEqual([
      { value: "ADA@X.ORG", id: one },
      { value: "bea@x.org", id: two },
    ]);
    expect(await found("rank", [0.1, 2, 3])).toEqual([
      { value: 0.1, id: one },
      { value: 2, id: two },
    ]);
    expect(await found("price", ["1204.50"])).toEqual([{ value: "1204.50", id: one }]);
    expect(await found("land,number", [["DE", 8], ["DE", 9], ["FR", 7], ["DE"], "DE"])).toEqual([{ value: ["DE", 8], id: two }]);
  });

  test("finds nothing by what no record can have", async () => {
    expect(await found("rank", ["many", null, { a: 1 }, [2]])).toEqual([]);
    expect(await found("id", [1.5, -1, "1e400"])).toEqual([]);
  });

  test("is refused by what is not unique, by too many values and by what the caller does not see", async () => {
    for (const [field, values, pointer] of [
      ["city", ["Bonn"], "/field"],
      ["nothing", ["Bonn"], "/field"],
      ["email", [], "/values"],
      ["email", "ada@x.org", "/values"],
      ["email", Array.from({ length: 1_001 }, String), "/values"],
    ] as const) {
      const { status, json } = await lookUp(field, values);
      expect([status, json.errors[0].pointer]).toEqual([422, pointer]);
    }
    const { status, json } = await lookUp("email", ["ada@x.org"], blind);
    expect([status, json.errors[0].detail]).toEqual([422, "field must be what is unique: id; badge; rank; price; land,number."]);
    const less = await lookUp("land,number", [["DE", 7]], partly);
    expect([less.status, less.json.errors[0].detail]).toEqual([422, "field must be what is unique: id; email; price."]);
    expect((await lookUp("email", Array.from({ length: 1_000 }, String))).json).toEqual({ found: [] });
  });

  test("knows a field by its former name", async () => {
    const id = await make({ email: "former@x.org" });
    expect(await found("mail", ["former@x.org"])).toEqual([{ value: "former@x.org", id }]);
  });

  test("leads to the survivor of a merge by the key and by each value that the merge took away, until it is taken apart", async () => {
    const [one, two, three] = [
      await make({ email: "c1@x.org", rank: 11 }),
      await make({ email: "c2@x.org", rank: 12, land: "FR", number: 2 }),
      await make({ email: "c3@x.org", rank: 13 }),
    ];
    await merge(one, two);
    await merge(three, one);
    expect(await found("email", ["C2@x.org", "c3@x.org", "c1@x.org"])).toEqual([
      { value: "C2@x.org", id: three, mergedFrom: two },
      { value: "c3@x.org", id: three },
      { value: "c1@x.org", id: three, mergedFrom: one },
    ]);
    expect(await found("id", [two, one])).toEqual([
      { value: two, id: three, mergedFrom: two },
      { value: one, id: three, mergedFrom: one },
    ]);
    expect(await found("land,number", [["FR", 2]])).toEqual([{ value: ["FR", 2], id: three, mergedFrom: two }]);
    await service.call("DELETE", `/v1/people/${three}`);
    expect([await found("id", [two]), await found("email", ["c2@x.org"])]).toEqual([[], []]); // nobody has it, and it may be restored
    const again = await make({ email: "c2@x.org" });
    expect(await found("email", ["c2@x.org"])).toEqual([{ value: "c2@x.org", id: again }]); // who has it now comes first
  });

  test("tells who sees some records only nothing of the others, also where they were merged", async () => {
    const seen = await make({ email: "d1@x.org", city: "Bonn" });
    const unseen = await make({ email: "d2@x.org", city: "Ulm" });
    expect(await found("email", ["d1@x.org", "d2@x.org"], bonn)).toEqual([{ value: "d1@x.org", id: seen }]);
    expect(await found("id", [seen, unseen], bonn)).toEqual([{ value: seen, id: seen }]);
    await merge(seen, unseen);
    expect(await found("email", ["d1@x.org", "d2@x.org"], bonn)).toEqual([{ value: "d1@x.org", id: seen }]);
    expect(await found("id", [seen, unseen], bonn)).toEqual([{ value: seen, id: seen }]);
    expect(await found("id", [unseen])).toEqual([{ value: unseen, id: seen, mergedFrom: unseen }]);
    await service.call("PATCH", `/v1/people/${seen}`, { city: "Ulm" });
    expect(await found("email", ["d1@x.org"], bonn)).toEqual([]);
  });

  test("tells nothing of a record that had left their sight before it was merged, and of one that they saw to the end all", async () => {
    const survivor = await make({ email: "e1@x.org", city: "Bonn" });
    const left = await make({ email: "e2@x.org", city: "Bonn" });
    const stayed = await make({ email: "e3@x.org", city: "Bonn" });
    await service.call("PATCH", `/v1/people/${left}`, { city: "Ulm", email: "secret@x.org" });
    await merge(survivor, left);
    await merge(survivor, stayed);
    expect(await found("email", ["secret@x.org", "e2@x.org", "e3@x.org"], bonn)).toEqual([
      { value: "e3@x.org", id: survivor, mergedFrom: stayed },
    ]);
    expect(await found("id", [left, stayed], bonn)).toEqual([{ value: stayed, id: survivor, mergedFrom: stayed }]);
    const address = async (id: number) => (await service.call("GET", `/v1/people/${id}`, undefined, bonn)).status;
    expect([await address(left), await address(stayed)]).toEqual([404, 308]);
  });

  test("reads each value by an index", async () => {
    const [people] = service.collections as [Collection];
    const values: Record<string, Value> = { email: "a", badge: "b", rank: 1, price: "2.50", "land,number": '["DE",7]', id: 4 };
    const names = ["id", ...uniquesOf(people).map(({ name }) => name)];
    expect(names.sort()).toEqual(Object.keys(values).sort());
    const { url } = database;
    const client = url === undefined ? undefined : new pg.Client({ connectionString: url });
    await client?.connect();
    await client?.query("SET enable_seqscan = off"); // of so few records all are read otherwise
    const file = client ? undefined : new Database(join(database.folder, "intake.db"));
    for (const name of names) {
      const script = findHolders(people, name, [values[name] as Value], client ? uniqueKey : (_, value) => value);
      const { sql, parameters } = script.next().value as Statement;
      const plan = client
        ? (await client.query({ text: `EXPLAIN ${sql}`, values: [...parameters], rowMode: "array" })).rows.join("\n")
        : JSON.stringify(file?.prepare(`EXPLAIN QUERY PLAN ${withSqlitePlaces(sql)}`).all(...(parameters as never[])));
      expect(plan, name).toMatch(/Index (?:Only )?Scan|SEARCH/);
      expect(plan, name).not.toMatch(/Seq Scan|SCAN/);
    }
    await client?.end();
    file?.close();
  });
});
