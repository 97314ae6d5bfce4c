// Every route and method with every kind of token, and how tokens are issued and revoked.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKeys } from "../../people/auth/api-keys.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(undefined, { trustedProxies: ["127.0.0.1"] });
});
afterAll(() => service.close());

const HOUR = 3_600_000; // ms
const FORM = "application/x-www-form-urlencoded";
const RECORD = { lastName: "A", accountID: "1" };

/** Route → method → the words that it needs, all of them, "open", or "optional" (open, but a bearer token that is sent must be known); "*": every other method. `keys`: any person, or a key with the scope admin. What is not named here is not allowed, and needs what the route's first method needs. */
const ROUTES: Record<string, Record<string, string>> = {
  "/livez": { GET: "open" },
  "/readyz": { GET: "open" },
  "/metrics": { GET: "open" },
  "/docs": { GET: "optional" },
  "/docs.css": { GET: "open" },
  "/problems/:code": { GET: "open" },
  "/v1/openapi.json": { GET: "optional" },
  "/v1/oauth/token": { POST: "open" },
  "/v1/oauth/revoke": { POST: "open" },
  "/.well-known/oauth-authorization-server": { GET: "open" },
  "/v1/": { GET: "signed-in" },
  "/v1/limits": { GET: "signed-in" },
  "/v1/dictionary": { GET: "signed-in" },
  "/v1/users/names": { GET: "signed-in" },
  "/v1/dictionary/schema": { GET: "signed-in" },
  "/v1/dictionary/versions": { GET: "dictionary" },
  "/v1/dictionary/versions/:id": { GET: "dictionary" },
  "/v1/dictionary/former-names": { GET: "dictionary" },
  "/v1/dictionary/computations": { GET: "dictionary" },
  "/v1/dictionary/conversions": { GET: "dictionary", POST: "dictionary" },
  "/v1/dictionary/conversions/:id": { GET: "dictionary", DELETE: "dictionary" },
  "/v1/dictionary/conversions/:id/undo": { POST: "dictionary" },
  "/v1/dictionary/retired": { GET: "dictionary" },
  "/v1/dictionary/retired/:id": { DELETE: "dictionary" },
  "/v1/dictionary/drafts": { GET: "dictionary", POST: "dictionary" },
  "/v1/dictionary/drafts/:id": { GET: "dictionary", PATCH: "dictionary", DELETE: "dictionary" },
  "/v1/dictionary/drafts/:id/impact": { GET: "dictionary" },
  "/v1/dictionary/drafts/:id/apply": { POST: "dictionary" },
  "/v1/customers/template.csv": { GET: "customers:read" },
  "/v1/customers.csv": { GET: "customers:read" },
  "/v1/customers": {
    GET: "customers:read",
    POST: "customers:create",
    PATCH: "customers:update customers:read",
    DELETE: "customers:delete customers:read",
  },
  "/v1/customers/deletions": { POST: "customers:delete" },
  "/v1/customers/batch": { "*": "signed-in", POST: "customers:create" },
  "/v1/customers/:id": {
    GET: "customers:read",
    PUT: "customers:update customers:create",
    PATCH: "customers:update",
    DELETE: "customers:delete",
  },
  "/v1/customers/:id/history": { GET: "customers:read" },
  "/v1/customers/:id/restore": { "*": "customers:update", POST: "customers:update customers:create" },
  "/v1/customers/:id/viewers": { PUT: "customers:read", DELETE: "customers:read" },
  "/v1/customers/violations": { GET: "customers:read" },
  "/v1/customers/violations/:rule/exceptions/:id": { PUT: "customers:update", DELETE: "customers:update" },
  "/v1/customers/merges": { GET: "customers:read", POST: "customers:update customers:delete" },
  "/v1/customers/merges/:id": { "*": "customers:update", DELETE: "customers:update customers:delete" },
  "/v1/customers/duplicates": { GET: "customers:read" },
  "/v1/customers/duplicates/search": { POST: "customers:read" },
  "/v1/customers/lookup": { POST: "customers:read" },
  "/v1/customers/duplicates/:pair": { PUT: "customers:update", DELETE: "customers:update" },
  "/v1/customers/summary": { GET: "customers:read" },
  "/v1/customers/imports": { "*": "signed-in", POST: "customers:create" },
  "/v1/customers/undo": { POST: "customers:update" },
  "/v1/customers/:id/erasure": { POST: "admin" },
  "/v1/customers/:id/copy": { GET: "admin" },
  "/v1/changes": { GET: "signed-in" },
  "/v1/search": { GET: "signed-in" },
  "/v1/activity": { GET: "signed-in" },
  "/v1/activity/days": { GET: "signed-in" },
  "/v1/activity/exports": { GET: "signed-in" },
  "/v1/activity/runs/:run": { GET: "signed-in" },
  "/v1/backup": { GET: "admin" },
  "/v1/rewrite": { POST: "admin" },
  "/v1/sign-in": { GET: "open" },
  "/v1/sessions": { POST: "open" },
  "/v1/sessions/passkey-options": { POST: "open" },
  "/v1/sessions/refresh": { POST: "open" },
  "/v1/sessions/current": { "*": "signed-in", DELETE: "person" },
  "/v1/oidc/start": { GET: "open" },
  "/v1/oidc/callback": { GET: "open" },
  "/v1/links/lookup": { POST: "open" },
  "/v1/links/use": { POST: "open" },
  "/v1/password-resets": { POST: "open" },
  "/v1/access": { GET: "signed-in" },
  "/v1/access-requests": { GET: "admin", POST: "open" },
  "/v1/access-requests/:id": { DELETE: "admin" },
  "/v1/access-requests/:id/approve": { POST: "admin" },
  "/v1/users": { GET: "admin", POST: "admin" },
  "/v1/users/:id": { GET: "admin", PATCH: "admin" },
  "/v1/users/:id/links": { POST: "admin" },
  "/v1/users/:id/sessions": { DELETE: "admin" },
  "/v1/users/:id/passkeys": { DELETE: "admin" },
  "/v1/users/:id/access": { GET: "admin" },
  "/v1/users/:id/view": { POST: "admin" },
  "/v1/recipes": { GET: "signed-in", POST: "signed-in" },
  "/v1/recipes/:id": { GET: "signed-in", PUT: "signed-in", DELETE: "signed-in" },
  "/v1/runs": { GET: "signed-in" },
  "/v1/runs/:id": { GET: "signed-in", PUT: "signed-in" },
  "/v1/runs/:id/rows": { GET: "signed-in" },
  "/v1/runs/:id/import": { GET: "signed-in", DELETE: "signed-in" },
  "/v1/views": { GET: "signed-in", POST: "signed-in" },
  "/v1/views/:id": { GET: "signed-in", PUT: "signed-in", DELETE: "signed-in" },
  "/v1/organisation": { GET: "open", PATCH: "admin" },
  "/v1/organisation/logo/:id": { GET: "open" },
  "/v1/webhooks": { GET: "admin", POST: "admin" },
  "/v1/webhooks/:id": { GET: "admin", PATCH: "admin", DELETE: "admin" },
  "/v1/webhooks/:id/secret": { POST: "admin" },
  "/v1/webhooks/:id/deliveries": { GET: "admin" },
  "/v1/webhooks/:id/test": { POST: "admin" },
  "/v1/webhooks/:id/redeliveries": { POST: "admin" },
  "/v1/scim/Users": { GET: "provision", POST: "provision" },
  "/v1/scim/Users/:id": { GET: "provision", PUT: "provision", PATCH: "provision", DELETE: "provision" },
  "/v1/scim/Groups": { GET: "provision", POST: "provision" },
  "/v1/scim/Groups/:id": { GET: "provision", PUT: "provision", PATCH: "provision", DELETE: "provision" },
  "/v1/scim/ServiceProviderConfig": { GET: "provision" },
  "/v1/scim/ResourceTypes": { GET: "provision" },
  "/v1/scim/Schemas": { GET: "provision" },
  "/v1/roles": { GET: "admin", POST: "admin" },
  "/v1/roles/:id": { GET: "admin", PATCH: "admin", DELETE: "admin" },
  "/v1/me": { GET: "signed-in", PATCH: "person" },
  "/v1/me/password": { "*": "signed-in", PUT: "person" },
  "/v1/me/proof": { "*": "signed-in", GET: "person", POST: "person" },
  "/v1/me/access": { "*": "signed-in", GET: "person" },
  "/v1/me/notices": { "*": "signed-in", GET: "person" },
  "/v1/me/notices/:id": { "*": "signed-in", DELETE: "person" },
  "/v1/me/passkeys": { "*": "signed-in", GET: "person", POST: "person" },
  "/v1/me/passkeys/options": { "*": "signed-in", POST: "person" },
  "/v1/me/passkeys/:id": { "*": "signed-in", PATCH: "person", DELETE: "person" },
  "/v1/me/sessions": { "*": "signed-in", GET: "person", DELETE: "person" },
  "/v1/me/sessions/:id": { "*": "signed-in", DELETE: "person" },
  "/v1/keys": { "*": "signed-in", GET: "keys", POST: "keys" },
  "/v1/keys/:id": { "*": "signed-in", GET: "keys", DELETE: "keys" },
};
const BODIES: Record<string, unknown> = {
  "POST /v1/customers": RECORD,
  "POST /v1/customers/deletions": [{ objectId: 1 }],
  "POST /v1/customers/batch": [{ action: "create", record: RECORD }],
  "PUT /v1/customers/:id": RECORD,
  "PATCH /v1/customers/:id": RECORD,
  "POST /v1/keys": { scope: "read" },
};

