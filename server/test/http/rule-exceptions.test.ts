// Records that break a rule on purpose are listed with the reason, and count again when what the rule reads changes.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string") => ({ name, title: name, type });
const PACKAGE = {
  title: "Staff",
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      rules: [{ name: "highSalary", must: "salary <= 9000", severity: "warning", message: "This salary is unusually high." }],
      schema: {
        fields: [field("id", "integer"), field("name"), field("city"), field("email"), field("phone"), field("salary", "integer")],
        primaryKey: "id",
      },
    },
  ],
};
const REACHABLE = { name: "reachable", must: "!isEmpty(email) || !isEmpty(phone)", message: "E-mail or phone is needed." };

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const staff = [1, 2, 3].map((id) => ({ id, name: `Ada ${id}`, city: id === 1 ? "Bonn" : "Köln" }));
  expect((await send("POST", "/v1/staff", staff)).status).toBe(201);
  await applyRules([...PACKAGE.resources.flatMap(({ rules }) => rules), REACHABLE]);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
async function applyRules(rules: readonly object[], { fields = {} }: { fields?: Record<string, object> } = {}): Promise<void> {
  const { version: _, ...dataPackage } = (await send("GET", "/v1/dictionary")).json;
  const [own] = dataPackage.resources;
  const schema = { ...own.schema, fields: own.schema.fields.map((one: { name: string }) => ({ ...one, ...fields[one.name] })) };
  const next = { ...dataPackage, resources: [{ ...own, rules, schema }] };
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "rules", comment: "", package: next });
  const headers = { "if-match": String(draft.headers.etag) };
  expect((await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, headers)).status).toBe(200);
}
const pathOf = (id: number, rule = "reachable") => `/v1/staff/violations/${rule}/exceptions/${id}`;
const counts = async (headers = {}) => {
  const { rules } = (await send("GET", "/v1/staff/violations", undefined, headers)).json;
  return rules.map(({ rule, count, exceptions }: { rule: string; count: number; exceptions?: number }) => [rule, count, exceptions]);
};
const listed = async (exceptions: boolean, headers = {}) => {
  const { json } = await send("GET", `/v1/staff/violations?rule=reachable&exceptions=${exceptions}`, undefined, headers);
  return [
    json.staff?.map(({ id }: { id: number }) => id),
    json.exceptions?.map(({ id, reason }: { id: number; reason: string }) => [id, reason]),
  ];
};
async function roleWith(conditions: object): Promise<{ authorization: string }> {
  const admin = { as: "admin" };
  const { json: role } = await send(
    "POST",
    "/v1/roles",
    { name: JSON.stringify(conditions).slice(0, 40), scope: "staff:read staff:update", conditions: { staff: conditions } },
    admin,
  );
  const { json: key } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, admin);
  return { authorization: `Bearer ${key.key}` };
}

test("an exception has its reason, who and when, and is no longer counted", async () => {
  expect(await counts()).toEqual([["reachable", 3, undefined]]);
  const made = await send("PUT", pathOf(1), { reason: "Has no phone by contract." });
  expect([made.status, made.json]).toEqual([
    200,
    {
      id: 1,
      reason: "Has no phone by contract.",
      at: expect.stringMatching(/Z$/),
      by: expect.objectContaining({ type: "key", name: "Ada" }),
    },
  ]);
  expect(await counts()).toEqual([["reachable", 2, 1]]);
  expect(await listed(false)).toEqual([[2, 3], undefined]);
  expect((await send("GET", "/v1/staff/violations?exceptions=true")).json.errors[0].parameter).toBe("exceptions");
  expect(await listed(true)).toEqual([[1], [[1, "Has no phone by contract."]]]);
  expect((await send("PUT", pathOf(1), { reason: "Another reason." }, { as: "other" })).json.by.name).toBe("Ben");
  expect(await listed(true)).toEqual([[1], [[1, "Another reason."]]]);
  expect((await send("DELETE", pathOf(1))).status).toBe(204);
  expect((await send("DELETE", pathOf(1))).status).toBe(204);
  expect(await counts()).toEqual([["reachable", 3, undefined]]);
});

