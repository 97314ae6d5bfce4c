// What is retired is listed with what it keeps, and emptied for good: nothing of its values is stored any more.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { createConverter } from "../../dictionary/converter.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const FIRST = {
  title: "Customers",
  resources: [
    {
      name: "customers",
      title: "Customers",
      schema: {
        fields: [
          { name: "objectId", title: "Object ID", type: "integer" },
          { name: "name", title: "Name", type: "string" },
          { name: "note", title: "Note", type: "string" },
        ],
        primaryKey: ["objectId"],
      },
    },
    {
      name: "orders",
      title: "Orders",
      schema: {
        fields: [
          { name: "objectId", title: "Object ID", type: "integer" },
          { name: "customerID", title: "Customer", type: "integer" },
          { name: "text", title: "Text", type: "string" },
        ],
        primaryKey: ["objectId"],
        foreignKeys: [{ fields: ["customerID"], reference: { resource: "customers", fields: ["objectId"] } }],
      },
    },
  ],
};
const [SECRET, WORD] = ["zebrafinch", "okapi"];

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
let app: Awaited<ReturnType<typeof createApp>>;
const stopping = new AbortController();
let running: Promise<void>;
let token: string;
const failures: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const file = { dataPackage: FIRST, placeOf: (place: string) => place };
  let first = nextVersion(file, undefined);
  store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  living = createLivingDictionary({ ...first, store }, () => undefined);
  const converter = createConverter(living, (_, error) => error !== undefined && failures.push(error));
  running = converter.run(stopping.signal);
  app = await createApp({ ...first, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living, converter });
  token = `Bearer ${await createKeys(store).create("admin")}`;
});
afterAll(async () => {
  stopping.abort();
  await running;
  await app.close();
  await store.close();
  if (!database.url) for (const word of [SECRET, WORD]) expect(readFileSync(join(database.folder, "intake.db")).includes(word)).toBe(false);
  await database.drop();
  expect(failures).toEqual([]);
});