/** The routes that the running app has, and their methods. */
function realRoutes(): Map<string, string[]> {
  const routes = new Map<string, string[]>();
  const parents: string[] = [];
  for (const line of service.app.printRoutes({ commonPrefix: false }).trim().split("\n")) {
    const [, indent = "", name = "", methods = ""] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    parents.splice(depth, parents.length, (parents[depth - 1] ?? "") + name);
    routes.set(parents[depth] ?? "", methods.split(", "));
  }
  return routes;
}

/** Addresses of collections are registered once for all. */
function patternOf(route: string): string {
  return route.replace(/^\/v1\/customers(?:\.csv)?/, "/v1/:collection");
}

function scopeOf(route: string, method: string): string {
  if (method === "OPTIONS") return "open"; // a browser asks before it has a token
  const handlers = ROUTES[route] ?? {};
  return handlers[method === "HEAD" ? "GET" : method] ?? handlers["*"] ?? Object.values(handlers)[0] ?? "open";
}

test("the table has every route of the app, and so has the documentation", async () => {
  // Another spelling of /v1/, and no collection here has children or files.
  const uploads = "/v1/:collection/:id/:child/uploads";
  const files = ["/v1/:collection/:id/:child", "/v1/:collection/:id/:child/:hash", uploads, `${uploads}/:upload`];
  const others = ["/v1", ...files];
  const routes = [...realRoutes().keys()].filter((path) => !others.includes(path));
  expect(routes.sort()).toEqual([...new Set(Object.keys(ROUTES).map(patternOf))].sort());
  const { json } = await service.call("GET", "/v1/openapi.json");
  const documented = Object.entries(json.paths).map(([path, handlers]) => [
    path.replace(/\{(\w+)\}/g, ":$1"),
    Object.keys(handlers as object).sort(),
  ]);
  const ours = Object.entries(ROUTES)
    .filter(([path]) => !/^\/(?:v1\/scim|\.well-known)\//.test(path))
    .map(([path, handlers]) => {
      const methods = Object.keys(handlers)
        .filter((method) => method !== "*")
        .map((method) => method.toLowerCase());
      return [path, methods.sort()]; // the description of the document says where HEAD and OPTIONS are
    });
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(ours));
});

