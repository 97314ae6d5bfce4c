// Of a masked field a caller learns that there is a value and how a text ends, and nothing else.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const IBAN = "DE89370400440532013000";
const MASKED = ["iban", "code", "grade", "salary", "birthday", "teamId"];

const text = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    title: "Staff",
    resources: [
      {
        name: "teams",
        title: "Teams",
        schema: { fields: [{ name: "id", type: "integer" }, text("name", { constraints: { required: true } })], primaryKey: ["id"] },
      },
      {
        name: "people",
        singular: "person",
        title: "People",
        label: ["name", "iban"],
        rules: [{ name: "paid", must: "city != 'Nowhere' || salary < 100.0", message: "Nobody works for nothing." }],
        schema: {
          fields: [
            { name: "id", title: "ID", type: "integer" },
            text("name", { constraints: { required: true } }),
            text("iban", { constraints: { required: true, unique: true, pattern: "[A-Z0-9]+" }, example: "DE02120300000000202051" }),
            text("code", { constraints: { maxLength: 8 } }),
            text("grade", { constraints: { enum: ["apprentice", "journeyman"] } }),
            { name: "salary", title: "salary", type: "number", decimals: 2 },
            { name: "birthday", title: "birthday", type: "date" },
            { name: "teamId", title: "teamId", type: "integer" },
            text("city"),
          ],
          primaryKey: ["id"],
          foreignKeys: [{ fields: ["teamId"], as: "team", reference: { resource: "teams", fields: ["id"] } }],
        },
      },
    ],
  });
});
afterAll(() => service.close());

let names = 0;
async function roleWith(fields: object, scope = "teams:read people:read people:create people:update people:delete"): Promise<string> {
  const name = `Role ${"abcdefghijklmnopqrstuvwxyz"[names++]}`;
  const made = await service.call("POST", "/v1/roles", { name, scope, conditions: { people: { fields } } });
  expect(made.status).toBe(201);
  return made.json.id;
}

async function personWith(...ids: string[]) {
  const { token } = await service.newPerson(...ids);
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await service.app.inject({
      method: method as "GET",
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const isJson = /json/.test(String(reply.headers["content-type"])) && reply.payload !== "";
    return { status: reply.statusCode, text: reply.payload, json: isJson ? JSON.parse(reply.payload) : undefined };
  };
}

let made = 0;
async function newRecord(more: object = {}): Promise<number> {
  const iban = `${IBAN.slice(0, -2)}${10 + made++}`;
  const body = { name: "Ada", iban, code: "12345678", grade: "apprentice", salary: "2500", birthday: "1990-02-01", ...more };
  const reply = await service.call("POST", "/v1/people", body);
  expect(reply.status).toBe(201);
  return reply.json.id;
}
const newTeam = async (): Promise<number> => (await service.call("POST", "/v1/teams", { name: "Ada" })).json.id;
const stored = async (id: number) => (await service.call("GET", `/v1/people/${id}`)).json;

describe("a mask", () => {
  test("shows the last four characters of a free text of more than eight, of others that there is a value, and of none nothing", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const id = await newRecord({ teamId: await newTeam() });
    const { iban } = await stored(id);
    const masks = { code: "••••", grade: "••••", salary: "••••", birthday: "••••", teamId: "••••" };
    expect((await call("GET", `/people/${id}`)).json).toMatchObject({ name: "Ada", iban: `••••${iban.slice(-4)}`, ...masks });
    expect((await call("GET", `/people/${await newRecord()}`)).json.teamId).toBeNull();
    const csv = (await call("GET", "/people.csv", undefined, { accept: "text/csv" })).text;
    expect(csv).toContain(`••••${iban.slice(-4)}`);
    expect(csv).not.toMatch(/DE89|1990|2500|apprentice/);
  });

  test("stands in the history, the feed, and what was deleted", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const id = await newRecord();
    await service.call("PATCH", `/v1/people/${id}`, { iban: "DE00123456789012345678", salary: "3000" });
    const [last] = (await call("GET", `/people/${id}/history`)).json.history;
    expect(last.changes).toEqual({ iban: [expect.stringMatching(/^••••\d{4}$/), "••••5678"], salary: ["••••", "••••"] });
    await service.call("DELETE", `/v1/people/${id}`);
    const deleted = (await call("GET", "/people?deleted=true")).json.people.find((one: { id: number }) => one.id === id);
    expect(deleted).toMatchObject({ iban: "••••5678", salary: "••••" });
    for (const path of ["/changes?limit=1000&include=record,changes", "/activity", `/people/${id}/history`, `/people/${id}/copy`])
      expect((await call("GET", path)).text).not.toMatch(/DE\d{6}|2500|3000|1990-02/);
  });

  test("makes a text of the field in this caller's dictionary, which has no rule of it and does not call a record by it", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const [, people] = (await call("GET", "/dictionary")).json.resources;
    const field = people.schema.fields.find(({ name }: { name: string }) => name === "salary");
    expect(field).toEqual({ id: expect.any(String), name: "salary", title: "salary", type: "string", readOnly: true, masked: true });
    expect(JSON.stringify(people)).not.toMatch(/apprentice|pattern|202051|Nobody works|foreignKeys":\[\{/);
    expect(people.label).toEqual(["name"]);
    expect(JSON.stringify((await service.call("GET", "/v1/dictionary")).json)).not.toContain("masked");
  });
});

