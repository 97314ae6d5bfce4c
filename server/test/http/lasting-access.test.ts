// Whatever outlives a session asks for a proof, ends with the password, and is told to the person.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createAccounts } from "../../people/auth/accounts.ts";
import { createSessions } from "../../people/auth/sessions.ts";
import { makePasskey } from "../../testing/authenticator.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const PASSWORD = "gorse lantern 47 quay";
const OTHER = "otter ladder 93 mist";
const MINUTE = 60_000; // ms
const WRITES = ["post", "put", "patch", "delete"];
const NOWHERE = "https://example.org/hook";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** Calls as somebody, from a page of the service. */
function as(token: string, to = service) {
  return (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { authorization: `Bearer ${token}`, origin: "http://localhost", ...type, ...more };
    return to.raw(method, path, headers, body === undefined ? undefined : JSON.stringify(body));
  };
}

async function newLinkFor(to: TestService, id: string): Promise<string> {
  const user = await to.store.people.readUser(id);
  if (!user) throw new Error("no person");
  return (await createAccounts(to.store.people).renewLink(user)).code;
}

/** A person with a password and a session that has just begun. */
async function newPerson(role = "administrator", to = service) {
  const { id, email } = await to.newPerson(role);
  const code = await newLinkFor(to, id);
  await createAccounts(to.store.people).redeemLink(code, { email: "", name: "", password: PASSWORD });
  const session = await signIn(email, PASSWORD, {}, to);
  for (const { id: notice } of await to.store.people.listNotices(id)) await to.store.people.dismissNotice(notice, id);
  return { id, email, ...session };
}

async function signIn(email: string, password = PASSWORD, more: object = {}, to = service) {
  const { json } = await as("", to)("POST", "/v1/sessions", { email, password, ...more }, { authorization: "" });
  return { token: json.access_token as string };
}

/** What was proved until now is too old. Nothing else about the session is. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE + 1 });
  return work().finally(() => vi.useRealTimers());
}

async function addPasskey(token: string, to = service) {
  const call = as(token, to);
  const { answer } = makePasskey((await call("POST", "/v1/me/passkeys/options")).json, "http://localhost", {});
  return (await call("POST", "/v1/me/passkeys", { passkey: answer })).json.id as string;
}

const readWith = async (token: string, to = service) => (await as(token, to)("GET", "/v1/customers")).status;

/** All that gives access: a key, a token of it, a key that this key made, a passkey, a webhook, a webhook of the key, another session. */
async function gather(person: { token: string; email: string }, to = service) {
  const call = as(person.token, to);
  const key = (await call("POST", "/v1/keys", { scope: "admin", name: "Nightly", expiresAt: null })).json;
  const child = (await as(key.key, to)("POST", "/v1/keys", { scope: "admin", name: "Child", expiresAt: null })).json;
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: key.id, client_secret: key.key.split(".")[1] ?? "" });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const { json: exchanged } = await to.raw("POST", "/v1/oauth/token", type, form.toString());
  const passkeyId = await addPasskey(person.token, to);
  const webhook = (await call("POST", "/v1/webhooks", { url: NOWHERE })).json;
  const childWebhook = (await as(child.key, to)("POST", "/v1/webhooks", { url: NOWHERE })).json;
  const other = await signIn(person.email, PASSWORD, {}, to);
  const left = async () => ({
    key: await readWith(key.key, to),
    token: await readWith(exchanged.access_token, to),
    child: await readWith(child.key, to),
    passkeys: (await to.store.people.readUser(key.owner))?.passkeys,
    webhook: (await to.call("GET", `/v1/webhooks/${webhook.id}`)).json.enabled,
    childWebhook: (await to.call("GET", `/v1/webhooks/${childWebhook.id}`)).json.enabled,
    session: await readWith(other.token, to),
  });
  return { key, child, passkeyId, webhook, childWebhook, left };
}

const ALL = { key: 200, token: 200, child: 200, passkeys: 1, webhook: true, childWebhook: true, session: 200 };
const NOTHING = { key: 401, token: 401, child: 401, passkeys: 0, webhook: false, childWebhook: false, session: 401 };