let requests = 0;

/** Each from a network of its own, because wrong API keys are counted by source. */
async function send(route: string, method: string, token: string | undefined): Promise<number> {
  const body = BODIES[`${method} ${route}`];
  const path = route.replace(":id", route.includes("keys") ? "nobody" : "1");
  const headers = {
    "x-forwarded-for": `2001:db8:0:${(++requests).toString(16)}::1`,
    ...(token !== undefined && { authorization: token }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  return (await service.raw(method, path, headers, body === undefined ? undefined : JSON.stringify(body))).status;
}

interface Tokens {
  /** None of them lets anybody in. */
  bad: Record<string, string | undefined>;
  /** By scope. */
  good: Record<string, string>;
}

/** Says what tokens of each scope meet, written down by hand. */
const MEETS: Record<string, readonly string[]> = {
  read: ["signed-in", "customers:read"],
  write: ["signed-in", "customers:read", "customers:create", "customers:update", "customers:delete"],
  admin: [
    "signed-in",
    "customers:read",
    "customers:create",
    "customers:update",
    "customers:delete",
    "admin",
    "keys",
    "dictionary",
    "provision",
  ],
  dictionary: ["signed-in", "dictionary"],
  provision: ["signed-in", "provision"],
  "customers:read": ["signed-in", "customers:read"],
  "customers:create": ["signed-in", "customers:create"],
  "customers:update": ["signed-in", "customers:update"],
  "customers:delete": ["signed-in", "customers:delete"],
  "customers:create customers:update": ["signed-in", "customers:create", "customers:update"],
  "*:read": ["signed-in", "customers:read"],
  "orders:read orders:create orders:update orders:delete": ["signed-in"],
};

/** The same for people, by the role that they have. */
const PEOPLE_MEET: Record<string, readonly string[]> = {
  viewer: ["signed-in", "person", "keys", "customers:read"],
  contributor: ["signed-in", "person", "keys", "customers:read", "customers:create", "customers:update"],
  editor: ["signed-in", "person", "keys", "customers:read", "customers:create", "customers:update", "customers:delete"],
  steward: ["signed-in", "person", "keys", "customers:read", "customers:create", "customers:update", "customers:delete", "dictionary"],
  administrator: [
    ...["signed-in", "person", "keys", "customers:read", "customers:create", "customers:update", "customers:delete"],
    ...["admin", "dictionary", "provision"],
  ],
};

async function makeTokens(): Promise<Tokens> {
  const good: Record<string, string> = {};
  for (const scope of Object.keys(MEETS)) good[scope] = `Bearer ${await service.tokenFor(scope)}`;
  for (const role of Object.keys(PEOPLE_MEET)) good[role] = `Bearer ${(await service.newPerson(role)).token}`;
  const admin = good.admin ?? "";
  const disabled = await service.newPerson("editor");
  await service.store.people.changeUser(disabled.id, { status: "disabled" });
  const signedOut = await service.newPerson("editor");
  await service.store.people.endAllAccess(signedOut.id, { ids: [], hasPasskeys: true }, Date.now());
  const { keyId, token: revoked } = await service.newCredentials("admin");
  await service.store.revokeKey(keyId, Date.now());
  const wholeKey = await createKeys(service.store).create("admin");
  await service.store.revokeKey(wholeKey.slice("ink_".length).split(".")[0] ?? "", Date.now());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR - 1_000 });
  const expired = await service.tokenFor("admin");
  const idle = await service.newPerson("administrator").finally(() => vi.useRealTimers());
  const bad = {
    none: undefined,
    empty: "",
    "no token": "Bearer",
    "two words": "Bearer a b",
    "another scheme": `Basic ${Buffer.from("a:b").toString("base64")}`,
    "a token without a scheme": admin.slice("Bearer ".length),
    nonsense: "Bearer nonsense",
    "cut short": admin.slice(0, -1),
    "a letter too many": `${admin}x`,
    "two tokens": `${admin}, ${admin}`,
    expired: `Bearer ${expired}`,
    revoked: `Bearer ${revoked}`,
    "a person who is disabled": `Bearer ${disabled.token}`,
    "a person who has signed out": `Bearer ${signedOut.token}`,
    "an expired access token of a person": `Bearer ${idle.token}`,
    "a refresh token": `Bearer ${signedOut.refreshToken}`,
    "a whole key with a wrong secret": `Bearer ink_${keyId}.${"x".repeat(49)}`,
    "a whole key that is revoked": `Bearer ${wholeKey}`,
  };
  return { bad, good };
}

