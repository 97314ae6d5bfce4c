// PATCH and DELETE of a collection: what filters choose is changed or deleted as a dry run has shown.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type Reply, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await openTestService();
  await service.call("POST", "/v1/customers", [
    customer(1, "Ek", "Old"),
    customer(2, "Ek", "Old"),
    customer(3, "Ask", "Old"),
    customer(4, "Ek", "Old"),
    customer(5, "Ek", "Old"),
  ]);
});
afterEach(() => service.close());

const customer = (objectId: number, lastName: string, firstName: string) => ({ objectId, lastName, firstName, accountID: `${objectId}` });
const FILTER = "/v1/customers?lastName=Ek";
const NEW = { firstName: "New" };

type As = Record<string, string>;
const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const tried = (method: string, path: string, body?: unknown, headers?: As) => service.call(method, `${path}&dryRun=true`, body, headers);
const done = (method: string, path: string, token: string, body?: unknown, headers?: As) =>
  service.call(method, `${path}&token=${token}`, body, headers);
const firstNames = async () =>
  (await service.call("GET", "/v1/customers?sort=objectId")).json.customers.map(({ firstName }: { firstName: string }) => firstName);
const ids = ({ json }: Reply) => json.results.map(({ objectId }: { objectId: number }) => objectId);
const problem = ({ status, json }: Reply) => [status, json.code, json.errors?.[0]?.parameter];

