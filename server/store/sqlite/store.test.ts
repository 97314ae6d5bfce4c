// The SQLite file itself: its lock, and what is on disk after closing.

import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import type { Store } from "../store.ts";

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await createTestDatabase();
  store = await database.open([]);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

test("a second service cannot open the same file", async () => {
  await expect(database.open([])).rejects.toThrow("is in use by another service");
});

test("a closed store is one plain file", async () => {
  await store.close();
  expect(readdirSync(database.folder)).toEqual(["intake.db"]);
});
