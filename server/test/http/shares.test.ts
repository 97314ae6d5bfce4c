// Tests what one person may have at once: with all their API keys no more than with one.

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { MOST_KEYS_OF_PERSON } from "../../../core/contract/keys.ts";
import { MOST_RECIPES_OF_PERSON } from "../../../core/contract/recipes.ts";
import { MOST_VIEWS, MOST_VIEWS_OF_PERSON } from "../../../core/contract/views.ts";
import { DEFAULT_LIMITS, type Limits } from "../../http/limits.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
const LIMITS = { ...NO_RATE_LIMIT, exportsPerKey: 2, followersPerKey: 2 };
beforeAll(async () => {
  service = await openTestService(undefined, { limits: LIMITS });
  await service.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => service.close());

async function openWith(limits: Partial<Limits>): Promise<TestService> {
  const own = await openTestService(undefined, { limits: { ...DEFAULT_LIMITS, ...limits } });
  onTestFinished(() => own.close());
  return own;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function makeKey(own: TestService, token: string, body: object = { scope: "*:read" }) {
  return own.call("POST", "/v1/keys", body, bearer(token));
}

/** A person with two API keys: the three tokens with which they may ask. */
async function personWithKeys(own: TestService, role = "editor", scope = "*:read *:create *:update"): Promise<string[]> {
  const { token } = await own.newPerson(role);
  const keys = [await makeKey(own, token, { scope }), await makeKey(own, token, { scope })];
  return [token, ...keys.map(({ json }) => json.key)];
}

test("requests of a person are counted together, whichever of their keys they come with; a key of the organisation counts for itself", async () => {
  const own = await openWith({ requestsPerSecond: 1, requestBurst: 6 });
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [inBrowser = "", first = "", second = ""] = await personWithKeys(own); // two of the six
  const ask = async (token: string) => (await own.raw("GET", "/v1/limits", bearer(token))).status;
  expect([await ask(inBrowser), await ask(first), await ask(second), await ask(first)]).toEqual([200, 200, 200, 200]);
  expect([await ask(inBrowser), await ask(first), await ask(second)]).toEqual([429, 429, 429]);
  const programs = [await own.tokenFor("read"), await own.tokenFor("read")];
  for (const token of programs) expect([token, await ask(token)]).toEqual([token, 200]);
});

test("keys of a person are exchanged for tokens no more often than one key", async () => {
  const own = await openWith({ requestBurst: 6 }); // so that three exchanges may follow at once
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [, ...keys] = await personWithKeys(own);
  const exchange = async (key: string) => {
    const [, client_id = "", client_secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(key) ?? [];
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString();
    return (await own.raw("POST", "/v1/oauth/token", { "content-type": "application/x-www-form-urlencoded" }, form)).status;
  };
  const [first = "", second = ""] = keys;
  expect([await exchange(first), await exchange(second), await exchange(first)]).toEqual([200, 200, 200]);
  expect([await exchange(first), await exchange(second)]).toEqual([429, 429]);
});

test("the bodies of a person's requests are counted together", async () => {
  const own = await openWith({ ...NO_RATE_LIMIT, collectionBytes: 1_000, keyHeldBytes: 2_000 });
  const [, first = "", second = "", other = ""] = [...(await personWithKeys(own)), await own.tokenFor("write")];
  const origin = await own.app.listen({ port: 0, host: "127.0.0.1" });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  /** Sends the beginning of a body, whose rest never comes: it is held, unless it is refused. */
  const begin = async (token: string) => {
    const body = new ReadableStream({ start: (sent) => sent.enqueue(new TextEncoder().encode(`[${" ".repeat(900)}`)) });
    const headers = { ...bearer(token), "content-type": "application/json" };
    const request = { method: "POST", headers, body, duplex: "half", signal: stop.signal } as RequestInit;
    return (await fetch(new URL("/v1/customers", origin), request)).status;
  };
  expect(await Promise.any([begin(first), begin(second), begin(first)])).toBe(429); // the other two are held
  const send = async (token: string) =>
    (await own.call("POST", "/v1/customers", [{ lastName: "A", accountID: "1" }], bearer(token))).status;
  expect([await send(first), await send(second), await send(other)]).toEqual([429, 429, 201]);
});

test("exports of a person are counted together, and so are their streams and waits", async () => {
  let goOn = () => {};
  const isOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const list = service.store.list.bind(service.store);
  vi.spyOn(service.store, "list").mockImplementation((...page) => isOver.then(() => list(...page))); // so that exports stay under way
  onTestFinished(() => {
    goOn();
    vi.restoreAllMocks();
  });
  const address = service.app.server.address();
  const origin = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const ask = async (path: string, accept: string, token: string) =>
    (await fetch(`${origin}${path}`, { headers: { ...bearer(token), accept }, signal: stop.signal })).status; // nobody reads the body
  const [inBrowser = "", first = "", second = ""] = await personWithKeys(service);
  const others = await service.newPerson("viewer");
  const cases = [
    ["/v1/customers", "text/csv"],
    ["/v1/changes?after=now", "text/event-stream"],
  ] as const;
  for (const [path, accept] of cases) {
    expect([await ask(path, accept, first), await ask(path, accept, second)]).toEqual([200, 200]);
    expect([await ask(path, accept, first), await ask(path, accept, inBrowser)]).toEqual([429, 429]);
    expect(await ask(path, accept, others.token)).toBe(200);
  }
});

test("lists, counts and pages of a file of a person are read in one person's turn", async () => {
  const tokens = await personWithKeys(service);
  const [list, count] = [vi.spyOn(service.store, "list"), vi.spyOn(service.store, "count")];
  onTestFinished(() => void vi.restoreAllMocks());
  for (const token of tokens) {
    await service.raw("GET", "/v1/customers?count=exact", bearer(token));
    await service.raw("GET", "/v1/customers.csv", bearer(token));
  }
  const owners = [...list.mock.calls, ...count.mock.calls].map(([, , options]) => options?.owner);
  expect([owners.length, new Set(owners).size, owners[0]]).toEqual([9, 1, expect.stringMatching(/^user /)]);
});

/** Counts how many answers have each status. */
function countsOf(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Asked at once, in groups that the service's connections can take. */
async function askMany<T>(count: number, ask: (i: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < count) {
    const group = Array.from({ length: Math.min(20, count - answers.length) }, (_, i) => ask(answers.length + i));
    answers.push(...(await Promise.all(group)));
  }
  return answers;
}

test(`a person has ${MOST_KEYS_OF_PERSON} API keys that live; those that are revoked or expired make room`, async () => {
  const { token, id } = await service.newPerson("viewer");
  const make = () => makeKey(service, token);
  const made = await askMany(MOST_KEYS_OF_PERSON + 10, make);
  expect(countsOf(made)).toEqual({ 201: MOST_KEYS_OF_PERSON, 409: 10 });
  const refused = made.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({
    code: "TOO_MANY_KEYS",
    detail: expect.stringContaining(`You have ${MOST_KEYS_OF_PERSON} API keys`),
  });
  const [first, second] = made.filter(({ status }) => status === 201);
  await service.call("DELETE", `/v1/keys/${first?.json.id}`, undefined, bearer(token));
  expect(countsOf([await make(), await make()])).toEqual({ 201: 1, 409: 1 });
  const stored = await service.store.readKey(second?.json.id);
  if (stored) await service.store.putKey({ ...stored, expiresAt: Date.now() - 1 });
  expect(countsOf(await Promise.all([make(), make(), make()]))).toEqual({ 201: 1, 409: 2 });
  expect((await service.store.listKeys()).filter(({ userId }) => userId === id)).toHaveLength(MOST_KEYS_OF_PERSON + 2);
  expect((await makeKey(service, (await service.newPerson("viewer")).token)).status).toBe(201); // somebody else
});

test("the organisation's keys have no such limit", async () => {
  const made = await askMany(MOST_KEYS_OF_PERSON + 1, () => service.call("POST", "/v1/keys", { scope: "read" }));
  expect(countsOf(made)).toEqual({ 201: MOST_KEYS_OF_PERSON + 1 });
});

let last = 0;
const recipe = () => ({ name: `Recipe ${++last}`, collection: "customers", headings: ["Name"], content: {} });
const view = (isShared: boolean) => ({ name: `View ${++last}`, collection: "customers", isShared, search: {} });

test("a person makes a share of the recipes, with all keys and at once; another person has a share of their own", async () => {
  const tokens = await personWithKeys(service);
  const [first = "", , third = ""] = tokens;
  const create = (token: string) => service.call("POST", "/v1/recipes", recipe(), bearer(token));
  const made = await askMany(MOST_RECIPES_OF_PERSON + 5, (i) => create(tokens[i % 3] ?? ""));
  expect(countsOf(made)).toEqual({ 201: MOST_RECIPES_OF_PERSON, 409: 5 });
  expect(made.find(({ status }) => status === 409)?.json).toMatchObject({ code: "RECIPE_SHARE_USED" });
  const [other = ""] = await personWithKeys(service);
  expect((await create(other)).status).toBe(201);
  const { id } = made.find(({ status }) => status === 201)?.json ?? {};
  await service.call("DELETE", `/v1/recipes/${id}`);
  expect(countsOf(await Promise.all([create(third), create(first)]))).toEqual({ 201: 1, 409: 1 });
  const program = await service.tokenFor("*:read *:create");
  expect(countsOf(await askMany(MOST_RECIPES_OF_PERSON + 2, () => create(program)))).toEqual({ 201: MOST_RECIPES_OF_PERSON, 409: 2 });
});

test("a person makes a share of the views for everybody, also by sharing own ones", async () => {
  const tokens = await personWithKeys(service);
  const create = (token: string, isShared: boolean) => service.call("POST", "/v1/views", view(isShared), bearer(token));
  const made = await askMany(MOST_VIEWS_OF_PERSON + 5, (i) => create(tokens[i % 3] ?? "", true));
  expect(countsOf(made)).toEqual({ 201: MOST_VIEWS_OF_PERSON, 409: 5 });
  expect(made.find(({ status }) => status === 409)?.json).toMatchObject({ code: "VIEW_SHARE_USED" });
  const [token = ""] = tokens;
  const mine = (await create(token, false)).json;
  const share = { name: mine.name, isShared: true, search: {} };
  const shared = () => service.call("PUT", `/v1/views/${mine.id}`, share, bearer(token));
  expect((await shared()).json).toMatchObject({ status: 409, code: "VIEW_SHARE_USED" });
  await service.call("DELETE", `/v1/views/${made.find(({ status }) => status === 201)?.json.id}`);
  expect((await shared()).status).toBe(200);
  expect((await shared()).status).toBe(200); // it stays as it is
  const [other = ""] = await personWithKeys(service);
  expect((await create(other, true)).status).toBe(201);
});

test("a person's own views are counted with those of their keys", async () => {
  const tokens = await personWithKeys(service);
  const create = (i: number) => service.call("POST", "/v1/views", view(false), bearer(tokens[i % 3] ?? ""));
  expect(countsOf(await askMany(MOST_VIEWS + 4, create))).toEqual({ 201: MOST_VIEWS, 409: 4 });
});

test("the limits say what a person may have", async () => {
  const { json } = await service.call("GET", "/v1/limits");
  expect(json).toMatchObject({
    keysPerPerson: MOST_KEYS_OF_PERSON,
    recipesPerPerson: MOST_RECIPES_OF_PERSON,
    viewsPerPerson: MOST_VIEWS_OF_PERSON,
  });
  expect(JSON.stringify(service.checker.document)).toContain(
    "held over time; a collection write counts as one. A person counts with all their API keys",
  );
});
