import { openDB } from "idb";
import { expect, test } from "vitest";
import { COLUMNS, JOURNAL } from "../../browser/storage-names.ts";
import { openJournal } from "./indexeddb-journal.ts";
import { openMappings } from "./indexeddb-mappings.ts";

test("a tab of the version before, which holds the database, does not keep uploads waiting", async () => {
  const held = await openDB(JOURNAL, 2);
  await expect(openJournal("anna").get("1-2-3-4-5")).rejects.toThrow("Another tab holds");
  held.close();
});

test("remembered columns let a newer version of the app in", async () => {
  await openMappings("anna").list();
  const newer = await openDB(COLUMNS, 3);
  expect(newer.version).toBe(3);
  newer.close();
});
