// A role's condition on a field with an index reads no whole table, on neither engine, in whatever order the list is.

import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../../core/dictionary/collections.ts";
import { anyOf } from "../access/row-conditions.ts";
import { readCollections } from "../testing/service.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { type Cell, sortKey, tableOf } from "./columns.ts";
import { createLister as createPostgresLister } from "./postgres/list.ts";
import { createLister as createSqliteLister } from "./sqlite/list.ts";
import type { Filter, SortTerm, Store } from "./store.ts";

const key = { name: "id", title: "ID", type: "integer" };
const PACKAGE = {
  resources: [
    {
      name: "customers",
      title: "Customers",
      schema: {
        fields: [key, { name: "region", title: "Region", type: "string" }, { name: "areaId", title: "Area", type: "integer" }],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["areaId"], reference: { resource: "areas", fields: ["id"] } }],
      },
    },
    {
      name: "orders",
      title: "Orders",
      schema: {
        fields: [
          key,
          { name: "number", title: "Number", type: "string" },
          { name: "region", title: "Region", type: "string" },
          { name: "rank", title: "Rank", type: "integer" },
          { name: "stage", title: "Stage", type: "string" },
          { name: "customerId", title: "Customer", type: "integer" },
        ],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["customerId"], reference: { resource: "customers", fields: ["id"] } }],
      },
    },
    {
      name: "areas",
      title: "Areas",
      schema: { fields: [key, { name: "name", title: "Name", type: "string" }], primaryKey: ["id"] },
    },
  ],
};
const RECORDS = 30_000; // more than the listers sort without looking
const LATEST = 300; // records that lie at one end of some orders
const { collections } = readCollections(PACKAGE);
const [customers, orders, areas] = collections as [Collection, Collection, Collection];

let database: TestDatabase;
let store: Store;
/** The statements of the lister that has been asked last. */
let asked: { sql: string; params: readonly unknown[] }[] = [];
let explain: (sql: string, params: readonly unknown[]) => Promise<string>;
let lister: ReturnType<typeof createSqliteLister> | ReturnType<typeof createPostgresLister>;
let end: () => Promise<unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open(collections);
  const ops = (count: number, given: (i: number) => object) =>
    Array.from(
      { length: count },
      (_, i) => ({ verb: "post", id: i + 1, given: { id: i + 1, ...given(i) }, onConflict: "error", onMissing: "create" }) as never,
    );
  await writeEach(
    store,
    areas,
    ops(100, (i) => ({ name: `a${i}` })),
  );
  await writeEach(
    store,
    customers,
    ops(300, (i) => ({ region: `r${i % 100}`, areaId: (i % 100) + 1 })),
  );
  const all = ops(RECORDS, (i) => ({
    number: `n${(i * 7_919) % RECORDS}`,
    region: `r${i % 100}`,
    rank: i < RECORDS - LATEST ? (i * 31) % 1_000 : 1_000 + (i % 7),
    stage: i < RECORDS - LATEST ? "done" : "new",
    customerId: (i % 300) + 1,
  }));
  for (let from = 0; from < RECORDS - LATEST; from += 5_000)
    await writeEach(store, orders, all.slice(from, Math.min(from + 5_000, RECORDS - LATEST)));
  await writeEach(store, orders, all.slice(-LATEST), { by: { type: "user", id: "temp", name: "Temp" } });
  if (database.url === undefined) {
    const file = new Database(join(database.folder, "intake.db"));
    explain = async (sql, params) =>
      (file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(params as never) as { detail: string }[]).map(({ detail }) => detail).join("\n");
    lister = createSqliteLister(async (sql, params) => {
      asked.push({ sql, params });
      return file
        .prepare(sql)
        .raw()
        .all(params as never) as Cell[][];
    });
    end = async () => file.close();
    return;
  }
  const client = new pg.Client({ connectionString: database.url });
  client.setTypeParser(20, Number); // bigint
  await client.connect();
  await client.query(`ANALYZE ${tableOf(orders)}; ANALYZE ${tableOf(customers)}; ANALYZE ${tableOf(areas)}`);
  explain = async (sql, params) =>
    (await client.query({ text: `EXPLAIN ${sql}`, values: params as unknown[], rowMode: "array" })).rows.flat().join("\n");
  const query = async (sql: string, params: readonly unknown[] = []) => {
    asked.push({ sql, params });
    const { rows } = await client.query({ text: sql, values: params as unknown[], rowMode: "array" });
    return { rows, count: rows.length };
  };
  const begin = () => query as never;
  lister = createPostgresLister({ read: begin, search: begin, near: begin });
  end = () => client.end();
}, 120_000);
afterAll(async () => {
  await end?.();
  await store.close();
  await database.drop();
});

