// Tests that a change of the dictionary builds no index again that stays: whoever writes waits while one is built.

import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function thingsWith(constraints: object): readonly Collection[] {
  const fields = [{ name: "id", type: "integer" }, ...["string", "number"].map((type) => ({ name: type, type, constraints }))];
  const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

/** Opens the store with these constraints, and returns where in the file each index of the fields begins. */
async function indexesWith(constraints: object): Promise<Record<string, number>> {
  await (await database.open(thingsWith(constraints))).close();
  const file = new Database(join(database.folder, "intake.db"), { readonly: true });
  try {
    const select = "SELECT name, rootpage FROM sqlite_schema WHERE type = 'index' AND name GLOB '[iu]_things_[sn]*' ORDER BY name";
    return Object.fromEntries((file.prepare(select).raw().all() as [string, number][]).map(([name, page]) => [name, page]));
  } finally {
    file.close();
  }
}

test("a field that becomes unique, and one that is not any more, keeps the index that sorts it", async () => {
  const before = await indexesWith({});
  expect(Object.keys(before)).toEqual(["i_things_number", "i_things_string"]);
  const unique = await indexesWith({ unique: true });
  expect(Object.keys(unique)).toEqual(["i_things_string", "u_things_number", "u_things_string"]);
  expect(unique.i_things_string).toBe(before.i_things_string);
  const after = await indexesWith({});
  expect(Object.keys(after)).toEqual(["i_things_number", "i_things_string"]);
  expect(after.i_things_string).toBe(before.i_things_string);
});
