// A merge that is taken apart at once leaves records, references, searches and counts as they were.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(ORDERS);
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
type Wire = any;
const call = async (method: string, path: string, body?: unknown): Promise<Wire> => {
  const reply = await service.call(method, `/v1/${path}`, body);
  if (reply.status >= 400) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  return reply.json;
};

/** A customer with what refers to it. `orders`: each with one of the contacts, or with none. */
const CUSTOMER = fc.record({
  name: fc.constantFrom("Ada Fox", "Bea Øst", "Çem"),
  city: fc.constantFrom(null, "Bonn", "Łódź"),
  contacts: fc.nat(2),
  orders: fc.array(fc.option(fc.nat(1)), { maxLength: 3 }),
});
const CASE = fc.record({
  customers: fc.array(CUSTOMER, { minLength: 2, maxLength: 5 }),
  from: fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
});

let words = 0;
const COLLECTIONS = ["customers", "contacts", "orders"];

test("merging and taking apart changes nothing", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(CASE, async ({ customers, from }) => {
      const word = `w${++words}x`;
      const ids: number[] = [];
      for (const [i, { name, city, contacts, orders }] of customers.entries()) {
        const { objectId } = await call("POST", "customers", { name: `${name} ${word}`, city, accountNumber: `${word}${i}` });
        ids.push(objectId);
        const people: number[] = [];
        for (let n = 0; n < contacts; n++)
          people.push((await call("POST", "contacts", { customerId: objectId, name: `Zoë ${word}` })).objectId);
        for (const [n, contact] of orders.entries()) {
          const contactId = contact === null ? null : (people[contact] ?? null);
          await call("POST", "orders", { customerId: objectId, contactId, orderNumber: `${word}${i}-${n}` });
        }
      }
      const seen = async () => {
        const found: Wire = {};
        for (const name of COLLECTIONS) {
          const { [name]: records, total } = await call("GET", `${name}?q=${word}&count=exact&limit=100&sort=objectId`);
          found[name] = records.map(({ version: _, updatedAt: __, updatedBy: ___, ...record }: Wire) => record);
          found[`${name} found`] = total;
        }
        for (const id of ids)
          for (const name of ["contacts", "orders"])
            found[`${name} of ${id}`] = (await call("GET", `${name}?customerId=${id}&count=exact`)).total;
        return found;
      };
      const before = await seen();
      const [survivor, ...others] = ids as [number, ...number[]];
      const records = before.customers as Wire[];
      const pick = (field: string, i: number) => records[(from[i] as number) % records.length][field];
      const values = { name: pick("name", 0), city: pick("city", 1), accountNumber: pick("accountNumber", 2) };
      const versions = Object.fromEntries(ids.map((id) => [id, 1]));
      const merged = await call("POST", "customers/merges", { survivor, others, values, versions });
      const after = await seen();
      expect(after.customers).toHaveLength(1);
      expect(after.customers[0]).toMatchObject({ ...values, objectId: survivor });
      const contacts = customers.reduce((sum, one) => sum + one.contacts, 0);
      expect(after[`contacts of ${survivor}`]).toBe(contacts);
      const apart = await call("DELETE", `customers/merges/${merged.id}`);
      expect(apart.moved).toEqual(merged.moved);
      expect(await seen()).toEqual(before);
    }),
    { numRuns: 12 },
  );
});
