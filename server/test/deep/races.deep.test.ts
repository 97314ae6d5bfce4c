// Many concurrent clients: one idempotency key has one effect, no change is lost, and pages stay complete.

import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { DICTIONARY, openTestService, type Reply, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let services: TestService[];
beforeAll(async () => {
  database = await createTestDatabase();
  const many = inject("postgres") ? 2 : 1; // a SQLite file belongs to one service
  services = await Promise.all(Array.from({ length: many }, () => openTestService(DICTIONARY, {}, database)));
});
afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

const at = (i: number) => services[i % services.length] as TestService;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const PATH = "/v1/customers";
const LONG = 1_800_000; // ms

async function countOf(account: string): Promise<number> {
  return (await at(0).call("GET", `${PATH}?accountID=${account}&count=exact&limit=1`)).json.total;
}

interface Once {
  method: string;
  path: string;
  body: unknown;
  /** After fifty of them. */
  effect(): Promise<unknown>;
  expected: unknown;
}

/** A request of each kind that takes a key, with what it alone would have done. */
async function makeOnce(round: number): Promise<Once> {
  const account = `k${round}`;
  const record = { lastName: "Ek", accountID: account };
  const kind = round % 4;
  if (kind === 0) return { method: "POST", path: PATH, body: record, effect: () => countOf(account), expected: 1 };
  if (kind === 1) {
    const body = [record, record, { accountID: account }];
    return { method: "POST", path: `${PATH}?onError=continue`, body, effect: () => countOf(account), expected: 2 };
  }
  const { json } = await at(0).call("POST", PATH, record);
  const path = `${PATH}/${json.objectId}`;
  if (kind === 2) {
    const effect = async () => (await at(1).call("GET", path)).json.version;
    return { method: "PATCH", path, body: { lastName: "Berg" }, effect, expected: 2 };
  }
  const body = [{ objectId: json.objectId, version: 1 }];
  return { method: "POST", path: `${PATH}/deletions?match=version`, body, effect: () => countOf(account), expected: 0 };
}

const KEYS = rounds(20, 1_000);

test(`each of ${KEYS} idempotency keys, sent fifty times at once, has one effect and one answer`, { timeout: LONG }, async () => {
  const headers = { authorization: `Bearer ${await at(0).tokenFor("write")}`, "content-type": "application/json" };
  for (let round = 0; round < KEYS; round++) {
    const { method, path, body, effect, expected } = await makeOnce(round);
    const sent = { ...headers, "idempotency-key": `once-${round}` };
    const responses = await Promise.all(numbers(50).map((i) => at(i).raw(method, path, sent, JSON.stringify(body))));
    expect(new Set(responses.map(({ status, text, headers }) => `${status} ${headers.etag} ${headers.location} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBeLessThan(300);
    expect(responses.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    expect([round, await effect()]).toEqual([round, expected]);
  }
});

/** One of the conditional writes that change a record only if it has the version that was read. */
function change(i: number, id: number, read: Reply, lastName: string): Promise<Reply> {
  const guard = { "if-match": read.headers.etag ?? "" };
  const fields = { lastName, accountID: "w" };
  if (i % 3 === 0) return at(i).call("PATCH", `${PATH}/${id}`, { lastName }, guard);
  if (i % 3 === 1) return at(i).call("PUT", `${PATH}/${id}`, fields, guard);
  const query = "onConflict=update&onMissing=error&match=version";
  return at(i).call("POST", `${PATH}?${query}`, [{ objectId: id, ...fields, version: read.json.version }]);
}

const RECORDS = rounds(5, 200);

test(`each of ${RECORDS} records that fifty clients change with If-Match has a version that counts the successes`, {
  timeout: LONG,
}, async () => {
  for (let round = 0; round < RECORDS; round++) {
    const id = 100_000 + round;
    await at(0).call("PUT", `${PATH}/${id}`, { lastName: "First", accountID: "w" });
    const statuses: number[] = [];
    const client = async (i: number) => {
      for (let turn = 0; turn < 3; turn++) {
        const read = await at(i).call("GET", `${PATH}/${id}`);
        statuses.push((await change(i + turn, id, read, `W${i}-${turn}`)).status);
      }
    };
    await Promise.all(numbers(50).map(client));
    const wins = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
    expect(wins).toBeGreaterThanOrEqual(3); // of those who read the same version one wins
    expect((await at(1).call("GET", `${PATH}/${id}`)).json.version).toBe(1 + wins);
  }
});

const FIRST = 1_000_000; // ids of the records that are read
const PEOPLE = 1_200; // more than the store gives in one page
const isTouched = (id: number) => id % 5 === 0 || id >= FIRST + PEOPLE;

/** Changes, deletes and creates records among those that are read, until it is stopped. */
async function disturb(i: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const id = FIRST + (randomInt(2) === 0 ? 5 * randomInt(PEOPLE / 5) : PEOPLE + randomInt(PEOPLE));
    const record = { lastName: `Page ${randomInt(90)}`, accountID: "p" };
    if (randomInt(3) === 0) await at(i).call("DELETE", `${PATH}/${id}`);
    else await at(i).call("PUT", `${PATH}/${id}`, record);
  }
}

async function readPages(query: string): Promise<number[]> {
  const ids: number[] = [];
  let next: string | undefined;
  for (let page = 0; page === 0 || next; page++) {
    const reply = await at(page).call("GET", `${PATH}?${query}&limit=${20 + randomInt(80)}${next ? `&cursor=${next}` : ""}`);
    expect(reply.status).toBe(200);
    ids.push(...reply.json.customers.map(({ objectId }: { objectId: number }) => objectId));
    next = reply.json.next;
  }
  return ids;
}

async function readExport(query: string): Promise<number[]> {
  const { text } = await at(1).call("GET", `${PATH}?${query}&fields=objectId`, undefined, { accept: "text/csv" });
  return text.trim().split("\r\n").slice(1).map(Number);
}

const PASSES = rounds(1, 100);

test.each(["objectId", "-objectId", "lastName", "-lastName", "-updatedAt", "accountID,-lastName"])(
  "a list by %s, read while others write, misses and doubles no record that nobody changed",
  { timeout: LONG },
  async (sort) => {
    const people = numbers(PEOPLE).map((i) => ({ objectId: FIRST + i, lastName: `Page ${(i * 37) % 90}`, accountID: "p" }));
    await at(0).call("POST", `${PATH}?onConflict=update`, people);
    const untouched = people.map(({ objectId }) => objectId).filter((id) => !isTouched(id));
    let isOver = false;
    const writers = numbers(4).map((i) => disturb(i, () => isOver));
    for (let pass = 0; pass < PASSES; pass++) {
      const query = `q=page&accountID=p&sort=${sort}`;
      for (const ids of await Promise.all([readPages(query), readExport(query)])) {
        expect(ids.filter((id) => !isTouched(id)).sort((a, b) => a - b)).toEqual(untouched);
      }
    }
    isOver = true;
    await Promise.all(writers);
  },
);
