// Several services on one PostgreSQL: keys, tokens, idempotency, ETags, ids and pages work across them.

import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccounts } from "../../people/auth/accounts.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { DICTIONARY, openTestService, readCollections, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let services: TestService[];
beforeAll(async () => {
  database = await createTestDatabase();
  // All at once on the empty database, as a deployment would: each finds or makes the same tables.
  services = await Promise.all(Array.from({ length: 4 }, () => openTestService(DICTIONARY, { trustedProxies: ["127.0.0.1"] }, database)));
});
afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

const at = (i: number, of = 4) => services[i % of] as TestService;
/** Every service has its own administrator; requests that must count as one client's share this token. */
const oneClient = async () => ({ authorization: `Bearer ${await at(0).tokenFor("write")}`, "content-type": "application/json" });
const record = { lastName: "Ek", accountID: "1" };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([2, 4])("with %i services an idempotency key sent fifty times at once has one effect", async (count) => {
  const headers = { ...(await oneClient()), "idempotency-key": `once-${count}` };
  const body = JSON.stringify([record, record, record]);
  const before = (await at(0).call("GET", "/v1/customers?limit=1000")).json.customers.length;
  const responses = await Promise.all(numbers(50).map((i) => at(i, count).raw("POST", "/v1/customers", headers, body)));
  expect(new Set(responses.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
  expect(responses[0]?.status).toBe(201);
  expect(responses.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  expect((await at(1).call("GET", "/v1/customers?limit=1000")).json.customers.length).toBe(before + 3);
});

test.each([2, 4])(
  "with %i services one of fifty writers with the same ETag succeeds, and the version counts the successes",
  async (count) => {
    const path = `/v1/customers/${100 + count}`;
    await at(0).call("PUT", path, record);
    const statuses: number[] = [];
    const write = async (i: number) => {
      for (let turn = 0; turn < 3; turn++) {
        const etag = (await at(i, count).call("GET", path)).headers.etag ?? "";
        const reply = await at(i + turn, count).call("PATCH", path, { lastName: `W${i}-${turn}` }, { "if-match": etag });
        statuses.push(reply.status);
      }
    };
    await Promise.all(numbers(50).map(write));
    const wins = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
    expect(wins).toBeGreaterThanOrEqual(3);
    expect((await at(1).call("GET", path)).json.version).toBe(1 + wins);
  },
);

test("concurrent changes without an ETag all succeed, in any order", async () => {
  const path = "/v1/customers/200";
  await at(0).call("PUT", path, record);
  const responses = await Promise.all(numbers(40).map((i) => at(i).call("PATCH", path, { lastName: `P${i}` })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await at(3).call("GET", path)).json.version).toBe(41);
});

test("an id that forty clients create at once is created once", async () => {
  const responses = await Promise.all(numbers(40).map((i) => at(i).call("POST", "/v1/customers", { ...record, objectId: 300 })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...numbers(39).map(() => 409)]);
});

test("an id that many clients delete and create at once never has the same version twice", async () => {
  const path = "/v1/customers/310";
  const etags: string[] = [];
  const live = async (i: number) => {
    for (let turn = 0; turn < 5; turn++) {
      const made = await at(i + turn).call("PUT", path, { ...record, lastName: `L${i}-${turn}` });
      if (made.status === 201 || made.status === 200) etags.push(made.headers.etag ?? "");
      else expect(made.status).toBe(201);
      expect([204, 404]).toContain((await at(i + turn + 1).call("DELETE", path)).status);
    }
  };
  await Promise.all(numbers(12).map(live));
  expect(etags).toHaveLength(60);
  expect(new Set(etags).size).toBe(60);
});

test("batches that change the same records in different orders all succeed, and no change is lost", async () => {
  const ids = numbers(30).map((i) => 400 + i);
  await at(0).call(
    "POST",
    "/v1/customers",
    ids.map((objectId) => ({ ...record, objectId })),
  );
  const send = (i: number) => {
    const order = i % 2 === 0 ? ids : [...ids].reverse();
    const body = order.map((objectId) => ({ objectId, lastName: `B${i}` }));
    return at(i).call("POST", "/v1/customers?onConflict=update&onMissing=error", body);
  };
  const responses = await Promise.all(numbers(16).map(send));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const records = (await at(0).call("GET", "/v1/customers?limit=1000")).json.customers as {
    objectId: number;
    version: number;
    lastName: string;
  }[];
  const touched = records.filter(({ objectId }) => ids.includes(objectId));
  expect(new Set(touched.map(({ version }) => version))).toEqual(new Set([17]));
  expect(new Set(touched.map(({ lastName }) => lastName)).size).toBe(1);
});

test("ids that four services assign at once are all different", async () => {
  const responses = await Promise.all(numbers(80).map((i) => at(i).call("POST", "/v1/customers", [record, record, record])));
  const ids = responses.flatMap((reply) => reply.json.customers.map((made: { objectId: number }) => made.objectId));
  expect(new Set(ids).size).toBe(240);
});

test("a key created at one service is accepted by the next; revoked, its tokens end there at once and soon everywhere", async () => {
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await createKeys(at(0).store).create("read")) ?? [];
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }).toString();
  const { json } = await at(1).raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form);
  const headers = { authorization: `Bearer ${json.access_token}` };
  const statuses = async () =>
    Promise.all(services.map(async (service) => (await service.raw("GET", "/v1/customers?limit=1", headers)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect(await at(2).store.revokeKey(id, Date.now())).toBe("revoked");
  expect((await at(2).raw("GET", "/v1/customers?limit=1", headers)).status).toBe(401);
  await expect.poll(statuses).toEqual([401, 401, 401, 401]); // the others remember a token for a quarter of a second
});

test("four services together compare no more wrong passwords than one would", async () => {
  const { email, token } = await at(0).newPerson("viewer");
  const post = async (i: number, path: string, body: unknown, more: Record<string, string> = {}) =>
    (await at(i).raw("POST", path, { "content-type": "application/json", ...more }, JSON.stringify(body))).status;
  const countsOf = (statuses: number[]) => [401, 422, 429].map((status) => statuses.filter((one) => one === status).length);
  const signIn = (i: number) => post(i, "/v1/sessions", { email, password: "maple thunder 92 fjord" });
  expect(countsOf(await Promise.all(numbers(300).map(signIn)))).toEqual([10, 0, 290]);
  expect(await Promise.all(numbers(4).map(signIn))).toEqual([429, 429, 429, 429]);
  const prove = (i: number) => post(i, "/v1/me/proof", { password: "maple thunder 92 fjord" }, { authorization: `Bearer ${token}` });
  expect(countsOf(await Promise.all(numbers(300).map(prove)))).toEqual([0, 10, 290]);
  const ofMany = (i: number) =>
    post(i, "/v1/sessions", { email: `nobody${i}@example.org`, password: "maple thunder 92 fjord" }, { "x-forwarded-for": "198.51.100.8" });
  expect(countsOf(await Promise.all(numbers(300).map(ofMany)))).toEqual([100, 0, 200]);
});

test("right passwords at four services at once use nothing up", async () => {
  const { id, email } = await at(0).newPerson("viewer");
  const accounts = createAccounts(at(0).store.people);
  const user = await at(0).store.people.readUser(id);
  if (!user) throw new Error("no person");
  await accounts.redeemLink((await accounts.renewLink(user)).code, { email: "", name: "", password: "gorse lantern 47 quay" });
  const from = { "content-type": "application/json", "x-forwarded-for": "198.51.100.7" };
  const body = JSON.stringify({ email, password: "gorse lantern 47 quay" });
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(numbers(8).map((i) => at(i).raw("POST", "/v1/sessions", from, body)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
  }
});

test("a list read page by page from four services misses and doubles nothing during writes", async () => {
  const all = numbers(300).map((i) => ({ objectId: 5_000 + i, lastName: `Page ${(i * 37) % 60}`, accountID: "p" }));
  await at(0).call("POST", "/v1/customers", all);
  let reading = true;
  const writers = numbers(4).map(async (i) => {
    for (let turn = 0; reading; turn++) {
      await at(i).call("PUT", `/v1/customers/${6_000 + i * 1_000 + turn}`, { lastName: `Page ${turn % 60}`, accountID: "p" });
      await at(i).call("DELETE", `/v1/customers/${5_000 + 10 * turn + i}`);
    }
  });
  const seen: number[] = [];
  let path: string | undefined = "/v1/customers?limit=11&sort=lastName&q=page";
  for (let page = 0; path; page++) {
    const reply = await at(page).call("GET", path);
    expect(reply.status).toBe(200);
    seen.push(...reply.json.customers.map((row: { objectId: number }) => row.objectId));
    path = reply.json.next && `/v1/customers?limit=11&sort=lastName&q=page&cursor=${reply.json.next}`;
    if (page === 40) reading = false;
  }
  reading = false;
  await Promise.all(writers);
  const untouched = all.map(({ objectId }) => objectId).filter((id) => id % 10 > 3);
  const listed = seen.filter((id) => id < 5_300 && id % 10 > 3);
  expect(listed.sort((a, b) => a - b)).toEqual(untouched);
});

test("the next request after a dropped connection is answered", async () => {
  const { collections } = readCollections(DICTIONARY);
  const store = await database.open(collections);
  const other = await database.open(collections);
  try {
    await store.ping();
    await database.cutConnections();
    for (const one of [store, other]) await one.ping();
    expect((await at(0).call("GET", "/v1/customers?limit=1")).status).toBe(200);
    expect((await at(1).call("PUT", "/v1/customers/900", record)).status).toBe(201);
  } finally {
    await store.close();
    await other.close();
  }
});
