// Another dictionary is served while clients write, upload and follow: nothing is lost, and no answer mixes both.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { type Store, StoreOutdated } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { NO_RATE_LIMIT } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const key = { name: "objectId", title: "Object ID", type: "integer" };
const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const collection = (name: string, ...fields: object[]) => ({
  name,
  title: name,
  schema: { fields: [key, ...fields], primaryKey: ["objectId"] },
});
const FIRST = { title: "First", resources: [collection("things", field("name", { constraints: { required: true } }))] };
const SECOND = {
  title: "Second",
  resources: [
    collection("things", field("name", { constraints: { required: true } }), field("colour")),
    collection("boxes", field("name", { constraints: { required: true } })),
  ],
};

interface Process {
  app: Awaited<ReturnType<typeof createApp>>;
  store: Store;
  living: LivingDictionary;
}

const folder = mkdtempSync(join(tmpdir(), "intake-living-"));
const isPostgres = Boolean(inject("postgres"));
let database: TestDatabase;
const processes: Process[] = [];
let authorization: string;

function read(dataPackage: object) {
  const found = readDataPackage(dataPackage);
  if ("mistakes" in found) throw new Error(JSON.stringify(found.mistakes));
  return { dataPackage, collections: found.collections };
}

async function start(): Promise<Process> {
  const dictionary = read(FIRST);
  const store = await database.open(dictionary.collections);
  const living = createLivingDictionary({ ...dictionary, version: 0, store }, () => undefined);
  const app = await createApp({ ...dictionary, store, keys: createKeys(store), limits: NO_RATE_LIMIT, living });
  return { app, store, living };
}

