// Attempts that several processes count in one table.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AttemptTable } from "../../people/store/attempts.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import type { Store } from "../store.ts";
import { openQuestions } from "./pool.ts";
import { parseTargets } from "./targets.ts";

const MINUTE = 60_000; // ms
const ANNA = { name: "anna@example.org", most: 3 };
const OFFICE = { name: "office", most: 5 };

let database: TestDatabase;
let stores: Store[];
beforeAll(async () => {
  database = await createTestDatabase();
  stores = [await database.open([]), await database.open([])];
});
beforeEach(() => database.run(["DELETE FROM attempts"]));
afterAll(async () => {
  for (const store of stores) await store.close();
  await database.drop();
});

function tableOf(i: number): AttemptTable {
  const attempts = stores[i % 2]?.attempts;
  if (!attempts) throw new Error("no table");
  return attempts;
}

const pass = (ms: number) => database.run([`UPDATE attempts SET until = until - ${ms}`]);
const rows = async () => (await openQuestions(parseTargets(database.url ?? ""))("SELECT name, remaining FROM attempts ORDER BY name")).rows;

test("of fifty attempts at once through two processes as many are counted as there may be", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => tableOf(i).count([ANNA, OFFICE], MINUTE)));
  expect(all.filter((one) => "giveBack" in one)).toHaveLength(3);
  const [refused] = all.flatMap((one) => ("full" in one ? [one] : []));
  expect(refused?.full).toBe(ANNA);
  expect(refused?.wait).toBeGreaterThan(0);
  expect(refused?.wait).toBeLessThanOrEqual(MINUTE);
  // What was refused for one name counts under no other.
  const ben = { name: "ben", most: 9 };
  const others = await Promise.all(Array.from({ length: 9 }, (_, i) => tableOf(i).count([ben, OFFICE], MINUTE)));
  expect(others.filter((one) => "giveBack" in one)).toHaveLength(2);
});

test("what is given back makes room, but not in a later window", async () => {
  const counted = [];
  for (let i = 0; i < 3; i++) counted.push(await tableOf(i).count([ANNA], MINUTE));
  expect(await tableOf(0).count([ANNA], MINUTE)).toHaveProperty("full");
  const [first, second] = counted.flatMap((one) => ("giveBack" in one ? [one] : []));
  await first?.giveBack();
  expect(await tableOf(1).count([ANNA], MINUTE)).toHaveProperty("giveBack");
  await pass(MINUTE);
  for (let i = 0; i < 3; i++) expect(await tableOf(i).count([ANNA], MINUTE)).toHaveProperty("giveBack");
  await second?.giveBack();
  expect(await tableOf(1).count([ANNA], MINUTE)).toHaveProperty("full");
});

test("a window that lies far ahead, because the clock was set back, is begun anew", async () => {
  for (let i = 0; i < 3; i++) await tableOf(i).count([ANNA], MINUTE);
  await pass(-3 * MINUTE);
  expect(await tableOf(0).count([ANNA], MINUTE)).toHaveProperty("giveBack");
});

test("no row has a name as it was given, and old rows go", async () => {
  await tableOf(0).count([ANNA], MINUTE);
  const [[name, remaining] = []] = await rows();
  expect([/^[\w-]{43}$/.test(String(name)), remaining]).toEqual([true, 2]);
  await pass(MINUTE);
  const office = { name: "office", most: 1_000 };
  for (let i = 0; i < 100; i++) await tableOf(0).count([office], MINUTE);
  expect(await rows()).toHaveLength(1);
});
