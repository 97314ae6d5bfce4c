// Filters through a parent and its parent: what they find, and what they keep to themselves.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const KEY = field("id", { type: "integer" });
const refers = (name: string, resource: string, as: string) => ({ fields: name, reference: { resource, fields: "id" }, as });
const resource = (name: string, fields: object[], foreignKeys: object[] = []) => ({
  name,
  title: name,
  label: ["name"],
  schema: { primaryKey: "id", fields: [KEY, field("name"), ...fields], ...(foreignKeys.length > 0 && { foreignKeys }) },
});
const number = (name: string) => field(name, { type: "integer" });
const PACKAGE = {
  resources: [
    resource("lands", []),
    resource("cities", [field("zone", { formerNames: ["area"] }), number("landId")], [refers("landId", "lands", "land")]),
    resource("customers", [number("cityId"), number("secret")], [refers("cityId", "cities", "city")]),
    resource("orders", [number("total"), number("customerId")], [refers("customerId", "customers", "customer")]),
  ],
};
const READS = "orders:read customers:read cities:read";

let service: TestService;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  const fill = async (name: string, records: object[]) => {
    const { status, json } = await service.call("POST", `/v1/${name}`, records);
    expect([status, json.errors]).toEqual([201, undefined]);
  };
  await fill("lands", [{ id: 1, name: "Here" }]);
  await fill("cities", [
    { id: 1, name: "Bonn", zone: "north", landId: 1 },
    { id: 2, name: "Ulm", zone: "south" },
  ]);
  await fill("customers", [
    { id: 1, name: "Ada", cityId: 1 },
    { id: 2, name: "Ben", cityId: 2 },
    { id: 3, name: "Cleo" },
  ]);
  const totals = [
    [10, 1],
    [20, 2],
    [30, 3],
    [40, 1],
    [50, undefined],
  ] as const;
  await fill(
    "orders",
    totals.map(([total, customerId], i) => ({ id: i + 1, name: `o${i + 1}`, total, customerId })),
  );
  const roles: Record<string, [string, object]> = {
    north: [READS, { cities: { read: { where: "zone=north" } } }],
    ben: [READS, { customers: { read: { where: "name=Ben" } } }],
    cityless: ["orders:read customers:read", {}],
    blind: [READS, { customers: { fields: { hidden: ["cityId"] } } }],
    zoneless: [READS, { cities: { fields: { hidden: ["zone"] } } }],
  };
  for (const [name, [scope, conditions]] of Object.entries(roles)) {
    const { status, json } = await service.call("POST", "/v1/roles", { name: `Role ${name}`, scope, conditions });
    expect([status, json.errors]).toEqual([201, undefined]);
    tokens[name] = (await service.newPerson(json.id)).token;
  }
});
afterAll(() => service.close());

