// kill −9 of the service while it works beside requests: the next start ends the work, and nothing is lost.

import { afterEach, beforeEach, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let undisturbed: TestDatabase;
beforeEach(async () => {
  [database, undisturbed] = [await createTestDatabase(), await createTestDatabase()];
});
afterEach(async () => {
  killProcesses();
  for (const one of [database, undisturbed]) await one.drop();
});

const RECORDS = 2_000;
const ROUNDS = rounds(1, 20);
const SCANS = rounds(1, 30);

type Headers = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
type Wire = any;
interface Running extends Started {
  headers: Headers;
}

async function start(database: TestDatabase): Promise<Running> {
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

/** Kills the service when so much is done that `isDue`, and starts it again. `before`: what is begun right before. */
async function killWhen(service: Running, isDue: () => Promise<boolean>, before = () => {}): Promise<Running> {
  for (let i = 0; i < 2_000 && !(await isDue()); i++);
  before();
  await new Promise((resolve) => setTimeout(resolve, randomInt(30)));
  service.child.kill("SIGKILL");
  await service.ended;
  return start(database);
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await isReached()); i++) {
    expect(i).toBeLessThan(2_400);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Changes the collection in a version of its own. */
async function change(service: Running, edit: (customers: Wire) => void): Promise<void> {
  const { json: draft } = await send(service, "POST", "/dictionary/drafts", { title: "A change" });
  edit(draft.package.resources[0]);
  await send(service, "PATCH", `/dictionary/drafts/${draft.id}`, { package: draft.package });
  expect((await send(service, "POST", `/dictionary/drafts/${draft.id}/apply`)).status).toBe(200);
}

test(`a conversion and an emptying that are killed ${ROUNDS} times are ended by the next start`, { timeout: 1_800_000 }, async () => {
  let service = await start(database);
  for (let round = 0; round < ROUNDS; round++) {
    const name = `amount${round}`;
    await change(service, ({ schema }) => schema.fields.push({ name, title: name, type: "string" }));
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

    await change(service, ({ schema }) => {
      schema.fields = schema.fields.filter((field: Wire) => field.name !== name);
    });
    const retired = async () => (await send(service, "GET", "/dictionary/retired")).json?.retired ?? [{}];
    for (const { id, path } of await retired())
      expect((await send(service, "DELETE", `/dictionary/retired/${id}?confirm=${path.split(".")[1]}`)).status).toBe(202);
    service = await killWhen(service, async () => randomInt(3) === 0);
    await until(async () => (await retired()).length === 0);
    expect((await send(service, "GET", `/customers/${changed}`)).json).toMatchObject({ lastName: "Ek" });
    expect(JSON.stringify((await send(service, "GET", `/customers/${changed}/history`)).json)).not.toContain(name);
  }
});

const PEOPLE = 2_000;
const CHANGED = 40; // records at once
const SYLLABLES = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z"].flatMap((one) =>
  ["a", "e", "i", "o", "u"].map((other) => one + other),
);

interface Person {
  objectId: number;
  firstName: string;
  lastName: string;
  accountID: string;
}

function randomPerson(objectId: number): Person {
  const name = () => Array.from({ length: 4 }, () => SYLLABLES[randomInt(SYLLABLES.length)]).join("");
  return { objectId, firstName: name(), lastName: name(), accountID: randomInt(10) === 0 ? "shop" : `a${objectId}` };
}

/** Returns somebody who is the same as another one, or nearly. */
function twinOf({ firstName, lastName, accountID }: Person, objectId: number): Person {
  const twins = [
    { firstName, lastName, accountID },
    { firstName: lastName, lastName: firstName, accountID },
    { firstName, lastName: `${lastName.slice(0, -1)}y`, accountID },
    { firstName, lastName, accountID: `b${objectId}` },
  ];
  return { objectId, ...(twins[randomInt(twins.length)] as (typeof twins)[number]) };
}

async function readPairs(service: Running): Promise<Wire[]> {
  const pairs: Wire[] = [];
  for (let query = "limit=100"; query; ) {
    const { json } = await send(service, "GET", `/customers/duplicates?${query}`);
    pairs.push(...json.pairs);
    query = json.next ? `limit=100&cursor=${json.next}` : "";
  }
  return pairs;
}

test(`${SCANS} scans of duplicates that are killed in each phase find what one finds that is not`, { timeout: 1_800_000 }, async () => {
  let service = await start(database);
  const other = await start(undisturbed);
  const both = async (method: string, path: string, body?: object) => {
    const statuses = [(await send(service, method, path, body)).status, (await send(other, method, path, body)).status];
    expect(Math.max(...statuses)).toBeLessThan(300);
  };
  const people = new Map<number, Person>();
  const store = async (some: readonly Person[]) => {
    await both("POST", "/customers?onConflict=update", some);
    for (const one of some) people.set(one.objectId, one);
  };
  const anybody = () => people.get([...people.keys()][randomInt(people.size)] as number) as Person;
  const changeSome = async () => {
    const ids = [...new Set(Array.from({ length: CHANGED }, () => anybody().objectId))];
    await store(ids.map((id) => (randomInt(2) === 0 ? randomPerson(id) : twinOf(anybody(), id))));
    const { objectId } = anybody();
    await both("DELETE", `/customers/${objectId}`);
    people.delete(objectId);
  };
  const progress = async (of: Running): Promise<number> => (await send(of, "GET", "/customers/duplicates?limit=1")).json.progress;
  let last = PEOPLE;
  /** Everything is compared when the pair is found that was written last. */
  const pairsOfAll = async (): Promise<Wire[][]> => {
    const one = randomPerson(++last);
    await store([one, { ...one, objectId: ++last }]);
    const found: Wire[][] = [];
    for (const each of [service, other]) {
      const isFound = async () => (await readPairs(each)).some(({ b }) => b === last);
      await until(async () => (await progress(each)) === 1 && (await isFound()));
      found.push(await readPairs(each));
    }
    return found;
  };
  for (let from = 0; from < PEOPLE; from += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, i) => randomPerson(from + i + 1));
    await store(some.map((one, i) => (i % 10 === 1 ? twinOf(some[i - 1] as Person, one.objectId) : one)));
  }
  for (const one of [service, other]) await until(async () => (await progress(one)) === 1); // of what there was when it began
  for (let round = 0; round < SCANS; round++) {
    for (const one of [other, service])
      await change(one, ({ match }) => {
        match.maybe = 4 + (round % 2) / 2;
      });
    let done: number | undefined; // while the scan before is the last one
    const readProgress = async () => {
      const now = await progress(service);
      if (done === undefined && now === 1) return undefined;
      expect(now).toBeGreaterThanOrEqual(done ?? 0); // a scan that began anew would fall back
      done = now;
      return now;
    };
    for (const least of [0, 0.05 + Math.random() * 0.4, 0.5 + Math.random() * 0.45, 1]) {
      const lost = randomPerson(anybody().objectId);
      const isDue = async () => ((await readProgress()) ?? -1) >= least;
      service = await killWhen(service, isDue, () => {
        send(service, "PATCH", `/customers/${lost.objectId}`, lost).catch(() => undefined); // nobody knows whether it is done
      });
      await store([lost]);
      await readProgress();
      await changeSome();
    }
    const [found = [], expected = []] = await pairsOfAll();
    expect(found).toEqual(expected);
    const same = new Map<string, number[]>();
    for (const { objectId, firstName, lastName, accountID } of people.values()) {
      const value = [firstName, lastName, accountID].join();
      same.set(
        value,
        [...(same.get(value) ?? []), objectId].sort((a, b) => a - b),
      );
    }
    const listed = new Set(found.map(({ a, b, level }) => `${a}-${b} ${level}`));
    const twins = [...same.values()].flatMap((ids) => ids.flatMap((a, i) => ids.slice(i + 1).map((b) => `${a}-${b} same`)));
    expect(twins.length).toBeGreaterThan(PEOPLE / 100);
    expect(twins.filter((one) => !listed.has(one))).toEqual([]);
  }
});
