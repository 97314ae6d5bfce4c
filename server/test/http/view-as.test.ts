// An administrator looks at the app as somebody else: reads what they read, changes nothing, and is in the log.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createViewEnder } from "../../people/auth/ended-views.ts";
import { createReadAudit } from "../../people/auth/read-audit.ts";
import { createSessions } from "../../people/auth/sessions.ts";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

interface Line {
  event?: string;
  by?: string;
  target?: string;
}

let lines: Line[] = [];
let service: TestService;
let admin: Person;
let branch: Person;
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  service = await openTestService(ORDERS, { audit: createReadAudit("*"), logLevel: "warn", logTo });
  const add = async (collection: string, body: object) => expect((await service.call("POST", `/v1/${collection}`, body)).status).toBe(201);
  await add("customers", { objectId: 7, name: "Bakery", accountNumber: "A-7", city: "Utrecht" });
  await add("customers", { objectId: 8, name: "Smith", accountNumber: "A-8", city: "Lagos" });
  const conditions = { customers: { read: { where: "city={me.cities}" }, fields: { masked: ["accountNumber"] } } };
  const role = await service.call("POST", "/v1/roles", { name: "Branch", scope: "customers:read customers:update", conditions });
  admin = await personWith("administrator");
  branch = await personWith(role.json.id);
  await service.call("PATCH", `/v1/users/${branch.id}`, { attributes: { cities: ["Utrecht"] } });
});
afterAll(() => service.close());

interface Person {
  id: string;
  token: string;
}

/** A person with a session, as after a sign-in. */
async function personWith(role: string): Promise<Person> {
  const { id } = await service.newPerson(role);
  const user = await service.store.people.readUser(id);
  if (!user) throw new Error("no person");
  const started = await createSessions(service.store.people).start(user, { method: "password", agent: "test", source: "127.0.0.1" });
  return { id, token: started?.accessToken ?? "" };
}

async function as(token: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await service.app.inject({
    method: method as "GET",
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  });
  const isJson = /json/.test(String(reply.headers["content-type"])) && reply.payload !== "";
  return { status: reply.statusCode, headers: reply.headers, json: isJson ? JSON.parse(reply.payload) : undefined };
}

async function begin(token = admin.token, id = branch.id): Promise<string> {
  const begun = await as(token, "POST", `/users/${id}/view`);
  expect([begun.status, begun.json.expires_in]).toEqual([201, 3_600]);
  return begun.json.access_token;
}

describe("while an administrator looks as somebody else", () => {
  test("everything is as that person has it", async () => {
    const view = await begin();
    const [own, theirs] = [await as(branch.token, "GET", "/customers"), await as(view, "GET", "/customers")];
    expect(theirs.json).toEqual(own.json);
    expect(theirs.json.customers.map((one: { objectId: number }) => one.objectId)).toEqual([7]);
    expect(theirs.json.customers[0].accountNumber).toBe("••••");
    expect((await as(view, "GET", "/customers/8")).status).toBe(404);
    expect((await as(view, "GET", "/dictionary")).json).toEqual((await as(branch.token, "GET", "/dictionary")).json);
    expect(theirs.headers["intake-rights"]).toBe(own.headers["intake-rights"]);
    const me = (await as(view, "GET", "/me")).json;
    expect([me.principal.id, me.viewer]).toEqual([branch.id, expect.objectContaining({ type: "user", id: admin.id })]);
    expect((await as(branch.token, "GET", "/me")).json).not.toHaveProperty("viewer");
    expect((await as(view, "GET", "/users")).status).toBe(403); // nothing of the administrator's own rights
  });

  test("every change is refused with one sentence, whatever the person might do, and so is a list as a file", async () => {
    const view = await begin();
    const name = (await as(view, "GET", "/me")).json.principal.name;
    for (const [method, path, body] of [
      ["PATCH", "/customers/7", { name: "x" }],
      ["PUT", "/customers/7", { name: "x", accountNumber: "y" }],
      ["POST", "/customers", { name: "x" }],
      ["DELETE", "/customers/7"],
      ["POST", "/customers/batch", { operations: [] }],
      ["POST", "/customers/undo", { run: "r" }],
      ["PUT", "/customers/7/viewers", {}],
      ["POST", "/views", {}],
      ["PATCH", "/me", { name: "x" }],
      ["DELETE", "/me/sessions"],
      ["PUT", "/me/password", { current: "x", password: "y" }],
      ["POST", "/keys", { scope: "read" }],
      ["POST", `/users/${branch.id}/view`],
      ["GET", "/customers.csv"],
    ] as const) {
      const reply = await as(view, method, path, body);
      expect([method, path, reply.status, reply.json?.code]).toEqual([method, path, 403, "VIEWING"]);
      expect(reply.json.detail).toBe(`You look at the app as ${name} and change nothing meanwhile. End the view first.`);
    }
    expect((await as(view, "GET", "/customers", undefined, { accept: "text/csv" })).json.code).toBe("VIEWING");
    expect((await service.call("GET", "/v1/customers/7")).json).toMatchObject({ name: "Bakery", version: 1 });
  });

  test("the log has the beginning, what was read, and the end, all by the administrator", async () => {
    lines = [];
    const view = await begin();
    await as(view, "GET", "/customers/7");
    await as(view, "GET", "/orders");
    const ended = await as(view, "DELETE", "/sessions/current");
    expect([ended.status, ended.headers["set-cookie"]]).toEqual([204, undefined]);
    const own = lines.map(({ event, by, target }) => [event, by, target]);
    expect(own).toEqual([
      ["view begun", `user ${admin.id}`, branch.id],
      ["read", `user ${admin.id}`, undefined],
      ["access refused", `user ${admin.id}`, undefined],
      ["view ended", `user ${admin.id}`, branch.id],
    ]);
    expect((await as(view, "GET", "/me")).status).toBe(401);
    expect((await as(admin.token, "GET", "/me")).status).toBe(200);
  });

  test("the view of a person without any right can be ended, too", async () => {
    const { id } = await service.newPerson("editor");
    expect((await service.call("PATCH", `/v1/users/${id}`, { roles: [] })).status).toBe(200);
    const view = await begin(admin.token, id);
    expect((await as(view, "GET", "/dictionary")).status).toBe(403);
    expect((await as(view, "DELETE", "/sessions/current")).status).toBe(204);
    expect((await as(view, "GET", "/dictionary")).status).toBe(401);
  });

  test("a change of that person's rights holds at once, and one who now administers is looked at no more", async () => {
    const view = await begin();
    await service.call("PATCH", `/v1/users/${branch.id}`, { attributes: { cities: ["Lagos"] } });
    const { json } = await as(view, "GET", "/customers");
    expect(json.customers.map((one: { objectId: number }) => one.objectId)).toEqual([8]);
    await service.call("PATCH", `/v1/users/${branch.id}`, { attributes: { cities: ["Utrecht"] } });
    const other = await personWith("viewer");
    const ofOther = await begin(admin.token, other.id);
    await service.call("PATCH", `/v1/users/${other.id}`, { roles: ["administrator"] });
    expect((await as(ofOther, "GET", "/customers")).status).toBe(401);
  });
});

