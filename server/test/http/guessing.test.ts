// Guessing of every secret, many at once: no more are compared than the limit promises, and a right one is not used up.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { StoreUnavailable } from "../../engine/store.ts";
import { createAccounts } from "../../people/auth/accounts.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { makePasskey, signWithPasskey } from "../../testing/authenticator.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

const PASSWORD = "gorse lantern 47 quay";
const OTHER = "maple thunder 92 fjord";
const ORIGIN = "http://localhost";
const JSON_BODY = { "content-type": "application/json" };

let service: TestService;
const lines: string[] = [];
beforeAll(async () => {
  // `inject` comes from 127.0.0.1, so each test has a source of its own in X-Forwarded-For.
  service = await openTestService(undefined, {
    trustedProxies: ["127.0.0.1"],
    logLevel: "warn",
    logTo: { write: (line) => lines.push(line) },
  });
});
afterAll(() => service.close());

let sources = 0;
const newSource = () => `198.51.100.${++sources}`;

function from(source: string, token?: string) {
  const headers = { ...JSON_BODY, origin: ORIGIN, "x-forwarded-for": source, ...(token && { authorization: `Bearer ${token}` }) };
  return (path: string, body: unknown, method = "POST") => service.raw(method, path, headers, JSON.stringify(body));
}

async function newPerson() {
  const person = await service.newPerson("editor");
  const accounts = createAccounts(service.store.people);
  const user = await service.store.people.readUser(person.id);
  if (!user) throw new Error("no person");
  await accounts.redeemLink((await accounts.renewLink(user)).code, { email: "", name: "", password: PASSWORD });
  const { json } = await from(newSource())("/v1/sessions", { email: person.email, password: PASSWORD });
  return { ...person, token: json.access_token as string, refreshToken: json.refresh_token as string };
}

/** Counts how many answers there are of each status. */
async function atOnce(count: number, send: (i: number) => Promise<Reply>): Promise<Record<number, number>> {
  const responses = await Promise.all(Array.from({ length: count }, (_, i) => send(i)));
  const statuses: Record<number, number> = {};
  for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}

const code = () => randomBytes(32).toString("base64url");