/** Every other method has one handler, so that two tokens show whether it asks who is there. */
const USED_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
const tokensFor = (method: string, tokens: Record<string, string | undefined>) =>
  Object.entries(tokens).filter(([name]) => USED_METHODS.includes(method) || name === "none" || name === "read");

describe("with every kind of token", () => {
  let tokens: Tokens;
  let routes: Map<string, string[]>;
  beforeAll(async () => {
    tokens = await makeTokens();
    routes = realRoutes();
  });
  test.each(Object.keys(ROUTES))(
    "%s accepts those with the right scope, by every method, and no others",
    async (route) => {
      const { bad, good } = tokens;
      for (const method of routes.get(patternOf(route)) ?? []) {
        const scope = scopeOf(route, method);
        const isAccepted = (status: number) =>
          (![401, 403, 429].includes(status) && status < 500) || (status === 503 && route === "/v1/backup"); // one at a time
        // The two token routes read Authorization themselves, as a client's key.
        const isKeyRoute = route.includes("oauth") && method === "POST";
        for (const [name, token] of tokensFor(method, bad)) {
          const status = await send(route, method, token);
          const isTaken =
            scope === "open" || (scope === "optional" && (!/^Bearer\b/i.test(token ?? "") || !["GET", "HEAD"].includes(method)));
          const wanted = isTaken ? undefined : 401;
          if (wanted) expect([method, name, status]).toEqual([method, name, wanted]);
          else if (!isKeyRoute) expect([method, name, isAccepted(status)]).toEqual([method, name, true]);
        }
        for (const [given, token] of tokensFor(method, good)) {
          const meets = { ...MEETS, ...PEOPLE_MEET }[given] ?? [];
          const isAllowed = ["open", "optional"].includes(scope) || scope.split(" ").every((word) => meets.includes(word));
          const status = await send(route, method, token);
          const isSignedOut = route === "/v1/sessions/current" && method === "DELETE" && status === 204;
          if (isSignedOut) good[given] = `Bearer ${(await service.newPerson(given)).token}`;
          if (isAllowed) expect([method, given, isAccepted(status)]).toEqual([method, given, true]);
          else expect([method, given, status]).toEqual([method, given, 403]);
        }
      }
    },
    180_000,
  );
});

