// A replica answers reads, and nobody misses a write, whether it lags, stands still, is gone or is promoted.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createMetrics } from "../../http/metrics.ts";
import { toAnswer } from "../../records/answers.ts";
import { type PostgresPair, startPostgresPair } from "../../testing/postgres/postgres-pair.ts";
import { writeEach } from "../../testing/store.ts";
import { DEFAULT_SETTINGS, type Store, StoreOpenError, StoreTooCostly, type WhyPrimary } from "../store.ts";
import type { Reads } from "./connections.ts";
import { openDatabase } from "./database.ts";
import { openPostgres } from "./store.ts";

function thingsWith(...names: string[]): readonly Collection[] {
  const fields = names.map((name) => ({ name, type: "string" }));
  const schema = { fields: [{ name: "id", type: "integer" }, ...fields], primaryKey: "id" };
  const found = readDataPackage({ resources: [{ name: "things", singular: "thing", label: ["name"], schema }] });
  if ("mistakes" in found) throw new Error(JSON.stringify(found.mistakes));
  return found.collections;
}
let collections = thingsWith("name");
const things = collections[0] as Collection;

let pair: PostgresPair;
let writer: Store;
let reader: Store;
let warnings: string[] = [];
beforeAll(async () => {
  pair = await startPostgresPair({ isSynchronous: false });
  [writer, reader] = [await open(), await open()];
});
beforeEach(async () => {
  await untilReplicaAnswers();
  warnings = [];
});
afterAll(async () => {
  await Promise.all([writer.close(), reader.close()]);
  await pair.stop();
});

/** Each store is what a process has. */
function open(readUrl = pair.standbyUrl()): Promise<Store> {
  return openPostgres(pair.url, collections, toAnswer, { ...DEFAULT_SETTINGS, readUrl, onWarning: (text) => void warnings.push(text) });
}

let last = 0;
const letter = (n: number) => String.fromCharCode(97 + (n % 26));
const nameOf = (id: number) => `Holstein${letter(id / 26)}${letter(id)}`;
async function put(store: Store, collection = things, more: Record<string, string> = {}): Promise<{ id: number; name: string }> {
  const id = ++last;
  const name = nameOf(id);
  const [result] = await writeEach(store, collection, [{ verb: "put", id, given: { id, name, ...more } }]);
  expect(result?.outcome).toBe("created");
  return { id, name };
}