describe("what a mask covers is not found out", () => {
  test("by a filter, an order, a match, a search, a hint or a parent", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const team = await newTeam();
    const id = await newRecord({ teamId: team });
    const { iban } = await stored(id);
    for (const query of [`iban=${iban}`, "iban[prefix]=DE", "salary[gte]=1", "birthday[null]=true", "sort=iban", "sort=-salary"])
      expect([query, (await call("GET", `/people?${query}`)).status]).toEqual([query, 400]);
    for (const query of ["expand=team", "team.name=Ada", "sort=team"])
      expect([query, (await call("GET", `/people?${query}`)).status]).toEqual([query, 400]);
    expect((await call("POST", "/people?matchBy=iban", { name: "x" })).status).toBe(400);
    expect((await call("GET", `/teams/${team}/people`)).status).toBe(404);
    for (const q of [iban, iban.slice(0, 6), iban.slice(-4), "1990-02-01", "apprentice"]) {
      const { json } = await call("GET", `/people?q=${q}&hints=true&count=exact`);
      expect([q, json]).toEqual([q, { people: [], total: 0 }]);
    }
  });

  test("by sending the right value: it is refused like a wrong one", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const id = await newRecord();
    const other = await newRecord();
    const { iban } = await stored(id);
    const answers = [];
    for (const guess of [iban, (await stored(other)).iban, "DE00000000000000000000"])
      for (const [method, path, body] of [
        ["PATCH", `/people/${id}`, { iban: guess }],
        ["PUT", `/people/${id}`, { name: "Ada", iban: guess }],
        ["POST", "/people", { name: "New", iban: guess }],
        ["POST", "/people?onConflict=update&onError=continue", [{ id, iban: guess }]],
        ["POST", "/people/batch?dryRun=true", { operations: [{ action: "update", record: { id, iban: guess } }] }],
      ] as const) {
        const reply = await call(method, path, body);
        const problem = reply.json.errors?.[0] ?? reply.json.results?.[0].problem.errors?.[0] ?? reply.json;
        answers.push(JSON.stringify([reply.status, problem.code, problem.detail]));
      }
    expect(new Set(answers.slice(0, 5))).toEqual(new Set(answers.slice(5, 10)));
    expect(new Set(answers.slice(0, 5))).toEqual(new Set(answers.slice(10)));
    expect(answers[0]).toContain("READ_ONLY");
    const salary = await call("PATCH", `/people/${id}`, { salary: "2500" });
    expect([salary.status, salary.json.errors[0].code]).toEqual([422, "READ_ONLY"]);
    const emptied = await call("PATCH", `/people/${id}`, { salary: null });
    expect([emptied.status, emptied.json.errors[0].code]).toEqual([422, "READ_ONLY"]);
  });

  test("by counting what breaks rules", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    await newRecord({ teamId: await newTeam() });
    const { status, json } = await call("GET", "/people/violations");
    expect([status, JSON.stringify(json)]).toEqual([200, expect.not.stringMatching(/iban|salary|birthday|paid|teamId|code/)]);
    const asked = await call("GET", "/people/violations?constraint=maxLength&field=code");
    expect([asked.status, asked.json]).toMatchObject([200, { people: [] }]);
  });
});

