// `export` with a layout of several collections: what is written is read and loaded again, items and totals included.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import ordersPackage from "../../core/dictionary/orders.example.json" with { type: "json" };
import type { FixedLayout } from "../../layouts/layouts/layout.ts";
import { selectDetail } from "../../layouts/layouts/select-detail.ts";
import { readLayout } from "../../layouts/layouts/validate/parse-layout.ts";
import { fileOf, readAll } from "../../layouts/testing/layouts.ts";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const read = readDataPackage(ordersPackage);
if ("mistakes" in read) throw new Error("The example is wrong.");
const collections = read.collections.map((collection) => withLookups(collection));

/** Customers with up to three orders in a table, and their contacts as records of their own, under one header and trailer. */
const LAYOUT: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 108,
  lineEnd: "none",
  recordType: { start: 1, length: 1 },
  header: { type: "H", sender: { start: 2, length: 8, constant: "INTAKE" }, sequence: { start: 10, length: 6 } },
  detail: {
    type: "C",
    fields: [
      { name: "objectId", start: 2, length: 6 },
      { name: "accountNumber", start: 8, length: 8 },
      { name: "name", start: 16, length: 20 },
    ],
    children: [
      {
        collection: "orders",
        start: 38,
        length: 23,
        max: 3,
        presentBy: "orderNumber",
        fields: [
          { name: "customer.accountNumber", start: 8, length: 8 },
          { name: "objectId", start: 38, length: 6 },
          { name: "orderNumber", start: 44, length: 10 },
          { name: "total", start: 54, length: 6, usage: "packed", decimals: 2 },
          { name: "status", start: 60, length: 1, values: { O: "open", D: "delivered", C: "cancelled" } },
        ],
      },
    ],
  },
  otherDetails: [
    {
      type: "P",
      collection: "contacts",
      fields: [
        { name: "objectId", start: 2, length: 6 },
        { name: "customer.accountNumber", start: 8, length: 8 },
        { name: "name", start: 16, length: 20 },
        { name: "email", start: 36, length: 30 },
      ],
    },
  ],
  trailer: {
    type: "T",
    count: { start: 2, length: 6 },
    totals: [
      { of: "objectId", start: 8, length: 12 },
      { of: "objectId", type: "P", start: 20, length: 12 },
    ],
  },
};
/** The same where records are as long as they have orders. */
const DEPENDING: FixedLayout = {
  ...LAYOUT,
  recordFormat: "rdw",
  detail: { ...LAYOUT.detail, occurs: [{ start: 38, length: 23, max: 3, dependingOn: { start: 36, length: 2, usage: "packed" } }] },
};

const folder = makeFolder();
let service: Started;
let headers: Record<string, string>;
let files = 0;
const DICTIONARY = { DICTIONARY: "core/dictionary/orders.example.json" };
const paths = { fixed: join(folder.path, "fixed.json"), depending: join(folder.path, "depending.json") };

