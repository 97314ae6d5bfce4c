// What both engines must do with a store that was written before the service kept who did it.

import { expect } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { SOMEBODY, type TestDatabase, writeEach } from "./store.ts";

const FIELDS = [
  { name: "id", type: "integer" },
  { name: "a", type: "integer" },
];

/** `database` has a collection "things" of an old service with the records 1 and 2. */
export async function expectNobodyAtFirst(database: TestDatabase): Promise<void> {
  const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields: FIELDS, primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error("package");
  const collection = read.collections[0] as Collection;
  const nobody = { createdAt: "1970-01-01T00:00:01.000Z", createdBy: null };
  for (const isFirst of [true, false]) {
    const store = await database.open([collection]);
    try {
      if (isFirst) {
        expect(await store.read(collection, 1)).toMatchObject({ ...nobody, a: 5, updatedBy: null, version: 3 });
        await writeEach(store, collection, [{ verb: "patch", id: 1, given: { a: 7 } }]);
      }
      expect(await store.read(collection, 1)).toMatchObject({ ...nobody, a: 7, updatedBy: SOMEBODY, version: 4 });
      const page = { limit: 9, sort: [{ name: "id", descending: false }], words: [] };
      const found = async (name: string, value: string | null) => {
        const { records } = await store.list(collection, { ...page, filters: [{ name, operator: "eq", values: [value] }] });
        return records.map(({ id }) => id);
      };
      expect(await found("createdBy", null)).toEqual([1, 2]);
      expect(await found("updatedBy", null)).toEqual([2]);
      expect(await found("updatedBy", SOMEBODY.id)).toEqual([1]);
    } finally {
      await store.close();
    }
  }
}
