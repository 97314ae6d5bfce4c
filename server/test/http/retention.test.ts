// Tests how long the history is kept (HISTORY_DAYS, CHANGES_DAYS): what is forgotten, and what a follower hears of it.

import pg from "pg";
import { afterEach, expect, inject, test, vi } from "vitest";
import type { Change, HistoryEntry } from "../../../core/contract/history.ts";
import { createBackgroundWork } from "../../background-work.ts";
import { NO_REPORT, type ReportWork } from "../../engine/background.ts";
import { createSweeper, readRetention } from "../../retention.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

let service: TestService;
afterEach(() => service.close());

const DAY = 86_400_000; // ms
const PATH = "/v1/customers";
const FAST = { first: 0, every: 1e9, pause: 0 };

/** A moment after everything that was written before it, and before everything that is written after it. */
async function moment(): Promise<number> {
  const at = Date.now() + 1;
  while (Date.now() <= at) await new Promise((resolve) => setTimeout(resolve, 1));
  return at;
}

const create = async (name: string) => (await service.call("POST", PATH, { lastName: name, accountID: name })).json.objectId as number;
const rename = (id: number, lastName: string) => service.call("PATCH", `${PATH}/${id}`, { lastName });
const historyOf = async (id: number) => (await service.call("GET", `${PATH}/${id}/history`)).json.history as HistoryEntry[];
const shortOf = ({ version, changes }: HistoryEntry) => [version, changes.lastName ?? null];

/** All changes of some records from the oldest that is kept. On PostgreSQL transactions of other tests hold the feed up. */
async function followAll(ids: readonly number[], count: number): Promise<Change[]> {
  const found: Change[] = [];
  let query = "";
  await vi.waitFor(
    async () => {
      const { json } = await service.call("GET", `/v1/changes?limit=1${query}`);
      found.push(...json.changes.filter(({ objectId }: Change) => ids.includes(objectId)));
      query = `&after=${json.next}`;
      expect(found.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 1 },
  );
  return found;
}

/** A new record, once all that was written before it can be read. Only what can be read is swept. */
async function createReadable(): Promise<void> {
  await followAll([await create("newest")], 1);
}

async function sweep(values: number, changes: number): Promise<void> {
  await createReadable();
  while (await service.store.sweepHistory({ values, changes }));
}

test("values are forgotten first, then the changes; a follower that is too far behind hears it", { timeout: 180_000 }, async () => {
  service = await openTestService();
  const first = await create("long ago");
  const deleted = await create("deleted long ago");
  await service.call("DELETE", `${PATH}/${deleted}`);
  const start = (await service.call("GET", "/v1/changes?after=now")).json.next;
  await rename(first, "still long ago");
  const longAgo = await moment();
  await rename(first, "some time ago");
  const second = await create("some time");
  await rename(second, "some time again");
  const someTimeAgo = await moment();
  await rename(first, "today");
  await rename(second, "today");
  const all = await followAll([first, second, deleted], 9);
  const newest = all.at(-1)?.cursor as string;

  await sweep(someTimeAgo, longAgo);
  // Values from some time ago are gone; that there were changes is still listed.
  expect((await historyOf(first)).map(shortOf)).toEqual([
    [4, ["some time ago", "today"]],
    [3, null],
  ]);
  expect((await historyOf(second)).map(shortOf)).toEqual([
    [3, ["some time again", "today"]],
    [2, null],
    [1, null],
  ]);
  expect((await service.call("GET", `${PATH}?deleted=true`)).text).not.toContain("deleted long ago");
  expect(JSON.stringify(await service.call("GET", `${PATH}/${first}/copy`))).not.toContain("still long ago");
  // Brought back is only what is known.
  expect((await service.call("POST", `${PATH}/${second}/restore`, { version: 2 })).status).toBe(200);
  expect((await service.call("POST", `${PATH}/${second}/restore`, { version: 1 })).status).toBe(404);
  // Who follows from the oldest that is kept misses nothing of it; who was further back is told to read anew.
  expect((await followAll([first, second, deleted], 6)).map(({ objectId, version }) => [objectId, version])).toEqual([
    [first, 3],
    [second, 1],
    [second, 2],
    [first, 4],
    [second, 3],
    [second, 4],
  ]);
  for (const cursor of [start, all[1]?.cursor]) {
    const { status, json } = await service.call("GET", `/v1/changes?after=${cursor}`);
    expect([status, json.code]).toEqual([410, "CURSOR_EXPIRED"]);
  }
  expect((await service.call("GET", `/v1/changes?after=${newest}`)).status).toBe(200);
});

test("a write from when the clock was ahead does not keep all that came after it", async () => {
  service = await openTestService();
  const id = await create("at first");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_800_000 }); // as long as the token holds
  await rename(id, "ahead");
  vi.useRealTimers();
  await rename(id, "set right");
  const longAgo = await moment();
  await rename(id, "today");
  await followAll([id], 4);
  await sweep(longAgo, 0);
  expect((await historyOf(id)).map(shortOf)).toEqual([
    [4, ["set right", "today"]],
    [3, null],
    [2, null],
    [1, null],
  ]);
});

