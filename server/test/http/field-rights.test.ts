// A role hides fields, lets others be seen only, and keeps lists from leaving as files; roles of one person add up.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMPLOYEES, openTestService, STAFF_RULES, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    title: "Staff",
    resources: [
      {
        name: "people",
        singular: "person",
        title: "People",
        label: ["name"],
        sections: [
          { name: "pay", title: "Pay" },
          { name: "rank", title: "Rank" },
        ],
        schema: {
          fields: [
            { name: "id", title: "ID", type: "integer" },
            { name: "name", title: "Name", type: "string", constraints: { required: true } },
            { name: "grade", title: "Grade", type: "string", section: "rank", constraints: { enum: ["A", "B"] } },
            { name: "salary", title: "Salary", type: "integer", section: "pay" },
          ],
          primaryKey: ["id"],
        },
      },
    ],
  });
});
afterAll(() => service.close());

let roles = 0;
async function roleWith(scope: string, people?: object): Promise<string> {
  roles += 1;
  const body = {
    name: `Role ${["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"][roles]}`,
    scope,
  };
  const made = await service.call("POST", "/v1/roles", { ...body, ...(people && { conditions: { people } }) });
  expect([made.status, made.json.conditions]).toEqual([201, people && { people }]);
  return made.json.id;
}

/** Calls as a person with these roles. */
async function personWith(...ids: string[]) {
  const { token } = await service.newPerson(...ids);
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) => as(token, method, path, body, headers);
}

/** Calls with a token. The answers are not held to the document of administrators, which has other fields. */
async function as(token: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await service.app.inject({
    method: method as "GET",
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  });
  const isJson = /json/.test(String(reply.headers["content-type"])) && reply.payload !== "";
  return { status: reply.statusCode, json: isJson ? JSON.parse(reply.payload) : undefined };
}

async function stored(id: number) {
  return (await service.call("GET", `/v1/people/${id}`)).json;
}

async function newRecord(): Promise<number> {
  return (await service.call("POST", "/v1/people", { name: "Ada", grade: "A", salary: 100 })).json.id;
}

test("whoever may only see a field that begins with a default knows the dictionary, and makes records with it", async () => {
  const staff = await openTestService(STAFF_RULES);
  const conditions = { staff: { fields: { readOnly: ["contract"] } } };
  const role = await staff.call("POST", "/v1/roles", { name: "Desk", scope: "staff:read staff:create", conditions });
  const { token } = await staff.newPerson(role.json.id);
  const headers = { authorization: `Bearer ${token}` };
  const { statusCode, payload } = await staff.app.inject({ method: "GET", url: "/v1/dictionary", headers });
  const field = JSON.parse(payload).resources?.[0].schema.fields.find(({ name }: { name: string }) => name === "contract");
  expect([statusCode, field?.readOnly]).toEqual([200, true]);
  const body = { firstName: "Ada", lastName: "Lang", email: "ada@example.com" };
  const made = await staff.app.inject({ method: "POST", url: "/v1/staff", headers, payload: body });
  expect([made.statusCode, JSON.parse(made.payload).contract]).toEqual([201, "full"]);
  await staff.close();
});

