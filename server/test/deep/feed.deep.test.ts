// A follower of the change feed, started anywhere and killed at any moment, sees every change once and versions that rise.

import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import type { Store, WriteOp } from "../../engine/store.ts";
import type { StoredEntry } from "../../history/store/reads.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../../testing/store.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "rank", type: "integer" },
];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const things = read.collections[0] as Collection;

const RECORDS = 8; // few, so that writers meet
const WRITES = 12; // by each writer in a round
const WRITERS = inject("postgres") ? 4 : 1; // a SQLite file belongs to one service
const LONG = 1_800_000; // ms

let database: TestDatabase;
let stores: Store[];
beforeAll(async () => {
  database = await createTestDatabase();
  stores = [];
  for (let i = 0; i < WRITERS; i++) stores.push(await database.open([things]));
  if (database.url) await delayCommits(database.url);
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await database.drop();
});

/** Transactions of different lengths, before and after they draw their numbers. */
async function delayCommits(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.03); RETURN NULL; END $$",
  );
  for (const when of ["BEFORE", "AFTER"]) {
    await client.query(`CREATE TRIGGER dawdle_${when} ${when} INSERT ON history FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`);
  }
  await client.end();
}

let rank = 0;

function randomOp(): WriteOp {
  const id = 1 + randomInt(RECORDS);
  if (randomInt(5) === 0) return { verb: "delete", id };
  return { verb: "put", id, given: { id, rank: ++rank } };
}

async function write(store: Store): Promise<void> {
  for (let i = 0; i < WRITES; i++) {
    const ops = Array.from({ length: 1 + randomInt(4) }, randomOp);
    await writeEach(store, things, ops);
  }
}

interface Seen {
  entries: StoredEntry[];
  /** Names the last change that was dealt with; a follower that is killed goes on from there. */
  cursor: string;
}

/** Reads from where it stands. With `isKilled` it gives up somewhere within the page, and what came after that is lost to it. */
async function step(seen: Seen, isKilled: boolean): Promise<boolean> {
  const store = stores[randomInt(stores.length)] as Store;
  const page = await store.feed.read(seen.cursor, { collections: ["things"] }, 1 + randomInt(7));
  const dealtWith = isKilled ? page.entries.slice(0, randomInt(page.entries.length + 1)) : page.entries;
  seen.entries.push(...dealtWith);
  seen.cursor = isKilled ? (dealtWith.at(-1)?.cursor ?? seen.cursor) : page.next;
  return page.more || isKilled;
}

function expectRisingVersions(entries: readonly StoredEntry[]): void {
  const versions = new Map<number, number>();
  for (const { id, version } of entries) {
    expect(version).toBeGreaterThan(versions.get(id) ?? 0);
    versions.set(id, version);
  }
}

async function allEntries(): Promise<Map<string, StoredEntry>> {
  const all = new Map<string, StoredEntry>();
  for (let id = 1; id <= RECORDS; id++) {
    const store = stores[0] as Store;
    for (const entry of await store.history.listEntries("things", id, Number.MAX_SAFE_INTEGER, 100_000)) all.set(nameOf(entry), entry);
  }
  return all;
}

const nameOf = ({ write, id }: StoredEntry) => `${write} ${id}`;
const nap = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** On until it has seen as much as there is: others' transactions on the server may hold the feed up. */
async function finish(seen: Seen, all: ReadonlyMap<string, StoredEntry>): Promise<void> {
  for (let tries = 0; seen.entries.length < all.size && tries < 6_000; tries++) if (!(await step(seen, false))) await nap(10);
}

const ROUNDS = rounds(20, 200);

test(`in ${ROUNDS} rounds a follower that is killed again and again sees every change once, in order`, { timeout: LONG }, async () => {
  const begin = await (stores[0] as Store).feed.now();
  const cursors: string[] = [];
  const seen: Seen = { entries: [], cursor: begin };
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const writing = Promise.all(stores.map(write)).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      if (!(await step(seen, randomInt(3) === 0))) await nap(1);
      if (randomInt(20) === 0) cursors.push(seen.cursor);
    }
    await writing;
  }
  const all = await allEntries();
  await finish(seen, all);
  expect(seen.entries.length).toBe(all.size);
  expect(new Set(seen.entries.map(nameOf)).size).toBe(all.size);
  expectRisingVersions(seen.entries);
  // From any cursor that there ever was: the same changes after it, none of them twice.
  const order = new Map(seen.entries.map((entry, i) => [nameOf(entry), i]));
  for (const cursor of cursors.slice(-20)) {
    if (cursor === seen.cursor) continue; // nothing came after it
    const rest: Seen = { entries: [], cursor };
    // Read in other windows, the last change may come before others of its window: then there is more.
    for (let [tries, isOver] = [0, false]; tries < 6_000 && !isOver; tries++) {
      const more = await step(rest, false);
      isOver = !more && rest.entries.some((entry) => order.get(nameOf(entry)) === all.size - 1);
      if (!more && !isOver) await nap(10);
    }
    expectRisingVersions(rest.entries);
    const seqs = new Set(rest.entries.map(nameOf));
    expect(seqs.size).toBe(rest.entries.length);
    const first = Math.min(all.size, ...rest.entries.map((entry) => order.get(nameOf(entry)) ?? 0));
    expect(seqs.size).toBe(all.size - first);
  }
});