test("an undo does not guess at values that are no longer kept", async () => {
  service = await openTestService();
  const upload = { "intake-source": "upload; run=old" };
  const id = await create("before");
  await service.call("PATCH", `${PATH}/${id}`, { lastName: "by the upload" }, upload);
  await create("newer");
  await sweep(await moment(), 0);
  const { json } = await service.call("POST", `${PATH}/undo`, { run: "old" });
  expect(json).toMatchObject({ reversed: 0, failed: 1, size: 1 });
  expect((await service.call("GET", `${PATH}/${id}`)).json.lastName).toBe("by the upload");
});

test("an erasure stays on record", async () => {
  service = await openTestService();
  const id = await create("erased");
  await service.call("POST", `${PATH}/${id}/erasure`);
  await create("newer");
  const now = await moment();
  await sweep(now, now);
  expect((await historyOf(id)).map(({ operation }) => operation)).toEqual(["erased"]);
});

test.runIf(inject("postgres"))("what nobody can read yet is not swept, so that who begins to follow now misses nothing", async () => {
  const database = await createTestDatabase();
  service = await openTestService(DICTIONARY, {}, database);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("BEGIN; SELECT pg_current_xact_id()"); // a transaction that takes long
    for (let i = 0; i < 3; i++) await create("late");
    const tomorrow = Date.now() + DAY;
    while (await service.store.sweepHistory({ values: tomorrow, changes: tomorrow }));
    const { status, json } = await service.call("GET", "/v1/changes?after=now");
    expect([status, json.changes]).toEqual([200, []]);
    await client.query("COMMIT");
    await vi.waitFor(
      async () => expect((await service.call("GET", `/v1/changes?after=${json.next}`)).json.changes).toHaveLength(3),
      60_000,
    );
  } finally {
    await client.end();
    await service.close();
    await database.drop();
  }
});

test("the service sweeps by itself, in steps that let others write", async () => {
  service = await openTestService();
  const id = await create("first");
  for (let i = 0; i < 30; i++) await rename(id, `name ${i}`);
  await createReadable();
  await moment();
  const sweeper = createBackgroundWork(createSweeper(service.store, { historyDays: 1 / DAY, changesDays: 1 / DAY }, NO_REPORT, FAST));
  sweeper.start();
  await expect.poll(async () => (await historyOf(id)).length, { timeout: 30_000 }).toBe(0);
  await sweeper.stop();
  expect((await service.call("GET", `${PATH}/${id}`)).json.lastName).toBe("name 29");
});

test.each([
  ["is right", 0],
  ["is ahead by 50 ms, so that a fraction of a millisecond is counted", 50],
  ["is set ahead by a year", 365 * DAY],
  ["is set back by a year", -365 * DAY],
])("while the clock %s, every sweep succeeds, and what is young is kept", async (_, ahead) => {
  service = await openTestService();
  const id = await create("first");
  await rename(id, "second");
  const key = { "idempotency-key": "young" };
  const first = await service.call("POST", PATH, { lastName: "Young", accountID: "young" }, key);
  const reported: Parameters<ReportWork>[] = [];
  const report: ReportWork = (work, error) => void reported.push(error === undefined ? [work] : [work, error]);
  const sweeper = createBackgroundWork(createSweeper(service.store, { historyDays: 30, changesDays: 30 }, report, { ...FAST, first: 20 }));
  sweeper.start();
  const right = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => right() + ahead);
  try {
    await expect.poll(() => reported.length, { timeout: 30_000 }).toBe(6);
  } finally {
    clock.mockRestore();
    await sweeper.stop();
  }
  expect(reported).toEqual([["history"], ["exports"], ["runs"], ["imports"], ["stored answers"], ["deliveries"]]);
  expect((await historyOf(id)).map(shortOf)).toEqual([
    [2, ["first", "second"]],
    [1, [null, "first"]],
  ]);
  const again = await service.call("POST", PATH, { lastName: "Young", accountID: "young" }, key);
  expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
});

test("answers that were stored before a time are deleted in small steps, and the others stay", async () => {
  service = await openTestService();
  const post = (name: string) => service.call("POST", PATH, { lastName: name, accountID: name }, { "idempotency-key": name });
  for (let i = 0; i < 201; i++) await post(`old-${i}`);
  const between = await moment();
  await post("young");
  expect([await service.store.sweepAnswers(between), await service.store.sweepAnswers(between)]).toEqual([true, false]);
  expect((await post("young")).headers["idempotent-replayed"]).toBe("true");
  for (const old of ["old-0", "old-200"]) expect((await post(old)).headers["idempotent-replayed"]).toBeUndefined();
});

test("settings that make no sense are refused at the start", async () => {
  service = await openTestService();
  expect(readRetention({})).toEqual({ historyDays: undefined, changesDays: undefined });
  expect(readRetention({ HISTORY_DAYS: "90" })).toEqual({ historyDays: 90, changesDays: 90 });
  expect(readRetention({ HISTORY_DAYS: "90", CHANGES_DAYS: "365" })).toEqual({ historyDays: 90, changesDays: 365 });
  expect(() => readRetention({ HISTORY_DAYS: "0" })).toThrow("whole number of days");
  expect(() => readRetention({ CHANGES_DAYS: "30" })).toThrow("CHANGES_DAYS needs HISTORY_DAYS, which is not set");
  expect(() => readRetention({ HISTORY_DAYS: "90", CHANGES_DAYS: "30" })).toThrow(
    "CHANGES_DAYS (30) must not be less than HISTORY_DAYS (90)",
  );
});