beforeAll(async () => {
  service = await startService(join(folder.path, "store"), "0", DICTIONARY);
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
  writeFileSync(paths.fixed, JSON.stringify(LAYOUT));
  writeFileSync(paths.depending, JSON.stringify(DEPENDING));
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

async function add(name: string, records: readonly object[]): Promise<void> {
  if (records.length === 0) return;
  const reply = await fetch(`${service.url}/v1/${name}`, { method: "POST", headers, body: JSON.stringify({ [name]: records }) });
  expect([name, reply.status]).toEqual([name, 201]);
}

async function exportAll(layout: string, ...more: string[]) {
  const file = join(folder.path, `export-${++files}.dat`);
  const result = await batch(service.url, ["export", ...more, file, "--layout", layout, "--json"]);
  return { file, ...result };
}

async function rowsOf(bytes: Uint8Array, layout: FixedLayout, name: string): Promise<string[][]> {
  const collection = collections.find((one) => one.name === name);
  const { rows, malformed, refused } = await readAll(fileOf(bytes), selectDetail(layout, name) as FixedLayout, collection);
  expect([malformed, refused]).toEqual([[], undefined]);
  return rows;
}

const CUSTOMER = fc.record({
  name: fc.stringMatching(/^[A-Za-z]([A-Za-z ]{0,10}[A-Za-z])?$/),
  orders: fc.array(
    fc.record({ total: fc.integer({ min: 0, max: 9_999_999_999 }), status: fc.constantFrom("open", "delivered", "cancelled") }),
    { maxLength: 3 },
  ),
  contacts: fc.array(fc.stringMatching(/^[A-Za-z]{1,12}$/), { maxLength: 2 }),
});

test("the layout is right as it is loaded by", () => {
  for (const layout of [LAYOUT, DEPENDING]) expect(readLayout(JSON.stringify(layout), collections)).toMatchObject({ layout });
});

test("any records of all collections are written and read back: each order in its customer, count and totals over all", async () => {
  let [id, account] = [0, 0];
  const expected: Record<"customers" | "orders" | "contacts", string[][]> = { customers: [], orders: [], contacts: [] };
  await fc.assert(
    fc.asyncProperty(fc.array(CUSTOMER, { minLength: 1, maxLength: 4 }), fc.constantFrom("fixed", "depending"), async (given, which) => {
      const added: Record<"customers" | "orders" | "contacts", object[]> = { customers: [], orders: [], contacts: [] };
      for (const { name, orders, contacts } of given) {
        const [customerId, accountNumber] = [++id, `A-${++account}`];
        added.customers.push({ objectId: customerId, accountNumber, name });
        expected.customers.push([String(customerId), accountNumber, name]);
        for (const { total, status } of orders) {
          const [objectId, sum] = [++id, (total / 100).toFixed(2)];
          added.orders.push({ objectId, customerId, orderNumber: `B-${objectId}`, total: sum, status });
          expected.orders.push([accountNumber, String(objectId), `B-${objectId}`, sum, status]);
        }
        for (const person of contacts) {
          const objectId = ++id;
          added.contacts.push({ objectId, customerId, name: person, email: `${objectId}@example.org` });
          expected.contacts.push([String(objectId), accountNumber, person, `${objectId}@example.org`]);
        }
      }
      for (const name of ["customers", "orders", "contacts"] as const) await add(name, added[name]);
      const { code, file, out } = await exportAll(paths[which as "fixed" | "depending"], "--sequence", "7");
      expect(code).toBe(0);
      const [bytes, layout] = [readFileSync(file), which === "fixed" ? LAYOUT : DEPENDING];
      for (const name of ["customers", "orders", "contacts"] as const) expect(await rowsOf(bytes, layout, name)).toEqual(expected[name]);
      const { customers, orders, contacts } = expected;
      expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({
        records: customers.length + contacts.length,
        collections: { customers: customers.length, orders: orders.length, contacts: contacts.length },
      });
    }),
    { numRuns: 12 },
  );
}, 180_000);

test("what is written for one service is loaded by another, which writes the same bytes", async () => {
  const other = await startService(join(folder.path, "other"), "0", DICTIONARY);
  try {
    for (const layout of [paths.fixed, paths.depending]) {
      const first = await exportAll(layout);
      expect((await batch(other.url, ["run", first.file, "--layout", layout])).code).toBe(0);
      const again = join(folder.path, `again-${files}.dat`);
      expect((await batch(other.url, ["export", again, "--layout", layout])).code).toBe(0);
      expect(readFileSync(again).equals(readFileSync(first.file))).toBe(true);
      expect((await batch(other.url, ["undo", first.file])).code).toBe(0);
    }
  } finally {
    other.child.kill("SIGKILL");
  }
}, 180_000);

test("one collection of the layout is written with its items, or alone, and the trailer counts what is there", async () => {
  const contacts = await exportAll(paths.fixed, "contacts");
  const bytes = readFileSync(contacts.file);
  expect((await rowsOf(bytes, LAYOUT, "contacts")).length).toBeGreaterThan(0);
  expect(await rowsOf(bytes, LAYOUT, "customers")).toEqual([]);
  const customers = await exportAll(paths.fixed, "customers");
  expect((await rowsOf(readFileSync(customers.file), LAYOUT, "orders")).length).toBeGreaterThan(0);
  expect(await rowsOf(readFileSync(customers.file), LAYOUT, "contacts")).toEqual([]);
  const orders = await exportAll(paths.fixed, "orders");
  expect([orders.code, orders.stderr, existsSync(orders.file)]).toEqual([
    1,
    "The layout has orders within the records of customers: name customers, or no collection for all of the layout.",
    false,
  ]);
  const forgotten = await batch(service.url, ["export", "customers", "--layout", paths.fixed]);
  expect([forgotten.code, forgotten.stderr]).toEqual([1, "customers is a collection. Name the file behind it, such as customers.dat."]);
}, 180_000);

test("an order without room, without what makes it an item, or with another value than its record has is named, and nothing is written", async () => {
  const refusedWith = async (layout: string) => {
    const { code, stderr, file } = await exportAll(layout);
    expect([code, existsSync(file), existsSync(`${file}.part`)]).toEqual([1, false, false]);
    return stderr;
  };
  const written = (name: string, layout: FixedLayout) => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(layout));
    return path;
  };
  const changed = (change: object): FixedLayout => {
    const [table] = LAYOUT.detail.children ?? [];
    return { ...LAYOUT, detail: { ...LAYOUT.detail, children: [{ ...table, ...change } as NonNullable<typeof table>] } };
  };
  const [table] = LAYOUT.detail.children ?? [];
  await add("customers", [{ objectId: 90_001, accountNumber: "Z-1", name: "Many" }]);
  const order = (objectId: number) => ({ objectId, customerId: 90_001, orderNumber: `B-${objectId}`, status: "open" });
  await add("orders", [90_011, 90_012].map(order));
  const shared = changed({
    fields: [
      ...(table?.fields ?? []).slice(0, -1),
      { name: "status", start: 107, length: 1, values: { O: "open", D: "delivered", C: "cancelled" } },
    ],
  });
  await add("orders", [{ ...order(90_013), status: "delivered" }]);
  expect(await refusedWith(written("shared.json", shared))).toMatch(
    /^Nothing was written: of customer \d+, of its order \d+, Status is “\w+”, and the record has another value in byte 107, which all its items share\. Correct the record or the layout\.$/,
  );
  expect(
    await refusedWith(
      written(
        "present.json",
        changed({ presentBy: "total", fields: table?.fields.map((field) => (field.name === "total" ? { ...field, null: " " } : field)) }),
      ),
    ),
  ).toBe(
    "Nothing was written: of customer 90001, of its order 90011, Total has no value, and without it the item would be read as empty. Correct the record or the layout.",
  );
  await add("orders", [order(90_014)]);
  expect(await refusedWith(paths.fixed)).toBe(
    "Nothing was written: of customer 90001, 4 orders belong to it, and the table (bytes 38–106) has room for 3. Correct the record or the layout.",
  );
  const since = await batch(service.url, ["export", join(folder.path, "since.dat"), "--layout", paths.fixed, "--changes-since", "now"]);
  expect([since.code, since.stderr]).toEqual([
    1,
    "Records with items have no changes of their own: leave --changes-since out, and everything is written.",
  ]);
}, 180_000);

