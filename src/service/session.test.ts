import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import { createSession, type SignedIn, type TabSession } from "./session.ts";
import { signInWithKey } from "./sign-in.ts";
import type { SharedToken } from "./tab-channel.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface ReceivedRequest {
  url: string;
  authorization: string | undefined;
}

/** A real server that issues the token "secret-token" and records its requests. */
async function serve(
  answer?: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    request.resume();
    received.push({ url: request.url ?? "", authorization: request.headers.authorization });
    if (request.url === "/v1/oauth/token") {
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"access_token":"secret-token"}');
    } else if (answer) answer(request, response);
    else response.writeHead(204).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const signIn = (session: TabSession, origin: string, key: string, storeForTab: boolean) =>
  signInWithKey(createClient({ baseUrl: `${origin}/v1`, session }), session, key, storeForTab);

/** A stand-in for sessionStorage. */
function storage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
}

test("a token is stored for the tab only on request, and signing out removes it", async () => {
  const { origin } = await serve();
  const tab = storage();
  const session = createSession(`${origin}/v1`, tab);
  await signIn(session, origin, "ink_a.b", false);
  expect([session.token(), [...tab.entries]]).toEqual(["secret-token", []]);
  await signIn(session, origin, "ink_a.b", true);
  expect([...tab.entries.values()]).toContain("secret-token");
  expect(createSession(`${origin}/v1`, tab).state()).toBe("signedIn");
  session.signOut();
  expect([session.token(), [...tab.entries.values()].includes("secret-token")]).toEqual([undefined, false]);
  expect(createSession(`${origin}/v1`, tab).state()).toBe("signedOut");
});

test("a token is revoked at the service, and an unreachable service is no error", async () => {
  const { origin, received } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await signIn(session, origin, "ink_a.b", false);
  await session.signOut()();
  expect(received.at(-1)).toEqual({ url: "/v1/oauth/revoke", authorization: "Bearer secret-token" });
  const unreachable = createSession("http://127.0.0.1:1/v1", storage());
  unreachable.begin({ token: "secret-token", owner: "a" }, false);
  await unreachable.signOut()();
});

test("signing out of a view leaves nothing with which the administrator's own session in this tab would go on", async () => {
  const { origin } = await serve();
  const tab = storage();
  tab.setItem("intake.refresh.own", "of the administrator");
  const session = createSession(`${origin}/v1`, tab);
  session.begin({ token: "of the view", owner: "view lena" }, true);
  await session.signOut()();
  expect([...tab.entries.values()]).not.toContain("of the administrator");
});

test("a page that is reloaded after a view has ended by itself comes in by the administrator's cookie", async () => {
  const { origin } = await serve((request, response) => {
    const reply = { access_token: "own", expires_in: 900, idle_seconds: 3_600, user: { id: "admin" } };
    const isRefresh = request.url === "/v1/sessions/refresh";
    response.writeHead(isRefresh ? 201 : 204, { "Content-Type": "application/json" }).end(isRefresh ? JSON.stringify(reply) : "");
  });
  const [tab, flags] = [storage(), [] as boolean[]];
  const tabs = { hasCookie: () => true, setCookie: (isThere: boolean) => void flags.push(isThere) };
  const viewing = createSession(`${origin}/v1`, tab, tabs);
  viewing.begin({ token: "of the view", owner: "view lena" }, true);
  viewing.expire();
  const reloaded = createSession(`${origin}/v1`, tab, tabs);
  await reloaded.restore();
  expect([reloaded.state(), reloaded.owner(), flags]).toEqual(["signedIn", "admin", []]);
});

test("a tab that finds the cookie of somebody else says to no other tab that it is gone", async () => {
  const { origin } = await serve((_, response) => {
    const reply = { access_token: "of the other", expires_in: 900, idle_seconds: 3_600, user: { id: "other" } };
    response.writeHead(201, { "Content-Type": "application/json" }).end(JSON.stringify(reply));
  });
  const flags: boolean[] = [];
  const session = createSession(`${origin}/v1`, storage(), { setCookie: (isThere) => void flags.push(isThere) });
  session.begin({ token: "old", owner: "one", refreshToken: "" }, false);
  const expired = new Promise<void>((resolve) => session.subscribe(() => session.state() === "expired" && resolve()));
  void session.renew("old");
  await expired;
  expect([session.token(), flags]).toEqual(["old", [true]]);
});

test("key and token are never part of an address", async () => {
  const { origin, received } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await signIn(session, origin, "ink_a.a-secret-key", true);
  await createClient({ baseUrl: `${origin}/v1`, session }).request("GET", "/customers", { query: { q: "a" } });
  expect(received).toEqual([
    { url: "/v1/oauth/token", authorization: undefined },
    { url: "/v1/customers?q=a", authorization: "Bearer secret-token" },
  ]);
});

test("a redirect to another origin gets nothing", async () => {
  const other = await serve();
  const { origin } = await serve((_, response) => response.writeHead(307, { Location: `${other.origin}/v1/customers` }).end());
  const session = createSession(`${origin}/v1`, storage());
  await signIn(session, origin, "ink_a.b", false);
  const client = createClient({ baseUrl: `${origin}/v1`, session });
  await expect(client.request("GET", "/customers")).rejects.toMatchObject({ status: 307 });
  expect(other.received).toEqual([]);
});

