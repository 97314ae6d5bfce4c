// PostgreSQL itself: a server that stops and comes back, tables of another version, addresses that do not work.

import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Principal } from "../../../core/contract/principals.ts";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { toAnswer } from "../../records/answers.ts";
import { startPostgres } from "../../testing/postgres/postgres.ts";
import { openPostgresProxy } from "../../testing/postgres/postgres-proxy.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../../testing/store.ts";
import { DEFAULT_SETTINGS, type Store, StoreOutdated, StoreUnavailable, type ToAnswer, type WriteOp } from "../store.ts";
import { openPostgres } from "./store.ts";

const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "a", type: "string" },
        ],
        primaryKey: "id",
      },
    },
  ],
});
if ("mistakes" in read) throw new Error("package");
const { collections } = read;
const collection = collections[0] as Collection;

let database: TestDatabase;
let url: string;
beforeEach(async () => {
  database = await createTestDatabase();
  url = database.url ?? "";
});
afterEach(() => database.drop());

const openStore = (address: string, own: readonly Collection[], answer: ToAnswer = toAnswer) => openPostgres(address, own, answer);

function put(store: Store, id: number, a = "x") {
  return writeEach(store, collection, [{ verb: "put", id, given: { id, a } }]);
}

const query = (sql: string) => onServer(url, sql);

