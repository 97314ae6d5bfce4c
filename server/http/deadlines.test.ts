import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { Authenticator } from "./authenticate.ts";
import { createBodyBudget } from "./body-budget.ts";
import { createDeadlines } from "./deadlines.ts";
import { type HttpError, httpErrors } from "./errors.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { problemAnswer } from "./problem.ts";
import { jsonAnswer } from "./responses.ts";
import { addAllMethods, type RouteHandler, registerRoute } from "./route.ts";
import { send } from "./send-answer.ts";

const forever = () => new Promise<never>(() => undefined);

test("work that ends in time is answered as it ends", async () => {
  const deadline = createDeadlines(60).begin();
  expect(await deadline(Promise.resolve("done"), httpErrors.unavailable)).toBe("done");
  await expect(deadline(Promise.reject(new Error("failed")), httpErrors.unavailable)).rejects.toThrow("failed");
});

test("work that does not end is given up after the time of its request, which its steps share", async () => {
  const deadline = createDeadlines(0.2).begin();
  await expect(deadline(forever(), httpErrors.outcomeUnknown)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  await expect(deadline(forever(), httpErrors.unavailable)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("one request's late work does not end another's", async () => {
  const deadlines = createDeadlines(0.2);
  const late = deadlines
    .begin()(forever(), httpErrors.unavailable)
    .catch(() => "late");
  expect([await late, await deadlines.begin()(Promise.resolve("in time"), httpErrors.unavailable)]).toEqual(["late", "in time"]);
});

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** A service whose only route does this work, within so many seconds. Resolves with its address. */
async function serve(seconds: number, handle: RouteHandler["handle"]): Promise<string> {
  app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  addAllMethods(app);
  app.setErrorHandler((error, _, reply) => send(reply, problemAnswer(error as HttpError, {})));
  const route = { url: "/work", GET: { scope: "open" as const, handle, doc: { id: "work", summary: "", responses: { 200: null } } } };
  const context = {
    table: () => ({
      find: () => route,
      version: 0,
      noteRenamed: () => undefined,
      admit: <T>(_: unknown, session: T) => session,
      handlerFor: () => route.GET,
    }),
    refuse: async () => {
      throw httpErrors.notFound();
    },
    authenticator: {} as Authenticator,
    bodies: createBodyBudget(DEFAULT_LIMITS),
    deadlines: createDeadlines(seconds),
    limits: DEFAULT_LIMITS,
    audit: undefined,
  };
  registerRoute(app, context, route.url, route);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/work`;
}

/** Returns what one side hands to the other, once. */
function handover<T>(): { give(value: T): void; taken: Promise<T> } {
  let give: (value: T) => void = () => undefined;
  const taken = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { give: (value) => give(value), taken };
}

test("the signal is aborted when the client closes its connection", async () => {
  const begun = handover<AbortSignal>();
  const client = new AbortController();
  const url = await serve(60, (_request, _session, end) => {
    begun.give(end.signal);
    return forever();
  });
  const reply = fetch(url, { signal: client.signal }).catch(() => "gone");
  const signal = await begun.taken;
  expect(signal.aborted).toBe(false);
  client.abort();
  await once(signal, "abort");
  expect(await reply).toBe("gone");
});

test("a signal that is first asked for when the client has gone is aborted from the start", async () => {
  const begun = handover<true>();
  const asked = handover<AbortSignal>();
  const client = new AbortController();
  const url = await serve(60, async (request, _session, end) => {
    begun.give(true);
    await once(request.raw.socket, "close");
    asked.give(end.signal);
    return forever();
  });
  fetch(url, { signal: client.signal }).catch(() => undefined);
  await begun.taken;
  client.abort();
  expect((await asked.taken).aborted).toBe(true);
});

test("the signal is aborted when the request's time is over, and its reason is what the client is told", async () => {
  let signal: AbortSignal | undefined;
  const url = await serve(0.05, (_request, _session, end) => {
    signal = end.signal;
    return forever();
  });
  const reply = await fetch(url);
  expect([reply.status, await reply.json()]).toMatchObject([503, { code: "UNAVAILABLE" }]);
  expect(signal?.reason).toMatchObject({ status: 503, code: "UNAVAILABLE" });
});

test("requests on one connection do not end each other's", async () => {
  const url = await serve(60, async (_request, _session, end) => jsonAnswer(200, { aborted: end.signal.aborted }));
  for (let i = 0; i < 3; i++) expect(await (await fetch(url)).json()).toEqual({ aborted: false });
});
