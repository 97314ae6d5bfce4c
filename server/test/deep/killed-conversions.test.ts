// kill −9 of the service while it converts or empties a field: the next start ends it, and no value is lost.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const RECORDS = 2_000;
const ROUNDS = rounds(1, 20);

type Headers = Record<string, string>;
interface Running extends Started {
  headers: Headers;
}

async function start(): Promise<Running> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const started = await startProcess({
    ...store,
    ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`,
    RATE_PER_SECOND: "100000",
    RATE_BURST: "100000",
  });
  return { ...started, headers: await authorize(started.url, "preset", ADMIN_SECRET) };
}

async function send({ url, headers }: Running, method: string, path: string, body?: object) {
  const reply = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await reply.text();
  return { status: reply.status, json: text === "" ? undefined : JSON.parse(text) };
}

/** Kills the service when so much is done that `isDue`, and starts it again. */
async function killWhen(service: Running, isDue: () => Promise<boolean>): Promise<Running> {
  for (let i = 0; i < 2_000 && !(await isDue()); i++);
  await new Promise((resolve) => setTimeout(resolve, randomInt(30)));
  service.child.kill("SIGKILL");
  await service.ended;
  return start();
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await isReached()); i++) {
    expect(i).toBeLessThan(600);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Adds a field, or retires it, in a version of its own. */
async function change(service: Running, edit: (fields: { name: string; [word: string]: unknown }[]) => void): Promise<void> {
  const { json: draft } = await send(service, "POST", "/dictionary/drafts", { title: "A change" });
  edit(draft.package.resources[0].schema.fields);
  await send(service, "PATCH", `/dictionary/drafts/${draft.id}`, { package: draft.package });
  expect((await send(service, "POST", `/dictionary/drafts/${draft.id}/apply`)).status).toBe(200);
}

test(`a conversion and an emptying that are killed ${ROUNDS} times are ended by the next start`, { timeout: 1_800_000 }, async () => {
  let service = await start();
  for (let round = 0; round < ROUNDS; round++) {
    const name = `amount${round}`;
    await change(service, (fields) => fields.push({ name, title: name, type: "string" }));
    const ids: number[] = [];
    for (let from = 0; from < RECORDS; from += 1_000) {
      const records = Array.from({ length: 1_000 }, (_, i) => ({
        lastName: "Ek",
        accountID: `r${round}-${from + i}`,
        [name]: String(from + i),
      }));
      ids.push(
        ...(await send(service, "POST", "/customers", records)).json.customers.map(({ objectId }: { objectId: number }) => objectId),
      );
    }
    const order = { field: `customers.${name}`, to: { type: "integer" } };
    const { json: begun } = await send(service, "POST", "/dictionary/conversions", order);
    const progress = async () => (await send(service, "GET", `/dictionary/conversions/${begun.id}`)).json;
    const [least, changed] = [randomInt(RECORDS + 200), ids[randomInt(RECORDS)] as number];
    service = await killWhen(service, async () => {
      const { seen, state } = await progress();
      return seen >= least || state !== "running";
    });
    const { status } = await send(service, "PATCH", `/customers/${changed}`, { [name]: (await progress()).state === "done" ? 77 : "77" });
    await until(async () => (await progress()).state !== "running");
    expect(await progress()).toMatchObject({ state: "done", left: 0, detail: "" });
    const all = new Map<number, number>();
    for (let query = `limit=1000&sort=objectId&${name}[null]=false`; query; ) {
      const { json } = await send(service, "GET", `/customers?${query}`);
      for (const one of json.customers) all.set(one.objectId, one[name]);
      query = json.next ? `limit=1000&sort=objectId&${name}[null]=false&cursor=${json.next}` : "";
    }
    const expected = new Map(ids.map((id, i) => [id, status === 200 && id === changed ? 77 : i]));
    expect([all.size, [...expected].filter(([id, value]) => all.get(id) !== value)]).toEqual([RECORDS, []]);

    await change(service, (fields) =>
      fields.splice(
        fields.findIndex((field) => field.name === name),
        1,
      ),
    );
    const retired = async () => (await send(service, "GET", "/dictionary/retired")).json?.retired ?? [{}];
    for (const { id, path } of await retired())
      expect((await send(service, "DELETE", `/dictionary/retired/${id}?confirm=${path.split(".")[1]}`)).status).toBe(202);
    service = await killWhen(service, async () => randomInt(3) === 0);
    await until(async () => (await retired()).length === 0);
    expect((await send(service, "GET", `/customers/${changed}`)).json).toMatchObject({ lastName: "Ek" });
    expect(JSON.stringify((await send(service, "GET", `/customers/${changed}/history`)).json)).not.toContain(name);
  }
});
