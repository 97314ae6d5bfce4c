// Authentication and scopes: keys are exchanged for tokens, and every route checks them.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DEFAULT_LIMITS } from "../../http/limits.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { hashCode } from "../../people/auth/random-codes.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let key: { id: string; secret: string };
beforeAll(async () => {
  service = await openTestService();
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await createKeys(service.store).create("write")) ?? [];
  key = { id, secret };
});
afterAll(() => service.close());

const FORM = "application/x-www-form-urlencoded";
const exchange = (fields: Record<string, string>, headers = {}) =>
  service.raw("POST", "/v1/oauth/token", { "content-type": FORM, ...headers }, new URLSearchParams(fields).toString());
const grant = { grant_type: "client_credentials" };
const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` });

test("a key in the form gets a token for an hour, which no cache may store", async () => {
  const reply = await exchange({ ...grant, client_id: key.id, client_secret: key.secret });
  expect(reply.status).toBe(200);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read write",
  });
});

test("a token is not said to hold longer than its key, and does not", async () => {
  const now = Date.now();
  const made = await createKeys(service.store).create("read", { expiresAt: now + 600_000 });
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.*)$/.exec(made) ?? [];
  const at = async <T>(ms: number, work: () => Promise<T>) => {
    vi.useFakeTimers({ toFake: ["Date"], now: now + ms });
    return work().finally(() => vi.useRealTimers());
  };
  const { json } = await at(1_500, () => exchange(grant, basic(id, secret)));
  expect(json.expires_in).toBe(598); // whole seconds, rounded down
  const read = () => service.raw("GET", "/v1/customers", { authorization: `Bearer ${json.access_token}` });
  expect((await at(599_999, read)).status).toBe(200);
  expect((await at(600_000, read)).status).toBe(401);
  const stored = await service.store.readToken(hashCode(json.access_token), now);
  expect(stored?.expiresAt).toBe(now + 600_000);
});

test("a key by HTTP Basic, or with the prefix in its id, gets a token", async () => {
  expect((await exchange(grant, basic(key.id, key.secret))).status).toBe(200);
  expect((await exchange({ ...grant, client_id: `ink_${key.id}`, client_secret: key.secret })).status).toBe(200);
});

test("a token may have a smaller scope than its key", async () => {
  const reply = await exchange({ ...grant, scope: "read" }, basic(key.id, key.secret));
  expect(reply.json.scope).toBe("read");
  const headers = { authorization: `Bearer ${reply.json.access_token}` };
  expect((await service.raw("GET", "/v1/customers", headers)).status).toBe(200);
  expect((await service.raw("DELETE", "/v1/customers/1", headers)).status).toBe(403);
});

test.each([
  ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type"],
  ["no grant", {}, 400, "invalid_request"],
  ["more than the key may", { ...grant, scope: "admin" }, 400, "invalid_scope"],
  ["an unknown scope", { ...grant, scope: "everything" }, 400, "invalid_scope"],
])("a token request with %s gets the error code of RFC 6749", async (_, fields, status, error) => {
  const reply = await exchange(fields, basic(key.id, key.secret));
  expect(reply.status).toBe(status);
  expect(reply.json).toMatchObject({ error, error_description: expect.any(String), code: "BAD_REQUEST" });
});

test("a token request without a key, with two, or with a doubled field is refused", async () => {
  expect((await exchange(grant)).json.error).toBe("invalid_request");
  expect((await exchange({ ...grant, client_secret: "x" }, basic(key.id, key.secret))).json.error).toBe("invalid_request");
  const twice = `grant_type=client_credentials&client_id=a&client_id=b&client_secret=c`;
  expect((await service.raw("POST", "/v1/oauth/token", { "content-type": FORM }, twice)).json.error).toBe("invalid_request");
});

test.each(["\0", "\ud800", "ü", "x".repeat(10_000), "' OR 1=1 --", "__proto__"])("the client id %j is unknown", async (id) => {
  const own = await openTestService();
  try {
    const body = new URLSearchParams({ ...grant, client_id: id, client_secret: "\0" }).toString();
    const reply = await own.raw("POST", "/v1/oauth/token", { "content-type": FORM }, body);
    expect([reply.status, reply.json.error]).toEqual([401, "invalid_client"]);
  } finally {
    await own.close();
  }
});

test("a token request as JSON is refused", async () => {
  expect((await service.call("POST", "/v1/oauth/token", grant)).status).toBe(415);
});

test("wrong secrets and unknown ids get the same error, and after ten of them the client must wait", async () => {
  const other = await openTestService();
  try {
    const send = (id: string) =>
      other.raw(
        "POST",
        "/v1/oauth/token",
        { "content-type": FORM },
        new URLSearchParams({ ...grant, client_id: id, client_secret: "x".repeat(40) }).toString(),
      );
    for (let i = 0; i < 10; i++) {
      const reply = await send(i % 2 ? "nobody" : key.id);
      expect([reply.status, reply.json.error, reply.headers["www-authenticate"]]).toEqual([401, "invalid_client", 'Basic realm="intake"']);
    }
    const reply = await send("nobody");
    expect([reply.status, reply.json.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect([reply.headers.ratelimit, reply.headers["ratelimit-policy"]]).toEqual([
      `"attempts";r=0;t=${reply.headers["retry-after"]}`,
      '"attempts";q=10;w=60',
    ]);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
});

test("X-Forwarded-For separates the failures of clients behind a trusted proxy, and is ignored from anyone else", async () => {
  for (const [trustedProxies, expected] of [
    [["10.0.0.0/8", "127.0.0.1"], 401],
    [["10.0.0.0/8"], 429],
    [[], 429],
  ] as const) {
    const other = await openTestService(undefined, { trustedProxies });
    try {
      const send = (client: string, i: number) =>
        other.raw(
          "POST",
          "/v1/oauth/token",
          { "content-type": FORM, "x-forwarded-for": client },
          new URLSearchParams({ ...grant, client_id: `nobody${i}`, client_secret: "x".repeat(40) }).toString(),
        );
      for (let i = 0; i < 10; i++) expect((await send("192.0.2.1", i)).status).toBe(401);
      expect([(await send("192.0.2.1", 10)).status, (await send("192.0.2.2", 11)).status]).toEqual([429, expected]);
    } finally {
      await other.close();
    }
  }
});

test("the right key gets in after any number of wrong ones, from the same address and from others", async () => {
  const other = await openTestService(undefined, { trustedProxies: ["127.0.0.1"] });
  try {
    const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await createKeys(other.store).create("read")) ?? [];
    const send = async (from: string, client_secret: string) => {
      const payload = new URLSearchParams({ ...grant, client_id: id, client_secret }).toString();
      return (await other.raw("POST", "/v1/oauth/token", { "content-type": FORM, "x-forwarded-for": from }, payload)).status;
    };
    for (let i = 0; i < 60; i++) expect([401, 429]).toContain(await send(`192.0.2.${i % 3}`, `${secret}${i}`));
    expect([await send("192.0.2.0", secret), await send("198.51.100.1", secret)]).toEqual([200, 200]);
  } finally {
    await other.close();
  }
});

test("wrong keys from one IPv6 network are counted together, from another one they are not", async () => {
  const other = await openTestService(undefined, { trustedProxies: ["127.0.0.1"] });
  try {
    const send = (from: string, i: number) =>
      other.raw(
        "POST",
        "/v1/oauth/token",
        { "content-type": FORM, "x-forwarded-for": from },
        new URLSearchParams({ ...grant, client_id: `nobody${i}`, client_secret: "x".repeat(40) }).toString(),
      );
    for (let i = 0; i < 10; i++) expect((await send(`2001:db8:0:1::${i}`, i)).status).toBe(401);
    expect((await send("2001:db8:0:1:ffff::1", 10)).status).toBe(429);
    expect((await send("2001:db8:0:2::1", 11)).status).toBe(401);
  } finally {
    await other.close();
  }
});

test("a key that is exchanged too often must wait, and others need not", async () => {
  const limits = { ...DEFAULT_LIMITS, requestsPerSecond: 0.01, requestBurst: 8 };
  const other = await openTestService(undefined, { limits });
  try {
    const { token } = await other.newCredentials("read");
    const made = async () => /^ink_([^.]+)\.(.+)$/.exec(await createKeys(other.store).create("read")) ?? [];
    const [, client_id = "", client_secret = ""] = await made();
    const send = (fields: Record<string, string>) =>
      other.raw("POST", "/v1/oauth/token", { "content-type": FORM }, new URLSearchParams({ ...grant, ...fields }).toString());
    for (let i = 0; i < 4; i++) expect((await send({ client_id, client_secret })).status).toBe(200);
    const reply = await send({ client_id, client_secret });
    expect([reply.status, reply.json.code, reply.headers["ratelimit-policy"]]).toEqual([429, "TOO_MANY_REQUESTS", '"exchange";q=4;w=4000']);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    expect(reply.headers.ratelimit).toBe(`"exchange";r=0;t=${reply.headers["retry-after"]}`);
    expect((await send({ client_id, client_secret: `${client_secret}x` })).status).toBe(401);
    expect((await other.raw("GET", "/v1/customers", { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await other.newCredentials("read")).token).toBeTruthy();
  } finally {
    await other.close();
  }
});

test("failures with one key are counted together, whatever its spelling and wherever they come from", async () => {
  const other = await openTestService(undefined, { trustedProxies: ["127.0.0.1"] });
  try {
    const spellings = ["nobody", "ink_nobody", "ink_nobody.", "ink_nobody.x"];
    const send = (i: number) =>
      other.raw(
        "POST",
        "/v1/oauth/token",
        { "content-type": FORM, "x-forwarded-for": `192.0.2.${i}` },
        new URLSearchParams({ ...grant, client_id: spellings[i % spellings.length] ?? "", client_secret: "x".repeat(40) }).toString(),
      );
    for (let i = 0; i < 10; i++) expect((await send(i)).status).toBe(401);
    expect((await send(10)).status).toBe(429);
  } finally {
    await other.close();
  }
});

const ROUTES = [
  ["GET", "/v1/customers"],
  ["HEAD", "/v1/customers"],
  ["POST", "/v1/customers"],
  ["PUT", "/v1/customers"],
  ["GET", "/v1/customers/1"],
  ["PUT", "/v1/customers/1"],
  ["PATCH", "/v1/customers/1"],
  ["DELETE", "/v1/customers/1"],
  ["GET", "/v1/customers/template.csv"],
  ["GET", "/v1/dictionary"],
  ["GET", "/v1/nowhere"],
] as const;

test.each(ROUTES)("%s %s without a token is a 401 that names the scheme", async (method, path) => {
  for (const headers of [{}, { authorization: "Basic YTpi" }, { authorization: "" }] as Record<string, string>[]) {
    const reply = await service.raw(method, path, headers);
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="intake"']);
  }
});

test.each(ROUTES)("%s %s with a bad token is a 401 invalid_token", async (method, path) => {
  for (const authorization of ["Bearer", "Bearer nonsense", "Bearer a b", `Bearer ${"x".repeat(5000)}`, "Bearer ü"]) {
    const reply = await service.raw(method, path, { authorization });
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="intake", error="invalid_token"']);
  }
});

test.each([
  ["POST", "/v1/customers", "customers:create"],
  ["PUT", "/v1/customers/999", "customers:update customers:create"],
  ["PATCH", "/v1/customers/999", "customers:update"],
  ["DELETE", "/v1/customers/999", "customers:delete"],
] as const)("%s %s with a token for reading is a 403, whether the record exists or not", async (method, path, needed) => {
  const reply = await service.raw(method, path, { authorization: `Bearer ${await service.tokenFor("read")}` });
  expect([reply.status, reply.json.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  expect(reply.headers["www-authenticate"]).toContain(`error="insufficient_scope", scope="${needed}"`);
});

test("health and OPTIONS need no token", async () => {
  for (const path of ["/livez", "/readyz"]) expect((await service.raw("GET", path)).json).toEqual({ status: "ok" });
  expect((await service.raw("OPTIONS", "/v1/customers")).status).toBe(204);
});

test("a token expires after an hour", async () => {
  const headers = { authorization: `bearer ${await service.tokenFor("read")}` };
  expect((await service.raw("GET", "/v1/customers", headers)).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
  try {
    expect((await service.raw("GET", "/v1/customers", headers)).json.code).toBe("INVALID_TOKEN");
  } finally {
    vi.useRealTimers();
  }
});

test("revoking or replacing a key ends its tokens at once", async () => {
  const other = await openTestService();
  try {
    const keys = createKeys(other.store);
    const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await keys.create("read")) ?? [];
    const form = new URLSearchParams({ ...grant, client_id: id, client_secret: secret }).toString();
    const { json } = await other.raw("POST", "/v1/oauth/token", { "content-type": FORM }, form);
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await other.raw("GET", "/v1/customers", headers)).status).toBe(200);
    const stored = await other.store.readKey(id);
    if (!stored) throw new Error("the key is stored");
    await other.store.putKey({ ...stored, revokedAt: Date.now() });
    expect((await other.raw("GET", "/v1/customers", headers)).status).toBe(401);
    expect((await other.raw("POST", "/v1/oauth/token", { "content-type": FORM }, form)).json.error).toBe("invalid_client");
  } finally {
    await other.close();
  }
});

test("a token stays valid over a restart of the service", async () => {
  const headers = { authorization: `Bearer ${await service.tokenFor("read")}` };
  await service.reopen();
  expect((await service.raw("GET", "/v1/customers", headers)).status).toBe(200);
});

test("wrong API keys as bearer tokens wait after ten by source and id, are logged once a minute, and delay no right key", async () => {
  const lines: string[] = [];
  const logTo = { write: (line: string) => void lines.push(line) };
  const other = await openTestService(undefined, { trustedProxies: ["127.0.0.1"], logLevel: "warn", logTo });
  try {
    const right = await createKeys(other.store).create("read");
    const id = right.slice("ink_".length).split(".")[0] ?? "";
    const readWith = (token: string, source: string) =>
      other.raw("GET", "/v1/customers", { authorization: `Bearer ${token}`, "x-forwarded-for": source });
    vi.useFakeTimers({ toFake: ["performance"] });
    for (let i = 0; i < 10; i++) {
      const reply = await readWith(`ink_${id}.${"x".repeat(40)}${i}`, "192.0.2.1");
      expect([reply.status, reply.json.code, reply.json.detail]).toEqual([
        401,
        "INVALID_TOKEN",
        "The API key is not known, or was revoked.",
      ]);
    }
    const waits = await readWith(`ink_${id}.${"y".repeat(40)}`, "192.0.2.1");
    expect([waits.status, waits.headers["retry-after"], waits.headers.ratelimit]).toEqual([429, "60", '"attempts";r=0;t=60']);
    // The right key, from there and from elsewhere, and a wrong one from elsewhere.
    expect((await readWith(right, "192.0.2.1")).status).toBe(200);
    expect((await readWith(right, "192.0.2.2")).status).toBe(200);
    expect((await readWith(`ink_${id}.${"z".repeat(40)}`, "192.0.2.2")).status).toBe(401);
    // Another key from the same place, until there are a hundred in all.
    for (let i = 0; i < 89; i++) expect((await readWith(`ink_other${i}.${"x".repeat(40)}`, "192.0.2.1")).status).toBe(401);
    expect((await readWith(`ink_last.${"x".repeat(40)}`, "192.0.2.1")).status).toBe(429);
    const ended = await readWith("a-token-that-has-ended", "192.0.2.1");
    expect([ended.status, ended.json.detail]).toEqual([401, expect.stringMatching(/^The access token is unknown or has expired/)]); // as every client has one every hour
    const refused = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "key refused");
    expect(refused().map(({ source }) => source)).toEqual(["192.0.2.1", "192.0.2.2"]);
    vi.advanceTimersByTime(60_000);
    expect((await readWith(`ink_${id}.${"x".repeat(40)}`, "192.0.2.1")).status).toBe(401);
    expect(refused()).toHaveLength(3);
    expect(lines.join("")).not.toContain("xxxxx");
  } finally {
    vi.useRealTimers();
    await other.close();
  }
});
