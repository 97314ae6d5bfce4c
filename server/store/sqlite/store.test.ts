// The file itself: who may open it, and what is left of it on disk.

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

test("a second service on one file is refused", async () => {
  await expect(database.open([])).rejects.toThrow("is in use by another service");
});

test("closed, the store is one plain file", async () => {
  await store.close();
  expect(readdirSync(database.folder)).toEqual(["intake.db"]);
});