describe("a proof of the last ten minutes", () => {
  test("is needed for all that lasts, by a session and not by a program, and for nothing that takes access away", async () => {
    const own = await openTestService();
    const admin = await newPerson("administrator", own);
    const call = as(admin.token, own);
    const person = await own.newPerson("viewer");
    const { json: role } = await own.call("POST", "/v1/roles", { name: "Own", scope: "read" });
    const { json: hook } = await own.call("POST", "/v1/webhooks", { url: NOWHERE });
    const passkeyId = await addPasskey(admin.token, own);
    await own.store.people.addAccessRequest(
      { id: "asks", email: "asks@example.org", name: "A", message: "", language: "en", askedAt: Date.now() },
      10,
      0,
    );
    const lasting: [string, string, unknown?][] = [
      ["POST", "/v1/keys", { scope: "read" }],
      ["POST", "/v1/me/passkeys/options"],
      ["DELETE", `/v1/me/passkeys/${passkeyId}`],
      ["POST", "/v1/webhooks", { url: NOWHERE }],
      ["PATCH", `/v1/webhooks/${hook.id}`, { url: `${NOWHERE}/2` }],
      ["PATCH", `/v1/webhooks/${hook.id}`, { operations: [] }],
      ["PATCH", `/v1/webhooks/${hook.id}`, { collections: [] }],
      ["PATCH", `/v1/webhooks/${hook.id}`, { cursor: "now" }],
      ["PATCH", `/v1/webhooks/${hook.id}`, { enabled: true }],
      ["POST", `/v1/webhooks/${hook.id}/secret`],
      ["POST", "/v1/roles", { name: "Wide", scope: "admin" }],
      ["PATCH", `/v1/roles/${role.id}`, { scope: "admin" }],
      ["POST", "/v1/users", { email: "new@example.org", name: "New", roles: ["administrator"] }],
      ["PATCH", `/v1/users/${person.id}`, { roles: ["administrator"] }],
      ["PATCH", `/v1/users/${person.id}`, { email: "thief@example.org" }],
      ["PATCH", `/v1/users/${person.id}`, { status: "active" }],
      ["POST", `/v1/users/${person.id}/links`],
      ["DELETE", `/v1/users/${person.id}/passkeys`],
      ["POST", "/v1/access-requests/asks/approve", { roles: ["viewer"] }],
      ["GET", "/v1/backup"],
    ];
    const harmless: [string, string, unknown?][] = [
      ["PATCH", `/v1/webhooks/${hook.id}`, { enabled: false }],
      ["PATCH", `/v1/roles/${role.id}`, { name: "Own 2" }],
      ["PATCH", `/v1/users/${person.id}`, { name: "Other" }],
      ["DELETE", `/v1/users/${person.id}/sessions`],
      ["PATCH", `/v1/users/${person.id}`, { status: "disabled" }],
      ["DELETE", "/v1/me/sessions"],
    ];
    const stateOf = async () => {
      const answers = await Promise.all(["users", "roles", "webhooks"].map((name) => own.call("GET", `/v1/${name}`)));
      return JSON.stringify(answers.map(({ json }) => json)).replaceAll(/"lastSeenAt":"[^"]*"/g, "");
    };
    const before = await stateOf();
    for (const [method, path, body] of lasting) {
      const refused = await later(() => call(method, path, body));
      expect([method, path, body, refused.status, refused.json?.code]).toEqual([method, path, body, 403, "PROOF_NEEDED"]);
    }
    expect(await stateOf()).toBe(before);
    for (const [method, path, body] of harmless) {
      const done = await later(() => call(method, path, body));
      expect([method, path, done.status < 300]).toEqual([method, path, true]);
    }
    await own.close();
  });

  test("is asked of every write of accounts, keys and webhooks, unless it is known to give nothing", async () => {
    const { json } = await service.raw("GET", "/v1/openapi.json");
    const tags = ["Access", "Webhooks", "People"];
    const writes = Object.entries<Record<string, { tags?: string[]; operationId: string; summary: string }>>(json.paths).flatMap(
      ([, methods]) =>
        Object.entries(methods).filter(([method, { tags: own = [] }]) => WRITES.includes(method) && own.some((tag) => tags.includes(tag))),
    );
    const unproved = writes.map(([, operation]) => operation).filter(({ summary }) => !/need(s)? a proof/i.test(summary));
    expect(unproved.map(({ operationId }) => operationId).sort()).toEqual([
      "decline_access_request",
      "delete_role",
      "delete_webhook",
      "end_user_sessions",
      "request_access",
      "revoke",
      "revoke_api_key",
      "send_webhook_delivery_again", // to an address that was proved
      "test_webhook",
      "token", // for whoever has a key
      "view_as_user", // it ends with the session, and reads no more than that
    ]);
  });

  test("given once lets the same request through", async () => {
    const { token } = await newPerson("viewer");
    const call = as(token);
    await later(async () => {
      expect((await call("POST", "/v1/keys", { scope: "read" })).json.code).toBe("PROOF_NEEDED");
      expect((await call("GET", "/v1/me/proof")).json).toEqual({ ways: ["password"] });
      expect((await call("POST", "/v1/me/proof", { password: PASSWORD })).status).toBe(204);
      expect((await call("POST", "/v1/keys", { scope: "read" })).status).toBe(201);
      expect((await call("POST", "/v1/keys", { scope: "read" })).status).toBe(201);
    });
  });
});

