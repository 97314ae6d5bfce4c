import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../testing/store.ts";
import { DEFAULT_SETTINGS, FIRST_SCHEMA } from "../store.ts";
import { openDatabase } from "./database.ts";
import { guard, MIGRATIONS, migrate } from "./migrations.ts";
import { tryDictionary } from "./store.ts";

const NEWEST = FIRST_SCHEMA + MIGRATIONS.length - 1;

/** A database with the newest tables, and its connections. Both end with the test. */
async function openMigrated() {
  const database = await createTestDatabase();
  await (await database.open([])).close();
  const { records, close } = openDatabase(database.url ?? "", DEFAULT_SETTINGS);
  onTestFinished(async () => {
    await close();
    await database.drop();
  });
  return { database, records };
}

test("a later step runs once, also when several processes start at once, and keeps what is stored", async () => {
  const { database, records } = await openMigrated();
  await database.run(["INSERT INTO settings (name, value) VALUES ('kept', '')"]);
  const steps = [...MIGRATIONS, "CREATE TABLE later (a integer); INSERT INTO later VALUES (1)"];
  const upgrades: number[][] = [];
  const upgrade = () =>
    records.transact(async (query) => {
      await guard(query);
      await migrate(query, steps, (...numbers) => upgrades.push(numbers));
    });
  await Promise.all([upgrade(), upgrade(), upgrade(), upgrade()]);
  await upgrade();
  expect(upgrades).toEqual([[NEWEST, NEWEST + 1]]);
  const kept = "SELECT (SELECT count(*) FROM later)::int, (SELECT count(*) FROM settings WHERE name = 'kept')::int";
  expect((await records.read(kept, [])).rows).toEqual([[1, 1]]);
  await expect(database.open([])).rejects.toThrow("the store was written by a newer version of the service");
});

test("a database of a build before the first version is refused in one sentence, and stays as it is", async () => {
  const { database, records } = await openMigrated();
  const first = FIRST_SCHEMA - MIGRATIONS.length; // so that the last one comes before the oldest that opens
  await database.run([`UPDATE migrations SET number = number - ${FIRST_SCHEMA} + ${first}`]);
  const numbers = MIGRATIONS.map((_, i) => first + i);
  const sentence = `before version 0.1.0 (schema ${numbers.at(-1)}, and 25 is the oldest that opens)`;
  await expect(database.open([])).rejects.toThrow(sentence);
  await expect(tryDictionary(database.url ?? "", [])).rejects.toThrow(sentence);
  expect((await records.read("SELECT number FROM migrations ORDER BY number", [])).rows.flat()).toEqual(numbers);
});
