// The data providers for react-admin and Refine against a real service.

import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../client/http-client.ts";
import { reactAdminProvider } from "../client/providers/react-admin.ts";
import { refineProvider } from "../client/providers/refine.ts";
import { createKeySession } from "../client/token-exchange.ts";
import { createKeys } from "../server/people/auth/api-keys.ts";
import { ORDERS, openTestService, type TestService } from "../server/testing/service.ts";

let service: TestService;
let client: Client;
let admin: ReturnType<typeof reactAdminProvider>;
let refine: ReturnType<typeof refineProvider>;
beforeAll(async () => {
  service = await openTestService(ORDERS);
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1`;
  client = createClient({ baseUrl, session: createKeySession(baseUrl, await createKeys(service.store).create("write")) });
  admin = reactAdminProvider(client);
  refine = refineProvider(client);
  const cities = ["Bonn", "Ulm", "Kiel"];
  const customers = Array.from({ length: 25 }, (_, i) => ({
    objectId: i + 1,
    name: `Customer ${String(i + 1).padStart(2, "0")}`,
    accountNumber: `A-${i + 1}`,
    ...(i < 24 && { city: cities[i % 3] }),
  }));
  await service.call("POST", "/v1/customers", customers);
  const orders = [1, 1, 2].map((customerId, i) => ({ objectId: i + 1, customerId, orderNumber: `O-${i + 1}` }));
  await service.call("POST", "/v1/orders", orders);
});
afterAll(() => service.close());

const idsOf = ({ data }: { data: { id: unknown }[] }) => data.map(({ id }) => id);

describe("react-admin's provider", () => {
  const pagination = { page: 1, perPage: 100 };
  const sort = { field: "id", order: "ASC" as const };

  test("lists a page with the total, sorted, also by its own name of the key", async () => {
    const page = await admin.getList("customers", { pagination: { page: 3, perPage: 10 }, sort: { field: "name", order: "DESC" } });
    expect([idsOf(page), page.total]).toEqual([[5, 4, 3, 2, 1], 25]);
    const last = await admin.getList("customers", { pagination: { page: 1, perPage: 2 }, sort: { field: "id", order: "DESC" } });
    expect(idsOf(last)).toEqual([25, 24]);
  });

  test.each([
    ["a search", { q: "customer 07" }, [7]],
    ["a value", { city: "Kiel", "objectId.lte": 9 }, [3, 6, 9]],
    ["a nested condition", { accountNumber: { prefix: "a-2" }, city: { ne: "Ulm" } }, [21, 22, 24, 25]],
    ["several values", { city: ["Ulm", "Kiel"], id: { lt: 4 } }, [2, 3]],
    ["other than several values", { city: { notIn: ["Ulm", "Kiel"] }, "id.notIn": ["1", "4"], id: { lt: 8 } }, [7]],
    ["no value", { city: null }, [25]],
  ])("filters by %s", async (_, filter, ids) => {
    expect(idsOf(await admin.getList("customers", { pagination, sort, filter }))).toEqual(ids);
  });

  test("reads one, many and those that refer to a record", async () => {
    expect((await admin.getOne("customers", { id: "7" })).data).toMatchObject({ id: 7, objectId: 7, name: "Customer 07" });
    expect(idsOf(await admin.getMany("customers", { ids: [3, 1] })).sort()).toEqual([1, 3]);
    expect(idsOf(await admin.getManyReference("orders", { target: "customerId", id: 1, pagination, sort, filter: {} }))).toEqual([1, 2]);
  });

  test("creates, changes only what differs, refuses to overwrite, and deletes", async () => {
    const { data } = await admin.create("customers", { data: { name: "New", accountNumber: "N-1", city: "Bonn" } });
    const theirs = await service.call("PATCH", `/v1/customers/${data.id}`, { city: "Ulm" });
    const mine = { id: data.id, data: { ...data, name: "Mine" }, previousData: data };
    await expect(admin.update("customers", mine)).rejects.toMatchObject({ status: 412 });
    const seen = { ...theirs.json, id: data.id };
    const changed = (await admin.update("customers", { id: data.id, data: { ...seen, name: "Mine" }, previousData: seen })).data;
    expect(changed).toMatchObject({ name: "Mine", city: "Ulm", version: 3 });
    await admin.delete("customers", { id: data.id, previousData: changed });
    await expect(admin.getOne("customers", { id: data.id })).rejects.toMatchObject({ status: 404 });
  });

  test("shows problems where the framework's form looks for them", async () => {
    const error = await admin.create("customers", { data: { name: "" } }).catch((error: unknown) => error);
    expect(error).toMatchObject({ status: 422, body: { errors: { name: expect.any(String), accountNumber: expect.any(String) } } });
  });

  test("changes and deletes many, and counts those that are refused", async () => {
    await admin.updateMany("customers", { ids: [11, 12], data: { city: "Bremen" } });
    expect(idsOf(await admin.getList("customers", { pagination, sort, filter: { city: "Bremen" } }))).toEqual([11, 12]);
    await expect(admin.updateMany("customers", { ids: [11, 9_999], data: { city: "Bonn" } })).rejects.toThrow(
      /^1 of 2 records were refused/,
    );
    await expect(admin.deleteMany("customers", { ids: [1, 12] })).rejects.toThrow(/^1 of 2 records were refused/); // 1 has orders
    expect(idsOf(await admin.getMany("customers", { ids: [1, 12] }))).toEqual([1]);
  });

  test("changes and deletes many only as they were given, and what was never given as it is", async () => {
    const { data } = await admin.getMany("customers", { ids: [13, 14] });
    await service.call("PATCH", "/v1/customers/13", { city: "Hamm" });
    await expect(admin.updateMany("customers", { ids: [13, 14], data: { city: "Bremen" } })).rejects.toThrow(
      /^1 of 2 records were refused/,
    );
    await expect(admin.deleteMany("customers", { ids: [13] })).rejects.toThrow(/^1 of 1 records/);
    expect((await admin.getMany("customers", { ids: [13, 14] })).data.map(({ city }) => city).sort()).toEqual(["Bremen", "Hamm"]);
    expect(data).toHaveLength(2);
    await reactAdminProvider(client).updateMany("customers", { ids: [13], data: { city: "Trier" } });
    expect((await service.call("GET", "/v1/customers/13")).json.city).toBe("Trier");
  });

  test("takes the version of the form's values, though the framework has read a newer one since", async () => {
    const { data } = await admin.getOne("customers", { id: 15 });
    await service.call("PATCH", "/v1/customers/15", { city: "Hamm" });
    const newer = (await admin.getOne("customers", { id: 15 })).data;
    const stale = { id: 15, data: { ...data, name: "Mine" }, previousData: newer };
    await expect(admin.update("customers", stale)).rejects.toMatchObject({ status: 412 });
    await admin.update("customers", { id: 15, data: { ...newer, name: "Mine" }, previousData: newer });
    expect((await service.call("GET", "/v1/customers/15")).json).toMatchObject({ name: "Mine", city: "Hamm" });
  });
});

describe("react-admin's provider that has read nothing yet", () => {
  test("saves a form that has its version, and refuses one that is older", async () => {
    const { name, city, version } = (await service.call("GET", "/v1/customers/16")).json;
    const change = (fields: object) => reactAdminProvider(client).update("customers", { id: 16, data: { name, version, ...fields } });
    expect((await change({ city: "Hamm" })).data).toMatchObject({ name, city: "Hamm", version: version + 1 });
    await expect(change({ city })).rejects.toMatchObject({ status: 412 });
    await expect(change({ city, version: version + 1 })).resolves.toMatchObject({ data: { city, version: version + 2 } });
  });
});

describe("Refine's provider", () => {
  const list = (filters: Parameters<typeof refine.getList>[0]["filters"] = [], currentPage = 1) =>
    refine.getList({ resource: "customers", pagination: { currentPage, pageSize: 5 }, sorters: [{ field: "id", order: "asc" }], filters });

  test("lists a page with the total", async () => {
    const { data, total } = await list([{ field: "id", operator: "lte", value: 8 }], 2);
    expect([idsOf({ data }), total]).toEqual([[6, 7, 8], 8]);
    const all = await refine.getList({ resource: "customers", pagination: { mode: "off" } });
    expect(all.data).toHaveLength(all.total);
  });

  test.each([
    ["contains", [{ field: "name", operator: "contains", value: "MER 03" }], [3]],
    [
      "startswith and ne",
      [
        { field: "name", operator: "startswith", value: "customer 0" },
        { field: "city", operator: "ne", value: "Ulm" },
        { field: "id", operator: "lt", value: 5 },
      ],
      [1, 3, 4],
    ],
    ["between", [{ field: "id", operator: "between", value: [4, 6] }], [4, 5, 6]],
    ["in", [{ field: "id", operator: "in", value: [2, 4] }], [2, 4]],
    [
      "or, endswith and ncontains",
      [
        { field: "name", operator: "ncontains", value: "er 07" },
        {
          operator: "or",
          value: [
            { field: "name", operator: "endswith", value: "07" },
            { field: "id", operator: "eq", value: 3 },
            {
              operator: "and",
              value: [
                { field: "id", operator: "lte", value: 6 },
                { field: "id", operator: "gte", value: 5 },
              ],
            },
          ],
        },
      ],
      [3, 5, 6],
    ],
    ["null", [{ field: "city", operator: "null", value: true }], [25]],
    ["and", [{ operator: "and", value: [{ field: "id", operator: "eq", value: 2 }] }], [2]],
  ])("filters by %s", async (_, filters, ids) => {
    expect(idsOf(await list(filters))).toEqual(ids);
  });

  test("says what it cannot filter by, instead of listing other records", async () => {
    await expect(list([{ field: "name", operator: "endswiths", value: "x" }])).rejects.toThrow('The service cannot filter by "endswiths"');
    const or = { operator: "or" as const, value: [] };
    await expect(list([or, or])).rejects.toThrow('joins filters by "or" once');
    await expect(list([{ operator: "or", value: [or] }])).rejects.toThrow('The service cannot filter by "or"');
  });

  test("creates, reads, changes and deletes, with errors by field", async () => {
    const { data } = await refine.create({ resource: "customers", variables: { name: "Refined", accountNumber: "R-1" } });
    expect(idsOf(await refine.getMany({ resource: "customers", ids: [data.id] }))).toEqual([data.id]);
    const one = { resource: "customers", id: data.id };
    expect((await refine.update({ ...one, variables: { city: "Kiel" } })).data).toMatchObject({ city: "Kiel", version: 2 });
    await expect(refine.update({ ...one, variables: { city: "Ulm" }, meta: { version: 1 } })).rejects.toMatchObject({ statusCode: 412 });
    await expect(refine.update({ ...one, variables: { name: "" } })).rejects.toMatchObject({
      statusCode: 422,
      errors: { name: expect.any(String) },
    });
    await refine.deleteOne(one);
    await expect(refine.getOne(one)).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe("two people with Refine", () => {
  const form = ({ name, accountNumber, city }: Record<string, unknown>) => ({ name, accountNumber, city });
  const stored = async (id: number) => (await service.call("GET", `/v1/customers/${id}`)).json;
  let theirs: typeof refine;
  let last = 100;
  /** A record that both have open. */
  async function open(): Promise<{ id: number; one: { resource: string; id: number }; shown: Record<string, unknown> }> {
    const id = ++last;
    await service.call("PUT", `/v1/customers/${id}`, { name: "Ada", accountNumber: `T-${id}`, city: "Bonn" });
    const one = { resource: "customers", id };
    await theirs.getOne(one);
    return { id, one, shown: (await refine.getOne(one)).data };
  }
  beforeAll(() => {
    theirs = refineProvider(client);
  });

  test("whoever saves later overwrites nothing, in a row and at once, and may go on after reading again", async () => {
    const { id, one, shown } = await open();
    await theirs.update({ ...one, variables: form({ ...shown, city: "Ulm" }) });
    for (let n = 0; n < 2; n++)
      await expect(refine.update({ ...one, variables: form({ ...shown, name: "Eve" }) })).rejects.toMatchObject({ statusCode: 412 });
    expect(await stored(id)).toMatchObject({ name: "Ada", city: "Ulm", version: 2 });
    const again = (await refine.getOne(one)).data;
    await refine.update({ ...one, variables: form({ ...again, name: "Eve" }) });
    await refine.update({ ...one, variables: form({ ...again, name: "Ada" }) }); // one's own change taken back
    expect(await stored(id)).toMatchObject({ name: "Ada", city: "Ulm", version: 4 });
    const both = await Promise.allSettled([
      refine.update({ ...one, variables: { city: "Kiel" } }),
      refineProvider(client)
        .getOne(one)
        .then(() => theirs.update({ ...one, variables: { city: "Jena" } })),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a list that got the newer version does not make an old form overwrite it", async () => {
    const { id, one, shown } = await open();
    await theirs.update({ ...one, variables: { city: "Ulm" } });
    await refine.getList({ resource: "customers", filters: [{ field: "id", operator: "eq", value: id }] });
    await expect(refine.update({ ...one, variables: form({ ...shown, name: "Eve" }) })).rejects.toMatchObject({ statusCode: 412 });
    await expect(refine.update({ ...one, variables: { city: "Trier" } })).rejects.toMatchObject({ statusCode: 412 }); // nobody knows which one was seen
    expect(await stored(id)).toMatchObject({ name: "Ada", city: "Ulm" });
    await refine.update({ ...one, variables: { city: "Trier" }, meta: { version: 2 } });
    await refine.update({ ...one, variables: { ...shown, city: "Hamm", version: 3 } });
    expect(await stored(id)).toMatchObject({ name: "Ada", city: "Hamm" });
  });

  test("only what differs is sent, also from a form that has more", async () => {
    const { id, one, shown } = await open();
    await service.call("PATCH", `/v1/customers/${id}`, { name: "Eve" });
    await refine.getOne(one);
    await refine.update({ ...one, variables: { ...shown, name: "Eve", city: "", version: undefined } });
    const { history } = (await service.call("GET", `/v1/customers/${id}/history`)).json;
    expect(history[0].changes).toEqual({ city: ["Bonn", null] });
  });

  test("a record that somebody else has changed is not deleted", async () => {
    const { id, one } = await open();
    await theirs.update({ ...one, variables: { city: "Ulm" } });
    await expect(refine.deleteOne(one)).rejects.toMatchObject({ statusCode: 412 });
    await refine.getOne(one);
    await refine.deleteOne(one);
    await expect(stored(id)).resolves.toMatchObject({ status: 404 });
  });
});