describe("a field that may be seen only", () => {
  test("is kept by every way to write, and refused where it would change", async () => {
    const call = await personWith(await roleWith("people:read people:create people:update", { fields: { readOnly: ["salary"] } }));
    const id = await newRecord();
    expect((await call("GET", `/people/${id}`)).json.salary).toBe(100);
    const refused = await call("PATCH", `/people/${id}`, { salary: 101 });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [{ pointer: "/salary", code: "READ_ONLY", detail: "Salary may be read with these rights, and not changed." }],
    ]);
    expect((await call("PATCH", `/people/${id}`, { salary: null })).json.errors[0].code).toBe("READ_ONLY");
    // What was read may be sent back: nothing is changed by it.
    for (const [method, body] of [
      ["PATCH", { name: "Ada B", salary: 100 }],
      ["PUT", { name: "Ada C", grade: "B", salary: 100 }],
      ["PUT", { name: "Ada D", grade: "B" }],
      ["PUT", { name: "Ada E", grade: "B", salary: null }],
    ] as const) {
      expect((await call(method, `/people/${id}`, body)).status).toBe(200);
      expect(await stored(id)).toMatchObject({ name: body.name, salary: 100 });
    }
    expect((await call("PUT", `/people/${id}`, { name: "x", salary: 7 })).json.errors[0].code).toBe("READ_ONLY");
    const many = await call("POST", "/people?onConflict=update&onError=continue", [
      { id, name: "Ada F", salary: 100 },
      { id, salary: 5 },
      { name: "New", salary: 5 },
      { name: "New", salary: null },
      { name: "New too" },
    ] as unknown as object);
    expect(many.json.results.map(({ status }: { status: number }) => status)).toEqual([200, 422, 422, 201, 201]);
    expect(await stored(id)).toMatchObject({ name: "Ada F", salary: 100 });
    expect((await call("POST", "/people", { name: "New", salary: 1 })).json.errors[0].code).toBe("READ_ONLY");
    const batch = await call("POST", "/people/batch", { operations: [{ action: "update", record: { id, salary: 6 } }] });
    expect(batch.status).toBe(422);
  });

  test("is not changed by going back to an earlier version, nor by taking back what somebody else did", async () => {
    const call = await personWith(await roleWith("people:read people:create people:update", { fields: { readOnly: ["salary"] } }));
    const id = await newRecord();
    await service.call("PATCH", `/v1/people/${id}`, { name: "Ben", salary: 200 }, { "intake-source": "upload; run=raise" });
    const restored = await call("POST", `/people/${id}/restore`, { version: 1 });
    expect([restored.status, await stored(id)]).toEqual([200, expect.objectContaining({ name: "Ada", salary: 200 })]);
    const other = await newRecord();
    await service.call("PATCH", `/v1/people/${other}`, { salary: 300 }, { "intake-source": "upload; run=raise2" });
    const undone = await call("POST", "/people/undo", { run: "raise2" });
    expect((await stored(other)).salary).toBe(300);
    expect(undone.json.reversed ?? 0).toBe(0);
  });

  test("is marked in the dictionary of whoever may not change it, and in no other", async () => {
    const call = await personWith(await roleWith("people:read people:update", { fields: { readOnly: ["salary"] } }));
    const fieldOf = (reply: Awaited<ReturnType<typeof as>>): { readOnly?: boolean } | undefined =>
      reply.json.resources[0]?.schema.fields.find(({ name }: { name: string }) => name === "salary");
    expect(fieldOf(await call("GET", "/dictionary"))?.readOnly).toBe(true);
    expect(fieldOf(await service.call("GET", "/v1/dictionary"))?.readOnly).toBeUndefined();
  });
});

test("a section of which every field is hidden is not there, and one with a masked field is", async () => {
  const sectionsFor = async (fields: object) => {
    const call = await personWith(await roleWith("people:read", { fields }));
    return (await call("GET", "/dictionary")).json.resources[0].sections.map(({ name }: { name: string }) => name);
  };
  expect(await sectionsFor({ hidden: ["salary"] })).toEqual(["rank"]);
  expect(await sectionsFor({ masked: ["salary"] })).toEqual(["pay", "rank"]);
});

describe("roles add up", () => {
  test("a field is hidden only if all that read hide it, and is changed only by a role that shows it", async () => {
    const viewer = "viewer";
    const narrow = await roleWith("people:read people:update", { fields: { hidden: ["salary"] } });
    const id = await newRecord();
    const both = await personWith(viewer, narrow);
    expect((await both("GET", `/people/${id}`)).json.salary).toBe(100);
    expect((await both("PATCH", `/people/${id}`, { salary: 1 })).json.errors[0].code).toBe("READ_ONLY");
    const one = await personWith(narrow);
    expect((await one("GET", `/people/${id}`)).json).not.toHaveProperty("salary");
    expect((await one("PATCH", `/people/${id}`, { salary: 1 })).json.errors[0].code).toBe("UNKNOWN_FIELD");
    const whole = await personWith(narrow, "editor");
    expect((await whole("PATCH", `/people/${id}`, { salary: 1 })).status).toBe(200);
    const administrator = await personWith(narrow, "administrator");
    expect((await administrator("GET", `/people/${id}`)).json.salary).toBe(1);
  });

  test("an administrator's role leaves nothing out, and whoever shapes the dictionary must see all of it", async () => {
    const fields = { hidden: ["salary"] };
    const all = await personWith(await roleWith("admin", { fields }));
    const id = await newRecord();
    expect((await all("GET", `/people/${id}`)).json.salary).toBe(100);
    const scope = "people:read people:update dictionary";
    const narrow = await personWith(await roleWith(scope, { fields }));
    for (const path of ["/dictionary/versions", "/dictionary/drafts", "/dictionary/retired"]) {
      const reply = await narrow("GET", path);
      expect([path, reply.status, reply.json.detail]).toEqual([path, 403, expect.stringContaining("must see all of it")]);
    }
    const seeing = await personWith(await roleWith(scope, { fields: { readOnly: ["salary"] } }));
    expect((await seeing("GET", "/dictionary/drafts")).status).toBe(200);
  });

  test("a list leaves as a file if one role that reads lets it", async () => {
    const kept = await roleWith("people:read", { export: false });
    const call = await personWith(kept);
    for (const reply of [await call("GET", "/people.csv"), await call("GET", "/people", undefined, { accept: "text/csv" })])
      expect([reply.status, reply.json.detail]).toEqual([403, "Your roles do not let lists of this collection leave as files."]);
    expect((await call("GET", "/people?limit=1")).status).toBe(200);
    expect((await call("GET", "/me")).json.unexported).toEqual(["people"]);
    expect((await (await personWith(kept, "viewer"))("GET", "/people.csv")).status).toBe(200);
  });
});