describe("with a new password ends all that gave access", () => {
  test("unless it is kept by its id", async () => {
    const person = await newPerson();
    const call = as(person.token);
    const { key, childWebhook, left } = await gather(person);
    expect(await left()).toEqual(ALL);
    const { access } = (await call("GET", "/v1/me/access")).json;
    const kinds = (access as { kind: string; name: string }[]).map(({ kind, name }) => (kind === "key" ? name : kind)).sort();
    expect(kinds).toEqual(["Child", "Nightly", "passkey", "session", "webhook", "webhook"]);
    const wrong = await call("PUT", "/v1/me/password", { current: OTHER, password: OTHER });
    expect([wrong.status, await left()]).toEqual([422, ALL]);
    const body = { current: PASSWORD, password: OTHER, keep: [key.id, childWebhook.id] };
    expect((await call("PUT", "/v1/me/password", body)).status).toBe(204);
    expect(await left()).toEqual({ ...NOTHING, key: 200, token: 200, childWebhook: true });
    expect(await readWith(person.token)).toBe(200);
    expect((await call("PUT", "/v1/me/password", { current: OTHER, password: PASSWORD })).status).toBe(204);
    expect(await left()).toEqual(NOTHING);
    expect((await call("GET", "/v1/me/access")).json.access).toEqual([]);
  });

  test("also by a link, which says what will end", async () => {
    const person = await newPerson();
    const { left, webhook } = await gather(person);
    const code = await newLinkFor(service, person.id);
    const open = (path: string, body: object) => as("")("POST", path, body, { authorization: "" });
    const shown = (await open("/v1/links/lookup", { code })).json;
    expect(shown.access).toHaveLength(7);
    const used = await open("/v1/links/use", { code, password: OTHER, keep: [webhook.id] });
    expect([used.status, await left()]).toEqual([201, { ...NOTHING, webhook: true }]);
    expect(await readWith(person.token)).toBe(401);
    expect(await readWith(used.json.access_token)).toBe(200);
  });

  test("but passkeys stay where they are compulsory, because the link alone must not let anybody in", async () => {
    const strict = await openTestService(undefined, { requirePasskey: true });
    const person = await newPerson("administrator", strict);
    await addPasskey(person.token, strict);
    const { left } = { left: async () => (await strict.store.people.readUser(person.id))?.passkeys };
    const code = await newLinkFor(strict, person.id);
    const used = await as("", strict)("POST", "/v1/links/use", { code, password: OTHER }, { authorization: "" });
    expect([used.status, await left()]).toEqual([201, 1]);
    const call = as(used.json.access_token, strict);
    expect((await call("GET", "/v1/customers")).json.code).toBe("PASSKEY_REQUIRED");
    expect((await call("POST", "/v1/me/passkeys/options")).json.code).toBe("PROOF_NEEDED");
    expect((await call("GET", "/v1/me/proof")).json.ways).toEqual(["passkey"]);
    await strict.close();
  });
});

describe("signing out everywhere", () => {
  test("ends all but this session and what is kept", async () => {
    const person = await newPerson();
    const { child, left } = await gather(person);
    const pending = await newLinkFor(service, person.id);
    expect((await as(person.token)("DELETE", `/v1/me/sessions?keep=${child.id}`)).status).toBe(204);
    expect(await left()).toEqual({ ...NOTHING, child: 200 });
    expect(await readWith(person.token)).toBe(200);
    expect((await as("")("POST", "/v1/links/lookup", { code: pending }, { authorization: "" })).status).toBe(404);
    expect((await as(person.token)("DELETE", "/v1/me/sessions?keep=a%20b")).status).toBe(400);
  });

  test("by an administrator ends this session, too", async () => {
    const person = await newPerson();
    const { key, left } = await gather(person);
    const { access } = (await service.call("GET", `/v1/users/${person.id}/access`)).json;
    expect(access.map(({ kind }: { kind: string }) => kind)).toContain("session");
    expect((await service.call("DELETE", `/v1/users/${person.id}/sessions?keep=${key.id}`)).status).toBe(204);
    expect(await left()).toEqual({ ...NOTHING, key: 200, token: 200 });
    expect(await readWith(person.token)).toBe(401);
  });

  test("leaves somebody their only way to sign in", async () => {
    const { id, token } = await service.newPerson("viewer"); // without a password
    await addPasskey(token);
    expect((await as(token)("DELETE", "/v1/me/sessions")).status).toBe(204);
    expect((await service.store.people.readUser(id))?.passkeys).toBe(1);
  });
});