test("what is no violation, no rule or no record is refused, and so is no reason", async () => {
  const so = { reason: "So." };
  for (const path of [pathOf(1, "highSalary"), pathOf(1, "other"), pathOf(99)])
    expect([path, (await send("PUT", path, so)).status]).toEqual([path, 404]);
  for (const body of [{}, { reason: " " }, { reason: "x".repeat(501) }, { reason: 7 }])
    expect((await send("PUT", pathOf(1), body)).status).toBe(422);
  expect(await counts()).toEqual([["reachable", 3, undefined]]);
});

test("it ends when a field that the rule reads changes, and by no other change", async () => {
  await send("PUT", pathOf(2), { reason: "So." });
  await send("PATCH", "/v1/staff/2", { name: "Ada II" });
  expect((await send("PUT", "/v1/staff/2", { name: "Ada II.", city: "Köln" })).status).toBe(422); // an error holds a PUT
  expect(await counts()).toEqual([["reachable", 2, 1]]);
  await send("PATCH", "/v1/staff/2", { phone: "1" });
  expect(await counts()).toEqual([["reachable", 2, undefined]]);
  await send("POST", "/v1/staff/2/restore", { version: 2 });
  expect(await counts()).toEqual([["reachable", 3, undefined]]);
  await send("PUT", pathOf(3), { reason: "So." });
  await send("DELETE", "/v1/staff/3");
  await send("POST", "/v1/staff/3/restore", { version: 1 });
  expect(await counts()).toEqual([["reachable", 3, undefined]]);
});

test("an acknowledged warning is an exception without a reason", async () => {
  await send("POST", "/v1/staff?acknowledge=all", { id: 9, name: "High", city: "Bonn", phone: "1", salary: 10_000 });
  expect(await counts()).toEqual([
    ["reachable", 3, undefined],
    ["highSalary", 0, 1],
  ]);
  const { json } = await send("GET", "/v1/staff/violations?rule=highSalary&exceptions=true");
  expect(json.exceptions).toEqual([{ id: 9, reason: "", at: expect.any(String), by: expect.objectContaining({ name: "Ada" }) }]);
  await send("PATCH", "/v1/staff/9", { name: "Higher" });
  expect((await counts()).at(-1)).toEqual(["highSalary", 0, 1]);
  await send("DELETE", "/v1/staff/9");
});

test("records and fields out of sight have no exceptions, and only whom a right to change is about makes one", async () => {
  await send("PUT", pathOf(1), { reason: "A secret reason." });
  const inKöln = await roleWith({ read: { where: "city=Köln" } });
  expect(await counts(inKöln)).toEqual([["reachable", 2, undefined]]);
  expect(await listed(true, inKöln)).toEqual([[], []]);
  expect((await send("PUT", pathOf(1), { reason: "So." }, inKöln)).status).toBe(404);
  expect((await send("DELETE", pathOf(1), undefined, inKöln)).status).toBe(404);
  const readsAll = await roleWith({ update: { where: "city=Köln" } });
  for (const [method, body] of [["PUT", { reason: "So." }], ["DELETE"]] as const) {
    expect((await send(method, pathOf(1), body, readsAll)).status).toBe(403);
    expect((await send(method, pathOf(2), body, readsAll)).status).toBeLessThan(300);
  }
  const { json: reader } = await send("POST", "/v1/keys", { name: "Reader", scope: "staff:read" }, { as: "admin" });
  for (const [method, body] of [["PUT", { reason: "So." }], ["DELETE"]] as const)
    expect((await send(method, pathOf(1), body, { authorization: `Bearer ${reader.key}` })).status).toBe(403);
  const hidden = await roleWith({ fields: { hidden: ["phone"] } });
  expect(await counts(hidden)).toEqual([]);
  expect((await send("GET", "/v1/staff/violations?rule=reachable", undefined, hidden)).status).toBe(400);
  expect((await send("PUT", pathOf(1), { reason: "So." }, hidden)).status).toBe(404);
  const noRule = await roleWith({ fields: { hidden: ["phone", "salary"] } }); // to them the collection has no rules at all
  const answers = await Promise.all([pathOf(1), pathOf(1, "other")].map((path) => send("PUT", path, { reason: "So." }, noRule)));
  expect(answers.map(({ status, json }) => [status, json.detail])).toEqual(
    Array(2).fill([404, "The collection has no rule of this name."]),
  );
  expect(await listed(true)).toEqual([[1], [[1, "A secret reason."]]]);
});

