// A search over all collections: what it finds, and what it keeps to itself.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { FoundIn } from "../../../core/contract/search.ts";
import { StoreTooCostly } from "../../engine/store.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const KEY = field("id", { type: "integer" });
const ofCompany = { fields: "companyId", reference: { resource: "companies", fields: "id" }, as: "company" };
const PACKAGE = {
  resources: [
    {
      name: "companies",
      title: "Companies",
      singular: "company",
      label: ["name"],
      schema: { primaryKey: "id", fields: [KEY, field("name"), field("region"), field("note")] },
    },
    {
      name: "orders",
      title: "Orders",
      schema: {
        primaryKey: "id",
        fields: [KEY, field("number"), field("companyId", { type: "integer" })],
        foreignKeys: [ofCompany],
      },
    },
    { name: "towns", title: "Towns", schema: { primaryKey: "id", fields: [KEY, field("name")] } },
  ],
};

let service: TestService;
let north: string;
let blind: string;
let clerk: string;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  await service.call("POST", "/v1/companies", [
    { id: 1, name: "Jansen Bakery", region: "north", note: "zebra" },
    { id: 2, name: "Jansen Mills", region: "south", note: "zebra" },
    { id: 3, name: "Ångström", region: "north" },
  ]);
  await service.call("POST", "/v1/orders", [
    { id: 10, number: "A-10", companyId: 1 },
    { id: 11, number: "Jansen 11", companyId: 1 },
    { id: 12, number: "A-12", companyId: 2 },
    { id: 13, number: "A-13" },
  ]);
  await service.call("POST", "/v1/towns", [
    { id: 1, name: "Jansenville" },
    { id: 2, name: "Angstede" },
  ]);
  const roleOf = async (name: string, scope: string, conditions = {}) => {
    const { status, json } = await service.call("POST", "/v1/roles", { name, scope, conditions });
    expect([status, json.errors]).toEqual([201, undefined]);
    return (await service.newPerson(json.id)).token;
  };
  const read = "companies:read orders:read towns:read";
  north = await roleOf("North", read, { companies: { read: { where: "region=north" } } });
  blind = await roleOf("Blind", read, { companies: { fields: { hidden: ["note"] } } });
  clerk = await roleOf("Clerk", "orders:read");
});
afterAll(() => service.close());

async function search(query: string, token?: string): Promise<[string, unknown[]][]> {
  const { status, json } = await service.call("GET", `/v1/search?${query}`, undefined, bearer(token));
  expect(status).toBe(200);
  return json.results.map(({ collection, records, more, meant, parent }: FoundIn) => [
    [collection, parent, meant, more && "more"].filter(Boolean).join(" "),
    records.map(({ id }) => id),
  ]);
}
const bearer = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

describe("a search over all collections", () => {
  test("finds by the beginnings of words, and what belongs to a parent that was found", async () => {
    expect(await search("q=jans")).toEqual([
      ["companies", [1, 2]],
      ["orders", [11]],
      ["towns", [1]],
      ["orders company", [10, 12]],
    ]);
    expect(await search("q=mills jansen")).toEqual([
      ["companies", [2]],
      ["orders company", [12]],
    ]);
    expect(await search("q=ANGSTROM")).toEqual([["companies", [3]]]);
  });

  test("has as many of each as are asked for, and says whether there are more", async () => {
    expect(await search("q=jans&limit=1")).toEqual([
      ["companies more", [1]],
      ["orders", [11]],
      ["towns", [1]],
      ["orders company", [10]],
    ]);
    expect(await search("q=a&collection=towns,orders&limit=2")).toEqual([
      ["orders more", [10, 12]],
      ["towns", [2]],
    ]);
  });

  test("begins with the record whose key or number was typed", async () => {
    expect((await search("q=12")).map(([place, ids]) => [place, ids[0]])).toEqual([["orders", 12]]);
    expect(await search("q=a-13")).toEqual([["orders", [13]]]);
  });

  test("answers what others have where looking in one takes too long, and says so", async () => {
    const { list } = service.store;
    const slow = (...names: string[]) =>
      vi.spyOn(service.store, "list").mockImplementation(async (collection, ...rest) => {
        if (names.includes(collection.name)) throw new StoreTooCostly();
        return list(collection, ...rest);
      });
    slow("towns");
    const { json } = await service.call("GET", "/v1/search?q=jansen");
    expect(json.results.map(({ collection, tookTooLong }: FoundIn) => [collection, tookTooLong])).toEqual([
      ["companies", undefined],
      ["orders", undefined],
      ["orders", undefined],
      ["towns", true],
    ]);
    expect(await search("q=nothingatall")).toEqual([["towns more", []]]);
    slow("companies", "orders", "towns");
    expect((await service.call("GET", "/v1/search?q=jansen")).status).toBe(503);
    vi.restoreAllMocks();
  });

  test("looks for another spelling only where nothing is found anywhere", async () => {
    expect(await search("q=janssen")).toEqual([
      ["companies Jansen", [1, 2]],
      ["orders Jansen", [11]],
      ["towns Jansenville", [1]],
    ]);
    expect(await search("q=xylophone")).toEqual([]);
    expect(await search("q=%25")).toEqual([]);
    expect(await search("q=")).toEqual([]);
  });
});

describe("a search keeps to itself", () => {
  test("records out of sight, and what belongs to them", async () => {
    expect(await search("q=jans", north)).toEqual([
      ["companies", [1]],
      ["orders", [11]],
      ["towns", [1]],
      ["orders company", [10]],
    ]);
    expect(await search("q=mills", north)).toEqual([]);
  });

  test("words of hidden fields", async () => {
    expect((await search("q=zebra"))[0]).toEqual(["companies", [1, 2]]);
    expect(await search("q=zebra", blind)).toEqual([]);
    const { text } = await service.call("GET", "/v1/search?q=jansen", undefined, bearer(blind));
    expect(text).not.toContain("zebra");
  });

  test("collections that the caller may not read, and words of parents there", async () => {
    expect(await search("q=jans", clerk)).toEqual([["orders", [11]]]);
    expect(await search("q=mills", clerk)).toEqual([]);
  });
});
