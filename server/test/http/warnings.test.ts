// A rule that warns: asked once, confirmed by name, kept in the history, and not asked again before what it reads changes.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService, STAFF_RULES } from "../../testing/service.ts";

const field = (name: string, type = "string", more: object = {}) => ({ name, title: name, type, ...more });
const PACKAGE = {
  title: "Staff",
  resources: [
    {
      name: "staff",
      singular: "member",
      title: "Staff",
      rules: [
        { name: "endAfterStart", must: "endOn >= startOn", message: "The end must not be before the start." },
        { name: "highSalary", must: "salary <= 9000", severity: "warning", message: "This salary is unusually high." },
        { name: "longTerm", must: "days(endOn, startOn) <= 730", fields: ["endOn"], severity: "warning", message: "This takes long." },
      ],
      schema: {
        fields: [
          field("id", "integer"),
          field("name", "string", { constraints: { required: true } }),
          ...[field("startOn", "date"), field("endOn", "date"), field("salary", "number", { decimals: 2 })],
        ],
        primaryKey: "id",
      },
    },
  ],
};
const HIGH = { name: "Ada", salary: "9500.00" };
const WARNING = { pointer: "/salary", code: "WARNING", rule: "highSalary", detail: "This salary is unusually high." };

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const send = (...args: Parameters<LivingService["send"]>) => service.send(...args);
const at = (one: { pointer?: string }, pointer: string) => ({ ...one, pointer });
const acknowledged = async (id: number) =>
  (await send("GET", `/v1/staff/${id}/history`)).json.history.map((entry: { acknowledged?: string[] }) => entry.acknowledged);

test("a warning refuses a record until it is acknowledged by name or as one of all, and then stands in the answer", async () => {
  const refused = await send("POST", "/v1/staff", HIGH);
  expect([refused.status, refused.json.code, refused.json.errors]).toEqual([422, "WARNING", [WARNING]]);
  expect((await send("POST", "/v1/staff?acknowledge=other", HIGH)).status).toBe(422);
  for (const names of ["highSalary", "other,highSalary", "all"]) {
    const made = await send("POST", `/v1/staff?acknowledge=${names}`, HIGH);
    expect([made.status, made.json.warnings]).toEqual([201, [WARNING]]);
    expect(await acknowledged(made.json.id)).toEqual([["highSalary"]]);
    expect((await send("GET", `/v1/staff/${made.json.id}`)).json.warnings).toBeUndefined();
  }
  expect((await send("POST", "/v1/staff?acknowledge=a%20b", HIGH)).json.errors[0].parameter).toBe("acknowledge");
});

test("errors and warnings come in one answer, and a confirmed warning hides no error", async () => {
  const both = { ...HIGH, startOn: "2026-02-01", endOn: "2026-01-01" };
  const codes = (json: { errors: { code: string; rule: string }[] }) => [
    ...new Set(json.errors.map(({ code, rule }) => `${code} ${rule}`)),
  ];
  const refused = await send("POST", "/v1/staff?dryRun=true", both);
  expect([refused.status, refused.json.code, codes(refused.json)]).toEqual([
    422,
    "VALIDATION",
    ["RULE endAfterStart", "WARNING highSalary"],
  ]);
  expect(codes((await send("POST", "/v1/staff?acknowledge=all", both)).json)).toEqual(["RULE endAfterStart"]);
  const dry = await send("POST", "/v1/staff?dryRun=true&acknowledge=all", [HIGH]);
  expect([dry.status, dry.json.warnings]).toEqual([201, [at(WARNING, "/0/salary")]]);
});