test("a key has no more than the person whose key it is, also after the role was narrowed", async () => {
  const role = await roleWith("people:read people:update");
  const call = await personWith(role);
  const id = await newRecord();
  const scopes = { name: "mine", scope: "people:read people:update" };
  const made = await call("POST", "/keys", scopes);
  expect(made.status).toBe(201);
  const read = async () => (await as(made.json.key, "GET", `/people/${id}`)).json;
  expect(await read()).toHaveProperty("salary");
  const narrowed = await service.call("PATCH", `/v1/roles/${role}`, { conditions: { people: { fields: { hidden: ["salary"] } } } });
  expect(narrowed.status).toBe(200);
  expect((await call("GET", `/people/${id}`)).json).not.toHaveProperty("salary");
  expect(await read()).not.toHaveProperty("salary");
  const me = await call("GET", "/me");
  expect(JSON.stringify(me.json)).not.toContain("salary");
});

describe("conditions of a role", () => {
  test.each<[unknown, string]>([
    ["people", "conditions are by collection"],
    [{ persons: {} }, 'there is no collection "persons"'],
    [{ people: { fields: { hidden: ["salry"] } } }, 'there is no field "salry"; did you mean "salary"?'],
    [{ people: { fields: { hidden: ["id"] } } }, '"id" is the key'],
    [{ people: { fields: { hidden: ["salary"], readOnly: ["salary"] } } }, '"salary" is hidden, and so'],
    [{ people: { fields: { hidden: ["salary"], masked: ["salary"] } } }, '"salary" is hidden, and so no mask'],
    [{ people: { fields: { masked: ["salary"], readOnly: ["salary"] } } }, '"salary" is masked, and so it cannot be changed'],
    [{ people: { fields: { covered: ["salary"] } } }, '"covered" is none of hidden, masked, readOnly'],
    [{ people: { export: true } }, '"export" with false'],
    [{ people: { where: "x=1" } }, '"export" with false'],
  ])("%j is refused in a sentence", async (conditions, sentence) => {
    const reply = await service.call("POST", "/v1/roles", { name: "Wrong", scope: "people:read", conditions });
    expect([reply.status, reply.json.errors?.[0]?.pointer]).toEqual([422, "/conditions"]);
    expect(reply.json.errors[0].detail).toContain(sentence);
  });

  test("come back by ETag, are taken away by null, and a role without them has none", async () => {
    const people = { fields: { hidden: ["salary"] }, export: false };
    const id = await roleWith("people:read", people);
    const read = await service.call("GET", `/v1/roles/${id}`);
    expect(read.json.conditions).toEqual({ people });
    const changed = await service.call("PATCH", `/v1/roles/${id}`, { conditions: null }, { "if-match": String(read.headers.etag) });
    expect([changed.status, changed.json.conditions]).toEqual([200, undefined]);
    const stale = await service.call("PATCH", `/v1/roles/${id}`, { conditions: { people } }, { "if-match": String(read.headers.etag) });
    expect(stale.status).toBe(412);
  });
});

test("a store that was made before roles had conditions has roles without them", async () => {
  const other = await openTestService(EMPLOYEES);
  try {
    expect((await other.call("GET", "/v1/roles")).json.roles.every((role: object) => !("conditions" in role))).toBe(true);
  } finally {
    await other.close();
  }
});
