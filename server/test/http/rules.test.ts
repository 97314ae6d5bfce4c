// Rules of a dictionary hold for every way to write, and only for what a write changes.

import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenRules } from "../../../core/dictionary/rules.ts";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService } from "../../testing/service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const END = { name: "endAfterStart", must: "endOn >= startOn", message: "The end must not be before the start." };
const RULES = [
  { ...END, translations: { de: { message: "Das Ende darf nicht vor dem Anfang liegen." } } },
  { name: "reachable", must: "!isEmpty(email) || !isEmpty(phone)", message: "E-mail or phone is needed." },
  {
    name: "fullPay",
    when: 'contract == "full"',
    must: "salary >= 2000",
    fields: ["salary"],
    message: "Full time pays 2,000 at least.",
  },
  { name: "noCut", must: "old.salary == null || salary >= old.salary", fields: ["salary"], message: "Nobody's salary is cut." },
  { name: "notTomorrow", must: "startOn <= today", message: "The start must not lie ahead." },
];
const PACKAGE = {
  title: "Staff",
  timeZone: "Europe/Berlin",
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      rules: RULES,
      schema: {
        fields: [
          field("id", "integer"),
          field("name", "string", { constraints: { required: true } }),
          ...[field("email"), field("phone"), field("startOn", "date"), field("endOn", "date"), field("contract")],
          field("salary", "number", { decimals: 2 }),
        ],
        primaryKey: "id",
      },
    },
  ],
};
const RIGHT = { name: "Ada", email: "ada@example.com", startOn: "2026-01-31", endOn: "2026-02-28", contract: "full", salary: "2000.00" };

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const create = async (values: object) => (await send("POST", "/v1/staff", { ...RIGHT, ...values })).json;
const errorsOf = (json: { errors?: { code: string; rule?: string; pointer?: string }[] }) =>
  (json.errors ?? []).map(({ code, rule, pointer }) => [code, rule, pointer]);

async function applyRules(rules: unknown): Promise<void> {
  const { json } = await send("GET", "/v1/dictionary");
  const { version: _, ...dataPackage } = json;
  const next = { ...dataPackage, resources: [{ ...dataPackage.resources[0], rules }] };
  const draft = await send("POST", "/v1/dictionary/drafts", { title: "rules", comment: "", package: next });
  expect(draft.status, JSON.stringify(draft.json)).toBe(201);
  const applied = await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, { "if-match": String(draft.headers.etag) });
  expect(applied.status, JSON.stringify(applied.json)).toBe(200);
}

test("a broken rule is refused at each of its fields, by its name", async () => {
  const { status, json } = await send("POST", "/v1/staff", { ...RIGHT, endOn: "2026-01-30", salary: "1999.99" });
  expect(status).toBe(422);
  expect(json.code).toBe("VALIDATION");
  expect(json.errors).toEqual([
    { pointer: "/endOn", code: "RULE", rule: "endAfterStart", detail: "The end must not be before the start." },
    { pointer: "/startOn", code: "RULE", rule: "endAfterStart", detail: "The end must not be before the start." },
    { pointer: "/salary", code: "RULE", rule: "fullPay", detail: "Full time pays 2,000 at least." },
  ]);
});

test("what cannot be told breaks no rule", async () => {
  expect((await send("POST", "/v1/staff", { ...RIGHT, endOn: null, contract: null, salary: null })).status).toBe(201);
});

test("a day is one of the organisation", async () => {
  const inBerlin = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" }).format(Date.now() + 86_400_000);
  const refused = await send("POST", "/v1/staff", { ...RIGHT, startOn: inBerlin, endOn: null });
  expect(errorsOf(refused.json)).toEqual([["RULE", "notTomorrow", "/startOn"]]);
});

test("a PATCH is decided on the merged record, with the stored one as old", async () => {
  const { id } = await create({});
  expect(errorsOf((await send("PATCH", `/v1/staff/${id}`, { endOn: "2026-01-01" })).json)).toEqual([
    ["RULE", "endAfterStart", "/endOn"],
    ["RULE", "endAfterStart", "/startOn"],
  ]);
  expect((await send("PATCH", `/v1/staff/${id}`, { salary: "2500" })).status).toBe(200);
  expect(errorsOf((await send("PATCH", `/v1/staff/${id}`, { salary: "2400" })).json)).toEqual([["RULE", "noCut", "/salary"]]);
  expect(errorsOf((await send("PATCH", `/v1/staff/${id}`, { email: null })).json)).toEqual([
    ["RULE", "reachable", "/email"],
    ["RULE", "reachable", "/phone"],
  ]);
});

test("batches, 207, mixed operations and dry runs answer the same", async () => {
  const { id } = await create({});
  const bad = { ...RIGHT, endOn: "2026-01-01" };
  const all = await send("POST", "/v1/staff", [RIGHT, bad]);
  expect([all.status, errorsOf(all.json)]).toEqual([
    422,
    [
      ["RULE", "endAfterStart", "/1/endOn"],
      ["RULE", "endAfterStart", "/1/startOn"],
    ],
  ]);
  const each = await send("POST", "/v1/staff?onError=continue", [RIGHT, bad]);
  expect([each.status, each.json.summary.created, errorsOf(each.json.results[1].problem)]).toEqual([
    207,
    1,
    [
      ["RULE", "endAfterStart", "/1/endOn"],
      ["RULE", "endAfterStart", "/1/startOn"],
    ],
  ]);
  const dry = await send("POST", "/v1/staff?dryRun=true&onConflict=update", [{ id, endOn: "2026-01-01" }]);
  expect([dry.status, errorsOf(dry.json)[0]]).toEqual([422, ["RULE", "endAfterStart", "/0/endOn"]]);
  const sequence = [
    { action: "update", record: { id, endOn: "2027-01-01" } },
    { action: "update", record: { id, startOn: "2027-02-01" } },
  ];
  const batch = await send("POST", "/v1/staff/batch", { operations: sequence });
  expect([batch.status, batch.json.errors?.[0]?.rule]).toEqual([422, "endAfterStart"]);
});

