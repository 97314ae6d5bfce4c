import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
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
      expect(store.secret).toEqual(Buffer.from([1, 2]));
      expect(await store.listKeys()).toMatchObject([{ id: "first", scope: "records:read", createdAt: 1 }]);
    } finally {
      await store.close();
      await database.drop();
    }
  },
);