async function send(method: string, url: string, body?: object, more: Record<string, string> = {}) {
  const headers = { authorization: token, ...(body && { "content-type": "application/json" }), ...more };
  const reply = await app.inject({ method: method as "GET", url, headers, ...(body && { payload: JSON.stringify(body) }) });
  return { status: reply.statusCode, text: reply.payload, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
}

/** Applies a draft in which something is changed. */
async function change(title: string, edit: (dataPackage: typeof FIRST) => void): Promise<number | undefined> {
  const draft = await send("POST", "/v1/dictionary/drafts", { title });
  edit(draft.json.package);
  await send("PATCH", `/v1/dictionary/drafts/${draft.json.id}`, { package: draft.json.package });
  return (await send("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`)).status;
}

const retired = async () => {
  const { status, json, text } = await send("GET", "/v1/dictionary/retired");
  expect([status, text]).toEqual([200, expect.anything()]);
  return json.retired;
};

async function emptied(id: string): Promise<void> {
  for (let i = 0; (await retired()).some((one: { id: string }) => one.id === id); i++) {
    expect(i).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test("a retired field is listed with its values, and emptied for good when its name is confirmed", async () => {
  const records = Array.from({ length: 700 }, (_, i) => ({ name: `N${i}`, ...(i % 2 === 0 && { note: `${SECRET} ${i}` }) }));
  const created = await send("POST", "/v1/customers", { customers: records }, { "idempotency-key": "first" });
  const ids: number[] = created.json.customers.map(({ objectId }: { objectId: number }) => objectId);
  await send("PATCH", `/v1/customers/${ids[1]}`, { note: `${SECRET} later`, name: "changed" });
  await send("DELETE", `/v1/customers/${ids[2]}`);
  const upsert = () =>
    send("POST", "/v1/customers?onError=continue&onConflict=update", [{ objectId: ids[4], name: "put", note: `${SECRET} put` }], {
      "idempotency-key": "results",
    });
  expect((await upsert()).text).toContain(SECRET);
  expect(await retired()).toEqual([]);
  const id = living.served().dataPackage as typeof FIRST;
  const field = id.resources[0]?.schema.fields[2] as unknown as { id: string };
  expect((await send("DELETE", `/v1/dictionary/retired/${field.id}?confirm=note`)).status).toBe(409); // it is in use

  expect(await change("Without note", ({ resources }) => resources[0]?.schema.fields.splice(2, 1))).toBe(200);
  expect(await retired()).toEqual([
    expect.objectContaining({ id: field.id, kind: "field", path: "customers.note", title: "Note", count: 350, isEmptying: false }),
  ]);
  expect((await retired())[0]).toMatchObject({ at: expect.any(String), by: { type: "key" } });
  expect((await send("DELETE", `/v1/dictionary/retired/${field.id}?confirm=Note`)).status).toBe(422);
  expect((await send("DELETE", "/v1/dictionary/retired/0123456789?confirm=note")).status).toBe(404);
  expect((await retired())[0]).toMatchObject({ count: 350 });

  expect((await send("DELETE", `/v1/dictionary/retired/${field.id}?confirm=note`)).status).toBe(202);
  await emptied(field.id);
  expect(JSON.stringify(living.served().dataPackage)).not.toContain(field.id);
  // The record, its history, what repeats a request and the search have nothing of it; all else is as it was.
  expect((await send("GET", `/v1/customers/${ids[1]}`)).json).toMatchObject({ name: "changed" });
  expect((await send("GET", `/v1/customers/${ids[1]}/history`)).text).not.toContain(SECRET);
  expect((await send("GET", `/v1/customers/${ids[1]}/history`)).json.history[0].changes).toEqual({ name: ["N1", "changed"] });
  const again = await send("POST", "/v1/customers", { customers: records }, { "idempotency-key": "first" });
  expect([again.status, again.text.includes(SECRET), again.text.includes("N699")]).toEqual([201, false, true]);
  expect((await upsert()).json.results).toEqual([expect.objectContaining({ objectId: ids[4], changes: { name: ["N4", "put"] } })]);
  const isFound = async () => (await send("GET", `/v1/customers?q=${SECRET}`)).json.customers.length;
  await expect.poll(isFound, { timeout: 20_000 }).toBe(0); // words are renewed in the background
  expect((await send("GET", "/v1/customers?q=N698")).json.customers).toHaveLength(1);
  await send("POST", `/v1/customers/${ids[2]}/restore`, { version: 1 });
  // The name is free for a field of another kind.
  expect(
    await change("A new note", ({ resources }) => resources[0]?.schema.fields.push({ name: "note", title: "Note", type: "integer" })),
  ).toBe(200);
  expect((await send("PATCH", `/v1/customers/${ids[0]}`, { note: 7 })).status).toBe(200);
});

test("a retired collection is emptied with its table, its history and the references to it", async () => {
  const { json } = await send("POST", "/v1/orders", { orders: Array.from({ length: 600 }, () => ({ text: WORD })) });
  await send("DELETE", `/v1/orders/${json.orders[0].objectId}`);
  expect(await change("Without orders", (dataPackage) => dataPackage.resources.splice(1, 1))).toBe(200);
  const [found] = await retired();
  expect(found).toMatchObject({ kind: "collection", path: "orders", count: 599 });
  expect((await send("DELETE", `/v1/dictionary/retired/${found.id}?confirm=orders`)).status).toBe(202);
  await emptied(found.id);
  expect((await send("GET", "/v1/orders")).status).toBe(404);
  expect((await send("GET", "/v1/activity?limit=100")).text).not.toContain('"orders"');
  expect((await send("GET", "/v1/changes?limit=1000")).text).not.toContain(WORD);
  expect((await send("GET", "/v1/customers?limit=1")).json.customers).toHaveLength(1);
});

test("a draft is applied while the note of something that is gone already still stands", async () => {
  const noted = { id: "0123456789", collection: "customers", column: "gone", by: { type: "key", id: "ab" } } as const;
  await store.emptyings.putEmptying({ ...noted, phase: "records", place: "" });
  expect(await change("Another text", ({ resources }) => Object.assign(resources[0]?.schema.fields[1] ?? {}, { title: "Called" }))).toBe(
    200,
  );
});