describe("a value that comes back as it was read", () => {
  test("stays as it is: PUT, PATCH, POST, batch, a restored version", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const id = await newRecord();
    const before = await stored(id);
    const { json: read } = await call("GET", `/people/${id}`);
    for (const [i, [method, path, bodyOf]] of (
      [
        ["PUT", `/people/${id}`, (city: string) => ({ ...read, city })],
        ["PATCH", `/people/${id}`, (city: string) => ({ iban: read.iban, salary: "••••", city })],
        ["POST", "/people?onConflict=update", (city: string) => [{ ...read, city }]],
        ["POST", "/people/batch", (city: string) => ({ operations: [{ action: "update", record: { ...read, city } }] })],
        ["PUT", `/people/${id}`, (city: string) => ({ name: "Ada", city, salary: null })],
      ] as const
    ).entries()) {
      const city = `City ${i}`;
      const reply = await call(method, path, bodyOf(city));
      expect([method, path, reply.status]).toEqual([method, path, 200]);
      const { iban, code, grade, salary, birthday } = before;
      expect(await stored(id)).toMatchObject({ city, iban, code, grade, salary, birthday });
    }
    await service.call("PATCH", `/v1/people/${id}`, { salary: "1" });
    expect((await call("POST", `/people/${id}/restore`, { version: 1 })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ city: null, salary: "1" });
  });

  test("makes no value of a new record, though the field is required", async () => {
    const call = await personWith(await roleWith({ masked: MASKED }));
    const created = await call("POST", "/people", { name: "New", iban: "••••" });
    expect([created.status, created.json.iban]).toEqual([201, null]);
    // A rule that reads the salary is not named.
    const refused = await call("PATCH", `/people/${await newRecord()}`, { city: "Nowhere" });
    const detail = "A rule about a field that you may not see forbids this.";
    expect([refused.status, refused.json.errors]).toEqual([422, [{ code: "VALIDATION", detail }]]);
  });
});

describe("several roles of one person", () => {
  test("add up: hidden by all is hidden, shown by one is shown, else it is masked", async () => {
    const [masking, hiding] = [await roleWith({ masked: ["salary"] }), await roleWith({ hidden: ["salary"] })];
    const id = await newRecord();
    const saw = async (...roles: string[]) => (await (await personWith(...roles))("GET", `/people/${id}`)).json.salary;
    expect(await saw(hiding)).toBeUndefined();
    expect(await saw(masking, hiding)).toBe("••••");
    expect(await saw(masking, "viewer")).toBe("2500");
    const both = await personWith(masking, "viewer");
    expect((await both("PATCH", `/people/${id}`, { salary: "1" })).json.errors[0].code).toBe("READ_ONLY");
  });

  test("a change of the role holds at once, in both directions", async () => {
    const role = await roleWith({ masked: ["salary"] });
    const call = await personWith(role);
    const id = await newRecord();
    const change = (conditions: object | null) => service.call("PATCH", `/v1/roles/${role}`, { conditions });
    expect((await call("GET", `/people/${id}`)).json.salary).toBe("••••");
    await change(null);
    expect((await call("GET", `/people/${id}`)).json.salary).toBe("2500");
    await change({ people: { fields: { masked: ["salary"] } } });
    expect((await call("GET", `/people/${id}`)).json.salary).toBe("••••");
  });
});

test("a dictionary cannot say that a field is masked: only the rights of a caller do", async () => {
  const dataPackage = (await service.call("GET", "/v1/dictionary")).json;
  dataPackage.resources[1].schema.fields[2].masked = true;
  const made = await service.call("POST", "/v1/dictionary/drafts", { title: "Masks", package: dataPackage });
  const { json } = await service.call("POST", `/v1/dictionary/drafts/${made.json.id}/impact`, {});
  expect(JSON.stringify([made.json, json])).toContain("masked");
  const applied = await service.call(
    "POST",
    `/v1/dictionary/drafts/${made.json.id}/apply`,
    {},
    { "if-match": made.headers.etag as string },
  );
  expect(applied.status).toBeGreaterThanOrEqual(400);
});