const bearer = (as?: string) => (as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` });
const ask = (query: string, as?: string, path = "/v1/orders") => service.call("GET", `${path}?${query}`, undefined, bearer(as));
const ids = async (query: string, as?: string) => {
  const { status, json } = await ask(query, as);
  return status === 200 ? json.orders.map(({ id }: { id: number }) => id) : [status, json.code];
};

describe("a list of orders by the city of their customer", () => {
  test.each([
    ["by hand", "customer.city.name=Bonn", [1, 4]],
    ["with an operator", "customer.city.name[prefix]=ul", [2]],
    ["without brackets", "customer.city.name.in=Bonn,Ulm", [1, 2, 4]],
    ["as objects", "filter[customer][city][name]=Bonn", [1, 4]],
    ["as objects with an operator", "filter[customer][city][name][prefix]=bo", [1, 4]],
    ["by what the service sets", "customer.city.createdAt[gte]=2000-01-01T00:00:00Z", [1, 2, 4]],
    ["together with others", "customer.city.name=Bonn&total[gt]=10&customer.name=Ada", [4]],
    ["as one of several ways", "or[0].customer.city.name=Ulm&or[1].total=50", [2, 5]],
    ["as one of several ways, as objects", "or[0][customer][city][name]=Ulm&or[1][total]=50", [2, 5]],
    ["by a value that no city has", "customer.city.name=Rom", []],
    ["by a city without the value", "customer.city.land.name[null]=true", [400, "BAD_PARAMETER"]],
    ["by a name of before", "customer.city.area=south", [2]],
  ])("%s", async (_, query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test("by three parents is refused in a sentence, by one that there is not as any other name", async () => {
    const [three] = (await ask("customer.city.land.name=Here")).json.errors;
    expect(three).toEqual({
      parameter: "customer.city.land.name",
      code: "BAD_PARAMETER",
      detail: "A filter leads through two parents at most.",
    });
    const [none] = (await ask("customer.town.name=Bonn")).json.errors;
    expect(none.detail).toMatch(/^There is no parameter of this name here/);
  });

  test("goes on by a cursor that fits these filters alone, and counts them", async () => {
    const { json } = await ask("customer.city.name=Bonn&limit=1&count=exact");
    expect([json.orders.length, json.total]).toEqual([1, 2]);
    const next = (query: string) => ids(`${query}&limit=1&cursor=${json.next}`);
    expect([await next("customer.city.name=Bonn"), await next("customer.city.name=Ulm")]).toEqual([[4], [400, "BAD_CURSOR"]]);
  });
});

test("files, summaries and chosen writes choose alike", async () => {
  const file = await service.call("GET", "/v1/orders.csv?customer.city.name=Bonn&fields=id", undefined, { accept: "text/csv" });
  expect(file.text.trim().split(/\r?\n/).slice(1)).toEqual(["1", "4"]);
  const summary = await ask("customer.city.name=Bonn&measure=count,sum:total", undefined, "/v1/orders/summary");
  expect(summary.json.total).toEqual({ count: 2, "sum:total": "50" });
  const path = "/v1/orders?customer.city.zone=south";
  const dry = await service.call("PATCH", `${path}&dryRun=true`, { total: 21 });
  expect([dry.status, dry.json.total]).toEqual([207, 1]);
  const done = await service.call("PATCH", `${path}&token=${dry.json.token}`, { total: 21 });
  expect([done.status, done.json.summary.updated]).toEqual([207, 1]);
  expect(await ids("total=21")).toEqual([2]);
});

describe("a caller finds nothing by what they may not see", () => {
  const all = "customer.city.name.in=Bonn,Ulm";
  test.each([
    ["cities of which some are out of sight", "north", all, [1, 4]],
    ["another value or none", "north", "customer.city.name.ne=Rom", [1, 4]],
    ["customers of whom some are out of sight", "ben", all, [2]],
    ["cities that are not read at all", "cityless", all, [403, "INSUFFICIENT_SCOPE"]],
    ["a reference that is hidden", "blind", all, [400, "BAD_PARAMETER"]],
    ["a field that is hidden", "zoneless", "customer.city.zone=north", [400, "BAD_PARAMETER"]],
    ["a former name of a field that is hidden", "zoneless", "customer.city.area=north", [400, "BAD_PARAMETER"]],
    ["the field beside it", "zoneless", all, [1, 2, 4]],
  ])("%s", async (_, as, query, expected) => {
    expect(await ids(query, as)).toEqual(expected);
    const summary = await ask(`${query}&measure=count`, as, "/v1/orders/summary");
    const count = typeof expected[1] === "string" ? undefined : expected.length;
    expect(summary.json.total?.count).toBe(count);
  });

  test("a view with a filter that leads to a hidden field, or through a hidden reference, is shown without it", async () => {
    const search = { "customer.city.zone": "north", "customer.city.name[prefix]": "B" };
    const made = await service.call("POST", "/v1/views", { collection: "orders", name: "Far", isShared: true, search });
    expect(made.status).toBe(201);
    const shown = async (as?: string) => (await service.call("GET", `/v1/views/${made.json.id}`, undefined, bearer(as))).json;
    expect(await shown()).toMatchObject({ search, isPartial: false });
    expect(await shown("zoneless")).toMatchObject({ search: { "customer.city.name[prefix]": "B" }, isPartial: true });
    expect((await shown("blind")).search).toEqual({});
  });

  test("a hidden reference or field is refused word for word as one that there is not", async () => {
    const detail = async (query: string, as: string) => (await ask(query, as)).json.errors[0].detail;
    const same = async (as: string, hidden: string, none: string) => expect(await detail(hidden, as)).toBe(await detail(none, as));
    await same("blind", "customer.city.name=Bonn", "customer.town.name=Bonn");
    await same("zoneless", "customer.city.zone=north", "customer.city.zine=north");
  });
});
