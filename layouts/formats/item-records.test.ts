// OCCURS whose items are records of a child collection: read from bytes, and loaded behind their parents.

import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { batch, makeFolder, startBatch, startService } from "../../batch/testing/process.ts";
import { openServiceProxy, type ServiceProxy } from "../../batch/testing/service-proxy.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import ordersPackage from "../../core/dictionary/orders.example.json" with { type: "json" };
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { rounds } from "../../server/testing/rounds.ts";
import { createCodec } from "../layouts/character-sets.ts";
import { NUMERALS } from "../layouts/cobol-numbers.ts";
import type { FixedLayout } from "../layouts/layout.ts";
import { selectDetail } from "../layouts/select-detail.ts";
import { readLayout, reportMistakes } from "../layouts/validate/parse-layout.ts";
import { fileOf, readAll } from "../testing/layouts.ts";
import { FixedWriter, NoRoom } from "./write-fixed.ts";

const read = readDataPackage(ordersPackage);
if ("mistakes" in read) throw new Error("The example is wrong.");
const collections = read.collections.map((collection) => withLookups(collection));
const orders = collections.find(({ name }) => name === "orders") as Collection;

/** A customer with up to three orders; `P` in the item is packed. */
const FIXED: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  encoding: "cp037",
  recordLength: 79,
  lineEnd: "none",
  recordType: { start: 1, length: 1 },
  detail: {
    type: "C",
    fields: [
      { name: "accountNumber", start: 2, length: 8 },
      { name: "name", start: 10, length: 20 },
    ],
    children: [
      {
        collection: "orders",
        start: 32,
        length: 16,
        max: 3,
        presentBy: "orderNumber",
        fields: [
          { name: "customer.accountNumber", start: 2, length: 8 },
          { name: "orderNumber", start: 32, length: 10 },
          { name: "total", start: 42, length: 5, usage: "packed", decimals: 2 },
          { name: "status", constant: "open" },
        ],
      },
    ],
  },
  trailer: { type: "T", count: { start: 2, length: 6 }, totals: [{ of: "items", start: 8, length: 6 }] },
};
const WITH_TOTAL: FixedLayout = {
  ...FIXED,
  detail: { ...FIXED.detail, fields: [...FIXED.detail.fields, { name: "items", start: 30, length: 2, skip: true }] },
};
/** The same with OCCURS DEPENDING ON: records are as long as they have orders, and the number of orders stands before them. */
const DEPENDING: FixedLayout = {
  ...WITH_TOTAL,
  recordFormat: "rdw",
  detail: {
    ...WITH_TOTAL.detail,
    fields: FIXED.detail.fields,
    occurs: [{ start: 32, length: 16, max: 3, dependingOn: { start: 30, length: 2 } }],
  },
  trailer: { type: "T", count: { start: 2, length: 6 } },
};

const codec = createCodec("cp037");
const text = (given: string, length: number) => codec.encode(given.padEnd(length)) as Uint8Array;
const item = ([number, total]: [string, string]) =>
  Buffer.concat([text(number, 10), NUMERALS.packed.write(total, 5) as Uint8Array, text("", 1)]);
type Order = [number: string, total: string];

function customer(account: string, name: string, items: readonly (Order | undefined)[], isWhole = true): Uint8Array {
  const count = String(items.filter((one) => one).length).padStart(2, "0");
  const bodies = items.map((one) => (one ? item(one) : text("", 16)));
  const rest = isWhole ? Array.from({ length: 3 - items.length }, () => text("", 16)) : [];
  return Buffer.concat([text("C", 1), text(account, 8), text(name, 20), text(count, 2), ...bodies, ...rest]);
}

function trailer(count: number, items?: number): Uint8Array {
  const digits = (n: number) => String(n).padStart(6, "0");
  return text(`T${digits(count)}${items === undefined ? "" : digits(items)}`, 79);
}

const withLength = (record: Uint8Array) =>
  Buffer.concat([Buffer.from([(record.length + 4) >> 8, (record.length + 4) & 255, 0, 0]), record]);

