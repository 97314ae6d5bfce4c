// The change feed with records and changes: for any history what single requests answer, read together.

import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Change, RecordCopy } from "../../../core/contract/history.ts";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

type Included = Change & Required<Pick<Change, "record" | "changes">>;

/** Everything since a cursor, in pages of `limit`. On PostgreSQL the feed waits for the transactions of other tests. */
async function follow(after: string, count: number, limit: number, include: string): Promise<Included[]> {
  const found: Included[] = [];
  await vi.waitFor(
    async () => {
      const { json } = await service.call("GET", `/v1/changes?limit=${limit}&include=${include}${after && `&after=${after}`}`);
      found.push(...json.changes);
      after = json.next;
      expect(found.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 1 },
  );
  return found;
}

const VERBS = ["create", "create", "update", "update", "update", "clear", "delete", "restore", "again", "erase"] as const;
const COLLECTIONS = ["customers", "contacts"] as const;
const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...VERBS),
    collection: fc.constantFrom(...COLLECTIONS),
    id: fc.integer({ min: 1, max: 6 }),
    value: fc.nat(999),
  }),
  { minLength: 160, maxLength: 160 },
);

let last = 0;
const valuesOf = (collection: (typeof COLLECTIONS)[number], value: number) =>
  collection === "customers"
    ? { name: `Customer ${value}`, accountNumber: `A${++last}`, ...(value % 2 && { city: `City ${value}` }) }
    : { name: `Contact ${value}`, customerId: 100, ...(value % 2 && { email: `${++last}@example.org` }) };

async function take({
  verb,
  collection,
  id,
  value,
}: {
  verb: (typeof VERBS)[number];
  collection: (typeof COLLECTIONS)[number];
  id: number;
  value: number;
}) {
  const path = `/v1/${collection}/${id}`;
  const field = collection === "customers" ? "city" : "email";
  if (verb === "create" || verb === "again") await service.call("PUT", path, valuesOf(collection, value), { "if-none-match": "*" });
  else if (verb === "update")
    await service.call("PATCH", path, { name: `Name ${value}`, ...(value % 3 === 0 && { [field]: `${++last}@example.org` }) });
  else if (verb === "clear") await service.call("PATCH", path, { [field]: null });
  else if (verb === "delete") await service.call("DELETE", path);
  else if (verb === "restore") await service.call("POST", `${path}/restore`, { version: 1 + (value % 3) });
  else if (value % 3 === 0) await service.call("POST", `${path}/erasure`);
}

/** Returns what is held about each record: its history is read change by change. */
async function copies(): Promise<Map<string, RecordCopy>> {
  const all = new Map<string, RecordCopy>();
  for (const collection of COLLECTIONS) {
    for (const id of [1, 2, 3, 4, 5, 6, 100]) {
      const { status, json } = await service.call("GET", `/v1/${collection}/${id}/copy`);
      if (status === 200) all.set(`${collection} ${id}`, json);
    }
  }
  return all;
}

async function expectSame(after: string): Promise<Included[]> {
  const known = await copies();
  const count = [...known.values()].reduce((sum, { history }) => sum + history.length, 0);
  const expected = (change: Change) => {
    const { record = null, history = [] } = known.get(`${change.collection} ${change.objectId}`) ?? {};
    return { record, changes: history.find(({ version }) => version === change.version)?.changes };
  };
  const whole = await follow(after, count, 1_000, "record,changes");
  for (const change of whole) expect({ ...change, ...expected(change) }).toEqual(change);
  expect(await follow(after, whole.length, 7, "record,changes").then((pages) => pages.map(({ cursor: _, ...one }) => one))).toEqual(
    whole.map(({ cursor: _, ...one }) => one),
  );
  const [records, changes] = [await follow(after, whole.length, 1_000, "record"), await follow(after, whole.length, 1_000, "changes")];
  expect(records.map(({ record }) => record)).toEqual(whole.map(({ record }) => record));
  expect(changes.map((change) => [change.changes, "record" in change])).toEqual(whole.map((change) => [change.changes, false]));
  for (const collection of COLLECTIONS) {
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const { status, json } = await service.call("GET", `/v1/${collection}/${id}/history?limit=100`);
      if (status === 200) expect(json.history).toEqual(known.get(`${collection} ${id}`)?.history);
    }
  }
  return whole;
}