describe("a view ends", () => {
  test("with the administrator's session, and with the right to administer", async () => {
    const second = await personWith("administrator");
    const view = await begin(second.token);
    await as(second.token, "DELETE", "/sessions/current");
    expect((await as(view, "GET", "/customers")).status).toBe(401);
    const third = await personWith("administrator");
    const other = await begin(third.token);
    await service.call("PATCH", `/v1/users/${third.id}`, { roles: ["viewer"] });
    expect((await as(other, "GET", "/customers")).status).toBe(401);
  });

  test("alone, where an administrator looks as two people at once", async () => {
    const other = await personWith("viewer");
    const [one, two] = [await begin(), await begin(admin.token, other.id)];
    await as(one, "DELETE", "/sessions/current");
    expect([(await as(one, "GET", "/me")).status, (await as(two, "GET", "/me")).status]).toEqual([401, 200]);
  });
});

describe("a view that is only left", () => {
  const HOUR = 3_600_000;
  const take = (after = 0) => service.store.people.takeEndedViews(Date.now() + after, 24 * HOUR);

  test("ends in the log once it has expired, once, however many processes look", async () => {
    const other = await personWith("viewer");
    await take(2 * HOUR); // those of other tests
    await begin(admin.token, other.id);
    expect(await take(HOUR - 60_000)).toEqual([]);
    const found = (await Promise.all([take(HOUR + 1_000), take(HOUR + 1_000)])).flat();
    expect(found).toEqual([{ viewer: admin.id, viewed: other.id, reason: "expired" }]);
    expect(await take(HOUR + 1_000)).toEqual([]);
  });

  test("ends in the log also where its session or the right has ended, and nobody has to ask for that", async () => {
    const [second, third] = [await personWith("administrator"), await personWith("administrator")];
    await begin(second.token);
    await begin(third.token);
    await as(second.token, "DELETE", "/sessions/current");
    await service.call("PATCH", `/v1/users/${third.id}`, { roles: ["viewer"] });
    const live = await begin();
    lines = [];
    const stopping = new AbortController();
    const log = { warn: (fields: object) => void lines.push(fields as Line), error: () => undefined };
    const run = createViewEnder(service.store.people, { idleMinutes: 60 }, log, () => undefined, 5)(stopping.signal);
    await expect.poll(() => lines.length).toBe(2);
    stopping.abort();
    await run;
    const expected = [second, third].map(({ id }) => ({
      event: "view ended",
      by: `user ${id}`,
      target: branch.id,
      reason: "session or right ended",
    }));
    expect(lines).toEqual(expect.arrayContaining(expected));
    expect((await as(live, "GET", "/customers")).status).toBe(200);
  });

  test("has one end where it is ended twice at once", async () => {
    const view = await begin();
    lines = [];
    await Promise.all([as(view, "DELETE", "/sessions/current"), as(view, "DELETE", "/sessions/current")]);
    expect(lines.filter(({ event }) => event === "view ended")).toHaveLength(1);
  });
});

test("nobody looks as an administrator, as nobody, with a key, or without administering", async () => {
  const other = await personWith("administrator");
  expect((await as(admin.token, "POST", `/users/${other.id}/view`)).status).toBe(403);
  expect((await as(admin.token, "POST", "/users/nobody/view")).status).toBe(404);
  expect((await service.call("POST", `/v1/users/${branch.id}/view`)).json.code).toBe("NOT_A_PERSON");
  expect((await as(branch.token, "POST", `/users/${admin.id}/view`)).status).toBe(403);
});