describe("a change of what filters choose", () => {
  test("asks for a dry run, whose token does what it has shown, as a run that is taken back", async () => {
    for (const query of ["", "&token=x&dryRun=true", "&dryRun=false"]) {
      const { status, json } = await service.call("PATCH", `${FILTER}${query}`, NEW);
      expect([query, status, json.errors[0].detail]).toEqual([query, 400, expect.stringContaining("Ask first with dryRun=true")]);
    }
    const dry = await tried("PATCH", FILTER, NEW);
    expect([dry.status, dry.json.total, dry.json.next, ids(dry)]).toEqual([207, 4, null, [1, 2, 4, 5]]);
    expect(dry.json.summary).toEqual({ total: 4, created: 0, updated: 4, unchanged: 0, skipped: 0, failed: 0 });
    expect(dry.json.results[0]).toMatchObject({ outcome: "updated", changes: { firstName: ["Old", "New"] } });
    expect(Date.parse(dry.json.expiresAt)).toBeGreaterThan(Date.now());
    expect(await firstNames()).toEqual(["Old", "Old", "Old", "Old", "Old"]);
    const run = await done("PATCH", FILTER, dry.json.token, NEW);
    expect([run.status, run.json.run, ids(run), run.json.summary.updated]).toEqual([207, dry.json.run, [1, 2, 4, 5], 4]);
    expect(run.json).not.toHaveProperty("token");
    expect(await firstNames()).toEqual(["New", "New", "Old", "New", "New"]);
    const { history } = (await service.call("GET", "/v1/customers/1/history")).json;
    expect(history[0].source).toEqual({ type: "api", run: dry.json.run });
    const undone = await service.call("POST", "/v1/customers/undo", { run: dry.json.run });
    expect(undone.json).toMatchObject({ reversed: 4, kept: 0, failed: 0 });
    expect(await firstNames()).toEqual(["Old", "Old", "Old", "Old", "Old"]);
    // What was changed since, also by the run and its undo, is not what the dry run has shown.
    expect((await done("PATCH", FILTER, dry.json.token, NEW)).json.results).toEqual([]);
  });

  test("a run that the request names is the run", async () => {
    const headers = { "Intake-Source": "form; run=mine" };
    const { json } = await tried("PATCH", FILTER, NEW, headers);
    const run = await done("PATCH", FILTER, json.token, NEW, headers);
    expect([json.run, run.json.run]).toEqual(["mine", "mine"]);
    const { history } = (await service.call("GET", "/v1/customers/1/history")).json;
    expect(history[0].source).toEqual({ type: "form", run: "mine" });
  });

  test("what came, changed or went meanwhile is left alone", async () => {
    const { json } = await tried("PATCH", FILTER, NEW);
    const before = new Date().toISOString();
    while (new Date().toISOString() === before); // so that what follows is later
    await service.call("POST", "/v1/customers", [customer(6, "Ek", "Came")]);
    await service.call("PATCH", "/v1/customers/3", { lastName: "Ek" });
    await service.call("PATCH", "/v1/customers/2", { firstName: "Theirs" });
    await service.call("DELETE", "/v1/customers/4");
    const run = await done("PATCH", FILTER, json.token, NEW);
    expect(ids(run)).toEqual([1, 5]);
    expect(await firstNames()).toEqual(["New", "Theirs", "Old", "New", "Came"]);
  });

  test("goes part by part, in the order of the keys, as one run", async () => {
    const path = `${FILTER}&limit=2`;
    const first = await tried("PATCH", path, NEW);
    expect([ids(first), first.json.total]).toEqual([[1, 2], 4]);
    const further = `${path}&cursor=${first.json.next}`;
    const second = await tried("PATCH", further, NEW);
    expect([ids(second), second.json.next, second.json.run, second.json.total]).toEqual([[4, 5], null, first.json.run, undefined]);
    await done("PATCH", path, first.json.token, NEW);
    expect(problem(await done("PATCH", path, second.json.token, NEW))).toEqual([400, "BAD_PARAMETER", "token"]);
    expect(ids(await done("PATCH", further, second.json.token, NEW))).toEqual([4, 5]);
    expect((await service.call("POST", "/v1/customers/undo", { run: first.json.run })).json.reversed).toBe(4);
    const other = await service.call("PATCH", `/v1/customers?lastName=Ask&limit=2&dryRun=true&cursor=${first.json.next}`, NEW);
    expect(problem(other)).toEqual([400, "BAD_CURSOR", "cursor"]);
  });

  test("an Idempotency-Key gives the first answer again, also when the token has become void", async () => {
    const { json } = await tried("PATCH", FILTER, NEW);
    const key = { "Idempotency-Key": "once" };
    const first = await done("PATCH", FILTER, json.token, NEW, key);
    const again = await done("PATCH", FILTER, json.token, NEW, key);
    expect([again.headers["idempotent-replayed"], again.json]).toEqual(["true", first.json]);
    const other = await tried("PATCH", FILTER, { firstName: "Else" });
    expect((await done("PATCH", FILTER, other.json.token, { firstName: "Else" }, key)).status).toBe(422);
    await applyDictionary();
    const late = await done("PATCH", FILTER, json.token, NEW, key);
    expect([late.headers["idempotent-replayed"], late.json]).toEqual(["true", first.json]);
    await applyDictionary((field) => field.name === "firstName" && { ...field, retired: true });
    const later = await done("PATCH", FILTER, json.token, NEW, key);
    expect([later.headers["idempotent-replayed"], later.json.summary]).toEqual(["true", first.json.summary]);
    expect((await done("PATCH", FILTER, json.token, NEW)).status).toBe(422);
  });

  test("the token is for its caller, filter, change and dictionary alone", async () => {
    const { json } = await tried("PATCH", FILTER, NEW);
    const refused = [400, "BAD_PARAMETER", "token"];
    expect(problem(await done("PATCH", "/v1/customers?lastName=Ask", json.token, NEW))).toEqual(refused);
    expect(problem(await done("PATCH", `${FILTER}&q=x`, json.token, NEW))).toEqual(refused);
    expect(problem(await done("PATCH", FILTER, json.token, { firstName: "Else" }))).toEqual(refused);
    expect(problem(await done("PATCH", `${FILTER}&acknowledge=all`, json.token, NEW))).toEqual(refused);
    expect(problem(await done("DELETE", FILTER, json.token))).toEqual(refused);
    expect(problem(await done("PATCH", FILTER, json.token, NEW, as(await service.tokenFor("write"))))).toEqual(refused);
    expect(problem(await done("PATCH", FILTER, `${json.token.slice(1)}A`, NEW))).toEqual(refused);
    await service.reopen();
    await applyDictionary();
    expect(problem(await done("PATCH", FILTER, json.token, NEW))).toEqual(refused);
    expect(await firstNames()).toEqual(["Old", "Old", "Old", "Old", "Old"]);
  });

  test("a token holds over a restart, and sent twice at once nothing is done twice", async () => {
    const { json } = await tried("PATCH", FILTER, NEW);
    await service.reopen();
    const runs = await Promise.all([1, 2].map(() => done("PATCH", FILTER, json.token, NEW)));
    const updated = runs.reduce((sum, run) => sum + run.json.summary.updated, 0);
    expect([updated, ...new Set(runs.map(({ status }) => status))]).toEqual([4, 207]);
    const { version } = (await service.call("GET", "/v1/customers/1")).json;
    expect(version).toBe(2);
  });

  test("what no record could have is refused at once, and the key is not changed", async () => {
    for (const [body, pointer] of [
      [{ lastname: "x" }, "/lastname"],
      [{ objectId: 7 }, "/objectId"],
      [{ customer: { updatedAt: 7, nonsense: 1 } }, "/customer/nonsense"],
    ] as const) {
      const { status, json } = await tried("PATCH", FILTER, body);
      expect([status, json.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([422, [pointer]]);
    }
    const one = await tried("PATCH", FILTER, { accountID: "a value that is too long for an account, whatever it is in the end, for sure" });
    expect(one.json.results?.[0]?.problem.errors[0].pointer ?? one.json.errors[0].pointer).toBe("/accountID");
  });

  test("a search of signs alone chooses nothing, and no filter chooses all", async () => {
    expect((await tried("PATCH", "/v1/customers?q=-", NEW)).json).toMatchObject({ total: 0, results: [], next: null });
    expect((await service.call("DELETE", "/v1/customers?dryRun=true")).json.summary.deleted).toBe(5);
  });
});

describe("a deletion of what filters choose", () => {
  test("does what the dry run has shown, and undo brings it back", async () => {
    const dry = await tried("DELETE", FILTER);
    expect(dry.json.summary).toEqual({ total: 4, deleted: 4, unchanged: 0, failed: 0 });
    const run = await done("DELETE", FILTER, dry.json.token);
    expect([run.status, run.json.summary.deleted, ids(run)]).toEqual([207, 4, [1, 2, 4, 5]]);
    expect(await firstNames()).toEqual(["Old"]);
    expect((await done("DELETE", FILTER, dry.json.token)).json.results).toEqual([]);
    expect((await service.call("POST", "/v1/customers/undo", { run: dry.json.run })).json.reversed).toBe(4);
    expect(await firstNames()).toEqual(["Old", "Old", "Old", "Old", "Old"]);
  });
});

describe("rights", () => {
  test("it takes the right to read as well", async () => {
    for (const [scope, method, status] of [
      ["customers:update", "PATCH", 403],
      ["customers:delete", "DELETE", 403],
      ["customers:read", "PATCH", 403],
      ["customers:read customers:update", "PATCH", 207],
      ["customers:read customers:update", "DELETE", 403],
      ["customers:read customers:delete", "DELETE", 207],
    ] as const) {
      const reply = await tried(method, FILTER, method === "PATCH" ? NEW : undefined, as(await service.tokenFor(scope)));
      expect([scope, method, reply.status]).toEqual([scope, method, status]);
    }
  });

  test("what is out of sight is not chosen, what may not be changed fails, and hidden fields choose nothing", async () => {
    const scope = "customers:read customers:update";
    const { json: role } = await service.call("POST", "/v1/roles", {
      name: "Some",
      scope,
      conditions: {
        customers: { read: { where: "objectId[lte]=4" }, update: { where: "objectId[gt]=1" }, fields: { hidden: ["accountID"] } },
      },
    });
    const { token } = await service.newPerson(role.id);
    const dry = await tried("PATCH", FILTER, NEW, as(token));
    expect([dry.json.total, dry.json.results.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      3,
      ["failed", "updated", "updated"],
    ]);
    expect(JSON.stringify(dry.json)).not.toContain("accountID");
    const run = await done("PATCH", FILTER, dry.json.token, NEW, as(token));
    expect(run.json.summary).toMatchObject({ total: 3, updated: 2, failed: 1 });
    expect(await firstNames()).toEqual(["Old", "New", "Old", "New", "Old"]);
    const unknown = await tried("PATCH", `${FILTER}&nonsense=1`, NEW, as(token));
    const hidden = await tried("PATCH", `${FILTER}&accountID=1`, NEW, as(token));
    expect([hidden.status, hidden.json.errors[0].detail]).toEqual([400, unknown.json.errors[0].detail]);
    const written = await tried("PATCH", FILTER, { accountID: "9" }, as(token));
    expect([written.status, written.json.errors[0].code]).toEqual([422, "UNKNOWN_FIELD"]);
  });

  test("rights that were lost since count at the run", async () => {
    const { json: role } = await service.call("POST", "/v1/roles", { name: "All", scope: "customers:read customers:update" });
    const { token } = await service.newPerson(role.id);
    const dry = await tried("PATCH", FILTER, NEW, as(token));
    await service.call("PATCH", `/v1/roles/${role.id}`, { conditions: { customers: { read: { where: "objectId[lte]=2" } } } });
    // Nobody can tell any more whether the two were among the four.
    expect(problem(await done("PATCH", FILTER, dry.json.token, NEW, as(token)))).toEqual([400, "BAD_PARAMETER", "token"]);
    const again = await tried("PATCH", FILTER, NEW, as(token));
    expect(ids(await done("PATCH", FILTER, again.json.token, NEW, as(token)))).toEqual([1, 2]);
  });

  test("rights that were won since bring no record into the run that the dry run has not shown", async () => {
    const conditions = (where: string) => ({ conditions: { customers: { read: { where } } } });
    const role = { name: "Some", scope: "customers:read customers:update", ...conditions("objectId[in]=1,2,5") };
    const { json } = await service.call("POST", "/v1/roles", role);
    const { token } = await service.newPerson(json.id);
    const dry = await tried("PATCH", FILTER, NEW, as(token));
    expect(ids(dry)).toEqual([1, 2, 5]);
    for (const id of [1, 2]) await service.call("DELETE", `/v1/customers/${id}`);
    await service.call("PATCH", `/v1/roles/${json.id}`, conditions("objectId[in]=4,5"));
    expect(problem(await done("PATCH", FILTER, dry.json.token, NEW, as(token)))).toEqual([400, "BAD_PARAMETER", "token"]);
    expect(await firstNames()).toEqual(["Old", "Old", "Old"]);
  });
});

describe("references", () => {
  let orders: TestService;
  beforeEach(async () => {
    orders = await openTestService(ORDERS);
    await orders.call("POST", "/v1/customers", [
      { objectId: 1, name: "One", accountNumber: "A1", city: "Ulm" },
      { objectId: 2, name: "Two", accountNumber: "A2", city: "Bonn" },
      { objectId: 3, name: "Three", accountNumber: "A3", city: "Ulm" },
    ]);
    await orders.call("POST", "/v1/contacts", [
      { objectId: 1, customerId: 1, name: "Of one" },
      { objectId: 2, customerId: 2, name: "Of two" },
    ]);
    await orders.call("POST", "/v1/orders", { objectId: 1, customerId: 1, orderNumber: "O1" });
  });
  afterEach(() => orders.close());

  test("keep records from being deleted, and what goes along takes its right", async () => {
    const path = "/v1/customers?city=Ulm";
    const dry = await orders.call("DELETE", `${path}&dryRun=true`);
    expect(
      dry.json.results.map(({ outcome, problem: own }: { outcome: string; problem?: { code: string } }) => [outcome, own?.code]),
    ).toEqual([
      ["failed", "IN_USE"],
      ["deleted", undefined],
    ]);
    const run = await orders.call("DELETE", `${path}&token=${dry.json.token}`);
    expect(run.json.summary).toEqual({ total: 2, deleted: 1, unchanged: 0, failed: 1 });
    const token = await orders.tokenFor("customers:read customers:delete");
    expect((await orders.call("DELETE", `${path}&dryRun=true`, undefined, as(token))).status).toBe(403);
  });

  test("a filter through a parent takes the right to read that, and another one that it chooses makes the token void", async () => {
    const path = "/v1/contacts?customer.city=Ulm";
    const body = { email: null };
    const token = await orders.tokenFor("contacts:read contacts:update");
    expect((await orders.call("PATCH", `${path}&dryRun=true`, body, as(token))).status).toBe(403);
    const dry = await orders.call("PATCH", `${path}&dryRun=true`, body);
    expect(dry.json.results.map(({ objectId }: { objectId: number }) => objectId)).toEqual([1]);
    await orders.call("PATCH", "/v1/customers/1", { city: "Bonn" });
    expect((await orders.call("PATCH", `${path}&token=${dry.json.token}`, body)).json.results).toEqual([]);
    await orders.call("PATCH", "/v1/customers/1", { city: "Ulm" });
    expect((await orders.call("PATCH", `${path}&token=${dry.json.token}`, body)).json.results).toHaveLength(1);
    const both = await orders.call("PATCH", `${path}&dryRun=true`, body);
    await orders.call("POST", "/v1/contacts", { objectId: 9, customerId: 2, name: "Later" });
    await orders.call("PATCH", "/v1/customers/2", { city: "Ulm" });
    await orders.call("PATCH", "/v1/customers/1", { city: "Bonn" });
    // One for another: as many as before, and not the same.
    const run = await orders.call("PATCH", `${path}&token=${both.json.token}`, body);
    expect(run.json.results ?? []).toEqual([]);
  });

  test("a parent that changes brings no record into the run that the dry run has not shown, also not in place of more", async () => {
    await orders.call("POST", "/v1/contacts", [
      { objectId: 3, customerId: 1, name: "Of one" },
      { objectId: 4, customerId: 1, name: "Of one" },
    ]);
    const path = "/v1/contacts?customer.city=Ulm";
    const dry = await orders.call("DELETE", `${path}&dryRun=true`);
    expect(ids(dry)).toEqual([1, 3, 4]);
    await orders.call("PATCH", "/v1/customers/1", { city: "Bonn" });
    await orders.call("PATCH", "/v1/customers/2", { city: "Ulm" });
    expect(problem(await orders.call("DELETE", `${path}&token=${dry.json.token}`))).toEqual([400, "BAD_PARAMETER", "token"]);
    expect((await orders.call("GET", "/v1/contacts/2")).status).toBe(200);
  });
});

test("a rule that warns is confirmed in both requests, one that refuses is not, and each record answers for itself", async () => {
  const salary = { name: "highSalary", must: "salary <= 9000", severity: "warning", message: "This is unusually high." };
  const end = { name: "endAfterStart", must: "endOn >= startOn", message: "The end is before the start." };
  const fields = ["id", "startOn", "endOn", "salary"].map((name) => ({ name, type: name.endsWith("On") ? "date" : "integer" }));
  const staff = { name: "staff", singular: "member", rules: [salary, end], schema: { fields, primaryKey: "id" } };
  const own = await openTestService({ resources: [staff] });
  try {
    await own.call("POST", "/v1/staff?acknowledge=all", [
      { id: 1, startOn: "2026-01-01", salary: 9_500 },
      { id: 2, startOn: "2026-06-01" },
    ]);
    const codes = ({ json }: Reply) =>
      json.results.map(({ outcome, problem: one }: { outcome: string; problem?: { errors: { code: string; rule: string }[] } }) => [
        outcome,
        one?.errors[0]?.rule,
      ]);
    const path = "/v1/staff?id[gte]=1";
    expect(codes(await own.call("PATCH", `${path}&dryRun=true`, { salary: 9_500 }))).toEqual([
      ["unchanged", undefined],
      ["failed", "highSalary"],
    ]);
    const dry = await own.call("PATCH", `${path}&acknowledge=highSalary&dryRun=true`, { salary: 9_500, endOn: "2026-03-01" });
    expect(codes(dry)).toEqual([
      ["updated", undefined],
      ["failed", "endAfterStart"],
    ]);
    expect((await own.call("PATCH", `${path}&token=${dry.json.token}`, { salary: 9_500, endOn: "2026-03-01" })).status).toBe(400);
    const run = await own.call("PATCH", `${path}&acknowledge=highSalary&token=${dry.json.token}`, { salary: 9_500, endOn: "2026-03-01" });
    expect(codes(run)).toEqual(codes(dry));
  } finally {
    await own.close();
  }
});

/** Applies another version of the dictionary, with another title. `change`: of some fields of the customers. */
async function applyDictionary(change: (field: { name: string }) => object | false = () => false): Promise<void> {
  const draft = await service.call("POST", "/v1/dictionary/drafts", { title: "Other" });
  const changed = { ...draft.json.package, title: `Other ${draft.json.id}` };
  const { schema } = changed.resources.find(({ name }: { name: string }) => name === "customers");
  schema.fields = schema.fields.map((field: { name: string }) => change(field) || field);
  await service.call("PATCH", `/v1/dictionary/drafts/${draft.json.id}`, { package: changed });
  const { status, json } = await service.call("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`);
  if (status >= 300) throw new Error(`the draft was not applied: ${JSON.stringify(json)}`);
}