test("a rule that comes later is no wall for other fields, lists what breaks it, and holds what reads it", async () => {
  const { id, version } = await create({ phone: "123" });
  await applyRules([...RULES, { name: "longPhone", must: "size(digits(phone)) > 5", message: "The phone is too short." }]);
  expect((await send("PATCH", `/v1/staff/${id}`, { name: "Eve" })).status).toBe(200);
  expect((await send("POST", "/v1/staff?onConflict=update", [{ id, name: "Eva" }])).status).toBe(200);
  expect(errorsOf((await send("PATCH", `/v1/staff/${id}`, { phone: "1234" })).json)).toEqual([["RULE", "longPhone", "/phone"]]);
  const { json: stored } = await send("GET", `/v1/staff/${id}`);
  expect(errorsOf((await send("PUT", `/v1/staff/${id}`, { ...stored, name: "Ina" })).json)).toEqual([["RULE", "longPhone", "/phone"]]);
  expect((await send("DELETE", `/v1/staff/${id}`)).status).toBe(204);
  expect((await send("POST", `/v1/staff/${id}/restore`, { version })).status).toBe(201);
  const [own] = service.living.served().collections;
  if (!own) throw new Error("no collection");
  const { json: restored } = await send("GET", `/v1/staff/${id}`);
  expect(brokenRules(own, restored, "2026-11-29")).toEqual([{ rule: "longPhone", fields: ["phone"] }]);
  await applyRules(RULES);
});

test("a rule follows the new name of a field, and keeps a field from being retired", async () => {
  const { json } = await send("GET", "/v1/dictionary");
  const { version: _, ...dataPackage } = json;
  const [staff] = dataPackage.resources;
  const renamed = structuredClone(staff);
  renamed.schema.fields.find(({ name }: { name: string }) => name === "endOn").name = "until";
  const draft = await send("POST", "/v1/dictionary/drafts", {
    title: "rename",
    comment: "",
    package: { ...dataPackage, resources: [renamed] },
  });
  expect(draft.status, JSON.stringify(draft.json)).toBe(201);
  const impact = await send("GET", `/v1/dictionary/drafts/${draft.json.id}/impact`);
  expect(impact.json.changes.map(({ kind, path }: { kind: string; path: string }) => [kind, path])).toEqual([["renamed", "staff.until"]]);
  await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, { "if-match": String(draft.headers.etag) });
  const now = (await send("GET", "/v1/dictionary")).json;
  expect(now.resources[0].rules[0].must).toBe("until >= startOn");
  const refused = await send("POST", "/v1/staff", { ...RIGHT, endOn: "2026-01-01" });
  expect(errorsOf(refused.json)[0]?.slice(0, 2)).toEqual(["RULE", "endAfterStart"]);
  const { version: __, ...again } = now;
  const without = structuredClone(again);
  without.resources[0].schema.fields = without.resources[0].schema.fields.filter(({ name }: { name: string }) => name !== "phone");
  const gone = await send("POST", "/v1/dictionary/drafts", { title: "retire", comment: "", package: without });
  const errors = gone.status === 422 ? gone : await send("GET", `/v1/dictionary/drafts/${gone.json.id}/impact`);
  expect(JSON.stringify(errors.json)).toContain("which is retired; take the rule out, or bring the field back");
});

test("whoever may not see a field of a rule is held to it, and learns nothing of it", async () => {
  const own = await openTestService(PACKAGE);
  const conditions = { staff: { fields: { hidden: ["startOn"] } } };
  const role = await own.call("POST", "/v1/roles", { name: "Narrow", scope: "write", conditions });
  const { token } = await own.newPerson(role.json.id);
  const asPerson = { authorization: `Bearer ${token}` };
  const { json: made } = await own.call("POST", "/v1/staff", RIGHT);
  const dictionary = await own.call("GET", "/v1/dictionary", undefined, asPerson);
  expect(dictionary.json.resources[0].rules.map(({ name }: { name: string }) => name)).toEqual(["reachable", "fullPay", "noCut"]);
  const forbidden = { code: "VALIDATION", detail: "A rule about a field that you may not see forbids this." };
  const one = await own.call("PATCH", `/v1/staff/${made.id}`, { endOn: "2026-01-01" }, asPerson);
  expect([one.status, one.json.errors]).toEqual([422, [forbidden]]);
  const many = await own.call("POST", "/v1/staff?onConflict=update&onError=continue", [{ id: made.id, endOn: "2026-01-01" }], asPerson);
  expect([many.status, many.json.results[0].problem.errors]).toEqual([207, [forbidden]]);
  expect(`${one.text}${many.text}`).not.toMatch(/endAfterStart|startOn|before the start/);
  await own.close();
});
