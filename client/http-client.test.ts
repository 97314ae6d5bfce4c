import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSession } from "../src/service/session.ts";
import { signInWithKey } from "../src/service/sign-in.ts";
import { ApiError, NoReply } from "./errors.ts";
import { createClient, type Session } from "./http-client.ts";
import { exchangeKey } from "./token-exchange.ts";

let server: Server | undefined;

afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

/** A real server on a free port, which answers by `answer`. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<string> {
  const made = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    answer(request, response, body);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`;
}

const anyone: Session = { token: () => "t", renew: () => Promise.reject(new Error("not asked")) };

describe("an ApiError", () => {
  test("has the sentence of the service, its problems by field, and how long to wait", async () => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(422, { "Content-Type": "application/problem+json", "Retry-After": "12" });
      response.end(
        JSON.stringify({
          code: "VALIDATION",
          detail: "Two things are wrong.",
          errors: [
            { pointer: "/customers/3/lastName", code: "REQUIRED", detail: "Enter the last name." },
            { parameter: "sort", code: "BAD_PARAMETER", detail: "No such field." },
          ],
        }),
      );
    });
    const error = await createClient({ baseUrl, session: anyone })
      .request("GET", "/customers")
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: "VALIDATION",
      message: "Two things are wrong.",
      retryAfter: 12,
      problems: [{ field: "lastName", code: "REQUIRED", message: "Enter the last name." }],
    });
  });

  test("is thrown also when a proxy answers with a web page", async () => {
    const baseUrl = await serve((_, response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>"));
    await expect(createClient({ baseUrl, session: anyone }).request("GET", "/x")).rejects.toMatchObject({ name: "ApiError", status: 502 });
  });
});

test("a connection that breaks is no reply", async () => {
  const baseUrl = await serve((request) => request.socket.destroy());
  await expect(createClient({ baseUrl, session: anyone }).request("POST", "/x", { body: {} })).rejects.toBeInstanceOf(NoReply);
});

test("half a response is no reply either", async () => {
  const baseUrl = await serve((request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
    response.write('{"half":', () => request.socket.destroy());
  });
  await expect(createClient({ baseUrl, session: anyone }).request("GET", "/x")).rejects.toBeInstanceOf(NoReply);
});

test("an empty query parameter is sent, and a problem with a parameter has its name", async () => {
  const baseUrl = await serve((request, response) => {
    response.writeHead(400, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ detail: request.url, errors: [{ parameter: "age", code: "BAD_PARAMETER", detail: "No age." }] }));
  });
  const query = { age: "", q: undefined };
  const request = createClient({ baseUrl, session: anyone }).request("GET", "/x", { query });
  await expect(request).rejects.toMatchObject({ message: "/v1/x?age=", parameters: [{ name: "age", message: "No age." }], problems: [] });
});

test.each([301, 302, 303, 307, 308])(
  "a redirect (%d) is an error, and what was sent never arrives at the other address",
  async (status) => {
    const arrived: string[] = [];
    const elsewhere = createServer((request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"access_token":"theirs"}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    try {
      const baseUrl = await serve((request, response) =>
        response.writeHead(status, { Location: `http://localhost:${port}${request.url}` }).end(),
      );
      const client = createClient({ baseUrl, session: anyone });
      await expect(exchangeKey(client, "ink_id.secret")).rejects.toMatchObject({ name: "ApiError", status, code: "UNKNOWN" });
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "GET"]) {
        const request = client.request(method, "/customers/1", method === "GET" ? {} : { body: { lastName: "Smith" } });
        await expect(request).rejects.toMatchObject({ name: "ApiError", status });
      }
      await expect(client.download("/customers")).rejects.toMatchObject({ name: "ApiError", status });
      expect(arrived).toEqual([]);
    } finally {
      elsewhere.close();
    }
  },
);

describe("a download", () => {
  test("comes unchanged, after a new sign-in when the token has ended", async () => {
    const baseUrl = await serve((request, response) => {
      response.writeHead(request.headers.authorization === "Bearer new" ? 200 : 401).end("a,b\r\n");
    });
    const session = { token: () => "old", renew: () => Promise.resolve("new") };
    expect(await new Response(await createClient({ baseUrl, session }).download("/x")).text()).toBe("a,b\r\n");
  });

  test("that is refused has the reason, and one that breaks off does not end as if it were whole", async () => {
    const refused = await serve((_, response) =>
      response.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": "3" }).end('{"detail":"Not now."}'),
    );
    const client = createClient({ baseUrl: refused, session: anyone });
    await expect(client.download("/x")).rejects.toMatchObject({ message: "Not now.", retryAfter: 3 });
    server?.close();
    const broken = await serve((request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("half", () => request.socket.destroy());
    });
    const stream = await createClient({ baseUrl: broken, session: anyone }).download("/x");
    await expect(new Response(stream).text()).rejects.toThrow();
  });
});

test("an abort by the caller is an AbortError, not a missing reply", async () => {
  const baseUrl = await serve(() => {});
  const controller = new AbortController();
  const request = createClient({ baseUrl, session: anyone }).request("GET", "/x", { signal: controller.signal });
  controller.abort();
  await expect(request).rejects.toMatchObject({ name: "AbortError" });
});

test("when the token has ended, all requests wait for one sign-in and are sent again with the same body", async () => {
  const seen: string[] = [];
  const baseUrl = await serve((request, response, body) => {
    if (request.url?.endsWith("/oauth/token")) {
      expect(new URLSearchParams(body).get("client_secret")).toBe("secret.with.dots");
      return response.writeHead(200, { "Content-Type": "application/json" }).end('{"access_token":"new"}');
    }
    const isNew = request.headers.authorization === "Bearer new";
    if (isNew) seen.push(body);
    response.writeHead(isNew ? 200 : 401).end();
  });
  const stored = new Map<string, string>([["intake.token", "old"]]);
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  } as unknown as Storage;
  const session = createSession(baseUrl, storage);
  const client = createClient({ baseUrl, session });
  const both = Promise.all(["1", "2"].map((n) => client.request("POST", "/customers", { body: n })));
  await new Promise<void>((resolve) => session.subscribe(() => session.state() === "expired" && resolve()));
  await signInWithKey(client, session, " ink_id.secret.with.dots ", false);
  await both;
  expect(seen.sort()).toEqual(["1", "2"]);
  expect(stored.size).toBe(0); // only stored when the user wants it
});

describe("the time limit of a response", () => {
  /** The limits of all requests so far, for the test to end. */
  function controlLimits(): AbortController[] {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    return limits;
  }

  test("does not include the time that signing in takes", async () => {
    const baseUrl = await serve((request, response) =>
      response.writeHead(request.headers.authorization === "Bearer new" ? 204 : 401).end(),
    );
    const limits = controlLimits();
    const session: Session = {
      token: () => "old",
      renew: async () => {
        for (const limit of limits) limit.abort();
        return "new";
      },
    };
    expect((await createClient({ baseUrl, session }).request("GET", "/x")).status).toBe(204);
    expect(limits).toHaveLength(2);
  });

  test("ends a request to a service that never answers: no reply", async () => {
    const limits = controlLimits();
    const baseUrl = await serve(() => limits[0]?.abort());
    await expect(createClient({ baseUrl, session: anyone }).request("GET", "/x")).rejects.toBeInstanceOf(NoReply);
  });
});
