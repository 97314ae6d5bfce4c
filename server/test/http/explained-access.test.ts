// GET /v1/access says what a person may do and why, and agrees with what happens when they do it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let branch: { id: string; token: string };
let roleId: string;
beforeAll(async () => {
  service = await openTestService(ORDERS);
  const add = async (collection: string, body: object) =>
    expect((await service.call("POST", `/v1/${collection}`, body)).status, JSON.stringify(body)).toBe(201);
  await add("customers", { objectId: 7, name: "Bakery", accountNumber: "A-7", city: "Utrecht" });
  await add("customers", { objectId: 8, name: "Smith", accountNumber: "A-8", city: "Lagos" });
  await add("orders", { objectId: 71, customerId: 7, orderNumber: "O-71", status: "open", total: 1 });
  await add("orders", { objectId: 81, customerId: 8, orderNumber: "O-81", status: "open", total: 1 });
  const conditions = {
    customers: {
      read: { where: "city={me.cities}" },
      update: { where: "name[ne]=Bakery" },
      fields: { masked: ["accountNumber"], readOnly: ["city"] },
      export: false,
    },
    orders: { read: { where: "customer.city={me.cities}" }, fields: { hidden: ["total"] } },
  };
  const role = await service.call("POST", "/v1/roles", {
    name: "Branch",
    scope: "customers:read customers:update orders:read",
    conditions,
  });
  expect([role.status, role.json.errors]).toEqual([201, undefined]);
  roleId = role.json.id;
  branch = await service.newPerson(roleId);
  await service.call("PATCH", `/v1/users/${branch.id}`, { attributes: { cities: ["Utrecht"] } });
});
afterAll(() => service.close());

