// Tests what history and changes still tell of fields and collections that are no longer in the dictionary.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const KEY = { name: "id", type: "integer" };
const collection = (name: string, ...fields: object[]) => ({
  name,
  schema: { fields: [KEY, { name: "name" }, ...fields], primaryKey: "id" },
});

async function withDictionary<T>(resources: object[], work: (service: TestService) => Promise<T>): Promise<T> {
  const path = join(database.folder, "dictionary.json");
  writeFileSync(path, JSON.stringify({ resources }));
  const service = await openTestService(path, {}, database);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

test("a field that is retired is hidden in the history until it is back; a retired collection stays in the feed, and is erased once it is back", async () => {
  const both = [collection("things", { name: "shade" }), collection("parts")];
  const cursor = await withDictionary(both, async (service) => {
    await service.call("POST", "/v1/things", { id: 1, name: "A", shade: "red" });
    await service.call("PATCH", "/v1/things/1", { shade: "blue" });
    await service.call("PATCH", "/v1/things/1", { shade: null });
    const { next } = (await service.call("GET", "/v1/changes?after=now")).json;
    await service.call("POST", "/v1/parts", { id: 7, name: "Secret" });
    expect((await service.call("DELETE", "/v1/parts/7")).status).toBe(204);
    return next as string;
  });

  for (let times = 0; times < 2; times += 1) {
    await withDictionary([collection("things")], async (service) => {
      const { history } = (await service.call("GET", "/v1/things/1/history")).json;
      expect(JSON.stringify(history)).not.toContain("shade");
      const restored = await service.call("POST", "/v1/things/1/restore", { version: 2 });
      expect([restored.status, restored.json.shade]).toEqual([200, undefined]); // with the fields that there are
      expect((await service.call("GET", "/v1/things/1/copy")).status).toBe(200);
      for (const more of ["", "&include=record,changes"]) {
        const { json } = await service.call("GET", `/v1/changes?after=${cursor}&wait=10${more}`);
        const ofParts = json.changes.filter((change: { collection: string }) => change.collection === "parts");
        expect(ofParts).toMatchObject([
          { collection: "parts", objectId: 7, operation: "created" },
          { collection: "parts", objectId: 7, operation: "deleted" },
        ]);
      }
      const narrow = { authorization: `Bearer ${await service.tokenFor("things:read")}` };
      const { json } = await service.raw("GET", `/v1/changes?after=${cursor}`, narrow);
      expect(json.changes.filter((change: { collection: string }) => change.collection === "parts")).toEqual([]);
      for (const path of ["/v1/activity", "/v1/activity/days", "/v1/things?deleted=true"])
        expect((await service.call("GET", path)).status).toBe(200);
    });
  }

  await withDictionary(both, async (service) => {
    const { history } = (await service.call("GET", "/v1/things/1/history")).json;
    expect(history.slice(-3, -1).map((entry: { changes: object }) => entry.changes)).toEqual([
      { shade: ["blue", null] },
      { shade: ["red", "blue"] },
    ]);
    expect((await service.call("POST", "/v1/parts/7/erasure")).status).toBe(200);
    expect((await service.call("GET", "/v1/parts/7/history")).json.history).toMatchObject([{ operation: "erased" }]);
  });
  await withDictionary([collection("things")], async (service) => {
    const { json } = await service.call("GET", "/v1/changes?limit=1000");
    const operations = json.changes.filter((change: { collection: string }) => change.collection === "parts");
    expect(operations).toMatchObject([{ objectId: 7, operation: "erased" }]);
    expect(JSON.stringify(json)).not.toContain("Secret");
  });
});
