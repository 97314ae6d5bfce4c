// Values that are computed out of others of their record: with each write, anew when a formula changes, and each day.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService } from "../../testing/service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const PACKAGE = {
  title: "Staff",
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      rules: [{ name: "grown", must: "age >= 15", message: "Nobody begins before the age of 15." }],
      schema: {
        fields: [
          field("id", "integer"),
          field("first"),
          field("last"),
          field("greeting", "string", { computed: '"Dear " + full', constraints: { maxLength: 20 } }),
          field("full", "string", { computed: 'isEmpty(first) ? last : first + " " + last' }),
          field("born", "date"),
          field("age", "integer", { computed: "age(born)" }),
          field("net", "number", { decimals: 2 }),
          field("gross", "number", { decimals: 2, computed: "net * 1.19" }),
        ],
        primaryKey: "id",
      },
    },
  ],
};

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const errorsOf = (json: { errors?: { code: string; pointer?: string; detail: string }[] }) =>
  (json.errors ?? []).map(({ code, pointer, detail }) => [code, pointer, detail]);
const years = new Date().getUTCFullYear() - 2000;

test("values are computed when a record is made, changed and brought back, each after those that it reads", async () => {
  const made = await send("POST", "/v1/staff", { first: "Ada", last: "Lovelace", born: "2000-01-01", net: "1.05" });
  expect([made.status, made.json]).toEqual([
    201,
    expect.objectContaining({ full: "Ada Lovelace", greeting: "Dear Ada Lovelace", age: years, gross: "1.25" }),
  ]);
  const path = `/v1/staff/${made.json.id}`;
  const changed = await send("PATCH", path, { first: null });
  expect(changed.json).toMatchObject({ full: "Lovelace", greeting: "Dear Lovelace", version: 2 });
  expect((await send("PATCH", path, { first: null })).json.version).toBe(2);
  const { history } = (await send("GET", `${path}/history`)).json;
  expect(history[0].changes).toEqual({
    first: ["Ada", null],
    full: ["Ada Lovelace", "Lovelace"],
    greeting: ["Dear Ada Lovelace", "Dear Lovelace"],
  });
  const restored = await send("POST", `${path}/restore`, { version: 1 });
  expect([restored.status, restored.json]).toEqual([200, expect.objectContaining({ full: "Ada Lovelace", greeting: "Dear Ada Lovelace" })]);
  const found = await send("GET", `/v1/staff?full=${encodeURIComponent("Ada Lovelace")}&sort=-age`);
  expect(found.json.staff.map(({ id }: { id: number }) => id)).toEqual([made.json.id]);
});

test("a value that is sent is passed over where it is the computed one, and refused where it is not", async () => {
  const made = await send("POST", "/v1/staff", { first: "Grace", last: "Hopper", full: "Grace Hopper" });
  expect([made.status, made.json.full]).toEqual([201, "Grace Hopper"]);
  const path = `/v1/staff/${made.json.id}`;
  const got = (await send("GET", path)).json;
  const put = await send("PUT", path, { ...got, first: "G." });
  expect([put.status, put.json.full]).toEqual([200, "G. Hopper"]);
  expect((await send("PUT", path, { ...got, first: "Grace" })).json.full).toBe("Grace Hopper");
  expect((await send("PATCH", path, { first: "G.", full: "G. Hopper" })).json.full).toBe("G. Hopper");
  const wrong = [["READ_ONLY", "/full", "full is computed, and cannot be set. Leave it out."]];
  expect(errorsOf((await send("PATCH", path, { full: "Nobody" })).json)).toEqual(wrong);
  expect(errorsOf((await send("PATCH", path, { full: null })).json)).toEqual(wrong);
  expect(errorsOf((await send("POST", "/v1/staff", { last: "Hopper", full: "Nobody" })).json)).toEqual(wrong);
  expect((await send("GET", path)).json).toMatchObject({ full: "G. Hopper" });
});

test("a guess at a computed value behind a mask is refused, also where nothing is computed", async () => {
  const conditions = { staff: { fields: { masked: ["gross", "full"] } } };
  const role = await send(
    "POST",
    "/v1/roles",
    { name: "Desk", scope: "staff:read staff:create staff:update", conditions },
    { as: "admin" },
  );
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.json.id] }, { as: "admin" });
  const headers = { authorization: `Bearer ${key.key}` };
  const made = await send("POST", "/v1/staff", { last: "Curie", gross: "5" }, headers);
  expect([made.status, errorsOf(made.json).map(([code, pointer]) => [code, pointer])]).toEqual([422, [["READ_ONLY", "/gross"]]]);
  const { json } = await send("POST", "/v1/staff", { last: "Curie", net: "1.00" }, headers);
  expect([json.gross, json.full]).toEqual(["••••", "••••"]);
  expect((await send("PATCH", `/v1/staff/${json.id}`, { gross: "1.19", first: "M." }, headers)).status).toBe(422);
  expect((await send("PUT", `/v1/staff/${json.id}`, { ...json, first: "M." }, headers)).status).toBe(200);
});

test("what is computed is held to its field and to rules, by whoever changes what it follows from", async () => {
  const long = await send("POST", "/v1/staff", { first: "Wolfgang Amadeus", last: "Mozart" });
  expect(errorsOf(long.json)).toEqual([["TOO_LONG", "/greeting", "greeting may have at most 20 characters; this has 28."]]);
  const young = await send("POST", "/v1/staff", { last: "X", born: new Date().toISOString().slice(0, 10) });
  expect(errorsOf(young.json)).toEqual([["RULE", "/age", "Nobody begins before the age of 15."]]);
  const fine = await send("POST", "/v1/staff", { last: "X" });
  expect([fine.status, fine.json.age]).toEqual([201, null]);
});

test("the document calls it read-only, and the template has no column for it", async () => {
  const fixed = await openTestService(PACKAGE);
  const { schemas } = (await fixed.call("GET", "/v1/openapi.json")).json.components;
  const readOnly = Object.entries<{ readOnly?: boolean }>(schemas.MemberValues.properties).filter(([, one]) => one.readOnly);
  expect(readOnly.map(([name]) => name)).toEqual(["greeting", "full", "age", "gross"]);
  expect(schemas.MemberRules.properties).not.toHaveProperty("greeting");
  expect((await fixed.call("GET", "/v1/staff/template.csv")).text.trim()).toBe("id,first,last,born,net");
  await fixed.close();
});
