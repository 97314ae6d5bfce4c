// Records are looked up by what is unique, also after merges, and only those that the caller sees.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const PACKAGE = {
  resources: [
    {
      name: "people",
      singular: "person",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "email", constraints: { unique: true, caseless: true } },
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

let service: TestService;
let bonn: Headers;
let blind: Headers;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  bonn = await callerWith({ read: { where: "city=Bonn" } });
  blind = await callerWith({ fields: { hidden: ["email"] } });
});
afterAll(() => service.close());

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
    expect([status, json.errors[0].detail]).toEqual([422, "field must be what is unique: id; rank; price; land,number."]);
    expect((await lookUp("email", Array.from({ length: 1_000 }, String))).json).toEqual({ found: [] });
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
});
