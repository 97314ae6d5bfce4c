// By EXPLAIN: a page is read by the index of its order, whatever PostgreSQL knows or believes about the table.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import type { Page } from "../store.ts";
import { createLister } from "./list.ts";

const RECORDS = 40_000;
const NAMES = 40; // so each has 1,000 records
const MIDDLE = RECORDS / 2;
const INT8 = 20; // type id

const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
          { name: "born", type: "date" },
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
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await (await database.open(collections)).close(); // makes the tables
  const types = { getTypeParser: (id: number) => (id === INT8 ? Number : String) }; // as the pool has it
  client = new pg.Client({ connectionString: database.url ?? "", types: types as pg.CustomTypesConfig });
  await client.connect();
  await client.query("ALTER TABLE c_things SET (autovacuum_enabled = false)"); // nobody analyzes it but this test
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Records `from` to below `to`. Every tenth was never born. Names come in turn: `n00`, `n01` … */
const fill = (from: number, to: number) =>
  client.query(`INSERT INTO c_things ("id", "name", "name$fold", "born", "createdAt", "updatedAt", "version")
    SELECT i, n, n, CASE WHEN i % 10 > 0 THEN '2001-02-' || lpad((i % 28)::text, 2, '0') END, i, i, 1
    FROM (SELECT i, 'n' || lpad((i % ${NAMES})::text, 2, '0') AS n FROM generate_series(${from}, ${to - 1}) AS i) AS made`);

interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** The steps below LIMIT of each statement that reads the page, and how many records it has. */
async function explain(page: Page): Promise<{ steps: string[]; count: number }> {
  const steps: string[] = [];
  const lister = createLister(() => async (sql, parameters = []) => {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters]);
    const visit = ({ "Node Type": type, "Index Name": index = "", Filter, Plans = [] }: PlanNode): void => {
      if (type !== "Limit" && type !== "Result") steps.push(`${type} ${index}${Filter ? ` filtered by ${Filter}` : ""}`);
      Plans.forEach(visit);
    };
    visit(JSON.parse(rows[0]["QUERY PLAN"])[0].Plan);
    const result = await client.query({ text: sql, values: [...parameters], rowMode: "array" });
    return { rows: result.rows, count: result.rows.length };
  });
  const { records } = await lister.list(collection, page);
  return { steps: [...new Set(steps)], count: records.length };
}

const by = (name: string, descending = false) => [
  { name, descending },
  { name: "id", descending },
];
const MIDDLE_NAME = `n${NAMES / 2}`;

const PAGES: [string, Omit<Page, "limit" | "words">, string][] = [
  ["the first by name", { sort: by("name") }, "i_things_name"],
  ["the first by name, backwards", { sort: by("name", true) }, "i_things_name"],
  ["by name, amid those of one name", { sort: by("name"), after: [MIDDLE_NAME, MIDDLE] }, "i_things_name"],
  ["by name, at the end of those of one name", { sort: by("name"), after: [MIDDLE_NAME, RECORDS - 40] }, "i_things_name"],
  ["by name, backwards", { sort: by("name", true), after: [MIDDLE_NAME, MIDDLE] }, "i_things_name"],
  ["by a date", { sort: by("born"), after: ["2001-02-10", MIDDLE] }, "i_things_born"],
  ["by a date, amid those without", { sort: by("born"), after: [null, MIDDLE] }, "i_things_born"],
  ["by a date, after those without", { sort: by("born"), after: [null, RECORDS - 40] }, "i_things_born"],
  ["by a date, backwards", { sort: by("born", true), after: ["2001-02-10", MIDDLE] }, "i_things_born"],
  ["by a date, backwards, amid those without", { sort: by("born", true), after: [null, MIDDLE] }, "i_things_born"],
  ["by key", { sort: [{ name: "id", descending: false }], after: [MIDDLE] }, "c_things_pkey"],
  ["by key, backwards", { sort: [{ name: "id", descending: true }], after: [MIDDLE] }, "c_things_pkey"],
];

const STATES: [string, () => Promise<unknown>][] = [
  ["never analyzed", () => fill(1, RECORDS + 1)],
  ["analyzed", () => client.query("ANALYZE c_things")],
  [
    "analyzed when it had a hundredth of its records",
    async () => {
      await client.query("TRUNCATE c_things");
      await fill(1, RECORDS / 100 + 1);
      await client.query("ANALYZE c_things");
      await fill(RECORDS / 100 + 1, RECORDS + 1);
    },
  ],
  [
    "analyzed when it had few of the names and dates that the page has",
    async () => {
      await client.query("TRUNCATE c_things");
      await fill(1, RECORDS + 1);
      await client.query(`CREATE TEMP TABLE late AS SELECT * FROM c_things WHERE "name" >= '${MIDDLE_NAME}' AND "id" > 3000`);
      await client.query(`DELETE FROM c_things WHERE "id" IN (SELECT "id" FROM late)`);
      await client.query("VACUUM ANALYZE c_things");
      await client.query("INSERT INTO c_things SELECT * FROM late");
    },
  ],
];

describe.each(STATES)("in a table that was %s", (_, prepare) => {
  beforeAll(prepare);

  test.each([25, 400, 1_000])("a page of %i is read by the index of its order alone", async (limit) => {
    const plans: unknown[] = [];
    for (const [what, page] of PAGES) plans.push([what, await explain({ ...page, words: [], limit })]);
    expect(plans).toEqual(PAGES.map(([what, , index]) => [what, { steps: [`Index Scan ${index}`], count: limit }]));
  });
});