const CUSTOMERS: [account: string, name: string, orders: Order[]][] = [
  ["A-1", "Ångström", [["B-1", "1050"], ["B-2", "99"], ["B-3", "0"]]], // biome-ignore format: one customer a line
  ["A-2", "No orders", []],
  ["A-3", "One order", [["B-4", "123456"]]],
];
const ROWS = [
  ["A-1", "B-1", "10.50", "open"],
  ["A-1", "B-2", "0.99", "open"],
  ["A-1", "B-3", "0.00", "open"],
  ["A-3", "B-4", "1234.56", "open"],
];
const fixedFile = () => [...CUSTOMERS.map((one) => customer(...one)), trailer(3, 4)];
const dependingFile = () => [...CUSTOMERS.map((one) => withLength(customer(...one, false))), withLength(trailer(3).subarray(0, 31))];
const forOrders = (layout: FixedLayout) => selectDetail(layout, "orders") as FixedLayout;

function mistakesOf(layout: unknown): string {
  const checked = readLayout(JSON.stringify(layout), collections);
  return "mistakes" in checked ? reportMistakes(checked.mistakes).join("\n") : "";
}

describe("read from bytes", () => {
  test.each([
    ["OCCURS", WITH_TOTAL, fixedFile],
    ["OCCURS DEPENDING ON", DEPENDING, dependingFile],
  ] as const)("with %s each item that is there is a row, with its parent's key", async (_, layout, file) => {
    expect(mistakesOf(layout)).toBe("");
    const parents = await readAll(fileOf(...file()), layout, collections[0]);
    expect([parents.rows, parents.refused]).toEqual([CUSTOMERS.map(([account, name]) => [account, name]), undefined]);
    const items = await readAll(fileOf(...file()), forOrders(layout), orders);
    expect(items).toMatchObject({ rows: ROWS, malformed: [], refused: undefined });
    expect(items.places.map(([number]) => number)).toEqual([1, 1, 1, 3]);
  });

  test("an item between others may be missing, and one without the field of presentBy is none", async () => {
    const records = [customer("A-1", "Gap", [["B-1", "1"], undefined, ["B-2", "2"]]), customer("A-2", "None", [["", "0"]]), trailer(2, 3)];
    const { rows, refused } = await readAll(fileOf(...records), forOrders(WITH_TOTAL), orders);
    expect([rows.map(([account, number]) => [account, number]), refused]).toEqual([
      [
        ["A-1", "B-1"],
        ["A-1", "B-2"],
      ],
      undefined,
    ]);
  });

  test("what is wrong with an item is said with its own bytes, and count and totals are those of the records", async () => {
    const broken = Buffer.from(customer("A-1", "Wrong", [["B-1", "1"], ["B-2", "2"]])); // biome-ignore format: short
    broken.fill(0xff, 31 + 16 + 10, 31 + 16 + 15);
    const { rows, malformed, refused } = await readAll(fileOf(broken, trailer(1, 2)), forOrders(WITH_TOTAL), orders);
    expect([rows.length, refused]).toEqual([2, undefined]);
    expect(malformed).toEqual([[2, expect.stringMatching(/^Record 1 \(byte offset 0\): Total \(bytes 58–62\) is X'FFFFFFFFFF'/)]]);
    const lacking = await readAll(fileOf(customer("A-1", "Wrong", [["B-1", "1"]]), trailer(1, 2)), forOrders(WITH_TOTAL), orders);
    expect(lacking.refused).toContain("It says 000002 as the total of items; the records add up to 000001.");
  });

  test("an item that would be read as empty is not written", () => {
    const table = { collection: "orders", start: 32, length: 10, max: 1, fields: [{ name: "orderNumber", start: 32, length: 10 }] };
    const layout: FixedLayout = { ...FIXED, detail: { ...FIXED.detail, children: [table] } };
    const write = () =>
      new FixedWriter(layout, collections[0] as Collection).detail({ accountNumber: "A-1", name: "One" }, undefined, [
        { table, collection: orders, rows: [{ id: 7, texts: {} }] },
      ]);
    expect(write).toThrow(new NoRoom("of its order 7, no field has a value, and a blank item would be read as empty."));
  });

  const [children] = FIXED.detail.children ?? [];
  const having = (change: object, detail: object = {}) => ({
    ...WITH_TOTAL,
    detail: { ...WITH_TOTAL.detail, ...detail, children: [{ ...children, ...change }] },
  });
  test.each([
    [having({ collection: "ordres" }), '/detail/children/0/collection: there is no collection "ordres"; did you mean "orders"?'],
    [having({ collection: "customers" }), "/detail/children/0/collection: customers has records elsewhere in this layout"],
    [having({ max: 4 }), "/detail/children/0: ends at byte 95, but a record has 79"],
    [having({ presentBy: "orderNo" }), '/detail/children/0/presentBy: "orderNo" is none of its fields'],
    [
      having({ fields: [...(children?.fields ?? []), { name: "orderedOn", start: 47, length: 10 }] }),
      "/detail/children/0/fields/4: orderedOn must have its place in the first item (bytes 32–47) or outside of the table",
    ],
    [
      having({
        fields: [
          { name: "customer.accountNumber", start: 2, length: 8 },
          { name: "orderNumber", constant: "1" },
        ],
        presentBy: undefined,
      }),
      "/detail/children/0/fields: has no field within the first item, so that all items would be the same",
    ],
    [
      having({ fields: [{ name: "orderNumber", start: 32, length: 10 }] }),
      "/detail/children/0/fields: customerId (Customer) is required and is not here: add it",
    ],
    [
      having({ fields: [{ name: "oderNumber", start: 32, length: 10 }] }),
      '/detail/children/0/fields/0/name: Orders have no field "oderNumber"; did you mean "orderNumber"?',
    ],
    [
      { ...having({}), action: { start: 31, length: 1, add: "A" } },
      "/detail/children/0: cannot be combined with an action: what becomes of the items of a changed record would not be known",
    ],
  ])("a layout that cannot be is refused: %#", (layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toContain(expected);
  });
});