interface OwnKey {
  id: string;
  secret: string;
}

async function makeKey(expiresAt?: number): Promise<OwnKey> {
  const [, id = "", secret = ""] =
    /^ink_([^.]+)\.(.+)$/.exec(await createKeys(service.store).create("write", expiresAt === undefined ? {} : { expiresAt })) ?? [];
  return { id, secret };
}

let sources = 0;
/** From a new address each time: wrong keys make their source wait. */
async function request(path: string, fields: Record<string, string>, basic?: string) {
  const headers = { "content-type": FORM, ...(basic !== undefined && { authorization: basic }) };
  const payload = new URLSearchParams(fields).toString();
  const remoteAddress = `10.0.${sources >> 8}.${sources++ & 255}`;
  const reply = await service.app.inject({ method: "POST", url: path, headers, payload, remoteAddress });
  return { status: reply.statusCode, error: reply.json().error as string | undefined, headers: reply.headers };
}

const basicOf = ({ id, secret }: OwnKey) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const formOf = ({ id, secret }: OwnKey) => ({ client_id: id, client_secret: secret });
const ALL_ROUTES = [
  ["/v1/oauth/token", { grant_type: "client_credentials" }],
  ["/v1/oauth/revoke", { token: "unknown" }],
] as const;

describe.each(ALL_ROUTES)("%s", (path, fields) => {
  test("the key is accepted by Basic or in the form, but not in both, and not half of it", async () => {
    const key = await makeKey();
    expect((await request(path, fields, basicOf(key))).status).toBe(200);
    expect((await request(path, { ...fields, ...formOf(key) })).status).toBe(200);
    for (const reply of [
      await request(path, { ...fields, ...formOf(key) }, basicOf(key)),
      await request(path, { ...fields, client_id: key.id }),
      await request(path, { ...fields, client_secret: key.secret }),
      await request(path, fields),
    ]) {
      expect([reply.status, reply.error]).toEqual([400, "invalid_request"]);
    }
  });

  test("a wrong, cut, expired or revoked key gets the same error, by Basic and in the form", async () => {
    const key = await makeKey();
    const revoked = await makeKey();
    await service.store.revokeKey(revoked.id, Date.now());
    const other = await makeKey();
    const wrong: OwnKey[] = [
      { id: key.id, secret: other.secret },
      { id: key.id, secret: key.secret.slice(0, -1) },
      { id: key.id, secret: `${key.secret}x` },
      { id: "nobody", secret: key.secret },
      await makeKey(Date.now() - 1),
      revoked,
    ];
    for (const one of wrong) {
      for (const reply of [await request(path, fields, basicOf(one)), await request(path, { ...fields, ...formOf(one) })]) {
        expect([reply.status, reply.error, reply.headers["www-authenticate"]]).toEqual([401, "invalid_client", 'Basic realm="intake"']);
      }
    }
  });

  test("an invalid Basic header is refused, also for a client with a token", async () => {
    const key = await makeKey();
    const token = await service.tokenFor("admin");
    for (const header of ["", "Basic", "Basic !", `Basic ${Buffer.from("no colon").toString("base64")}`, `Bearer ${token}`]) {
      expect([header, (await request(path, fields, header)).status]).toEqual([header, 401]);
    }
    expect((await request(path, fields, basicOf(key).replace("Basic", "bAsIc  "))).status).toBe(200);
  });
});

