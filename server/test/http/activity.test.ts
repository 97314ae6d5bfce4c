// Tests who did what, newest first, and how much each day.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Activity, ActivityPage, DayCounts, RunSummary } from "../../../core/contract/history.ts";
import { startOf } from "../../http/days.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const PATH = "/v1/customers";
let last = 0;
const customer = (objectId = 800_000 + ++last) => ({ objectId, lastName: "Berg", accountID: `a${objectId}` });
const write = (records: readonly object[], headers: Record<string, string> = {}) =>
  service.call("POST", `${PATH}?onError=continue&onConflict=update`, { customers: records }, headers);
const read = async (query = "", headers = {}): Promise<ActivityPage> =>
  (await service.call("GET", `/v1/activity${query}`, undefined, headers)).json;
const shortOf = ({ operation, size, source }: Activity) => [operation, size, source.type, source.run];

describe("activity", () => {
  test("has one line for each write, and one for all writes of a run, newest first", async () => {
    const { objectId } = customer();
    await write([customer(objectId)], { "intake-source": "form" });
    for (let i = 0; i < 3; i++) await write([customer(), customer()], { "intake-source": "upload; run=a1" });
    await service.call("POST", `${PATH}/undo`, { run: "a1" });
    await service.call("DELETE", `${PATH}/${objectId}`);
    const { activity } = await read("?limit=4");
    expect(activity.map(shortOf)).toEqual([
      ["deleted", 1, "api", null],
      ["deleted", 6, "undo", "a1"],
      ["created", 6, "upload", "a1"],
      ["created", 1, "form", null],
    ]);
    expect(activity[0]).toMatchObject({ collection: "customers", objectId, version: 2, by: { type: "key" } });
  });

  test("says what a record that was deleted was called, until it is erased", async () => {
    const { objectId } = customer();
    await write([{ ...customer(objectId), firstName: "Ida" }]);
    await service.call("PATCH", `${PATH}/${objectId}`, { lastName: "Weber" });
    await service.call("DELETE", `${PATH}/${objectId}`);
    const labels = async () => (await read("?limit=4")).activity.flatMap((one) => (one.objectId === objectId ? [one.label] : []));
    expect(await labels()).toEqual([{ firstName: "Ida", lastName: "Weber" }, undefined, undefined]);
    await service.call("POST", `${PATH}/${objectId}/erasure`);
    expect((await labels()).filter(Boolean)).toEqual([]);
  });

  test("of a run or a write has each of its changes", async () => {
    await write([customer(), customer(), customer()], { "intake-source": "upload; run=a2" });
    const [line] = (await read("?limit=1")).activity as [Activity];
    for (const query of ["run=a2", `write=${line.write}`]) {
      const first = await read(`?${query}&limit=2`);
      expect(first.activity.map(({ objectId, size }) => [objectId, size])).toEqual([
        [line.objectId, 1],
        [line.objectId - 1, 1],
      ]);
      const rest = await read(`?${query}&limit=2&before=${first.next}`);
      expect([rest.activity.map(({ objectId }) => objectId), rest.next]).toEqual([[line.objectId - 2], null]);
    }
  });

  test("comes in pages, each line once", async () => {
    for (let i = 0; i < 7; i++) await write([customer()]);
    const all = (await read("?limit=7")).activity.map(({ objectId }) => objectId);
    const paged: number[] = [];
    for (let before = ""; paged.length < 7; ) {
      const page = await read(`?limit=2${before}`);
      paged.push(...page.activity.map(({ objectId }) => objectId));
      before = `&before=${page.next}`;
    }
    expect(paged.slice(0, 7)).toEqual(all);
  });

  test("is filtered by person, source, operation and day", async () => {
    const person = await service.newPerson("editor");
    const headers = { authorization: `Bearer ${person.token}`, "intake-source": "form" };
    const own = customer();
    await write([own], headers);
    await service.call("PATCH", `${PATH}/${own.objectId}`, { lastName: "Neu" }, headers);
    await write([customer()]);
    expect((await read(`?by=${person.id}`)).activity.map(shortOf)).toEqual([
      ["updated", 1, "form", null],
      ["created", 1, "form", null],
    ]);
    expect((await read(`?by=${person.id}&operation=updated`)).activity).toHaveLength(1);
    expect((await read(`?by=${person.id}&source=api`)).activity).toEqual([]);
    expect((await read("?by=nobody")).activity).toEqual([]);
    expect((await read(`?by=${person.id}&to=2020-01-01`)).activity).toEqual([]);
    const day = new Date().toISOString().slice(0, 10);
    expect((await read(`?by=${person.id}&from=2020-01-01&to=${day}&timeZone=Pacific/Kiritimati`)).activity).toBeInstanceOf(Array);
    expect((await read(`?by=${person.id}&from=2020-01-01`)).activity).toHaveLength(2);
  });

  test("of a person has a run, and their part of it, also when somebody went on with it later", async () => {
    const person = await service.newPerson("editor");
    const run = { "intake-source": "upload; run=a8" };
    for (let i = 0; i < 2; i++) await write([customer(), customer()], { ...run, authorization: `Bearer ${person.token}` });
    await write([customer()], run);
    expect((await read("?limit=2")).activity.map((line) => [...shortOf(line), line.by?.type])).toEqual([
      ["created", 1, "upload", "a8", "key"],
      ["created", 4, "upload", "a8", "user"],
    ]);
    const theirs = await read(`?by=${person.id}`);
    expect(theirs.activity.map(shortOf)).toEqual([["created", 4, "upload", "a8"]]);
    expect((await read(`?run=a8&by=${person.id}`)).activity).toHaveLength(4);
  });

  test("of a time has a run, and its part in that time, also when it went on later", async () => {
    const run = { "intake-source": "upload; run=a9" };
    await write([customer(), customer()], run);
    const [first] = (await read("?limit=1")).activity as [Activity];
    const [from, to] = [Date.parse(first.at), Date.parse(first.at) + 1];
    await vi.waitUntil(() => Date.now() > to);
    await write([customer()], run);
    const place = { at: Number.MAX_SAFE_INTEGER, write: Number.MAX_SAFE_INTEGER, id: 0 };
    const { lines } = await service.store.history.listActivity({ collections: ["customers"], from, to }, place, 10);
    expect(lines.filter(({ source }) => source.run === "a9").map(({ size }) => size)).toEqual([2]);
  });

  test("shows only what the token may read", async () => {
    const token = await service.tokenFor("others:read");
    await write([customer()]);
    expect((await read("", { authorization: `Bearer ${token}` })).activity).toEqual([]);
    const days: DayCounts = (await service.call("GET", "/v1/activity/days", undefined, { authorization: `Bearer ${token}` })).json;
    expect(days.days).toHaveLength(30);
    expect(days.days.every(({ changes }) => changes === 0)).toBe(true);
  });

  test("refuses what is no day, no time zone and no place", async () => {
    for (const query of ["from=2026-02-30", "to=today", "timeZone=Mars/Olympus", "before=x", "source=fax", "collection=none"]) {
      expect((await service.call("GET", `/v1/activity?${query}`)).status).toBe(400);
    }
  });
});