describe("of three hundred attempts at once", () => {
  test("ten wrong passwords of one person are compared", async () => {
    const { email } = await newPerson();
    const source = newSource();
    const signIn = (password: string, at = source) => from(at)("/v1/sessions", { email, password });
    expect(await atOnce(300, () => signIn(OTHER))).toEqual({ 401: 10, 429: 290 });
    expect((await signIn(PASSWORD)).status).toBe(429);
    expect((await signIn(PASSWORD, newSource())).status).toBe(201);
  });

  test("a hundred wrong passwords of whomever are compared from one source", async () => {
    const { email } = await newPerson();
    const source = newSource();
    const signIn = (i: number) => from(source)("/v1/sessions", { email: `nobody${i}@example.org`, password: OTHER });
    expect(await atOnce(300, signIn)).toEqual({ 401: 100, 429: 200 });
    expect((await from(source)("/v1/sessions", { email, password: PASSWORD })).status).toBe(429);
  });

  test("ten wrong passwords are compared as a proof, from wherever they come", async () => {
    const { token } = await newPerson();
    const prove = (i: number) => from(`203.0.113.${i % 250}`, token)("/v1/me/proof", { password: OTHER });
    expect(await atOnce(300, prove)).toEqual({ 422: 10, 429: 290 });
  });

  test("ten wrong passwords are compared before a change of the password, which the log tells", async () => {
    const { id, token } = await newPerson();
    const call = from(newSource(), token);
    const before = lines.length;
    expect(await atOnce(300, () => call("/v1/me/password", { current: OTHER, password: OTHER }, "PUT"))).toEqual({ 422: 10, 429: 290 });
    expect((await call("/v1/me/proof", { password: PASSWORD })).status).toBe(429); // it would be another way to guess
    const events = lines.slice(before).map((line) => JSON.parse(line));
    expect(events.map(({ event, by }) => `${event} ${by}`)).toEqual(Array(10).fill(`password change refused user ${id}`));
  });

  test("ten answers of one passkey are compared", async () => {
    const { token } = await newPerson();
    const call = from(newSource(), token);
    const { json: creation } = await call("/v1/me/passkeys/options", undefined);
    const { passkey, answer } = makePasskey(creation, ORIGIN);
    expect((await call("/v1/me/passkeys", { passkey: answer })).status).toBe(201);
    const source = newSource();
    const { json: options } = await from(source)("/v1/sessions/passkey-options", undefined);
    const wrong = signWithPasskey(passkey, options, ORIGIN, { userHandle: "AAAA" });
    expect(await atOnce(300, () => from(source)("/v1/sessions", { passkey: wrong }))).toEqual({ 401: 10, 429: 290 });
    const right = signWithPasskey(passkey, options, ORIGIN);
    expect((await from(newSource())("/v1/sessions", { passkey: right })).status).toBe(201);
  });

  test.each([
    ["links that are looked up", "/v1/links/lookup", () => ({ code: code() }), 404],
    ["links that are used", "/v1/links/use", () => ({ code: code(), password: PASSWORD }), 404],
    ["codes of the organisation's sign-in", "/v1/sessions", () => ({ code: code(), code_verifier: code() }), 401],
  ])("a hundred wrong %s are compared from one source", async (_, path, body, refused) => {
    const source = newSource();
    expect(await atOnce(300, () => from(source)(path, body()))).toEqual({ [refused]: 100, 429: 200 });
  });

  test("a hundred wrong refresh tokens are answered and logged, and a right one gets in all the same", async () => {
    const { refreshToken } = await newPerson();
    const source = newSource();
    const refresh = (token: string) => from(source)("/v1/sessions/refresh", { refresh_token: token });
    const before = lines.length;
    expect(await atOnce(300, () => refresh(`inr_${randomBytes(8).toString("hex")}.${code()}`))).toEqual({ 401: 100, 429: 200 });
    expect(lines.slice(before).map((line) => JSON.parse(line).event)).toEqual(Array(100).fill("session refused"));
    expect((await refresh(refreshToken)).status).toBe(201);
  });

  test("ten wrong secrets of an API key are answered, and the right one gets in all the same", async () => {
    const key = await createKeys(service.store).create("read");
    const [id = "", secret = ""] = key.slice("ink_".length).split(/\.(.*)/s);
    const source = newSource();
    const exchange = (client_secret: string) => {
      const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret });
      const headers = { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": source };
      return service.raw("POST", "/v1/oauth/token", headers, form.toString());
    };
    expect(await atOnce(300, () => exchange(code()))).toEqual({ 401: 10, 429: 290 });
    expect((await exchange(secret)).status).toBe(200);
    const read = (own: string) =>
      service.raw("GET", "/v1/customers", { "x-forwarded-for": source, authorization: `Bearer ink_${id}.${own}` });
    expect(await atOnce(300, () => read(code()))).toEqual({ 401: 10, 429: 290 });
    expect((await read(secret)).status).toBe(200);
  });
});