const ROUNDS = rounds(3, 25);
/** How many batches are let through before the command is killed: there are two of customers, then three of orders. */
const STORED_BEFORE = [1, 2, 4, 0, 3];
const folder = makeFolder();
let service: Started;
let proxy: ServiceProxy;
beforeAll(async () => {
  service = await startService(join(folder.path, "store"), "0", { DICTIONARY: "core/dictionary/orders.example.json" });
  proxy = await openServiceProxy(service.url);
});
afterAll(() => {
  proxy.close();
  service.child.kill("SIGKILL");
  folder.remove();
});

async function stored(name: string): Promise<Record<string, unknown>[]> {
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const reply = await fetch(`${service.url}/v1/${name}?limit=1000&sort=objectId`, { headers });
  return ((await reply.json()) as Record<string, Record<string, unknown>[]>)[name] ?? [];
}

function write(name: string, ...parts: readonly Uint8Array[]): string {
  const path = join(folder.path, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

describe("loaded", () => {
  const layouts = { fixed: join(folder.path, "fixed.json"), depending: join(folder.path, "depending.json") };
  beforeAll(() => {
    writeFileSync(layouts.fixed, JSON.stringify(WITH_TOTAL));
    writeFileSync(layouts.depending, JSON.stringify(DEPENDING));
  });

  test("parents come first, each item refers to its own, and an undo takes both back", { timeout: 180_000 }, async () => {
    for (const [layout, file] of [
      [layouts.fixed, write("fixed.dat", ...fixedFile())],
      [layouts.depending, write("depending.dat", ...dependingFile())],
    ] as const) {
      const name = file.split("/").at(-1);
      const loaded = await batch(service.url, ["run", file, "--layout", layout]);
      expect([loaded.code, loaded.stderr]).toEqual([
        0,
        `All 3 records of ${name} are in customers: 3 created. All 4 records of ${name} are in orders: 4 created.`,
      ]);
      const parents = new Map((await stored("customers")).map(({ objectId, accountNumber }) => [objectId, accountNumber]));
      const items = (await stored("orders")).map(({ customerId, orderNumber, total }) => [
        parents.get(customerId as number),
        orderNumber,
        Number(total),
      ]);
      expect(items).toEqual(ROWS.map(([account, number, total]) => [account, number, Number(total)]));
      expect((await batch(service.url, ["run", file, "--layout", layout])).code).toBe(5);
      const undone = await batch(service.url, ["undo", file]);
      expect([undone.code, undone.stderr]).toEqual([
        0,
        `4 records of ${name} (orders) taken back; the store is as it was before. 3 records of ${name} (customers) taken back; the store is as it was before.`,
      ]);
      expect([await stored("customers"), await stored("orders")]).toEqual([[], []]);
    }
  });

  test("a watched folder and a recipe load all collections, and validate checks all", { timeout: 180_000 }, async () => {
    const parts = "All 3 records of in.dat are in customers: 3 created. All 4 records of in.dat are in orders: 4 created.";
    const saved = await batch(service.url, ["layout", "save", layouts.fixed, "--recipe", "Orders"]);
    expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining("Load files by it")]);
    for (const [i, how] of [
      ["--layout", layouts.fixed],
      ["--recipe", "Orders"],
    ].entries()) {
      const inbox = join(folder.path, `inbox-${i}`);
      mkdirSync(inbox);
      const file = write(`inbox-${i}/in.dat`, ...fixedFile());
      const checked = await batch(service.url, ["validate", file, ...how, "--out", folder.path]);
      expect(checked.stderr).toBe(
        "customers: in.dat can be stored: 3 records, none refused. Nothing was stored. orders: in.dat can be stored: 4 records, none refused. Nothing was stored.",
      );
      writeFileSync(`${file}.done`, "");
      const watched = await batch(service.url, ["watch", inbox, ...how, "--once"]);
      expect([watched.code, watched.out]).toEqual([0, expect.stringContaining(`in.dat: exit code 0, now archive/in.dat. ${parts}`)]);
      expect([(await stored("customers")).length, (await stored("orders")).length]).toEqual([3, 4]);
      expect((await batch(service.url, ["undo", join(inbox, "archive", "in.dat")])).code).toBe(0);
      expect([await stored("customers"), await stored("orders")]).toEqual([[], []]);
    }
  });

  test("rejected items are written with their record, without the items that are stored", { timeout: 180_000 }, async () => {
    const broken = Buffer.from(customer("R-1", "Two of three", [["R-1", "1"], ["R-2", "2"], ["R-3", "3"]])); // biome-ignore format: short
    broken.fill(0xff, 31 + 16 + 10, 31 + 16 + 15);
    const file = write("rejects.dat", broken, customer("R-2", "Fine", [["R-4", "4"]]), trailer(2, 4));
    const run = await batch(service.url, ["run", file, "--layout", layouts.fixed, "--max-rejects", "1"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("3 of 4 records of rejects.dat are in orders (3 created); 1 refused.");
    const rejects = await readFile(`${file}.2.rejects`);
    const corrected = Buffer.from(rejects);
    corrected.set(NUMERALS.packed.write("2", 5) as Uint8Array, 31 + 16 + 10);
    const again = await readAll(fileOf(corrected), forOrders(WITH_TOTAL), orders);
    expect(again.rows).toEqual([["R-1", "R-2", "0.02", "open"]]);
    await batch(service.url, ["undo", file]);
  });

  test("nothing of any collection is stored when the records of one are wrong", { timeout: 180_000 }, async () => {
    const broken = Buffer.from(customer("W-1", "Wrong order", [["W-1", "1"]]));
    broken.fill(0xff, 31 + 10, 31 + 15);
    const file = write("wrong.dat", broken, trailer(1, 1));
    const run = await batch(service.url, ["run", file, "--layout", layouts.fixed]);
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringContaining("Nothing of wrong.dat was stored: 1 of 1 record for orders is wrong"),
    ]);
    expect(await stored("customers")).toEqual([]);
  });

  test(`killed while its batches leave, in ${ROUNDS} rounds: resume or the same command stores the rest of both, each record once`, {
    timeout: 1_800_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const records = Array.from({ length: 1_500 }, (_, i) => customer(`K${round}-${i}`, "Killed", [[`K${round}-${i}-a`, "1"], [`K${round}-${i}-b`, "2"]])); // biome-ignore format: short
      const file = write(`killed-${round}.dat`, ...records, trailer(1_500, 3_000));
      const command = ["run", file, "--layout", layouts.fixed, "--json"];
      proxy.letThrough(STORED_BEFORE[round % STORED_BEFORE.length] as number);
      const first = startBatch(proxy.url, command);
      await proxy.untilHeld();
      first.child.kill("SIGKILL");
      await first.ended;
      proxy.open(); // what was on its way may still arrive
      const { code } = await batch(service.url, ["resume", file]);
      if (code !== 0) expect((await batch(service.url, command)).code).toBe(0);
      const headers = await authorize(service.url, "preset", ADMIN_SECRET);
      const total = async (name: string, field: string) => {
        const reply = await fetch(`${service.url}/v1/${name}?${field}[prefix]=K${round}-&limit=1&count=exact`, { headers });
        return ((await reply.json()) as { total: number }).total;
      };
      expect([await total("customers", "accountNumber"), await total("orders", "orderNumber")]).toEqual([1_500, 3_000]);
      expect((await batch(service.url, ["undo", file])).code).toBe(0);
    }
  });
});