const region: Filter = { name: "region", operator: "in", values: ["r7"] };
const rank: Filter = { name: "rank", operator: "gte", values: [998] };
const through = { field: "customerId", column: "customerId", collection: "customers", keyColumn: "id", of: customers.byName.get("region") };
const further = { field: "areaId", column: "areaId", collection: "areas", keyColumn: "id", of: areas.byName.get("name") };
const WAYS: Record<string, readonly Filter[]> = {
  "one value": [region],
  "several values": [{ ...region, values: ["r7", "r8"] }],
  "an order": [rank],
  "one of two conditions": anyOf([[region], [rank]]),
  "a parent": [{ ...region, through }],
  "the parent of a parent": [{ name: "name", operator: "in", values: ["a7"], through: { ...through, of: undefined, further } }],
  "what lies together": [{ ...region, name: "stage", values: ["new"] }],
  "who made it": [{ ...region, name: "createdBy", values: ["temp"] }],
  nothing: anyOf([]),
};
const term = (name: string, descending = false): SortTerm => ({ name, descending });
const ORDERS: Record<string, SortTerm[]> = {
  key: [term("id")],
  text: [term("number"), term("id")],
  "latest change": [term("updatedAt", true), term("id", true)],
  "oldest change": [term("updatedAt"), term("id")],
  number: [term("rank", true), term("id", true)],
};

const READS_ALL = { sqlite: /SCAN c_orders(?! USING)/, postgres: /Seq Scan on c_orders/ };
/** It ends after so many rows in the order of the key, whatever is chosen of them. */
const IS_BOUNDED =
  /FROM \(SELECT \* FROM "c_orders"(?: WHERE [^()]+)? ORDER BY [^()]+ LIMIT [$?]\d*\)|^SELECT 1 FROM "c_orders"[^()]* LIMIT 1 OFFSET [$?]/;

describe.each(Object.entries(WAYS))("a condition by %s", (_, own) => {
  test.each(Object.entries(ORDERS))("lists by %s without reading the table", async (_name, sort) => {
    asked = [];
    const { records } = await lister.list(orders, { words: [], filters: own, sort, limit: 25 });
    const isMet = own.some(({ anyOf: ways }) => ways?.length === 0);
    expect(records.length).toBe(isMet ? 0 : 25);
    await expectIndexes();
  });

  test("counts without reading the table", async () => {
    asked = [];
    await lister.count(orders, { words: [], filters: own, most: 1_000 });
    await expectIndexes();
  });
});

describe.each(["what lies together", "who made it"])("a condition by %s", (own) => {
  test.each(Object.entries(ORDERS))(
    "has each record once by %s, page after page, and reads about as many as meet it",
    async (_name, sort) => {
      const found: Record<string, unknown>[] = [];
      asked = [];
      for (let more = true; more; ) {
        const last = found.at(-1);
        const after = last && sort.map(({ name }) => placeOf(name, last[name]));
        const page = await lister.list(orders, {
          words: [],
          filters: WAYS[own] ?? [],
          sort,
          limit: 70,
          ...(after && { after: after as never }),
        });
        found.push(...(page.records as Record<string, unknown>[]));
        more = page.more;
      }
      expect(found.map(({ id }) => Number(id)).sort((one, other) => one - other)).toEqual(
        Array.from({ length: LATEST }, (_, i) => RECORDS - LATEST + 1 + i),
      );
      expect(found).toEqual([...found].sort((one, other) => inOrder(sort, one, other)));
      if (database.url === undefined) return;
      for (const { sql, params } of asked.filter((one) => !IS_BOUNDED.test(one.sql))) {
        const plan = await explain(sql.replace(/^/, "(ANALYZE) "), params);
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
        expect([plan, Math.max(0, ...removed) > 13_000]).toEqual([plan, false]);
      }
    },
  );
});

/** As a cursor has it. */
function placeOf(name: string, value: unknown): unknown {
  if (name === "updatedAt") return Date.parse(String(value));
  return typeof value === "string" ? sortKey(value) : value;
}

function inOrder(sort: readonly SortTerm[], one: Record<string, unknown>, other: Record<string, unknown>): number {
  for (const { name, descending } of sort) {
    const [mine, theirs] = [placeOf(name, one[name]) as never, placeOf(name, other[name]) as never];
    if (mine !== theirs) return mine < theirs === descending ? 1 : -1;
  }
  return 0;
}

async function expectIndexes(): Promise<void> {
  expect(asked.length).toBeGreaterThan(0);
  for (const { sql, params } of asked.filter((one) => !IS_BOUNDED.test(one.sql))) {
    const plan = await explain(sql, params);
    expect(`${sql}\n${plan}`).not.toMatch(database.url === undefined ? READS_ALL.sqlite : READS_ALL.postgres);
  }
}