test("a request to /v1/oauth/revoke with a bearer token can revoke that token, and no other", async () => {
  const [own, other] = [await service.tokenFor("read"), await service.tokenFor("read")];
  const read = (token: string) => send("/v1/customers", "GET", `Bearer ${token}`);
  expect((await request("/v1/oauth/revoke", { token: other }, `Bearer ${own}`)).status).toBe(401);
  expect([await read(own), await read(other)]).toEqual([200, 200]);
  for (const _ of ["at once", "again"]) expect((await request("/v1/oauth/revoke", { token: own }, `Bearer ${own}`)).status).toBe(200);
  expect([await read(own), await read(other)]).toEqual([401, 200]);
});

test("a request to /v1/oauth/token with another grant type is refused, also with a valid key", async () => {
  const key = await makeKey();
  for (const grant_type of ["password", "authorization_code", "refresh_token", "Client_Credentials"]) {
    const reply = await request("/v1/oauth/token", { grant_type, ...formOf(key) });
    expect([grant_type, reply.status, reply.error]).toEqual([grant_type, 400, "unsupported_grant_type"]);
  }
  // A parameter without a value is one that was not sent (RFC 6749 section 3.2).
  expect((await request("/v1/oauth/token", { grant_type: "", ...formOf(key) })).error).toBe("invalid_request");
});

test("the tokens of a key end when it expires", async () => {
  const key = await makeKey(Date.now() + 60_000);
  const form = new URLSearchParams({ grant_type: "client_credentials", ...formOf(key) }).toString();
  const { json } = await service.raw("POST", "/v1/oauth/token", { "content-type": FORM }, form);
  const read = () => send("/v1/customers", "GET", `Bearer ${json.access_token}`);
  expect(await read()).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  expect(await read().finally(() => vi.useRealTimers())).toBe(401);
});

