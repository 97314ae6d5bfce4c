// Views for reports on both engines: names of today, true types, renewed with each version, and nothing lost.

import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../../testing/store.ts";

interface Field {
  name: string;
  type: string;
  [word: string]: unknown;
}
const field = (name: string, type = "string", more: object = {}): Field => ({ name, title: name, type, ...more });
const packageOf = (fields: Field[], ...others: object[]) => ({
  resources: [
    { name: "orders", title: "Orders", schema: { fields: [field("objectId", "integer"), ...fields], primaryKey: "objectId" } },
    ...others,
  ],
});
const BOXES = { name: "boxes", title: "Boxes", schema: { fields: [field("boxId", "integer"), field("size")], primaryKey: "boxId" } };
const KINDS = [
  field("customer"),
  field("amount", "number", { decimals: 2 }),
  field("weight", "number"),
  field("isPaid", "boolean"),
  field("day", "date"),
  field("sentAt", "datetime"),
  field("opensAt", "time"),
  field("season", "year"),
];

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
let warnings: string[];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const asFile = (dataPackage: object) => ({ dataPackage, placeOf: (place: string) => place });

async function open(dataPackage: object): Promise<void> {
  warnings = [];
  let chosen = nextVersion(asFile(dataPackage), undefined);
  store = await database.open(
    (kept) => {
      chosen = nextVersion(asFile(dataPackage), kept);
      return { collections: chosen.collections, text: JSON.stringify(chosen.dataPackage) };
    },
    { onWarning: (text) => void warnings.push(text) },
  );
  living = createLivingDictionary({ ...chosen, store }, () => undefined);
}

async function apply(dataPackage: object): Promise<readonly string[]> {
  const { version, dataPackage: served } = living.served();
  const next = nextVersion(asFile(dataPackage), { version, text: JSON.stringify(served) });
  return (await living.apply(next.dataPackage, next.collections)).notes;
}

function put(id: number, record: object) {
  const { store: now, collections } = living.served();
  return writeEach(now, collections[0] as never, [{ verb: "put", id, given: { objectId: id, ...record } }] as never);
}