const named = (name: string) => [{ name: "name", operator: "eq" as const, values: [name] }];
const NEWEST = { at: Number.MAX_SAFE_INTEGER, write: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const BY_KEY = [{ name: "id", descending: false }];

async function find(store: Store, name: string, collection = things): Promise<(number | null)[]> {
  const { records } = await store.list(collection, { limit: 10, sort: BY_KEY, words: [], filters: named(name) });
  return records.map((record) => record.id as number);
}

/** How often the replica has answered, and the primary for this reason. */
function countOf(store: Store, why: WhyPrimary | ""): number {
  return store.readCounts?.().find((one) => one.why === why)?.reads ?? 0;
}

/** How often the primary has stood in. */
function standIns(store: Store): number {
  return (store.readCounts?.() ?? []).reduce((sum, { why, reads }) => (why === "" ? sum : sum + reads), 0);
}

async function untilReplicaAnswers(): Promise<void> {
  const isRead = async () => {
    const before = countOf(reader, "");
    await reader.count(things, { words: [] });
    return countOf(reader, "") - before;
  };
  await expect.poll(isRead, { timeout: 30_000 }).toBe(1);
}

test("what one process has stored, another finds at once, in everything that the replica answers", async () => {
  const before = countOf(reader, "");
  for (let i = 0; i < 20; i++) {
    const { id, name } = await put(writer);
    const found = await Promise.all([
      find(reader, name),
      reader.count(things, { words: [name.toLowerCase()] }),
      reader.summarize(things, { words: [], filters: named(name), groups: [], measures: [{ of: "count", name: "" }], shifts: [] }),
      reader.near(things, { words: [name.replace("ei", "ie")], isFound: false }),
      reader.history.listActivity({ collections: ["things"] }, NEWEST, 1),
    ]);
    const [ids, count, { total }, [near], { lines }] = found;
    expect([ids, count, total, near, lines[0]?.id]).toEqual([[id], 1, [1], name, id]);
  }
  expect(countOf(reader, "")).toBeGreaterThan(before);
  const metrics = createMetrics();
  metrics.watchReads(() => reader.readCounts?.() ?? []);
  expect((await metrics.render()).text).toMatch(/^db_reads_total\{server="replica",why=""\} [1-9]\d*$/m);
});

test("a replica that has not replayed a write is not asked, until it has", async () => {
  await pair.queryStandby("SELECT pg_wal_replay_pause()");
  const states = async () => (await pair.queryStandby("SELECT pg_get_wal_replay_pause_state() AS state"))[0]?.state;
  await expect.poll(states).toBe("paused");
  const before = countOf(reader, "");
  for (let i = 0; i < 5; i++) {
    const { id, name } = await put(writer);
    expect(await find(reader, name)).toEqual([id]);
  }
  await expect.poll(async () => [await reader.count(things, { words: [] }), countOf(reader, "behind")][1]).toBeGreaterThan(0);
  expect(countOf(reader, "")).toBe(before);
  await pair.queryStandby("SELECT pg_wal_replay_resume()");
  await untilReplicaAnswers();
  expect(warnings.filter((text) => text.includes("as far as the primary"))).toEqual([]);
});

test("a replica that is gone is said once, and read from again when it is back", async () => {
  await pair.signalStandby("SIGQUIT");
  for (let i = 0; i < 20; i++) {
    const { id, name } = await put(writer);
    expect(await find(reader, name)).toEqual([id]);
  }
  await reader.ping();
  expect(warnings).toEqual([expect.stringContaining("is not read from, the primary answers instead")]);
  await pair.startStandby();
  await untilReplicaAnswers();
  expect(warnings[1]).toBe("the replica of READ_DATABASE_URL is read from again");
});

test("a replica that stands still costs a read a moment, and then none", async () => {
  await pair.signalStandby("SIGSTOP");
  try {
    const { id, name } = await put(writer);
    const before = [countOf(reader, ""), standIns(reader)] as const;
    for (let i = 0; i < 20; i++) expect(await find(reader, name)).toEqual([id]);
    expect([countOf(reader, ""), standIns(reader)]).toEqual([before[0], before[1] + 20]);
    expect(countOf(reader, "silent")).toBeGreaterThan(0);
  } finally {
    await pair.signalStandby("SIGCONT");
  }
});

test("a field of the next dictionary is there as soon as that is taken", async () => {
  collections = thingsWith("name", "more");
  const collection = collections[0] as Collection;
  const { store } = await writer.takeDictionary(collections, { base: 0, text: "{}", by: null, comment: "" });
  const { id, name } = await put(store, collection, { more: "x" });
  const { records } = await store.list(collection, { limit: 10, sort: BY_KEY, words: [], filters: named(name) });
  expect(records).toEqual([expect.objectContaining({ id, more: "x" })]);
});

/** Runs the work until it began on the standby. Resolves to where it ran: true for the standby. */
async function runOnStandby(readSeconds: number, work: (reads: Reads, isStandby: boolean) => Promise<unknown>): Promise<boolean[]> {
  const database = openDatabase(pair.url, { ...DEFAULT_SETTINGS, readSeconds, readUrl: pair.standbyUrl() });
  const run = async () => {
    const places: boolean[] = [];
    const done = database.anywhere(async (reads) => {
      const isStandby = (await reads.read("SELECT pg_is_in_recovery()")).rows[0]?.[0];
      places.push(Boolean(isStandby));
      await work(reads, Boolean(isStandby));
    });
    await done.catch((error) => {
      if (!(error instanceof StoreTooCostly)) throw error;
    });
    return places;
  };
  try {
    let places = await run();
    while (!places[0]) places = await run(); // it may have been too busy to connect in time
    return places;
  } finally {
    await database.close();
  }
}

test("a read that the standby ends is asked of the primary", async () => {
  await pair.query("CREATE TABLE locked (n integer)");
  const places = await runOnStandby(5, async ({ read }, isStandby) => {
    await read("SELECT 1 FROM locked"); // until this read ends, nobody may lock the table there
    if (!isStandby) return;
    await pair.query("DO $$ BEGIN LOCK TABLE locked IN ACCESS EXCLUSIVE MODE; PERFORM pg_current_xact_id(); END $$");
    for (;;) await read("SELECT 1 FROM locked");
  });
  expect(places).toEqual([true, false]);
});

test("what takes too long on the replica is not asked a second time", async () => {
  const places = await runOnStandby(0.2, ({ readWithin }) => readWithin(200)("SELECT pg_sleep(30)"));
  expect(places).toEqual([true]);
});

test.each([
  ["a server that takes writes itself", (url: string) => url, "it takes writes itself"],
  ["another database of the replica", () => pair.standbyUrl().replace(/postgres$/, "template1"), "template1"],
])("%s is not read from, which is said", async (_, urlOf, sentence) => {
  const primary = String((await pair.query("SELECT inet_server_port() AS port"))[0]?.port);
  const store = await open(urlOf(`postgres://intake:intake@127.0.0.1:${primary}/postgres`));
  try {
    const { id, name } = await put(writer);
    await expect.poll(async () => [await find(store, name), warnings.filter((text) => text.includes(sentence)).length]).toEqual([[id], 1]);
    expect(countOf(store, "")).toBe(0);
  } finally {
    await store.close();
  }
});

test("an address that cannot be read is refused by the name of its setting", async () => {
  await expect(open("mysql://u:p@host/db")).rejects.toThrow(
    new StoreOpenError("READ_DATABASE_URL must look like postgres://user:password@host:5432/database; see docs/postgresql.md"),
  );
});

test("a replica that has become a primary of its own is not read from, which is said", async () => {
  await pair.queryStandby("SELECT pg_promote(true, 60)");
  for (let i = 0; i < 20; i++) {
    const { id, name } = await put(writer);
    expect(await find(reader, name)).toEqual([id]);
  }
  await pair.queryStandby("DELETE FROM c_things");
  await expect
    .poll(
      async () => {
        await find(reader, nameOf(1));
        return warnings.filter((text) => text.includes("it takes writes itself")).length;
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(await find(reader, nameOf(1))).toEqual([1]);
});