test("changes of several collections are written in the order of their first change, each with its own action", async () => {
  const { children: _, ...detail } = LAYOUT.detail;
  const [contacts] = LAYOUT.otherDetails ?? [];
  const action = { start: 108, length: 1, add: "A", change: "C", delete: "D" };
  const layout: FixedLayout = { ...LAYOUT, detail, action, otherDetails: [{ ...(contacts as NonNullable<typeof contacts>), action }] };
  const path = join(folder.path, "actions.json");
  writeFileSync(path, JSON.stringify(layout));
  const { out, stderr } = await exportAll(path);
  const { cursor } = JSON.parse(out.split("\n")[0] ?? "") as { cursor: string };
  expect(stderr).toContain(`What changes from now on: intake-batch export FILE --layout ${path} --changes-since ${cursor}`);
  await add("customers", [{ objectId: 91_001, accountNumber: "Y-1", name: "New" }]);
  await add("contacts", [{ objectId: 91_002, customerId: 91_001, name: "Ana", email: "ana@example.org" }]);
  const gone = await fetch(`${service.url}/v1/contacts/91002`, { method: "DELETE", headers });
  expect(gone.ok).toBe(true);
  await add("contacts", [{ objectId: 91_003, customerId: 91_001, name: "Bo", email: "bo@example.org" }]);
  const changes = await exportAll(path, "--changes-since", cursor);
  const bytes = readFileSync(changes.file);
  expect(await rowsOf(bytes, layout, "customers")).toEqual([["91001", "Y-1", "New"]]);
  expect(await rowsOf(bytes, layout, "contacts")).toEqual([["91003", "Y-1", "Bo", "bo@example.org"]]);
  expect(changes.stderr).toContain("1 changed record of customers and 1 of contacts written to ");
}, 180_000);
