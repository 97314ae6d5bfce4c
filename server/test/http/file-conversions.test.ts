// A field with one file becomes one with several, and back: no content is lost on the way.

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { createContentFolder } from "../../content/folder/content-folder.ts";
import { sweepContent } from "../../content/sweep.ts";
import { createConverter } from "../../dictionary/converter.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const FIRST = {
  title: "Equipment",
  resources: [
    {
      name: "devices",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
          { name: "scan", title: "Scan", type: "string", format: "file", maxSize: 100 },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

let database: TestDatabase;
let app: Awaited<ReturnType<typeof createApp>>;
let close: () => Promise<void>;
let sweep: () => Promise<number>;
let authorization = "";

beforeAll(async () => {
  database = await createTestDatabase();
  const file = { dataPackage: FIRST, placeOf: (place: string) => place };
  let first = nextVersion(file, undefined);
  const store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  const living = createLivingDictionary({ ...first, store }, () => undefined);
  const failures: unknown[] = [];
  const converter = createConverter(living, (_, error) => error !== undefined && failures.push(error));
  const stopping = new AbortController();
  const running = converter.run(stopping.signal);
  const content = createContentFolder(join(database.folder, "files"));
  app = await createApp({ ...first, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living, converter, content });
  authorization = `Bearer ${await createKeys(store).create("write dictionary")}`;
  sweep = () => sweepContent(content, living.served().store);
  close = async () => {
    stopping.abort();
    await running;
    await app.close();
    await store.close();
    await database.drop();
    expect(failures).toEqual([]);
  };
});
afterAll(() => close());

async function send(method: string, url: string, body?: object | string) {
  const isContent = typeof body === "string";
  const headers = { authorization, ...(body !== undefined && !isContent && { "content-type": "application/json" }) };
  const payload = isContent ? body : JSON.stringify(body);
  const reply = await app.inject({ method: method as "GET", url, headers, ...(body !== undefined && { payload }) });
  const isJson = String(reply.headers["content-type"]).includes("json");
  return { status: reply.statusCode, payload: reply.payload, json: isJson ? JSON.parse(reply.payload) : undefined };
}

const convert = (to: object, more: object = {}) => send("POST", "/v1/dictionary/conversions", { field: "devices.scan", to, ...more });
const scanOf = async (id: number) => (await send("GET", `/v1/devices/${id}`)).json.scan;
const SEVERAL = { type: "list", format: "file" };

async function ended(id: string) {
  const stateOf = async () => (await send("GET", `/v1/dictionary/conversions/${id}`)).json;
  await expect.poll(async () => (await stateOf()).state, { timeout: 50_000 }).not.toBe("running");
  return stateOf();
}

test("one file becomes the first of several, is added to, and comes back where it stands alone", { timeout: 120_000 }, async () => {
  for (const id of [1, 2, 3]) expect((await send("POST", "/v1/devices", { id, name: `D${id}` })).status).toBe(201);
  for (const id of [1, 2]) expect((await send("PUT", `/v1/devices/${id}/scan?name=${id}.txt`, `scan ${id}`)).status).toBe(200);
  const [one, two] = [await scanOf(1), await scanOf(2)];

  expect((await convert({ type: "string" })).status).toBe(422); // a text has no maxSize
  expect((await convert(SEVERAL, { dryRun: true })).json).toMatchObject({ converted: 2, left: 0, empty: 1 });

  const there = await convert(SEVERAL);
  expect(there).toMatchObject({ status: 201, json: { fromKind: "file", toKind: "files" } });
  expect(await ended(there.json.id)).toMatchObject({ state: "done", converted: 2, left: 0, canUndo: true });
  expect([await scanOf(1), await scanOf(2), await scanOf(3)]).toEqual([[one], [two], null]);
  expect((await send("POST", "/v1/devices/2/scan?name=more.txt", "more")).json.scan).toHaveLength(2);
  const hash = /sha256 (\w+)/.exec(one)?.[1];
  expect((await send("GET", `/v1/devices/1/scan/${hash}`)).payload).toBe("scan 1");
  expect((await send("GET", "/v1/devices/1/scan")).status).toBe(405);
  expect((await send("POST", "/v1/devices/1/scan?name=large", "x".repeat(101))).status).toBe(413); // its rules came along
  expect(await sweep()).toBe(0);

  const back = await convert({ type: "string", format: "file" });
  expect([back.status, back.json.detail]).toEqual([409, "No value of type files can mean one of type file."]);

  const undone = await send("POST", `/v1/dictionary/conversions/${there.json.id}/undo`);
  expect(undone.status).toBeLessThan(300);
  await expect.poll(() => scanOf(1), { timeout: 50_000 }).toBe(one);
  expect([await scanOf(2), await scanOf(3)]).toEqual([null, null]); // two files do not stand in one field
  expect((await send("GET", "/v1/devices/1/scan")).payload).toBe("scan 1");
  expect(await sweep()).toBe(0); // the history names them all
});