test("a run says who made it and who took it back, when, and how much it changed", async () => {
  const person = await service.newPerson("editor");
  for (let i = 0; i < 2; i++) {
    await write([customer(), customer()], { authorization: `Bearer ${person.token}`, "intake-source": "upload; run=s1" });
  }
  await service.call("POST", `${PATH}/undo`, { run: "s1" });
  const { parts }: RunSummary = (await service.call("GET", "/v1/activity/runs/s1")).json;
  expect(parts).toMatchObject([
    { collection: "customers", source: { type: "upload", run: "s1" }, by: { type: "user", id: person.id }, size: 4 },
    { collection: "customers", source: { type: "undo", run: "s1" }, by: { type: "key" }, size: 4 },
  ]);
  expect((parts[0]?.from ?? "") <= (parts[0]?.to ?? "")).toBe(true);
  expect((await service.call("GET", "/v1/activity/runs/unknown")).json).toEqual({ parts: [] });
  expect((await service.raw("OPTIONS", "/v1/activity/runs/")).status).toBe(404);
});

test("a run belongs to who began it: others who write under its id are listed, and nothing of theirs is taken for that one's", async () => {
  const [anna, ben] = [await service.newPerson("editor"), await service.newPerson("editor")];
  const as = ({ token }: { token: string }, more = {}) => ({
    authorization: `Bearer ${token}`,
    "intake-source": "upload; run=s2",
    ...more,
  });
  await write([customer(), customer()], as(anna));
  await write([customer()], as(ben));
  await write([customer()], as(anna));
  await write([customer()], as(ben));
  await write([customer()], { "intake-source": "upload; run=s2" });
  const { parts }: RunSummary = (await service.call("GET", "/v1/activity/runs/s2")).json;
  expect(parts).toMatchObject([{ by: { id: anna.id }, others: [{ type: "user", id: ben.id }, { type: "key" }], size: 6 }]);
  const lines = (await read("?limit=3")).activity;
  expect(lines.map(({ by, size }) => [by?.type === "key" ? "key" : by?.id, size])).toEqual([
    ["key", 1],
    [ben.id, 2],
    [anna.id, 3],
  ]);
  // Somebody who takes it back has not made it.
  await service.call("POST", `${PATH}/undo`, { run: "s2" }, { authorization: `Bearer ${ben.token}` });
  const after: RunSummary = (await service.call("GET", "/v1/activity/runs/s2")).json;
  expect(after.parts).toMatchObject([
    { source: { type: "upload" }, by: { id: anna.id }, size: 6 },
    { source: { type: "undo" }, by: { id: ben.id }, others: [], size: 6 },
  ]);
});

