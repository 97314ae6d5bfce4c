import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../testing/store.ts";
import { FIRST_SCHEMA } from "../store.ts";
import { checkFile } from "./check-file.ts";
import { collectGarbage, connect } from "./file.ts";
import { MIGRATIONS, migrate } from "./migrations.ts";
import { tryDictionary } from "./schema.ts";
import { transact } from "./transaction.ts";

const NEWEST = FIRST_SCHEMA + MIGRATIONS.length - 1;

test("a later step runs once, while nobody else can write, and keeps what is stored", () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-step-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = ["one", "other"].map(() => connect(join(folder, "intake.db"), 1_000)) as [Database.Database, Database.Database];
  other.pragma("busy_timeout = 0");
  transact(one, () => migrate(one));
  one.exec("INSERT INTO settings (name, value) VALUES ('kept', x'01')");
  const steps = [...MIGRATIONS, "CREATE TABLE later (a INTEGER); INSERT INTO later VALUES (1)"];
  const upgrades: number[][] = [];
  const upgrade = (db: Database.Database) => migrate(db, steps, (...numbers) => upgrades.push(numbers));
  transact(one, () => {
    upgrade(one);
    expect(() => transact(other, () => upgrade(other))).toThrow("could not write");
  });
  for (const db of [other, one]) transact(db, () => upgrade(db));
  expect(upgrades).toEqual([[NEWEST, NEWEST + 1]]);
  expect(one.prepare("SELECT (SELECT count(*) FROM later), (SELECT count(*) FROM settings)").raw().get()).toEqual([1, 1]);
  expect(() => transact(one, () => migrate(one))).toThrow("the store was written by a newer version of the service");
  for (const db of [one, other]) db.close();
});

test.each([15, NEWEST + 1])(
  "a file with the schema %i is refused in one sentence, by every command, and stays as it is",
  async (number) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const path = join(database.folder, "intake.db");
    const before = new Database(path);
    migrate(before);
    before.exec(`PRAGMA user_version = ${number}`);
    before.close();
    const sentence = number < NEWEST ? /before version 0\.1\.0 \(schema 15, and 25 is the oldest that opens\)/ : /by a newer version/;
    expect(() => checkFile(path)).toThrow(sentence);
    expect(() => tryDictionary(path, [])).toThrow(sentence);
    await collectGarbage(); // a closed connection holds the file until then
    await expect(database.open([])).rejects.toThrow(sentence);
    const file = new Database(path);
    expect(file.prepare("PRAGMA user_version").raw().get()).toEqual([number]);
    file.close();
  },
);