async function onServer(address: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const NEXT = { base: 0, text: "{}", by: null, comment: "" };
function thingsWith(...fields: object[]): readonly Collection[] {
  const schema = { fields: [{ name: "id", type: "integer" }, ...fields], primaryKey: "id" };
  const found = readDataPackage({ resources: [{ name: "things", singular: "thing", schema }] });
  if ("mistakes" in found) throw new Error(JSON.stringify(found.mistakes));
  return found.collections;
}
const isWaiting = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND application_name = current_setting('application_name')`;

test("a value that is being stored keeps its column from being dropped as empty", async () => {
  const store = await openStore(url, thingsWith({ name: "a", type: "string" }, { name: "since", type: "string" }));
  const writing = new pg.Client({ connectionString: url });
  await writing.connect();
  try {
    await query('INSERT INTO c_things (id, version, "createdAt", "updatedAt") VALUES (1, 1, 1, 1)');
    await writing.query("BEGIN; UPDATE c_things SET since = 'kept'");
    const taking = store.takeDictionary(thingsWith({ name: "a", type: "string" }, { name: "since", type: "integer" }), NEXT);
    const refused = expect(taking).rejects.toThrow("1 record has a value of type string");
    await expect.poll(async () => (await query(isWaiting)).rows[0].waiting).toBeGreaterThan(0);
    await writing.query("COMMIT");
    await refused;
    expect((await query("SELECT since FROM c_things")).rows).toEqual([{ since: "kept" }]);
  } finally {
    await writing.end();
    await store.close();
  }
});

test("the index of a new field comes by itself, one whose making broke off is made anew, and one that keeps unique for nobody goes", async () => {
  const store = await openStore(url, collections);
  const indexes = async () =>
    (
      await query("SELECT indexname AS name FROM pg_indexes WHERE tablename = 'c_things' AND schemaname = current_schema() ORDER BY 1")
    ).rows.map(({ name }) => name);
  const first = ["c_things_pkey", "i_things_a", "i_things_createdAt", "i_things_createdBy", "i_things_updatedAt", "w_things"];
  await expect.poll(indexes).toEqual(first);
  const more = thingsWith({ name: "a", type: "string", constraints: { unique: true } }, { name: "b", type: "integer" });
  await store.takeDictionary(more, NEXT);
  const all = [...first, "i_things_b", "u_things_a"].sort();
  await expect.poll(indexes).toEqual(all);
  await store.close();
  await query(
    "CREATE UNIQUE INDEX u_things_b ON c_things (b); UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'i_things_b'::regclass",
  );
  const again = await openStore(url, more);
  const broken = "SELECT count(*)::int AS n FROM pg_index WHERE NOT indisvalid AND indrelid = 'c_things'::regclass";
  await expect.poll(async () => [(await query(broken)).rows[0].n, ...(await indexes())]).toEqual([0, ...all]);
  await again.close();
});

test("the time is before that of a write that is still running, so that its change counts as made since", async () => {
  const [store, other] = await Promise.all([openStore(url, collections), openStore(url, collections)]);
  const holding = new pg.Client({ connectionString: url });
  await holding.connect();
  try {
    await put(store, 1);
    await holding.query("BEGIN; SELECT 1 FROM c_things WHERE id = 1 FOR UPDATE");
    const running = put(other, 1, "of a colleague");
    await expect.poll(async () => (await query(isWaiting)).rows[0].waiting).toBeGreaterThan(0);
    const time = new Date(await store.time()).toISOString();
    expect(await store.read(collection, 1)).toMatchObject({ a: "x" });
    await holding.query("COMMIT");
    await running;
    const { updatedAt = "" } = (await store.read(collection, 1)) ?? {};
    expect(updatedAt > time).toBe(true);
    const op = { verb: "patch", id: 1, given: { a: "from a file" } } as const;
    const by: Principal = { type: "user", id: "uploader", name: "" };
    const [result] = await writeEach(store, collection, [op], { by, unlessChangedSince: time });
    expect(result).toMatchObject({ outcome: "failed", status: 412 });
  } finally {
    await holding.end();
    for (const one of [store, other]) await one.close();
  }
});

test("several processes give one number to each principal, however many write for the first time at once", async () => {
  const stores = await Promise.all([1, 2, 3].map(() => openStore(url, collections)));
  const callers = Array.from({ length: 12 }, (_, i): Principal => ({ type: i % 2 ? "user" : "key", id: `p${i >> 1}`, name: `p${i >> 1}` }));
  try {
    const writes = stores.flatMap((store, n) =>
      callers.map((by, i) => {
        const id = n * 100 + i;
        return writeEach(store, collection, [{ verb: "put", id, given: { id, a: "x" } }], { by });
      }),
    );
    await Promise.all(writes);
    const { rows } = await query("SELECT count(*)::int AS all, count(DISTINCT type || ' ' || id)::int AS different FROM principals");
    expect(rows).toEqual([{ all: callers.length, different: callers.length }]);
    for (const [n, store] of stores.entries()) {
      for (const [i, by] of callers.entries()) {
        expect(await store.read(collection, n * 100 + i)).toMatchObject({ createdBy: by, updatedBy: by });
      }
    }
  } finally {
    for (const store of stores) await store.close();
  }
});

test("one person's lists that take long leave connections for the lists of others", async () => {
  const others = { ...collection, name: "others" };
  const own = [collection, others];
  const store = await openPostgres(url, own, toAnswer, { ...DEFAULT_SETTINGS, readSeconds: 60, connections: 3 });
  const locking = new pg.Client({ connectionString: url });
  await locking.connect();
  try {
    await locking.query("BEGIN; LOCK TABLE c_things IN ACCESS EXCLUSIVE MODE");
    const page = { limit: 1, sort: [{ name: "id", descending: false }], words: [] };
    const long = Array.from({ length: 9 }, () => store.list(collection, page, { owner: "user much" }));
    expect(await store.list(others, page, { owner: "user little" })).toEqual({ records: [], more: false }); // while the others wait
    await locking.query("COMMIT");
    expect(await Promise.all(long)).toHaveLength(9);
  } finally {
    await locking.end();
    await store.close();
  }
});

test("a read that nobody wants any more when it gets its connection is not begun", async () => {
  const store = await openPostgres(url, collections, toAnswer, { ...DEFAULT_SETTINGS, readSeconds: 60, connections: 1 });
  const locking = new pg.Client({ connectionString: url });
  await locking.connect();
  try {
    await put(store, 1);
    await locking.query("BEGIN; LOCK TABLE c_things");
    const page = { limit: 1, sort: [{ name: "id", descending: false }], words: [] };
    const first = store.list(collection, page);
    const stop = new AbortController();
    const { signal } = stop;
    const waiting = Promise.allSettled([store.list(collection, page, { signal }), store.count(collection, page, { signal })]);
    stop.abort(new Error("gone"));
    await locking.query("COMMIT");
    expect((await first).records).toHaveLength(1);
    for (const each of await waiting) expect(each).toMatchObject({ status: "rejected", reason: { message: "gone" } });
  } finally {
    await locking.end();
    await store.close();
  }
});

test("requests fail as unavailable while the server is down, and work when it is back", async () => {
  const proxy = await openPostgresProxy(url);
  const store = await openStore(proxy.url, collections);
  try {
    await put(store, 1);
    await proxy.cut();
    await expect(put(store, 2)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.read(collection, 1)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
    await proxy.open();
    expect(await store.read(collection, 1)).toMatchObject({ a: "x" });
    await put(store, 2);
  } finally {
    await store.close();
    await proxy.cut();
  }
});

test("a write that is cut off midway leaves nothing behind, and no lock on its row", async () => {
  const proxy = await openPostgresProxy(url);
  const store = await openStore(proxy.url, collections, (batch, decisions) => {
    void proxy.cut(); // between the change and COMMIT
    return toAnswer(batch, decisions);
  });
  const other = await openStore(url, collections);
  try {
    await put(other, 1);
    await expect(put(store, 1, "half")).rejects.toThrow();
    await put(other, 1, "whole");
    expect(await other.read(collection, 1)).toMatchObject({ a: "whole", version: 2 });
  } finally {
    await store.close();
    await other.close();
  }
});

test("a password that was changed makes requests unavailable, until it is right again", async () => {
  const role = `changed_${Date.now()}`;
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1];
  await query(`CREATE ROLE ${role} LOGIN PASSWORD 'old'; GRANT ALL ON SCHEMA ${schema} TO ${role}`);
  const store = await openStore(Object.assign(new URL(url), { username: role, password: "old" }).href, collections);
  try {
    await put(store, 1);
    await query(`ALTER ROLE ${role} PASSWORD 'new'`);
    // A connection that was being opened when the password changed may outlast the first cut.
    const afterCut = async (ask: () => Promise<unknown>) => {
      await database.cutConnections();
      return ask().then(
        () => "answered",
        (error) => error,
      );
    };
    await expect.poll(() => afterCut(() => put(store, 2))).toBeInstanceOf(StoreUnavailable);
    await expect.poll(() => afterCut(async () => store.read(collection, 1))).toBeInstanceOf(StoreUnavailable);
    await query(`ALTER ROLE ${role} PASSWORD 'old'`);
    await put(store, 2);
  } finally {
    await store.close();
    await query(`REASSIGN OWNED BY ${role} TO intake; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test("of several hosts the one that is there is used, and the next one after it has gone", async () => {
  const [first, second] = [await openPostgresProxy(url), await openPostgresProxy(url)];
  const hosts = ["127.0.0.1:1", new URL(first.url).host, new URL(second.url).host].join(",");
  const store = await openStore(url.replace(new URL(url).host, hosts), collections);
  try {
    await put(store, 1);
    await first.cut();
    await put(store, 2);
    expect(await store.read(collection, 1)).toMatchObject({ a: "x" });
  } finally {
    await store.close();
    await second.cut();
  }
});

test("with target_session_attrs=read-write a server that is read-only is passed over", async () => {
  const standby = await startPostgres(["default_transaction_read_only=on"]);
  const both = url.replace(new URL(url).host, `${new URL(standby.url).host},${new URL(url).host}`);
  const store = await openStore(`${both}&target_session_attrs=read-write`, collections);
  try {
    await put(store, 1);
    await store.ping();
  } finally {
    await store.close();
    await standby.stop();
  }
});

test("a server whose pg_hba.conf allows no such connection is passed over", async () => {
  const closed = await startPostgres([]);
  const { rows } = await onServer(closed.url, "SHOW hba_file");
  await onServer(closed.url, `COPY (SELECT 'host all all all reject') TO '${rows[0].hba_file}'`);
  await onServer(closed.url, "SELECT pg_reload_conf()");
  await expect.poll(() => onServer(closed.url, "SELECT 1").catch(({ code }) => code), { timeout: 30_000 }).toBe("28000");
  const store = await openStore(url.replace(new URL(url).host, `${new URL(closed.url).host},${new URL(url).host}`), collections);
  await store.close();
  await closed.stop();
});

test("sslmode means what libpq says: require needs encryption, prefer does without", async () => {
  await expect(openStore(`${url}&sslmode=require`, collections)).rejects.toThrow("does not support SSL");
  await (await openStore(`${url}&sslmode=prefer`, collections)).close();
});

test("ten processes that start at once on an empty database all get their tables", async () => {
  const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(url, collections)));
  expect(new Set(stores.map(({ secrets }) => secrets.map((one) => Buffer.from(one).toString("hex")).join())).size).toBe(1);
  for (const store of stores) await store.close();
});