test("with a passkey that is removed all else ends, but for other passkeys", async () => {
  const person = await newPerson();
  const { passkeyId, left } = await gather(person);
  await addPasskey(person.token);
  expect((await as(person.token)("DELETE", `/v1/me/passkeys/${passkeyId}`)).status).toBe(204);
  expect(await left()).toEqual({ ...NOTHING, passkeys: 1 });
  const again = await gather({ ...person });
  expect((await service.call("DELETE", `/v1/users/${person.id}/passkeys`)).status).toBe(204);
  expect(await again.left()).toEqual(NOTHING);
});

test("whoever is disabled has no keys and no webhooks when the account is enabled again, but for what was kept", async () => {
  const person = await newPerson();
  const { key, webhook, left } = await gather(person);
  const path = `/v1/users/${person.id}`;
  expect((await service.call("PATCH", path, { status: "disabled", keep: [key.id, webhook.id] })).status).toBe(200);
  expect(await left()).toEqual({ ...NOTHING, passkeys: 1, webhook: true });
  expect((await service.call("PATCH", path, { status: "disabled" })).status).toBe(200); // again: what was kept is kept
  expect((await service.call("PATCH", path, { status: "active" })).status).toBe(200);
  expect(await left()).toEqual({ ...NOTHING, passkeys: 1, webhook: true, key: 200, token: 200 });
});

describe("what ends and what is made at once", () => {
  test("leaves no key, passkey or webhook behind", async () => {
    const person = await newPerson();
    const call = as(person.token);
    const makers = await Promise.all(Array.from({ length: 3 }, () => signIn(person.email)));
    const maker = as(makers[0]?.token ?? ""); // the options of a passkey are for one session
    const { answer } = makePasskey((await maker("POST", "/v1/me/passkeys/options")).json, "http://localhost", {});
    const programs = (await call("POST", "/v1/keys", { scope: "admin" })).json;
    const [changed, ...made] = await Promise.all([
      call("PUT", "/v1/me/password", { current: PASSWORD, password: OTHER }),
      ...makers.flatMap(({ token }) => [
        as(token)("POST", "/v1/keys", { scope: "admin", expiresAt: null }),
        as(token)("POST", "/v1/webhooks", { url: NOWHERE }),
      ]),
      maker("POST", "/v1/me/passkeys", { passkey: answer }),
      as(programs.key)("POST", "/v1/keys", { scope: "admin", expiresAt: null }),
    ]);
    expect(changed.status).toBe(204);
    for (const { status } of made) expect([201, 401, 403]).toContain(status); // 403: the session ended before its proof was looked at
    expect((await call("GET", "/v1/me/access")).json.access).toEqual([]);
    const { json } = await service.call("GET", "/v1/keys");
    const living = json.keys.filter((key: { owner: string; revokedAt: string | null }) => key.owner === person.id && !key.revokedAt);
    expect(living).toEqual([]);
  });

  test("also when the request was let in before: a session that has ended makes nothing", async () => {
    const person = await newPerson();
    const { people, webhooks } = service.store;
    const [session] = await createSessions(people).list(person.id);
    const maker = { sessionId: session?.id, keyId: undefined };
    const unused = { roles: [], expiresAt: null, revokedAt: null, lastUsedAt: null, lastUsedFrom: null };
    const row = { name: "", userId: person.id, hash: Buffer.alloc(32), scope: "read", createdAt: 1, ...unused };
    expect(await service.store.addKey({ ...row, id: "while" }, maker, 50)).toBe("done");
    await people.endAllAccess(person.id, { ids: [], hasPasskeys: false }, Date.now());
    expect(await service.store.addKey({ ...row, id: "after" }, maker, 50)).toBe("ended");
    expect(await service.store.addKey({ ...row, id: "after" }, { sessionId: undefined, keyId: "while" }, 50)).toBe("ended");
    expect(await service.store.readKey("after")).toBeUndefined();
    const [hook] = await webhooks.listWebhooks();
    expect(hook && (await webhooks.addWebhook({ ...hook, id: "after" }, 1_000, maker))).toBe("ended");
  });
});