test("a page with records and changes has of each change what its record's history and the record itself have", {
  timeout: 240_000,
}, async () => {
  const { next } = (await service.call("GET", "/v1/changes?after=now")).json;
  await service.call("PUT", "/v1/customers/100", valuesOf("customers", 1));
  for (const step of fc.sample(fc.noBias(steps), 1).flat()) await take(step);
  const found = await expectSame(next);
  const kinds = new Set(found.map(({ operation }) => operation));
  expect([...kinds].sort()).toEqual(expect.arrayContaining(["created", "deleted", "erased", "restored", "updated"]));
  expect(new Set(found.map(({ collection, objectId }) => `${collection} ${objectId}`)).size).toBeLessThan(found.length); // several of one record

  // The values of what came before are forgotten; then what came before is not kept at all.
  const half = Date.parse(found[found.length >> 1]?.at ?? "");
  while (await service.store.sweepHistory({ values: half, changes: undefined }));
  await expectSame(next);
  while (await service.store.sweepHistory({ values: half, changes: half }));
  await expectSame("");
});

test("values of many new records that were changed often since are read together", { timeout: 120_000 }, async () => {
  const many = Array.from({ length: 1_000 }, (_, i) => ({
    objectId: 1_001 + i,
    name: `First ${i}`,
    accountNumber: `M${i}`,
    city: "Utrecht",
  }));
  const { next } = (await service.call("GET", "/v1/changes?after=now")).json;
  expect((await service.call("POST", "/v1/customers", many)).status).toBe(201);
  for (let round = 0; round < 5; round++) {
    const changed = many.map(({ objectId }) => ({ objectId, name: `Round ${round} ${objectId}`, ...(round === 2 && { city: "Ghent" }) }));
    expect((await service.call("POST", "/v1/customers?onConflict=update", changed)).status).toBe(200);
  }
  await follow(next, 6_000, 1_000, "record");
  const read = vi.spyOn(service.store, "read");
  const [list, readLater] = [vi.spyOn(service.store, "list"), vi.spyOn(service.store.feed, "readLater")];
  onTestFinished(() => void vi.restoreAllMocks());
  const { json } = await service.call("GET", `/v1/changes?limit=1000&include=record,changes&after=${next}`);
  expect([read.mock.calls.length, list.mock.calls.length, readLater.mock.calls.length]).toEqual([0, 1, 2]); // not one for each change
  const expected = many.map(({ objectId, name, accountNumber, city }) => ({
    objectId,
    changes: { name: [null, name], accountNumber: [null, accountNumber], city: [null, city] },
    record: expect.objectContaining({ objectId, name: `Round 4 ${objectId}`, accountNumber, city: "Ghent", version: 6 }),
  }));
  expect(json.changes).toMatchObject(expected);
});

test("pages with records of one person come one after another; those of others do not wait for them", async () => {
  const [one, other] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
  let goOn = () => {};
  const isOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const list = service.store.list.bind(service.store);
  let running = 0;
  let most = 0;
  vi.spyOn(service.store, "list").mockImplementation(async (collection, page, options) => {
    if (options?.owner !== `user ${one.id}`) return list(collection, page, options);
    running += 1;
    most = Math.max(most, running);
    await isOver;
    return list(collection, page, options).finally(() => {
      running -= 1;
    });
  });
  const ask = async (token: string) =>
    (await service.raw("GET", "/v1/changes?limit=1&include=record", { authorization: `Bearer ${token}` })).status;
  const mine = Array.from({ length: 5 }, () => ask(one.token));
  expect(await ask(other.token)).toBe(200);
  goOn();
  expect(await Promise.all(mine)).toEqual([200, 200, 200, 200, 200]);
  expect(most).toBe(1);
});