test("tables of a newer version or another build are not touched", async () => {
  await (await openStore(url, collections)).close();
  await query("INSERT INTO migrations VALUES (1000, 'future', 0)");
  await expect(openStore(url, collections)).rejects.toThrow("written by a newer version of the service");
  await query("DELETE FROM migrations WHERE number = 1000; UPDATE migrations SET checksum = 'other' WHERE number = 25");
  await expect(openStore(url, collections)).rejects.toThrow("step 25 of the database's tables is not the one this version knows");
});

test("a column that is not there is a bug, and no outage, unless another process has applied another dictionary", async () => {
  const store = await openStore(url, collections);
  await query("ALTER TABLE c_things DROP COLUMN a");
  const why = async () => {
    try {
      return await store.read(collection, 1);
    } catch (error) {
      return error;
    }
  };
  expect(await why()).not.toBeInstanceOf(StoreUnavailable);
  expect(await why()).toMatchObject({ code: "42703" });
  await query("UPDATE settings SET value = '{}' WHERE name = 'dictionary'");
  expect(await why()).toBeInstanceOf(StoreOutdated);
  await store.close();
});

test("a rejected change of the dictionary leaves every table as it was", async () => {
  const store = await openStore(url, collections);
  await put(store, 1);
  await store.close();
  const fewer = { ...collection, fields: collection.fields.slice(0, 1) };
  const added = { ...collection, name: "added" };
  await expect(openStore(url, [added, fewer])).rejects.toThrow("a value there, but the field is no longer in the dictionary");
  const again = await openStore(url, collections);
  expect(await again.read(collection, 1)).toMatchObject({ a: "x" });
  await again.close();
});

