import { expect, test } from "vitest";
import { expectNobodyAtFirst } from "../../testing/old-store.ts";
import { createTestDatabase } from "../../testing/store.ts";
import { DEFAULT_SETTINGS } from "../store.ts";
import { openDatabase } from "./database.ts";
import { MIGRATIONS, migrate, prepare } from "./migrations.ts";

test.each(MIGRATIONS.map((_, i) => i + 1))(
  "a database that a service of version %i wrote opens with its keys and its secret",
  async (version) => {
    const database = await createTestDatabase();
    const { records, close } = openDatabase(database.url ?? "", DEFAULT_SETTINGS);
    await records.transact(async (query) => {
      await prepare(query);
      await migrate(query, MIGRATIONS.slice(0, version));
      await query("INSERT INTO settings (name, value) VALUES ('secret', '\\x0102')");
      await query("INSERT INTO keys (id, hash, scope, created_at) VALUES ('first', '\\x03', 'records:read', 1)");
    });
    await close();
    const store = await database.open([]);
    try {
      expect(store.secrets).toEqual([Buffer.from([1, 2])]);
      expect(await store.listKeys()).toMatchObject([{ id: "first", scope: "records:read", createdAt: 1 }]);
    } finally {
      await store.close();
      await database.drop();
    }
  },
);

test("records of a service that did not keep who did it have nobody, until somebody changes them", async () => {
  const database = await createTestDatabase();
  const { records, close } = openDatabase(database.url ?? "", DEFAULT_SETTINGS);
  await records.transact(async (query) => {
    await prepare(query);
    await migrate(query, MIGRATIONS.slice(0, 1));
    await query("INSERT INTO settings (name, value) VALUES ('secret', '\\x0102')");
    await query(`INSERT INTO fields (collection, name, kind, is_key, is_unique)
      VALUES ('things', 'id', 'integer', true, true), ('things', 'a', 'integer', false, false)`);
    await query(`CREATE TABLE "c_things" ("id" bigint PRIMARY KEY, "a" bigint, "createdAt" bigint NOT NULL, "updatedAt" bigint NOT NULL,
      "version" bigint NOT NULL, "$words" tsvector NOT NULL DEFAULT '')`);
    await query(`CREATE INDEX "i_things_a" ON "c_things" ("a" NULLS FIRST, "id")`);
    await query("INSERT INTO c_things VALUES (1, 5, 1000, 2000, 3), (2, 6, 1000, 2000, 3)");
  });
  await close();
  try {
    await expectNobodyAtFirst(database);
  } finally {
    await database.drop();
  }
});