test("nobody is asked again until a field that the rule reads changes, by PATCH nor by PUT", async () => {
  const { id } = (await send("POST", "/v1/staff?acknowledge=highSalary", HIGH)).json;
  expect((await send("PATCH", `/v1/staff/${id}`, { name: "Ada L." })).json.warnings).toBeUndefined();
  expect((await send("PUT", `/v1/staff/${id}`, { ...HIGH, name: "Ada M." })).status).toBe(200);
  for (const [method, body] of [
    ["PATCH", { salary: "9600.00" }],
    ["PUT", { ...HIGH, salary: "9600.00" }],
  ] as const) {
    const refused = await send(method, `/v1/staff/${id}`, body);
    expect([refused.status, refused.json.errors]).toEqual([422, [WARNING]]);
  }
  const saved = await send("PATCH", `/v1/staff/${id}?acknowledge=highSalary`, { salary: "9600.00" });
  expect([saved.status, saved.json.warnings]).toEqual([200, [WARNING]]);
  expect((await send("PUT", `/v1/staff/${id + 1}?acknowledge=highSalary`, HIGH)).json.warnings).toEqual([WARNING]);
  expect(await acknowledged(id)).toEqual([["highSalary"], undefined, undefined, ["highSalary"]]);
  expect((await send("PATCH", `/v1/staff/${id}`, saved.json)).status).toBe(200); // an answer is sent back as it came
});

test("many at once: each of its own in 207, all or nothing, and operations with a word of their own", async () => {
  const each = await send("POST", "/v1/staff?onError=continue", [{ name: "Ben" }, HIGH]);
  expect([each.status, each.json.results[1].problem.code, each.json.results[1].problem.errors]).toEqual([
    207,
    "WARNING",
    [at(WARNING, "/1/salary")],
  ]);
  const done = await send("POST", "/v1/staff?onError=continue&acknowledge=highSalary", [{ name: "Ben" }, HIGH]);
  expect([done.json.results[0].warnings, done.json.results[1].warnings]).toEqual([undefined, [at(WARNING, "/1/salary")]]);
  const all = await send("POST", "/v1/staff?acknowledge=all", { staff: [HIGH, HIGH] });
  expect([all.status, all.json.warnings]).toEqual([201, [at(WARNING, "/staff/0/salary"), at(WARNING, "/staff/1/salary")]]);
  const operations = [
    { action: "create", record: HIGH, acknowledge: ["highSalary"] },
    { action: "create", record: HIGH },
  ];
  const mixed = await send("POST", "/v1/staff/batch?onError=continue", { operations });
  expect(mixed.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["created", "failed"]);
  expect(mixed.json.results[0].warnings).toEqual([at(WARNING, "/operations/0/record/salary")]);
  expect((await send("POST", "/v1/staff/batch?acknowledge=all", { operations })).status).toBe(200);
  const wrong = await send("POST", "/v1/staff/batch", [{ action: "create", record: HIGH, acknowledge: 7 }]);
  expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([422, "/0/acknowledge"]);
});

test("a refused request is confirmed under its idempotency key, and repeated with the same answer", async () => {
  const key = { "idempotency-key": "warned" };
  expect((await send("POST", "/v1/staff", HIGH, key)).status).toBe(422);
  const made = await send("POST", "/v1/staff?acknowledge=all", HIGH, key);
  const again = await send("POST", "/v1/staff?acknowledge=all", HIGH, key);
  expect([made.status, again.status, again.json]).toEqual([201, 201, made.json]);
  expect(await acknowledged(made.json.id)).toEqual([["highSalary"]]);
});

test("what comes back from the history is not asked", async () => {
  const run = { "intake-source": "upload; run=warned" };
  const { id } = (await send("POST", "/v1/staff?acknowledge=all", HIGH)).json;
  await send("PATCH", `/v1/staff/${id}`, { salary: "1" }, run);
  expect((await send("POST", "/v1/staff/undo", { run: "warned" })).json.reversed).toBe(1);
  expect((await send("GET", `/v1/staff/${id}`)).json.salary).toBe("9500");
  expect((await send("POST", `/v1/staff/${id}/restore`, { version: 2 })).status).toBe(200);
  expect((await send("POST", `/v1/staff/${id}/restore`, { version: 1 })).status).toBe(200);
});