describe("a right secret is not counted", () => {
  test("thirty times in a row, nor ten times at once", async () => {
    const { email } = await newPerson();
    const signIn = from(newSource());
    for (let i = 0; i < 30; i++) expect((await signIn("/v1/sessions", { email, password: PASSWORD })).status).toBe(201);
    expect(await atOnce(10, () => signIn("/v1/sessions", { email, password: PASSWORD }))).toEqual({ 201: 10 });
    expect(await atOnce(20, () => signIn("/v1/sessions", { email, password: OTHER }))).toEqual({ 401: 10, 429: 10 });
  });

  test("as a proof, before a change of the password, or while the new one is refused", async () => {
    const { token } = await newPerson();
    const call = from(newSource(), token);
    for (let i = 0; i < 11; i++) {
      expect((await call("/v1/me/proof", { password: PASSWORD })).status).toBe(204);
      expect((await call("/v1/me/password", { current: PASSWORD, password: "short" }, "PUT")).json.errors[0].code).toBe(
        "PASSWORD_TOO_SHORT",
      );
    }
    expect((await call("/v1/me/password", { current: PASSWORD, password: OTHER }, "PUT")).status).toBe(204);
  });

  test("as a link that is looked up again and again", async () => {
    const { email } = await newPerson();
    const accounts = createAccounts(service.store.people);
    const user = await service.store.people.readUserByEmail(email);
    if (!user) throw new Error("no person");
    const link = await accounts.renewLink(user);
    const call = from(newSource());
    const statuses = [];
    for (let i = 0; i < 110; i++) statuses.push((await call("/v1/links/lookup", { code: link.code })).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await call("/v1/links/use", { code: link.code, password: OTHER })).status).toBe(201);
  });

  test("and neither is an attempt in which nothing could be compared", async () => {
    const { email } = await newPerson();
    const signIn = from(newSource());
    const outage = vi.spyOn(service.store.people, "readUserByEmail").mockRejectedValue(new StoreUnavailable("down"));
    for (let i = 0; i < 20; i++) expect((await signIn("/v1/sessions", { email, password: PASSWORD })).status).toBe(503);
    outage.mockRestore();
    expect(await atOnce(20, () => signIn("/v1/sessions", { email, password: OTHER }))).toEqual({ 401: 10, 429: 10 });
  });

  test("an eleventh right attempt at once is told to come back in a second, not in a minute", async () => {
    const { email } = await newPerson();
    const signIn = from(newSource());
    const responses = await Promise.all(Array.from({ length: 11 }, () => signIn("/v1/sessions", { email, password: PASSWORD })));
    const late = responses.filter(({ status }) => status === 429);
    expect(late.map(({ headers }) => headers["retry-after"])).toEqual(["1"]);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
  });
});

describe("a source", () => {
  test("is the same whatever port the proxy writes beside its address", async () => {
    const source = newSource();
    const body = (i: number) => ({ email: `nobody${i}@example.org`, password: OTHER });
    expect(await atOnce(150, (i) => from(`${source}:${40_000 + i}`)("/v1/sessions", body(i)))).toEqual({ 401: 100, 429: 50 });
    const v6 = (i: number) => `[2001:db8:7::${i + 1}]:${40_000 + i}`;
    expect(await atOnce(150, (i) => from(v6(i))("/v1/links/lookup", { code: code() }))).toEqual({ 404: 100, 429: 50 });
  });

  test("that is behind two trusted proxies is found, though the inner one is written with a port", async () => {
    const inner = "127.0.0.1:4711"; // is in trustedProxies
    const lookUp = (i: number) => from(`203.0.114.${i}, ${inner}`)("/v1/links/lookup", { code: code() });
    expect(await atOnce(150, lookUp)).toEqual({ 404: 150 });
  });

  test("of forty that sign in wrongly eight times at once makes nobody else wait for more than their first attempts", async () => {
    const { email } = await newPerson();
    const ended: string[] = [];
    const wrong = Array.from({ length: 320 }, async (_, i) => {
      const reply = await from(`203.0.115.${i % 40}`)("/v1/sessions", { email: `nobody${i}@example.org`, password: OTHER });
      ended.push(`wrong ${reply.status}`);
    });
    const right = from(newSource())("/v1/sessions", { email, password: PASSWORD }).then(({ status }) => ended.push(`right ${status}`));
    await Promise.all([...wrong, right]);
    const before = ended.slice(0, ended.indexOf("right 201"));
    expect(before.filter((one) => one === "wrong 401").length).toBeLessThan(80);
    expect(ended.filter((one) => one === "wrong 401").length).toBeGreaterThan(80);
  });
});