/** Runs statements as whoever makes reports; answers the rows of the last one. */
async function query(...statements: string[]): Promise<Record<string, unknown>[]> {
  if (!database.url) {
    const file = new Database(join(database.folder, "intake.db"));
    file.pragma("busy_timeout = 5000");
    for (const sql of statements.slice(0, -1)) file.exec(sql);
    const rows = file.prepare(statements.at(-1) ?? "").all() as Record<string, unknown>[];
    file.close();
    return rows;
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET TIME ZONE 'Asia/Tokyo'");
  try {
    let rows: Record<string, unknown>[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

const schema = () => `${/search_path=(\w+)/.exec(decodeURIComponent(database.url ?? ""))?.[1]}_reports`;
const view = (name: string) => (database.url ? `${schema()}.${name}` : `report_${name}`);
const columnsOf = async (name: string) =>
  (
    await query(
      database.url
        ? `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = '${schema()}' AND table_name = '${name}' ORDER BY ordinal_position`
        : `SELECT name FROM pragma_table_info('report_${name}')`,
    )
  ).map((row) => row.name);
const OWN = ["createdAt", "updatedAt", "version"];

test("values have their true types, at every end of what a kind holds, and deleted records are not there", async () => {
  await open(packageOf(KINDS));
  const amounts = [
    "-12.5",
    "0",
    "99999999999999999999999999.99",
    "-0.01",
    "-99999999999999999999999999.99",
    "1234567890.12",
    "-1234567890.98",
  ];
  for (const [i, amount] of amounts.entries()) await put(i + 1, { amount });
  await put(8, {
    customer: "Łukasz",
    weight: 0.5,
    isPaid: true,
    day: "0000-02-29",
    sentAt: "0000-01-01T00:00:00.000Z",
    opensAt: "23:59:59",
    season: -44,
  });
  await put(9, { isPaid: false, day: "9999-12-31", sentAt: "9999-12-31T23:59:59.999Z" });
  await put(10, {});
  const { store: now, collections } = living.served();
  await writeEach(now, collections[0] as never, [{ verb: "delete", id: 10 }] as never);
  const rows = await query(`SELECT * FROM ${view("orders")} ORDER BY 1`);
  expect(rows.map(({ objectId }) => Number(objectId))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(rows.slice(0, 7).map(({ amount }) => amount)).toEqual(amounts);
  expect(rows[7]).toMatchObject({ customer: "Łukasz", weight: 0.5, opensAt: "23:59:59", season: -44, amount: null });
  const stored = await now.read(collections[0] as never, 8);
  const [times] = await query(`SELECT "createdAt", "sentAt", "day" FROM ${view("orders")} WHERE "objectId" = 9`);
  if (!database.url) {
    expect(rows[8]).toMatchObject({ isPaid: 0, day: "9999-12-31", sentAt: "9999-12-31T23:59:59.999Z" });
    expect(rows[7]?.createdAt).toBe(stored?.createdAt);
    const [sum] = await query(`SELECT sum(CAST(amount AS REAL)) AS total FROM ${view("orders")} WHERE "objectId" IN (1, 4)`);
    expect(sum).toEqual({ total: -12.51 });
    return;
  }
  expect(rows[8]).toMatchObject({ isPaid: false });
  expect((times?.sentAt as Date | undefined)?.toISOString()).toBe("9999-12-31T23:59:59.999Z");
  expect((rows[7]?.createdAt as Date | undefined)?.toISOString()).toBe(stored?.createdAt);
  const types = `SELECT string_agg(data_type, ', ' ORDER BY ordinal_position) AS types FROM information_schema.columns WHERE table_schema = '${schema()}'`;
  const zoned = "timestamp with time zone";
  const [{ types: found } = {}] = await query(types);
  expect(found).toBe(
    `bigint, text, numeric, double precision, boolean, date, ${zoned}, time without time zone, smallint, ${zoned}, ${zoned}, bigint`,
  );
  const [old] = await query(`SELECT "day"::text, extract(epoch FROM "sentAt")::text AS seconds, sum(amount) OVER ()::text AS total
    FROM ${view("orders")} WHERE "objectId" = 8`);
  expect(old).toEqual({ day: "0001-02-29 BC", seconds: "-62167219200.000000", total: null });
});

test("a view follows each version: names after a rename, new fields and collections, and nothing that is retired", async () => {
  await open(packageOf([field("phone"), field("city")], BOXES));
  await put(1, { phone: "0151", city: "Bonn" });
  expect(await columnsOf("orders")).toEqual(["objectId", "phone", "city", ...OWN]);
  await apply(packageOf([field("mobile", "string", { formerNames: ["phone"] }), field("city")], BOXES));
  expect(await query(`SELECT mobile FROM ${view("orders")}`)).toEqual([{ mobile: "0151" }]);
  await apply(packageOf([field("mobile"), field("total", "number", { decimals: 2 })]));
  expect(await columnsOf("orders")).toEqual(["objectId", "mobile", "total", ...OWN]);
  expect(await columnsOf("boxes")).toEqual([]);
  const before = await query(
    database.url ? `SELECT '${view("orders")}'::regclass::oid AS made` : "SELECT count(*) AS made FROM sqlite_schema",
  );
  expect(await apply(packageOf([field("mobile"), field("total", "number", { decimals: 2 })]))).toEqual([]);
  await store.close();
  await open(packageOf([field("mobile"), field("total", "number", { decimals: 2 })]));
  expect(warnings).toEqual([]);
  // Nothing has changed, so the start has not touched it.
  expect(
    await query(database.url ? `SELECT '${view("orders")}'::regclass::oid AS made` : "SELECT count(*) AS made FROM sqlite_schema"),
  ).toEqual(before);
  await apply(packageOf([field("mobile"), field("city")], BOXES));
  expect(await query(`SELECT city FROM ${view("orders")}`)).toEqual([{ city: "Bonn" }]);
  expect(await columnsOf("boxes")).toEqual(["boxId", "size", ...OWN]);
});

test("what somebody has built upon a view stays, and keeps no version from being applied", async () => {
  await open(packageOf([field("phone"), field("city"), field("age")]));
  await put(1, { phone: "0151", city: "Bonn" });
  const mine = database.url ? `${schema()}.mine` : "mine";
  await query(`CREATE VIEW ${mine} AS SELECT phone, city FROM ${view("orders")}`, `SELECT * FROM ${mine}`);
  const notes = await apply(packageOf([field("mobile", "string", { formerNames: ["phone"] }), field("city"), field("age")]));
  expect(await query(`SELECT mobile FROM ${view("orders")}`)).toEqual([{ mobile: "0151" }]);
  if (database.url) {
    expect(notes).toEqual([
      expect.stringMatching(
        /^reports: \S+orders_until_\d+" stays as it was, because others have built upon it: view \S+mine depends on view/,
      ),
    ]);
    expect(await query(`SELECT * FROM ${mine}`)).toEqual([{ phone: "0151", city: "Bonn" }]);
  } else {
    // SQLite looks for the columns when the view is read.
    await expect(query(`SELECT * FROM ${mine}`)).rejects.toThrow("no such column: phone");
  }
  const later = await apply(packageOf([field("mobile"), field("city"), field("age"), field("size")]));
  expect(later).toEqual(database.url ? [expect.stringContaining("_until_")] : []);
  // A field without values may become another kind, unless somebody reads its column.
  const asNumber = packageOf([field("mobile"), field("city"), field("age", "integer"), field("size")]);
  await query(`CREATE VIEW ${mine}2 AS SELECT age FROM ${view("orders")}`, `SELECT * FROM ${mine}2`);
  await expect(apply(asNumber)).rejects.toThrow(/somebody has built upon .*, and has to drop that first: .*mine/);
  expect(await columnsOf("orders")).toEqual(["objectId", "mobile", "city", "age", "size", ...OWN]);
  await query(`DROP VIEW ${mine}2`, `DROP VIEW ${mine}`, "SELECT 1");
  expect(await apply(asNumber)).not.toContainEqual(expect.stringContaining("reports:"));
  await put(2, { age: 7 });
  expect(await query(`SELECT age FROM ${view("orders")} WHERE "objectId" = 2`)).toEqual([{ age: database.url ? "7" : 7 }]);
  if (database.url) expect(await query(`SELECT relname FROM pg_class WHERE relname LIKE 'orders\\_until%'`)).toEqual([]);
});

test("a name that somebody else has taken is left alone", async () => {
  await open(packageOf([field("phone")]));
  await query(`CREATE ${database.url ? "TABLE" : "VIEW"} ${view("boxes")} AS SELECT 1 AS mine`, "SELECT 1");
  expect(await apply(packageOf([field("phone")], BOXES))).toEqual([
    `reports: somebody else made "${database.url ? "boxes" : "report_boxes"}", so the view of that name is missing`,
  ]);
  expect(await query(`SELECT * FROM ${view("boxes")}`)).toEqual([{ mine: 1 }]);
});

test("those who may read a view of PostgreSQL may read the one of the next version, and see no table", async () => {
  await open(packageOf([field("phone"), field("city")]));
  if (!database.url) return;
  await put(1, { phone: "0151" });
  const role = `analyst_${schema()}`;
  const as = (sql: string) => query(`SET ROLE ${role}`, sql);
  await query(`CREATE ROLE ${role}`, `GRANT USAGE ON SCHEMA ${schema()} TO ${role}`, `GRANT SELECT ON ${view("orders")} TO ${role}`);
  try {
    expect(await as(`SELECT phone FROM ${view("orders")}`)).toEqual([{ phone: "0151" }]);
    await apply(packageOf([field("mobile", "string", { formerNames: ["phone"] }), field("city")]));
    expect(await as(`SELECT mobile FROM ${view("orders")}`)).toEqual([{ mobile: "0151" }]);
    await expect(as(`SELECT 1 FROM ${schema().replace("_reports", "")}.c_orders`)).rejects.toThrow("permission denied");
    await expect(as(`DELETE FROM ${view("orders")}`)).rejects.toThrow("permission denied");
  } finally {
    await query(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
  }
});