test("a key that a person's key makes is that person's, with no more rights than they have left", async () => {
  const person = await newPerson();
  const { json: key } = await as(person.token)("POST", "/v1/keys", { scope: "admin" });
  const { json: child } = await as(key.key)("POST", "/v1/keys", { scope: "admin" });
  expect(child.owner).toBe(person.id);
  await service.call("PATCH", `/v1/users/${person.id}`, { roles: ["viewer"] });
  expect((await as(child.key)("GET", "/v1/users")).status).toBe(403);
  const organisation = await service.call("POST", "/v1/keys", { scope: "read" });
  expect(organisation.json.owner).toBeNull();
});

describe("a notice", () => {
  const noticesOf = async (token: string) =>
    (await as(token)("GET", "/v1/me/notices")).json.notices.map(({ kind, name, source }: Record<string, string>) => [kind, name, source]);

  test("says what was made for whom, whoever did it, until it is dismissed", async () => {
    const person = await newPerson();
    const { key } = await gather(person);
    expect(await noticesOf(person.token)).toEqual(
      expect.arrayContaining([
        ["key", "Nightly", "127.0.0.1"],
        ["key", "Child", "127.0.0.1"],
        ["passkey", expect.stringMatching(/^Passkey/), "127.0.0.1"],
      ]),
    );
    await as(person.token)("PUT", "/v1/me/password", { current: PASSWORD, password: OTHER, keep: [key.id] });
    await service.call("PATCH", `/v1/users/${person.id}`, { email: `moved.${person.email}` });
    const { notices } = (await as(person.token)("GET", "/v1/me/notices")).json;
    expect(notices.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["address", "key", "key", "passkey", "password"]);
    expect(notices.find(({ kind }: { kind: string }) => kind === "address").name).toBe(person.email);
    const stranger = await newPerson("viewer");
    for (const { id } of notices) {
      expect((await as(stranger.token)("DELETE", `/v1/me/notices/${id}`)).status).toBe(404);
      expect((await as(person.token)("DELETE", `/v1/me/notices/${id}`)).status).toBe(204);
      expect((await as(person.token)("DELETE", `/v1/me/notices/${id}`)).status).toBe(404);
    }
    expect(await noticesOf(person.token)).toEqual([]);
  });

  test("says that a browser was not used before, once, and not of the first one", async () => {
    const person = await service.newPerson("viewer"); // whose session began in a browser of its own
    await createAccounts(service.store.people).redeemLink(await newLinkFor(service, person.id), {
      email: "",
      name: "",
      password: PASSWORD,
    });
    const [password] = await service.store.people.listNotices(person.id);
    expect(password?.kind).toBe("password");
    for (const { id } of await service.store.people.listNotices(person.id)) await service.store.people.dismissNotice(id, person.id);
    await signIn(person.email, PASSWORD, { browser: "b1" });
    await signIn(person.email, PASSWORD, { browser: "b1" });
    const { token } = await signIn(person.email, PASSWORD, { browser: "b1" });
    expect((await noticesOf(token)).map(([kind]: string[]) => kind)).toEqual(["device"]);
    await signIn(person.email, PASSWORD, { browser: "b2" });
    expect((await noticesOf(token)).map(([kind]: string[]) => kind)).toEqual(["device", "device"]);
    const other = await newPerson("viewer"); // the same browser is new for somebody else, whose first it is not
    await signIn(other.email, PASSWORD, { browser: "b1" });
    expect((await noticesOf(other.token)).map(([kind]: string[]) => kind)).toEqual(["device"]);
  });
});

test("a key shows from where it was used last, also by a token that is remembered", async () => {
  const { json: key } = await service.call("POST", "/v1/keys", { scope: "read" });
  expect([key.lastUsedAt, key.lastUsedFrom]).toEqual([null, null]);
  const seen = async () => (await service.call("GET", `/v1/keys/${key.id}`)).json.lastUsedFrom;
  const from = (remoteAddress: string) =>
    service.app.inject({ method: "GET", url: "/v1/customers", headers: { authorization: `Bearer ${key.key}` }, remoteAddress });
  for (const [address, shown] of [
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8::7", "2001:db8:0:0::/64"],
    ["::ffff:198.51.100.9", "198.51.100.9"],
  ] as const) {
    expect((await from(address)).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await seen()).toBe(shown), { timeout: 30_000 });
  }
});