describe("a whole API key as a token", () => {
  test("is accepted with its scope, and its use is noted", async () => {
    const key = await createKeys(service.store).create("customers:read", { name: "SAP" });
    const id = key.slice("ink_".length).split(".")[0] ?? "";
    const headers = { authorization: `Bearer ${key}` };
    expect((await service.raw("GET", "/v1/customers", headers)).status).toBe(200);
    expect((await service.raw("DELETE", "/v1/customers/1", headers)).status).toBe(403);
    await expect.poll(async () => (await service.call("GET", `/v1/keys/${id}`)).json.lastUsedAt, { timeout: 60_000 }).toMatch(/Z$/);
    expect((await service.call("DELETE", `/v1/keys/${id}`)).status).toBe(204);
    expect((await service.raw("GET", "/v1/customers", headers)).status).toBe(401);
  });

  test("ends when it expires", async () => {
    const now = Date.now();
    const key = await createKeys(service.store).create("read", { expiresAt: now + HOUR });
    const read = async () => (await service.raw("GET", "/v1/customers", { authorization: `Bearer ${key}` })).status;
    expect(await read()).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: now + HOUR });
    const late = await read().finally(() => vi.useRealTimers());
    expect(late).toBe(401);
  });
});

describe("rights by parameter and header field", () => {
  const send = async (scope: string, method: string, path: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${await service.tokenFor(scope)}`;
    const body = JSON.stringify(RECORD);
    return (await service.raw(method, path, { authorization, "content-type": "application/json", ...headers }, body)).status;
  };

  test.each([
    ["customers:create", "POST", "/v1/customers?onConflict=update", {}, 403],
    ["customers:create customers:update", "POST", "/v1/customers?onConflict=update", {}, 201],
    ["customers:create", "POST", "/v1/customers?onConflict=skip", {}, 201],
    ["customers:update", "POST", "/v1/customers", {}, 403],
    ["customers:update", "POST", "/v1/customers?onConflict=update", {}, 403],
    ["customers:create", "POST", "/v1/customers?onDuplicate=warn", {}, 403], // it tells what is stored
    ["customers:create customers:read", "POST", "/v1/customers?onDuplicate=warn", {}, 201],
    ["customers:update", "POST", "/v1/customers?onMissing=error", {}, 403],
    ["customers:update", "POST", "/v1/customers?onConflict=update&onMissing=error", {}, 422], // it may; the record has no key
    ["customers:create", "POST", "/v1/customers?onConflict=update&onMissing=error", {}, 403],
    ["customers:read", "POST", "/v1/customers?onConflict=update&onMissing=error", {}, 403],
    ["customers:update", "PUT", "/v1/customers/77", {}, 403],
    ["customers:update", "PUT", "/v1/customers/78", { "if-match": '"1"' }, 412],
    ["customers:create customers:update", "PUT", "/v1/customers/79", {}, 201],
  ])("with %j, %s %s with %j answers %s", async (scope, method, path, headers, status) => {
    expect(await send(scope, method, path, headers)).toBe(status);
  });

  test("a caller sees only the collections on which it has a right, whichever it is", async () => {
    const seen = async (scope: string, path: string) =>
      (await service.raw("GET", path, { authorization: `Bearer ${await service.tokenFor(scope)}` })).json;
    for (const scope of ["customers:read", "customers:create", "customers:update", "customers:delete", "*:create"]) {
      expect([scope, (await seen(scope, "/v1/dictionary")).resources.length]).toEqual([scope, 1]);
      expect([scope, Object.keys((await seen(scope, "/v1/")).collections)]).toEqual([scope, ["customers"]]);
    }
    expect((await seen("orders:create orders:read", "/v1/dictionary")).resources).toEqual([]);
    expect((await seen("orders:create orders:read", "/v1/")).collections).toEqual({});
  });
});

test("a program finds where tokens come from", async () => {
  const { status, json } = await service.raw("GET", "/.well-known/oauth-authorization-server", { host: "intake.example.org" });
  expect([status, json.issuer, json.grant_types_supported]).toEqual([200, "http://intake.example.org", ["client_credentials"]]);
  const { key } = (await service.call("POST", "/v1/keys", { scope: "read", name: "Finds" })).json;
  const [client_id = "", client_secret = ""] = key.split(".");
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  const { pathname } = new URL(json.token_endpoint);
  expect((await service.raw("POST", pathname, { "content-type": FORM }, form.toString())).json.scope).toBe("read");
});
