// People sign in to apps of others over the client package: by password, and with the organisation's own sign-in.

import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../client/http-client.ts";
import { createPersonSession, type PersonSession } from "../client/person-session.ts";
import { reactAdminAuth, refineAuth } from "../client/providers/auth.ts";
import { reactAdminProvider } from "../client/providers/react-admin.ts";
import { refineProvider } from "../client/providers/refine.ts";
import { openTestProvider, type TestProvider } from "../server/testing/servers/oidc-provider.ts";
import { ORDERS, openTestService, type TestService } from "../server/testing/service.ts";

const PASSWORD = "a long one of the tests";
const APP = "http://app.example";
let service: TestService;
let provider: TestProvider;
let baseUrl: string;
beforeAll(async () => {
  const port = await freePort();
  provider = await openTestProvider({ redirectUris: [`http://127.0.0.1:${port}/v1/oidc/callback`] });
  service = await openTestService(ORDERS, { corsOrigins: [APP], oidc: provider.settings() });
  await service.app.listen({ port, host: "127.0.0.1" });
  baseUrl = `http://127.0.0.1:${port}/v1`;
});
afterAll(async () => {
  await service.close();
  await provider.close();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

let last = 0;
async function invite(role: string): Promise<string> {
  const email = `user${++last}@example.org`;
  const { json } = await service.call("POST", "/v1/users", { email, name: `User ${last}`, roles: [role] });
  const code = new URL(json.link.url, APP).hash.replace(/^#(code=)?/, "");
  const headers = { "content-type": "application/json" };
  const used = await service.raw("POST", "/v1/links/use", headers, JSON.stringify({ code, password: PASSWORD }));
  expect(used.status).toBe(201);
  return email;
}

/** Opens a balancer before the service. While it has a status of its own, it answers that to everybody. */
async function openBalancer() {
  const balancer = { url: "", status: 0, close: () => new Promise((resolve) => server.close(resolve)) };
  const server = createHttpServer(async (from, to) => {
    let body = "";
    for await (const part of from) body += part;
    if (balancer.status > 0) return void to.writeHead(balancer.status, { location: "/moved", connection: "close" }).end();
    const { authorization = "" } = from.headers;
    const reply = await service.raw(from.method ?? "", from.url ?? "", { authorization, "content-type": "application/json" }, body);
    to.writeHead(reply.status, { "content-type": "application/json", connection: "close" }).end(reply.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  balancer.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  return balancer;
}

/** Returns what a tab keeps. */
function storageOf(entries = new Map<string, string>()) {
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => void entries.set(name, text),
    removeItem: (name: string) => void entries.delete(name),
  };
}

describe("a person's session", () => {
  let email: string;
  beforeEach(async () => {
    email = await invite("editor");
  });

  test("signs in, renews its token once for all requests that wait, and ends at the service", async () => {
    const session = createPersonSession(baseUrl);
    expect([await session.restore(), session.isSignedIn()]).toEqual([false, false]);
    await expect(session.signIn(email, "wrong")).rejects.toMatchObject({ status: 401, code: "WRONG_PASSWORD" });
    await session.signIn(email, PASSWORD);
    expect(await session.ways()).toMatchObject({ hasUsers: true, oidc: { name: "Acme" } });
    expect((await session.me()).email).toBe(email);
    const first = session.token();
    const renewed = await Promise.all([session.renew(first), session.renew(first), session.renew(first)]);
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(first);
    const client = createClient({ baseUrl, session });
    const lists = [1, 2, 3].map(() => client.request("GET", "/customers"));
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const token = session.token();
    await session.signOut();
    expect((await service.raw("GET", "/v1/me", { authorization: `Bearer ${token}` })).status).toBe(401);
    await expect(client.request("GET", "/customers")).rejects.toMatchObject({ status: 401 });
    await session.signOut();
  });

  test("without a storage ends with the page; with one a reload goes on, and signing out leaves nothing", async () => {
    const tab = storageOf();
    await createPersonSession(baseUrl).signIn(email, PASSWORD);
    expect(await createPersonSession(baseUrl).restore()).toBe(false);
    await createPersonSession(baseUrl, { storage: tab }).signIn(email, PASSWORD);
    for (let n = 0; n < 2; n++) {
      const session = createPersonSession(baseUrl, { storage: tab });
      expect(await Promise.all([session.restore(), session.restore()])).toEqual([true, true]);
      expect((await session.me()).email).toBe(email);
      if (n === 1) await session.signOut();
    }
    expect([...tab.entries.keys()]).toEqual([]);
    expect(await createPersonSession(baseUrl, { storage: tab }).restore()).toBe(false);
  });

  test("outlasts a service that does not answer for it when the page is loaded, and ends when that says so", async () => {
    const balancer = await openBalancer();
    const tab = storageOf();
    await createPersonSession(balancer.url, { storage: tab }).signIn(email, PASSWORD);
    const session = createPersonSession(balancer.url, { storage: tab });
    for (const status of [503, 502, 404, 429, 302]) {
      balancer.status = status;
      await expect(session.restore()).rejects.toMatchObject({ status });
      expect(tab.entries.size, String(status)).toBe(1);
    }
    balancer.status = 0;
    expect(await session.restore()).toBe(true);
    expect((await session.me()).email).toBe(email);
    await service.call("PATCH", `/v1/users/${(await session.me()).principal.id}`, { status: "disabled" });
    expect([await createPersonSession(balancer.url, { storage: tab }).restore(), tab.entries.size]).toEqual([false, 0]);
    await balancer.close();
  });

  test("knows what the person may do anew with each sign-in", async () => {
    const session = createPersonSession(baseUrl);
    await session.signIn(email, PASSWORD);
    const { principal, scope } = await session.me();
    await service.call("PATCH", `/v1/users/${principal.id}`, { roles: ["viewer"] });
    await session.signIn(email, PASSWORD);
    expect([scope, (await session.me()).scope]).toEqual(["*:read *:create *:update *:delete", "*:read"]);
  });

  test("ends when an administrator disables the person", async () => {
    const session = createPersonSession(baseUrl);
    await session.signIn(email, PASSWORD);
    const { principal } = await session.me();
    await service.call("PATCH", `/v1/users/${principal.id}`, { status: "disabled" });
    await expect(createClient({ baseUrl, session }).request("GET", "/customers")).rejects.toMatchObject({ status: 401 });
    expect(session.isSignedIn()).toBe(false);
  });

  test("of somebody else is none of this page, whoever's next token the storage has", async () => {
    const other = await invite("viewer");
    const tab = storageOf();
    const mine = createPersonSession(baseUrl, { storage: tab });
    await mine.signIn(email, PASSWORD);
    await createPersonSession(baseUrl, { storage: tab }).signIn(other, PASSWORD);
    const reloaded = createPersonSession(baseUrl, { storage: tab });
    await reloaded.restore();
    expect([(await mine.me()).email, (await reloaded.me()).email]).toEqual([email, other]);
  });
});

describe("the organisation's own sign-in", () => {
  const settings = { href: `${APP}/orders?page=2`, hash: "" };
  let tab: ReturnType<typeof storageOf>;
  let left: string[];
  beforeEach(() => {
    [tab, left] = [storageOf(), []];
    vi.stubGlobal("sessionStorage", tab);
    openPage(settings.href);
    provider.persons.set("ann", { email: "ann@example.org", email_verified: true, name: "Ann", groups: ["staff"] });
  });
  function openPage(href: string): void {
    const { hash } = new URL(href);
    const place = { href, hash, origin: APP, assign: (url: string) => void left.push(url) };
    vi.stubGlobal("location", place);
    vi.stubGlobal("history", {
      state: null,
      replaceState: (_: null, __: string, to: string) => Object.assign(place, { href: to, hash: "" }),
    });
  }

  /** Does what a browser does from the service to the provider and back. Resolves with the address of the page that it ends at. */
  async function follow(address: string, who: string): Promise<string> {
    const cookies = new Map<string, string>();
    for (let next = address, i = 0; i < 12; i++) {
      if (next.startsWith(APP)) return next;
      const url = new URL(next, address);
      if (url.pathname.startsWith("/interaction/")) url.search = `who=${who}`;
      const reply = await fetch(url, { redirect: "manual", headers: { cookie: [...cookies].map((one) => one.join("=")).join("; ") } });
      for (const set of reply.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      next = new URL(reply.headers.get("location") ?? "", url).href;
    }
    throw new Error("too many redirects");
  }
  async function signIn(who: string): Promise<PersonSession> {
    await createPersonSession(baseUrl).leaveToSignIn();
    openPage(await follow(left.pop() ?? "", who));
    return createPersonSession(baseUrl);
  }

  test("comes back to the page that was left, signs in, and leaves nothing in its address", async () => {
    const session = await signIn("ann");
    expect(location.hash).toMatch(/^#code=/);
    expect(await Promise.all([session.restore(), session.restore()])).toEqual([true, true]);
    expect([location.href, [...tab.entries.keys()]]).toEqual([settings.href, []]);
    expect((await session.me()).email).toBe("ann@example.org");
  });

  test("says why it signed nobody in, once", async () => {
    provider.persons.set("bob", { email: "bob@example.org", email_verified: true, name: "Bob", groups: [] });
    const session = await signIn("bob");
    const message = "You have no access here. Ask an administrator.";
    await expect(session.restore()).rejects.toMatchObject({ status: 401, code: "no_access", message });
    expect([await session.restore(), location.hash]).toEqual([false, ""]);
  });

  test("that signed nobody in does not end the sign-in by password after it", async () => {
    provider.persons.set("bob", { email: "bob@example.org", email_verified: true, name: "Bob", groups: [] });
    const session = await signIn("bob");
    await expect(session.restore()).rejects.toMatchObject({ code: "no_access" });
    const email = await invite("viewer");
    await session.signIn(email, PASSWORD);
    expect([await session.restore(), (await session.me()).email]).toEqual([true, email]);
  });

  test("takes no code that this tab did not ask for", async () => {
    await createPersonSession(baseUrl).leaveToSignIn();
    const back = await follow(left.pop() ?? "", "ann");
    tab.entries.clear();
    openPage(back);
    expect([await createPersonSession(baseUrl).restore(), location.hash]).toEqual([false, new URL(back).hash]);
  });

  test("begins with the button of a framework's form", async () => {
    void refineAuth(createPersonSession(baseUrl)).login({ organisation: true });
    await vi.waitFor(() => expect(left).toHaveLength(1));
  });
});

describe("an auth provider", () => {
  let session: PersonSession;
  let email: string;
  beforeEach(async () => {
    session = createPersonSession(baseUrl);
    email = await invite("viewer");
  });

  test("of Refine leads to the sign-in page and back, names the person, and tells 403 from 401", async () => {
    const auth = refineAuth(session);
    const data = refineProvider(createClient({ baseUrl, session }));
    expect(await auth.check()).toEqual({ authenticated: false, logout: true, redirectTo: "/login" });
    expect(await auth.login({ email, password: "wrong" })).toMatchObject({ success: false, error: { name: "WRONG_PASSWORD" } });
    expect(await auth.login({ email, password: PASSWORD })).toEqual({ success: true, redirectTo: "/" });
    expect([await auth.check(), (await auth.getIdentity()).email]).toEqual([{ authenticated: true }, email]);
    expect(await auth.getPermissions()).toContain("read");
    const refused = await data.create({ resource: "customers", variables: { name: "New", accountNumber: "N-1" } }).catch((error) => error);
    expect([refused.statusCode, await auth.onError(refused)]).toEqual([403, {}]);
    expect(await auth.logout()).toEqual({ success: true, redirectTo: "/login" });
    const gone = await data.getList({ resource: "customers" }).catch((error) => error);
    expect(await auth.onError(gone)).toEqual({ logout: true, redirectTo: "/login" });
  });

  test("of react-admin does the same in its words", async () => {
    const auth = reactAdminAuth(session);
    const data = reactAdminProvider(createClient({ baseUrl, session }));
    await expect(auth.checkAuth()).rejects.toThrow();
    await expect(auth.login({ username: email, password: "wrong" })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    await auth.login({ username: email, password: PASSWORD });
    await auth.checkAuth();
    expect(await auth.getIdentity()).toMatchObject({ fullName: expect.stringMatching(/^User/), email });
    const may = ["list", "show", "edit", "create", "delete"].map((action) => auth.canAccess({ resource: "customers", action }));
    expect(await Promise.all(may)).toEqual([true, true, false, false, false]);
    const refused = await data.create("customers", { data: { name: "New", accountNumber: "N-1" } }).catch((error) => error);
    await auth.checkError(refused);
    await auth.logout();
    await expect(auth.checkError(await data.getList("customers", {}).catch((error) => error))).rejects.toMatchObject({ status: 401 });
  });
});
