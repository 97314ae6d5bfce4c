// When a session ends that nobody uses: only what a person does counts as use.

import type { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DICTIONARY, openTestService, type Reply, type TestService } from "../../testing/service.ts";

const IDLE = 10; // minutes
const BACKGROUND = { "intake-activity": "background" };
const start = Date.now();

let service: TestService;
beforeAll(async () => {
  service = await openTestService(DICTIONARY, { sessions: { idleMinutes: IDLE, hours: 12 } });
});
afterAll(() => service.close());
afterEach(() => {
  vi.useRealTimers();
});

let person: { id: string; token: string; refreshToken: string };
let record = "";
beforeEach(async () => {
  const { json } = await service.call("POST", "/v1/customers", { lastName: "Open", accountID: "1" });
  record = `/v1/customers/${json.objectId}`;
  setMinutes(0);
  person = await service.newPerson("editor");
});

/** Only the date is faked: the service reads it for each request. */
function setMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * 60_000 });
}

type Headers = Record<string, string>;
const send = async (method: string, path: string, headers: Headers = {}) =>
  (await service.raw(method, path, { authorization: `Bearer ${person.token}`, ...headers })).status;
const refresh = (headers: Headers = {}) =>
  service.raw(
    "POST",
    "/v1/sessions/refresh",
    { "content-type": "application/json", ...headers },
    JSON.stringify({ refresh_token: person.refreshToken }),
  );
const isOver = async () => [await send("GET", record), (await refresh()).status];

describe("what is no use of a session", () => {
  test.each<[string, () => Promise<number>, number]>([
    ["to say that a record is open", () => send("PUT", `${record}/viewers?tab=a`), 200],
    ["to say that it is open no more", () => send("DELETE", `${record}/viewers?tab=a`), 204],
    ["to read the change feed", () => send("GET", "/v1/changes"), 200],
    ["to wait for changes", () => send("GET", "/v1/changes?after=now&wait=1"), 200],
    ["a read in the background", () => send("GET", record, BACKGROUND), 200],
    ["a write in the background", () => send("DELETE", `${record}`, BACKGROUND), 204],
    ["an address that there is not", () => send("GET", "/v1/nothing"), 404],
    ["a method that there is not", () => send("PUT", "/v1/customers"), 405],
  ])("%s", async (_, doIt, status) => {
    for (const minutes of [3, 6, 9]) {
      setMinutes(minutes);
      expect([200, 204, 404, 405]).toContain(await doIt());
    }
    setMinutes(9.9);
    expect([status, 404]).toContain(await doIt()); // it is deleted once
    setMinutes(IDLE);
    expect(await isOver()).toEqual([401, 401]);
  });

  test("a refresh in the background, whose tokens end with the session", async () => {
    setMinutes(9);
    const { status, json } = await refresh(BACKGROUND);
    expect([status, json.idle_seconds]).toEqual([201, IDLE * 60]);
    Object.assign(person, { token: json.access_token, refreshToken: json.refresh_token });
    expect(await send("GET", record, BACKGROUND)).toBe(200);
    setMinutes(IDLE);
    expect(await isOver()).toEqual([401, 401]);
  });
});

describe("what is use of a session", () => {
  test.each<[string, () => Promise<number>]>([
    ["a read", () => send("GET", record)],
    ["a read of the header fields", () => send("HEAD", record)],
    ["an upload's batch", () => sendBatch()],
    ["a read that is refused", () => send("GET", "/v1/users")],
  ])("%s", async (_, doIt) => {
    for (const minutes of [6, 12]) {
      setMinutes(minutes);
      expect([200, 201, 403]).toContain(await doIt());
      // The answer does not wait until that is stored.
      await vi.waitFor(async () => expect(await seenAt()).toBe(start + minutes * 60_000), { timeout: 30_000 });
    }
    setMinutes(14.9); // the access token ends with its fifteenth minute
    expect(await send("GET", record, BACKGROUND)).toBe(200);
    setMinutes(21.9);
    expect((await refresh(BACKGROUND)).status).toBe(201);
    setMinutes(22);
    expect((await refresh()).status).toBe(401);
  });

  test("a refresh that does not say otherwise", async () => {
    setMinutes(9);
    Object.assign(person, { refreshToken: (await refresh()).json.refresh_token });
    setMinutes(18.9);
    expect((await refresh()).status).toBe(201);
  });

  const sendBatch = async () => {
    const headers = { authorization: `Bearer ${person.token}`, "content-type": "application/json" };
    return (await service.raw("POST", "/v1/customers", headers, JSON.stringify([{ lastName: "B", accountID: "1" }]))).status;
  };
  const seenAt = async () => (await service.store.people.listSessions(person.id, Date.now(), IDLE * 60_000))[0]?.seenAt;
});

test("use in another process counts, although this one remembers the token", async () => {
  setMinutes(1);
  expect(await send("GET", record, BACKGROUND)).toBe(200);
  setMinutes(9);
  const [session] = await service.store.people.listSessions(person.id, Date.now(), IDLE * 60_000);
  await service.store.people.touchSession(session?.id ?? "", person.id, Date.now(), IDLE * 60_000);
  setMinutes(14);
  expect(await send("GET", record, BACKGROUND)).toBe(200);
});

test("what comes late does not bring a session back that has ended", async () => {
  const [session] = await service.store.people.listSessions(person.id, Date.now(), IDLE * 60_000);
  setMinutes(IDLE);
  await service.store.people.touchSession(session?.id ?? "", person.id, Date.now(), IDLE * 60_000);
  expect(await isOver()).toEqual([401, 401]);
});

test("a stream that is open ends with the session, and shows nothing of what comes then", async () => {
  const headers = { authorization: `Bearer ${person.token}`, accept: "text/event-stream" };
  const { statusCode, ...reply } = await service.app.inject({ url: "/v1/changes?after=now", headers, payloadAsStream: true });
  expect(statusCode).toBe(200);
  const stream = reply.stream() as Readable;
  let text = "";
  const isEnded = new Promise((resolve) => stream.on("end", resolve).on("data", (piece) => (text += piece)));
  const isSeen = ({ json }: Reply) => new RegExp(`"objectId":${json.objectId}\\b`).test(text);
  const before = await service.call("POST", "/v1/customers", { lastName: "Before", accountID: "1" });
  // Another transaction of the server may hold back what was written before the stream began, which then comes, too.
  await vi.waitFor(() => expect(isSeen(before)).toBe(true), { timeout: 30_000 });
  setMinutes(IDLE);
  vi.useRealTimers();
  setMinutes(IDLE);
  const later = await service.call("POST", "/v1/customers", { lastName: "After", accountID: "1" });
  await isEnded;
  expect([later.status, isSeen(later)]).toEqual([201, false]);
});

test("another activity than background is refused", async () => {
  const reply = await service.raw("GET", record, { authorization: `Bearer ${person.token}`, "intake-activity": "none" });
  expect([reply.status, reply.json.code]).toEqual([400, "BAD_HEADER"]);
  expect((await refresh({ "intake-activity": "" })).status).toBe(400);
});