test.each([
  ["a wrong password", (at: URL) => ({ password: `${at.password}x` }), "refused the user or password"],
  ["no such database", () => ({ pathname: "/nowhere" }), "does not exist"],
  ["nobody there", () => ({ port: "1" }), "cannot be used (connect ECONNREFUSED"],
])("a database URL with %s is refused in a sentence without the password", async (_, change, sentence) => {
  const wrong = Object.assign(new URL(url), change(new URL(url)));
  const error = await openStore(wrong.href, collections).catch((refused: Error) => refused);
  expect(String(error)).toContain(sentence);
  expect(String(error)).not.toContain("intake:intake");
});

test("a password whose end cannot be seen in the address is refused in a sentence that shows nothing of it", async () => {
  const error = await openStore("postgres://intake:geh@eim/w:rd@127.0.0.1:5432/intake", collections).catch((refused: Error) => refused);
  expect(String(error)).toMatch(/write %40 for @, %2F for \//);
  expect(String(error)).not.toMatch(/geh|eim|w:rd/);
});

test("names too long for PostgreSQL do not collide", async () => {
  const name = `f${"x".repeat(61)}`;
  const long = readDataPackage({
    resources: [
      {
        name: `c${"y".repeat(62)}`,
        singular: "thing",
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: `${name}a`, type: "string", constraints: { unique: true } },
            { name: `${name}b`, type: "string", constraints: { unique: true } },
          ],
          primaryKey: "id",
        },
      },
    ],
  });
  if ("mistakes" in long) throw new Error("package");
  const own = long.collections[0] as Collection;
  const store = await openStore(url, long.collections);
  const ops: WriteOp[] = [{ verb: "put", id: 1, given: { id: 1, [`${name}a`]: "one", [`${name}b`]: "two" } }];
  await writeEach(store, own, ops);
  expect(await store.read(own, 1)).toMatchObject({ [`${name}a`]: "one", [`${name}b`]: "two" });
  await store.close();
});

test("a process that does not know of a conversion does not write what it would miss, until it has the dictionary", async () => {
  const before = thingsWith({ name: "a" });
  const after = thingsWith({ name: "a" }, { name: "a_date", type: "date" });
  const [one, other] = [await openStore(url, before), await openStore(url, before)];
  const taken = await one.takeDictionary(after, NEXT);
  await put(other, 1); // a new field alone is no reason
  const conversion = {
    ...{ id: "c1", collection: "things", from: "a", to: "b", column: "a_date", name: "a", fromKind: "string", toKind: "date" },
    ...{ reads: {}, by: { type: "key" as const, id: "k" }, at: 1, after: null, seen: 0, total: 0, converted: 0, left: 0, empty: 0 },
    ...{ leftRecords: [], detail: "", touchedAt: 1 },
  } as const;
  await one.conversions.addConversion({ ...conversion, leftRecords: [], undoes: null, state: "running" });
  await expect(put(other, 2)).rejects.toThrow(StoreOutdated);
  await put(taken.store, 2);
  // On the way back the field is known, and is filled only by whoever knows that it is converted again.
  await one.conversions.saveConversion({ ...conversion, leftRecords: [], undoes: null, state: "done" }, null);
  await put(taken.store, 2, "y");
  await one.conversions.addConversion({ ...conversion, leftRecords: [], undoes: "c0", state: "running" });
  await expect(put(taken.store, 3)).rejects.toThrow(StoreOutdated);
  await one.close();
  await other.close();
});