beforeAll(async () => {
  writeFileSync(join(folder, "datapackage.json"), JSON.stringify(FIRST));
  database = await createTestDatabase();
  for (let i = 0; i < (isPostgres ? 2 : 1); i++) processes.push(await start());
  authorization = `Bearer ${await createKeys((processes[0] as Process).store).create("admin")}`;
});
afterAll(async () => {
  for (const { app, store } of processes) {
    await app.close();
    await store.close();
  }
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function send({ app }: Process, method: string, url: string, body?: object) {
  const reply = await app.inject({
    method: method as "GET",
    url,
    headers: { authorization, ...(body && { "content-type": "application/json" }) },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
}

/** Sends it again while the answer is that the store has another dictionary by now: nothing was done then. */
async function sendOn(one: Process, method: string, url: string, body?: object) {
  for (;;) {
    const answer = await send(one, method, url, body);
    if (answer.status !== 503) {
      expect([answer.status, JSON.stringify(answer.json)]).toEqual([expect.toSatisfy((status: number) => status < 300), expect.anything()]);
      return answer;
    }
    expect(answer.json.detail).toContain("another dictionary by now");
    await nextTurn(); // as a network would: without it these requests never let the answer of the store's thread arrive
  }
}

/** Holds what a record of each dictionary has. */
const MEMBERS = [
  ["objectId", "name", "createdAt", "updatedAt", "createdBy", "updatedBy", "version"],
  ["objectId", "name", "colour", "createdAt", "updatedAt", "createdBy", "updatedBy", "version"],
].map((names) => [...names].sort().join());

test("a field and a collection come while clients write, upload and follow, in every process, and without a restart", {
  timeout: 180_000,
}, async () => {
  const [first] = processes as [Process, ...Process[]];
  const written = new Set<number>();
  const mixed: unknown[] = [];
  let isOver = false;
  const check = (answers: readonly Record<string, unknown>[]) => {
    const forms = new Set(answers.map((one) => Object.keys(one).sort().join()));
    // All records of one answer are of one dictionary, and of one that there is.
    if (forms.size > 1 || [...forms].some((form) => !MEMBERS.includes(form))) mixed.push([...forms]);
  };
  const writer = async (one: Process, nth: number) => {
    for (let i = 0; !isOver; i++) {
      const { status, json } = await sendOn(one, "POST", "/v1/things", { name: `w${nth}-${i}` });
      expect(status).toBe(201);
      check([json]);
      written.add(json.objectId);
      const patched = await sendOn(one, "PATCH", `/v1/things/${json.objectId}`, { name: `w${nth}-${i}!` });
      expect(patched.status).toBe(200);
      check([patched.json]);
      check([(await sendOn(one, "GET", `/v1/things/${json.objectId}`)).json]);
    }
  };
  const uploader = async (one: Process) => {
    for (let i = 0; !isOver; i++) {
      const batch = Array.from({ length: 50 }, (_, n) => ({ name: `u${i}-${n}` }));
      const { status, json } = await sendOn(one, "POST", "/v1/things", { things: batch });
      expect(status).toBe(201);
      check(json.things);
      for (const { objectId } of json.things) written.add(objectId);
    }
  };
  const reader = async (one: Process) => {
    while (!isOver) check((await sendOn(one, "GET", "/v1/things?limit=200&sort=-name")).json.things);
  };
  const followed = new Set<number>();
  let cursor = "";
  const follow = async (one: Process) => {
    const { json } = await sendOn(one, "GET", `/v1/changes?limit=1000&collection=things&include=record${cursor && `&after=${cursor}`}`);
    check(json.changes.flatMap(({ record }: { record: Record<string, unknown> | null }) => record ?? []));
    for (const { objectId } of json.changes) followed.add(objectId);
    cursor = json.next;
    return json.changes.length;
  };
  const follower = async (one: Process) => {
    while (!isOver) await follow(one);
  };
  const clients = processes.flatMap((one, i) => [writer(one, i), uploader(one), reader(one)]);
  clients.push(follower(first));
  const failed = Promise.all(clients).then(() => undefined);
  const until = async (count: number) => {
    while (written.size < count) await Promise.race([failed, new Promise((resolve) => setImmediate(resolve))]);
  };
  await until(200);
  for (const [dataPackage, isAdded] of [
    [SECOND, true],
    [FIRST, false],
    [SECOND, true],
  ] as const) {
    const { collections } = read(dataPackage);
    const before = written.size;
    await first.living.apply(dataPackage, collections);
    for (const { living } of processes) await living.refresh(); // as each does by itself every second
    for (const one of processes) {
      const { json } = await send(one, "GET", "/v1/dictionary");
      expect(json.title).toBe(dataPackage.title);
      expect((await send(one, "GET", "/v1/boxes")).status).toBe(isAdded ? 200 : 404);
      expect((await send(one, "GET", "/v1/things?sort=colour")).status).toBe(isAdded ? 200 : 400);
      expect(Object.keys((await send(one, "GET", "/v1/openapi.json")).json.paths).includes("/v1/boxes")).toBe(isAdded);
    }
    await until(before + 200);
  }
  isOver = true;
  await failed;
  expect(mixed).toEqual([]);
  // Another transaction of the server may hold back what was written last.
  const missed = async () => {
    await follow(first);
    return [...written].filter((id) => !followed.has(id));
  };
  await expect.poll(missed, { timeout: 60_000 }).toEqual([]);
  for (const one of processes) {
    const count = await send(one, "GET", "/v1/things?count=exact&limit=1");
    expect(count.json.total).toBe(written.size);
    const coloured = await send(one, "POST", "/v1/things", { name: "Coloured", colour: "red" });
    expect([coloured.status, coloured.json.colour]).toEqual([201, "red"]);
    written.add(coloured.json.objectId);
    for (const other of processes) expect((await send(other, "GET", `/v1/things/${coloured.json.objectId}`)).json.colour).toBe("red");
  }
});

test("the dictionary that is served is taken once, and one that was read before a newer one was kept is not taken any more", async () => {
  const [first] = processes as [Process, ...Process[]];
  const served = first.living.served();
  const { version } = served;
  expect(await first.living.apply(SECOND, read(SECOND).collections)).toEqual({ version, notes: [] });
  expect(first.living.served()).toBe(served);
  const third = { ...SECOND, title: "Third" };
  const old = { base: version - 1, text: JSON.stringify(third), by: null, comment: "" };
  await expect(first.store.takeDictionary(read(third).collections, old)).rejects.toThrow(StoreOutdated);
  if (isPostgres) await expect(first.store.takeDictionary(read(third).collections, version - 1)).rejects.toThrow(StoreOutdated);
  expect(await first.store.versions.readOther(version)).toBeUndefined();
});

test("a dictionary that stored records forbid changes nothing, and the next one is taken", async () => {
  const [first] = processes as [Process, ...Process[]];
  const narrower = read(FIRST); // "colour" has a value by now
  await expect(first.living.apply(narrower.dataPackage, narrower.collections)).rejects.toThrow(/colour/);
  for (const one of processes) {
    await one.living.refresh();
    expect((await send(one, "GET", "/v1/dictionary")).json.title).toBe("Second");
    expect((await send(one, "POST", "/v1/boxes", { name: "Box" })).status).toBe(201);
    await one.store.ping();
  }
});