const AHEAD = Date.UTC(2400, 0);

test("a stored token is ignored after a sign-out in another tab", async () => {
  const { origin } = await serve();
  const tab = storage();
  const before = { signedOutAt: () => AHEAD }; // on a clock that was ahead
  await signIn(createSession(`${origin}/v1`, tab, before), origin, "ink_a.b", true);
  expect(createSession(`${origin}/v1`, tab, before).state()).toBe("signedIn");
  const slept = createSession(`${origin}/v1`, tab, { signedOutAt: () => AHEAD + 1 });
  expect([slept.state(), slept.token(), [...tab.entries.values()].includes("secret-token")]).toEqual(["signedOut", undefined, false]);
});

test("a 401 after the user signed out does not restore the session", async () => {
  const { origin } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await signIn(session, origin, "ink_a.b", false);
  const token = session.token();
  session.signOut();
  void session.renew(token);
  expect(session.state()).toBe("signedOut");
});

test("a stored token is not used for another service", async () => {
  const { origin } = await serve();
  const other = await serve();
  const tab = storage();
  await signIn(createSession(`${origin}/v1`, tab), origin, "ink_a.b", true);
  expect(createSession(`${other.origin}/v1`, tab).token()).toBeUndefined();
  expect(createSession(`${origin}/v1`, tab).token()).toBe("secret-token");
});

/** Answers refreshes with tokens "access-1", "access-2", …, and everything else only to the newest of them. */
async function servePerson(isEnded = () => false) {
  let count = 0;
  const served = await serve((request, response) => {
    const json = { "Content-Type": "application/json" };
    if (request.url === "/v1/sessions/refresh") {
      if (isEnded()) return response.writeHead(401, json).end('{"code":"SESSION_ENDED"}');
      const reply = { access_token: `access-${++count}`, expires_in: 900, refresh_token: `refresh-${count}`, user: { id: "u1" } };
      return response.writeHead(201, json).end(JSON.stringify(reply));
    }
    response.writeHead(request.headers.authorization === `Bearer access-${count}` ? 204 : 401).end();
  });
  return { ...served, refreshes: () => served.received.filter(({ url }) => url === "/v1/sessions/refresh").length };
}

const PERSON = { token: "access-0", owner: "u1", refreshToken: "refresh-0", expiresIn: 900 };

test("all requests that meet the end of a person's token share one refresh, and none needs the person", async () => {
  const { origin, refreshes } = await servePerson();
  const session = createSession(`${origin}/v1`, storage());
  session.begin({ ...PERSON, token: "ended" }, false);
  const client = createClient({ baseUrl: `${origin}/v1`, session });
  await Promise.all(["/a", "/b", "/c"].map((path) => client.request("GET", path)));
  expect([refreshes(), session.token(), session.state()]).toEqual([1, "access-1", "signedIn"]);
});

test("a person who stays signed in for the tab is signed in again after a reload, with the newest refresh token", async () => {
  const { origin } = await servePerson();
  const tab = storage();
  createSession(`${origin}/v1`, tab).begin(PERSON, true);
  expect([...tab.entries.values()]).not.toContain("access-0");
  const reloaded = createSession(`${origin}/v1`, tab);
  expect(reloaded.state()).toBe("signedOut");
  await reloaded.restore();
  expect([reloaded.state(), reloaded.owner(), tab.entries.get("intake.refresh")]).toEqual(["signedIn", "u1", "refresh-1"]);
  await reloaded.signOut()();
  expect(tab.entries.has("intake.refresh")).toBe(false);
});

test("a session that has ended asks for a sign-in, and the requests that waited go on after it", async () => {
  let isEnded = true;
  const { origin } = await servePerson(() => isEnded);
  const session = createSession(`${origin}/v1`, storage());
  session.begin({ ...PERSON, token: "ended" }, false);
  const client = createClient({ baseUrl: `${origin}/v1`, session });
  const request = client.request("GET", "/a");
  await new Promise<void>((resolve) => session.subscribe(() => session.state() === "expired" && resolve()));
  isEnded = false;
  session.begin({ ...PERSON, token: "ended too" }, false);
  await expect(request).rejects.toMatchObject({ status: 401 }); // sent once more, and no further
  await client.request("GET", "/a");
  expect(session.state()).toBe("signedIn");
});

/** Tabs of one browser, which share a cookie. */
function tabsOfOneBrowser(): () => NonNullable<Parameters<typeof createSession>[2]> {
  const hear: ((token: SharedToken) => void)[] = [];
  return () => {
    const own = hear.length;
    return {
      onToken: (listener) => void hear.push(listener),
      postToken: (token) => {
        for (const [i, listener] of hear.entries()) if (i !== own) listener(token);
      },
    };
  };
}