const explain = (query: string) => service.call("GET", `/v1/access?${query}`);
async function asBranch(path: string, method: "GET" | "PATCH" = "GET", body?: object) {
  const reply = await service.app.inject({
    method,
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${branch.token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, text: reply.payload, json: reply.payload && JSON.parse(reply.payload) };
}
const sentences = (json: { rights: { right: string; isAllowed: boolean; sentence: string }[] }) =>
  Object.fromEntries(json.rights.map(({ right, isAllowed, sentence }) => [right, [isAllowed, sentence]]));

describe("an administrator asks about another person", () => {
  test("and gets each right on a record with the role that decides, in one sentence", async () => {
    const { status, json } = await explain(`user=${branch.id}&collection=customers&id=7`);
    expect(status).toBe(200);
    expect(sentences(json)).toEqual({
      read: [true, "“Branch” gives this right for records with city={me.cities}; this is one."],
      create: [false, "No role gives this right."],
      update: [false, "“Branch” gives this right only for records with name[ne]=Bakery; this is none."],
      delete: [false, "No role gives this right."],
      export: [false, "No role lets these lists leave as files."],
    });
    const other = (await explain(`user=${branch.id}&collection=customers&id=8`)).json;
    expect(sentences(other)).toMatchObject({
      read: [false, "“Branch” gives this right only for records with city={me.cities}; this is none."],
      update: [false, "This record is not seen, and nobody does anything with what they do not see."],
    });
    expect(sentences((await explain(`user=${branch.id}&collection=orders&id=71`)).json).read?.[0]).toBe(true);
    expect(sentences((await explain(`user=${branch.id}&collection=orders&id=81`)).json).read?.[0]).toBe(false);
  });

  test("and each field, as the roles together leave it", async () => {
    const { json } = await explain(`user=${branch.id}&collection=customers`);
    const shown = Object.fromEntries(
      json.fields.map(({ field, shown, sentence }: Record<string, string>) => [field, `${shown}: ${sentence}`]),
    );
    expect(shown).toMatchObject({
      name: "changeable: Seen and to be changed.",
      accountNumber: "masked: Masked by “Branch”, and shown as it is by no role.",
      city: "readOnly: Seen, and to be changed by no role.",
    });
    expect(shown).not.toHaveProperty("objectId");
    const both = await service.newPerson(roleId, "viewer");
    const more = (await explain(`user=${both.id}&collection=customers&id=8`)).json;
    expect(sentences(more).read).toEqual([true, "“Viewer” gives this right for all records."]);
    expect(more.fields.find(({ field }: { field: string }) => field === "accountNumber")).toMatchObject({
      shown: "readOnly",
      roles: [
        { name: "Viewer", shown: "changeable" },
        { name: "Branch", shown: "masked" },
      ],
    });
  });

  test("and what it says is what happens, also after a change of the role", async () => {
    for (const [name, id, field] of [
      ["Bakery", 7, "name"],
      ["Smith", 8, "name"],
    ] as const) {
      const allowed = Object.fromEntries(
        (await explain(`user=${branch.id}&collection=customers&id=${id}`)).json.rights.map(
          ({ right, isAllowed }: { right: string; isAllowed: boolean }) => [right, isAllowed],
        ),
      );
      expect((await asBranch(`/customers/${id}`)).status === 200).toBe(allowed.read);
      expect((await asBranch(`/customers/${id}`, "PATCH", { [field]: `${name} & Co` })).status === 200).toBe(allowed.update);
    }
    const before = (await service.call("GET", `/v1/roles/${roleId}`)).json.conditions;
    await service.call("PATCH", `/v1/roles/${roleId}`, { conditions: { customers: { read: { where: "city=Lagos" } } } });
    const { json } = await explain(`user=${branch.id}&collection=customers&id=8`);
    expect([json.rights[0].isAllowed, (await asBranch("/customers/8")).status]).toEqual([true, 200]);
    await service.call("PATCH", `/v1/roles/${roleId}`, { conditions: before });
  });

  test("who is not there, about what is not there, or without a collection, and is told so", async () => {
    expect((await explain("user=nobody&collection=customers")).status).toBe(404);
    expect((await explain(`user=${branch.id}&collection=planets`)).status).toBe(404);
    expect((await explain(`user=${branch.id}&collection=customers&id=999`)).status).toBe(404);
    expect((await explain(`user=${branch.id}`)).json.errors[0].parameter).toBe("collection");
    expect((await explain("collection=customers")).json.errors[0].parameter).toBe("user"); // a key of the organisation is no person
  });
});

describe("somebody asks about themselves", () => {
  test("and learns nothing of hidden fields, nor of records out of sight, nor of anybody else", async () => {
    const { status, text, json } = await asBranch("/access?collection=orders&id=71");
    expect([status, json.rights[0].isAllowed]).toEqual([200, true]);
    expect(text).not.toContain("total");
    expect((await explain(`user=${branch.id}&collection=orders`)).text).toContain('"total","shown":"hidden"');
    const [unseen, absent] = [await asBranch("/access?collection=customers&id=8"), await asBranch("/access?collection=customers&id=999")];
    const bare = (one: { json: { detail: string } }) => one.json.detail;
    expect([unseen.status, bare(unseen)]).toEqual([404, bare(absent)]);
    expect((await asBranch("/access?collection=contacts")).status).toBe(404);
    const other = await service.newPerson("viewer");
    expect((await asBranch(`/access?user=${other.id}&collection=customers`)).status).toBe(403);
  });

  test("and a condition on a field that they may not know is not spelled out", async () => {
    const role = await service.call("POST", "/v1/roles", {
      name: "Blind",
      scope: "customers:read",
      conditions: { customers: { read: { where: "city=Utrecht" }, fields: { hidden: ["city"] } } },
    });
    const { token } = await service.newPerson(role.json.id);
    const reply = await service.app.inject({
      url: "/v1/access?collection=customers&id=7",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(JSON.parse(reply.payload).rights[0]).toMatchObject({ isAllowed: true, roles: [{ name: "Blind", where: "", isMet: true }] });
    expect(reply.payload).not.toMatch(/Utrecht|"city"/);
  });
});
