import { expect, test } from "vitest";
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
      expect(store.secret).toEqual(Buffer.from([1, 2]));
      expect(await store.listKeys()).toMatchObject([{ id: "first", scope: "records:read", createdAt: 1 }]);
    } finally {
      await store.close();
      await database.drop();
    }
  },
);