test("after one sign-in the other tabs of the same person go on, and nobody else's", async () => {
  const { origin } = await servePerson(() => true);
  const channel = tabsOfOneBrowser();
  const open = (given: SignedIn) => {
    const session = createSession(`${origin}/v1`, storage(), channel());
    session.begin(given, false);
    return session;
  };
  const person = { ...PERSON, token: "ended", refreshToken: "" };
  const [here, waiting, left] = [open(person), open(person), open(person)];
  const other = open({ token: "k", owner: "key" });
  await left.signOut()();
  const request = createClient({ baseUrl: `${origin}/v1`, session: waiting }).request("GET", "/a");
  await new Promise<void>((resolve) => waiting.subscribe(() => waiting.state() === "expired" && resolve()));
  here.begin({ ...person, token: "new" }, false);
  await expect(request).rejects.toMatchObject({ status: 401 }); // sent once more, with the new token
  expect([waiting, left].map((session) => [session.state(), session.token()])).toEqual([
    ["signedIn", "new"],
    ["signedIn", "new"],
  ]);
  expect(other.token()).toBe("k");
  await left.signOut()();
  channel().postToken?.({ token: "renewed", owner: person.owner, expiresIn: 900 }); // by a tab that has not heard of it yet
  expect([left.state(), left.token(), here.token()]).toEqual(["signedOut", undefined, "renewed"]);
});

test("a token that ends within a minute is old, unless it is an API key's", async () => {
  const session = createSession("http://127.0.0.1:1/v1", storage());
  session.begin({ ...PERSON, expiresIn: 30 }, false);
  expect(session.isOld()).toBe(true);
  session.begin(PERSON, false);
  expect(session.isOld()).toBe(false);
  session.begin({ token: "t", owner: "key" }, false);
  expect(session.isOld()).toBe(false);
});

test("a refresh without an answer leaves the person signed in, and the request fails like any other", async () => {
  const session = createSession("http://127.0.0.1:1/v1", storage());
  session.begin(PERSON, false);
  await expect(session.renew("access-0")).rejects.toMatchObject({ name: "NoReply" });
  expect(session.state()).toBe("signedIn");
});

/** A session that has ended while two requests wait, and what a page of the app does with it. */
async function endedSession(isSessionOver: () => boolean) {
  const { origin, received } = await servePerson(isSessionOver);
  const tab = storage();
  const page = { starts: 0, startOver: () => void page.starts++ };
  const session = createSession(`${origin}/v1`, tab, {}, page);
  session.begin({ ...PERSON, token: "ended" }, false);
  const client = createClient({ baseUrl: `${origin}/v1`, session });
  const settled: string[] = [];
  const request = (method: string, path: string) =>
    void client.request(method, path, method === "POST" ? { body: {} } : {}).finally(() => settled.push(path));
  request("GET", "/a");
  request("POST", "/b");
  await new Promise<void>((resolve) => session.subscribe(() => session.state() === "expired" && resolve()));
  return { origin, received, tab, page, session, settled };
}

test("when somebody else signs in the app starts over and signs in there: nothing of the page goes on under their name", async () => {
  let isEnded = true;
  const { origin, received, tab, page, session, settled } = await endedSession(() => isEnded);
  isEnded = false;
  const before = received.length;
  session.begin({ ...PERSON, owner: "u1b", token: "access-0", refreshToken: "refresh-of-other" }, false);
  expect([page.starts, session.state(), session.owner(), session.token()]).toEqual([1, "expired", "u1", "ended"]);
  expect([settled, received.length]).toEqual([[], before]);
  const next = createSession(`${origin}/v1`, tab);
  expect([...tab.entries.values()]).not.toContain("refresh-of-other"); // it is there for one page alone
  expect([next.state(), next.owner()]).toEqual(["signedOut", "u1b"]);
  const key = createSession(`${origin}/v1`, storage());
  key.begin({ token: "first", owner: "key-1" }, false);
});

test("also after a sign-out, and with the token of an API key", async () => {
  const { origin } = await serve();
  const tab = storage();
  let starts = 0;
  const session = createSession(`${origin}/v1`, tab, {}, { startOver: () => void starts++ });
  await signIn(session, origin, "ink_a.b", false);
  await session.signOut()();
  await signIn(session, origin, "ink_c.d", false);
  expect([starts, session.state()]).toEqual([1, "signedOut"]);
  const next = createSession(`${origin}/v1`, tab);
  expect([next.state(), next.owner(), next.token()]).toEqual(["signedIn", "c", "secret-token"]);
  expect(createSession(`${origin}/v1`, tab).state()).toBe("signedOut");
});

test("somebody else's sign-in in another tab ends what this one shows, where both have one cookie", async () => {
  const { origin } = await servePerson();
  const channel = tabsOfOneBrowser();
  const open = (given: SignedIn, owner: string) => {
    const session = createSession(`${origin}/v1`, storage(), channel());
    session.begin({ ...given, owner }, false);
    return session;
  };
  const cookie = { ...PERSON, refreshToken: "" };
  const [annas, key] = [open(cookie, "anna"), open({ token: "k", owner: "" }, "key")];
  open(cookie, "ben");
  expect([annas.state(), annas.owner(), key.state()]).toEqual(["expired", "anna", "signedIn"]);
});