test("who may not see what a warning reads confirms it with all, and reads nothing of it", async () => {
  const admin = { as: "admin" };
  const scope = "staff:read staff:create staff:update";
  const { json: role } = await send(
    "POST",
    "/v1/roles",
    { name: "Desk", scope, conditions: { staff: { fields: { hidden: ["endOn"] } } } },
    admin,
  );
  const { json: own } = await send("POST", "/v1/keys", { name: "Desk", roles: [role.id] }, admin);
  const headers = { authorization: `Bearer ${own.key}` };
  const long = { startOn: "2020-01-01", endOn: "2026-01-01" };
  const { id } = (await send("POST", "/v1/staff?acknowledge=all", { name: "Cy", ...long })).json;
  const patch = (query: string) => send("PATCH", `/v1/staff/${id}${query}`, { startOn: "2019-01-01" }, headers);
  const hidden = { code: "WARNING", detail: "A rule about a field that you may not see asks whether this is meant so." };
  const refused = await patch("");
  expect([refused.status, refused.json.errors]).toEqual([422, [hidden]]);
  const saved = await patch("?acknowledge=all");
  expect([saved.status, saved.json.warnings]).toEqual([200, [hidden]]);
  const { history } = (await send("GET", `/v1/staff/${id}/history`, undefined, headers)).json;
  expect(JSON.stringify(history)).not.toContain("longTerm");
  expect(await acknowledged(id)).toEqual([["longTerm"], ["longTerm"]]);
});

test("warnings, exceptions and days are answered as the interface says", async () => {
  const own = await openTestService(STAFF_RULES); // its calls are checked against the document
  try {
    const high = { id: 7, firstName: "Ada", lastName: "Lang", phone: "123456", salary: "9500" };
    expect((await own.call("POST", "/v1/staff", high)).status).toBe(422);
    expect((await own.call("POST", "/v1/staff?acknowledge=all", high)).json.warnings[0].rule).toBe("unusualSalary");
    expect((await own.call("PUT", "/v1/staff/8?acknowledge=all", { ...high, id: 8 })).json.warnings).toHaveLength(1);
    expect((await own.call("PATCH", "/v1/staff/8?acknowledge=unusualSalary", { salary: "9600" })).json.warnings).toHaveLength(1);
    const each = await own.call("POST", "/v1/staff?onError=continue&acknowledge=all", [{ ...high, id: 9 }]);
    expect(each.json.results[0].warnings).toHaveLength(1);
    const all = await own.call("POST", "/v1/staff/batch", [{ action: "create", record: { ...high, id: 10 }, acknowledge: "all" }]);
    expect(all.json.results[0].warnings).toHaveLength(1);
    expect(
      (
        await own.call("POST", "/v1/staff?acknowledge=all", [
          { ...high, id: 11 },
          { ...high, id: 12 },
        ])
      ).json.warnings,
    ).toHaveLength(2);
    for (const path of ["", "/7/history", "/violations", "/violations?rule=unusualSalary&exceptions=true", "/violations?days=true"])
      expect([path, (await own.call("GET", `/v1/staff${path}`)).status]).toEqual([path, 200]);
    expect((await own.call("GET", "/v1/changes?collection=staff&after=0")).status).toBeLessThan(500);
    expect((await own.call("GET", "/v1/activity")).status).toBe(200);
    const path = "/v1/staff/violations/unusualSalary/exceptions/7";
    expect((await own.call("PUT", path, { reason: "By contract." })).json.reason).toBe("By contract.");
    expect((await own.call("PUT", path, { reason: "" })).status).toBe(422);
    expect((await own.call("DELETE", path)).status).toBe(204);
    expect((await own.call("PUT", path.replace("/7", "/99"), { reason: "So." })).status).toBe(404);
  } finally {
    await own.close();
  }
});
