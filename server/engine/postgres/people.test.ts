// The connection breaks between COMMIT and its answer while an account is changed.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAnswer } from "../../records/answers.ts";
import { openPostgresProxy, type PostgresProxy } from "../../testing/postgres/postgres-proxy.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import { openPostgres } from "./store.ts";

const PASSWORD = "gorse lantern 47 quay";
const JSON_BODY = { "content-type": "application/json" };

let database: TestDatabase;
let proxy: PostgresProxy;
let service: TestService;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openPostgresProxy(database.url ?? "");
  const open: TestDatabase["open"] = (collections) => openPostgres(proxy.url, collections, toAnswer);
  service = await openTestService(DICTIONARY, {}, { ...database, open });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.close();
  await proxy.cut();
  await database.drop();
});

const MOMENTS = ["before", "after"] as const;
type Moment = (typeof MOMENTS)[number];

/** Does something whose COMMIT is cut. */
async function cut<T>(when: Moment, work: () => Promise<T>): Promise<T> {
  const before = proxy.cuts();
  proxy.cutAtCommit(when);
  const result = await work();
  expect(proxy.cuts()).toBe(before + 1);
  return result;
}

let last = 0;
const invite = (email = `anna${++last}@example.org`) => service.call("POST", "/v1/users", { email, name: "Anna Berg", roles: ["viewer"] });
const send = (path: string, body: unknown) => service.raw("POST", path, JSON_BODY, JSON.stringify(body));
const use = (code: string) => send("/v1/links/use", { code, password: PASSWORD });
const codeOf = (link: { url: string }) => link.url.split("#")[1] ?? "";
const usersAt = async (email: string) =>
  (await service.call("GET", "/v1/users")).json.users.filter((user: { email: string }) => user.email === email);

async function join(): Promise<{ id: string; email: string }> {
  const used = await use(codeOf((await invite()).json.link));
  return used.json.user;
}

/** Each does its change once through a cut and checks what is there then. */
const CHANGES: Record<string, (when: Moment) => Promise<void>> = {
  async "an invitation"(when) {
    const email = `cut${++last}@example.org`;
    const { status, json } = await cut(when, () => invite(email));
    expect([status, await usersAt(email)]).toEqual([201, [expect.objectContaining({ id: json.user.id })]]);
    expect((await send("/v1/links/lookup", { code: codeOf(json.link) })).status).toBe(200);
  },
  async "a change of roles"(when) {
    const { id } = await join();
    const { status, json } = await cut(when, () => service.call("PATCH", `/v1/users/${id}`, { roles: ["editor"] }));
    expect([status, json.roles, (await service.call("GET", `/v1/users/${id}`)).json.roles]).toEqual([200, ["editor"], ["editor"]]);
  },
  async "a link that is used"(when) {
    const { json } = await invite();
    const used = await cut(when, () => use(codeOf(json.link)));
    expect([used.status, used.json.user.status]).toEqual([201, "active"]);
    expect((await send("/v1/sessions", { email: json.user.email, password: PASSWORD })).status).toBe(201);
  },
  async "a sign-in"(when) {
    const { email } = await join();
    const { status, json } = await cut(when, () => send("/v1/sessions", { email, password: PASSWORD }));
    const authorization = `Bearer ${json.access_token}`;
    expect([status, (await service.raw("GET", "/v1/me", { authorization })).status]).toEqual([201, 200]);
  },
};

describe.each(Object.entries(CHANGES))("%s", (_, change) => {
  test.each(MOMENTS)("is done once, cut off %s the server got its COMMIT", change);
});

test("a change that a failover lost is not acknowledged, though its transaction's id is known as committed", {
  timeout: 120_000,
}, async () => {
  const { id } = await join();
  // As on a new primary, which never received the transaction and has given its id to another one: nothing of it is there.
  await client.query(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER lose BEFORE INSERT ON people_commits FOR EACH ROW EXECUTE FUNCTION lose()`);
  try {
    const { status, json } = await cut("after", () => service.call("PATCH", `/v1/users/${id}`, { name: "Lost" }));
    expect([status, json.code, json.detail]).toEqual([503, "OUTCOME_UNKNOWN", expect.not.stringContaining("Nothing was written")]);
    const again = await service.call("PATCH", `/v1/users/${id}`, { name: "Lost" });
    expect([again.status, again.json.name]).toEqual([200, "Lost"]);
  } finally {
    await client.query("DROP FUNCTION lose CASCADE");
  }
});

test("what proves that a change was committed is deleted after an hour", async () => {
  await client.query("INSERT INTO people_commits (id, at) VALUES ('\\x00', 1)");
  await service.reopen();
  await join();
  expect((await client.query("SELECT 1 FROM people_commits WHERE at = 1")).rowCount).toBe(0);
});