describe("changes of each day", () => {
  test("are those that were written", async () => {
    const total = async (query: string) =>
      ((await service.call("GET", `/v1/activity/days${query}`)).json as DayCounts).days.reduce((sum, { changes }) => sum + changes, 0);
    const before = await total("?run=d1");
    await write([customer(), customer()], { "intake-source": "batch; run=d1" });
    expect((await total("?run=d1")) - before).toBe(2);
    expect(await total("?run=d1&source=form")).toBe(0);
  });

  test("are divided by how they came in, and those days have none on which there was nothing", async () => {
    await write([customer(), customer()], { "intake-source": "upload; run=d2" });
    await service.call("POST", `${PATH}/undo`, { run: "d2" });
    const { days }: DayCounts = (await service.call("GET", "/v1/activity/days?run=d2")).json;
    const ways = days.filter(({ changes }) => changes > 0).flatMap(({ bySource }) => Object.entries(bySource));
    expect(ways.sort()).toEqual([
      ["undo", 2],
      ["upload", 2],
    ]);
    expect(days[0]).toEqual({ day: days[0]?.day, changes: 0, bySource: {} });
  });

  test("are as many days as were asked for", async () => {
    const days = async (query: string) => ((await service.call("GET", `/v1/activity/days${query}`)).json as DayCounts).days;
    expect((await days("?from=2026-01-30&to=2026-02-02")).map(({ day }) => day)).toEqual([
      "2026-01-30",
      "2026-01-31",
      "2026-02-01",
      "2026-02-02",
    ]);
    expect(await days("?from=2020-01-01&to=2026-01-01")).toHaveLength(92);
    expect(await days("?from=2026-01-02&to=2026-01-01")).toEqual([]);
  });

  test("begin at midnight there, also where the clocks are changed", () => {
    const hours = (day: string, zone: string) => new Date(startOf(day, zone)).toISOString();
    expect(hours("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
    expect(hours("2026-03-30", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
    expect(hours("2026-10-26", "Europe/Berlin")).toBe("2026-10-25T23:00:00.000Z");
    expect(hours("2026-11-02", "America/New_York")).toBe("2026-11-02T05:00:00.000Z");
    expect(hours("2024-09-08", "America/Santiago")).toBe("2024-09-08T04:00:00.000Z"); // there is no midnight
    expect(hours("2024-04-26", "Africa/Cairo")).toBe("2024-04-25T22:00:00.000Z");
    expect(hours("2026-07-01", "Asia/Kolkata")).toBe("2026-06-30T18:30:00.000Z");
  });
});