test("an exception that is made while somebody changes what the rule reads does not outlast the change", async () => {
  for (const id of [1, 2, 3]) {
    const current = async () => (await send("GET", `/v1/staff/${id}`)).json;
    for (let round = 0; round < 8; round++) {
      const { version } = await current();
      await Promise.all([
        send("PUT", pathOf(id), { reason: "At once." }),
        send("PATCH", `/v1/staff/${id}`, { phone: `${round}` }),
        send("PUT", pathOf(id), { reason: "At once, too." }),
      ]);
      expect((await current()).phone).toBe(`${round}`);
      await send("POST", `/v1/staff/${id}/restore`, { version }); // it breaks the rule again
      expect((await current()).phone).toBeNull();
      const { exceptions } = (await send("GET", "/v1/staff/violations?rule=reachable&exceptions=true")).json;
      expect(exceptions.map((one: { id: number }) => one.id)).not.toContain(id);
    }
  }
});

test("the exceptions of a record go with it, also while its collection has no rules", async () => {
  await send("PUT", pathOf(3), { reason: "So." });
  const { rules } = (await send("GET", "/v1/dictionary")).json.resources[0];
  await applyRules([]);
  expect((await send("DELETE", "/v1/staff/3")).status).toBe(204);
  expect((await send("POST", "/v1/staff", { id: 3, name: "Another" })).status).toBe(201);
  await applyRules(rules);
  expect((await listed(true))[0]).not.toContain(3);
  expect((await listed(false))[0]).toContain(3);
});

test("many warnings that are acknowledged at once are exceptions, each of its record", async () => {
  const staff = Array.from({ length: 50 }, (_, i) => ({ id: 100 + i, name: "High", phone: "1", salary: i % 2 === 0 ? 10_000 : 100 }));
  expect((await send("POST", "/v1/staff?acknowledge=highSalary", staff)).status).toBe(201);
  const excepted = async () => {
    const { json } = await send("GET", "/v1/staff/violations?rule=highSalary&exceptions=true&limit=100");
    return json.exceptions.map(({ id }: { id: number }) => id);
  };
  expect(await excepted()).toEqual(staff.flatMap(({ id, salary }) => (salary > 9000 ? id : [])));
  const lowered = staff.map(({ id }) => ({ id, salary: id < 120 ? 100 : 10_000 }));
  expect((await send("POST", "/v1/staff?onConflict=update&acknowledge=all", lowered)).status).toBe(200);
  expect(await excepted()).toEqual(lowered.flatMap(({ id, salary }) => (salary > 9000 ? id : [])));
});

test("an exception of a rule is none of a condition, whatever the rule is called", async () => {
  expect((await send("POST", "/v1/staff", { id: 200, name: "Ada", city: "Ulm", salary: 1 })).status).toBe(422);
  expect((await send("POST", "/v1/staff", { id: 200, name: "Ada", city: "Ulm", email: "a@x.org", salary: 1 })).status).toBe(201);
  const named = { name: "undefined", must: "salary > 1", message: "More." };
  await applyRules([named], { fields: { phone: { requiredIf: 'city == "Ulm"' } } });
  expect((await send("PUT", pathOf(200, "undefined"), { reason: "So." })).status).toBe(200);
  const { rules } = (await send("GET", "/v1/staff/violations")).json;
  expect(rules).toEqual([
    { constraint: "requiredIf", field: "phone", count: 1 },
    { rule: "undefined", field: "salary", count: 0, exceptions: 1 },
  ]);
});
