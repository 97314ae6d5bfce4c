import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { expectNobodyAtFirst } from "../../testing/old-store.ts";
import { createTestDatabase } from "../../testing/store.ts";
import { MIGRATIONS, migrate } from "./migrations.ts";

test.each(MIGRATIONS.map((_, i) => i + 1))(
  "a file that a service of version %i wrote opens with its keys and its secret",
  async (version) => {
    const database = await createTestDatabase();
    const file = new Database(join(database.folder, "intake.db"));
    migrate(file, MIGRATIONS.slice(0, version));
    file.exec("INSERT INTO settings (name, value) VALUES ('secret', x'0102')");
    file.exec("INSERT INTO keys (id, hash, scope, created_at) VALUES ('first', x'03', 'records:read', 1)");
    file.close();
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
  const file = new Database(join(database.folder, "intake.db"));
  migrate(file, MIGRATIONS.slice(0, 1));
  file.exec(`
    INSERT INTO settings (name, value) VALUES ('secret', x'0102');
    INSERT INTO fields (collection, name, kind, is_key, is_unique) VALUES ('things', 'id', 'integer', 1, 1), ('things', 'a', 'integer', 0, 0);
    CREATE TABLE "c_things" ("id" INTEGER PRIMARY KEY, "a" INTEGER, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, version INTEGER NOT NULL) STRICT;
    CREATE INDEX "i_things_a" ON "c_things" ("a");
    CREATE INDEX "i_things_createdAt" ON "c_things" (createdAt);
    CREATE INDEX "i_things_updatedAt" ON "c_things" (updatedAt);
    INSERT INTO c_things VALUES (1, 5, 1000, 2000, 3), (2, 6, 1000, 2000, 3);`);
  file.close();
  try {
    await expectNobodyAtFirst(database);
  } finally {
    await database.drop();
  }
});
