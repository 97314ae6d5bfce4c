import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../client/http-client.ts";
import { createSession } from "./session.ts";

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
  await session.signIn("ink_a.b", false);
  expect([session.token(), [...tab.entries]]).toEqual(["secret-token", []]);
  await session.signIn("ink_a.b", true);
  expect([...tab.entries.values()]).toContain("secret-token");
  expect(createSession(`${origin}/v1`, tab).state()).toBe("signedIn");
  session.signOut();
  expect([session.token(), [...tab.entries.values()].includes("secret-token")]).toEqual([undefined, false]);
  expect(createSession(`${origin}/v1`, tab).state()).toBe("signedOut");
});

test("a token is revoked at the service, and an unreachable service is no error", async () => {
  const { origin, received } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await session.revoke("secret-token");
  expect(received).toEqual([{ url: "/v1/oauth/revoke", authorization: "Bearer secret-token" }]);
  await createSession("http://127.0.0.1:1/v1", storage()).revoke("secret-token");
});

test("key and token are never part of an address", async () => {
  const { origin, received } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await session.signIn("ink_a.a-secret-key", true);
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
  await session.signIn("ink_a.b", false);
  const client = createClient({ baseUrl: `${origin}/v1`, session });
  await expect(client.request("GET", "/customers")).rejects.toMatchObject({ status: 307 });
  expect(other.received).toEqual([]);
});

test("a stored token is ignored after a sign-out in another tab", async () => {
  const { origin } = await serve();
  const tab = storage();
  await createSession(`${origin}/v1`, tab).signIn("ink_a.b", true);
  expect(createSession(`${origin}/v1`, tab, Date.now() - 60_000).state()).toBe("signedIn");
  const slept = createSession(`${origin}/v1`, tab, Date.now() + 60_000);
  expect([slept.state(), slept.token(), [...tab.entries.values()].includes("secret-token")]).toEqual(["signedOut", undefined, false]);
});

test("a 401 after the user signed out does not restore the session", async () => {
  const { origin } = await serve();
  const session = createSession(`${origin}/v1`, storage());
  await session.signIn("ink_a.b", false);
  const token = session.token();
  session.signOut();
  void session.renew(token);
  expect(session.state()).toBe("signedOut");
});

test("a stored token is not used for another service", async () => {
  const { origin } = await serve();
  const other = await serve();
  const tab = storage();
  await createSession(`${origin}/v1`, tab).signIn("ink_a.b", true);
  expect(createSession(`${other.origin}/v1`, tab).token()).toBeUndefined();
  expect(createSession(`${origin}/v1`, tab).token()).toBe("secret-token");
});
