// Items told apart by a parent, a unique field or their own key, and files that are refused as a whole.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const key = { name: "id", type: "integer" };
const refersTo = (resource: string, field: string, as: string) => ({
  ...{ fields: [field], reference: { resource, fields: ["id"] } },
  ...{ as, onDelete: "restrict" },
});
const resource = (name: string, singular: string, fields: object[], foreignKeys: object[] = []) => ({
  ...{ name, singular, noun: singular, title: name },
  schema: { primaryKey: ["id"], fields: [key, ...fields], ...(foreignKeys.length > 0 && { foreignKeys }) },
});
const DICTIONARY = {
  resources: [
    resource("customers", "customer", [
      { name: "name", type: "string" },
      { name: "number", type: "integer", constraints: { unique: true } },
    ]),
    resource("products", "product", [{ name: "code", type: "string", constraints: { unique: true, required: true } }]),
    resource(
      "bookings",
      "booking",
      [
        { name: "customerId", type: "integer", constraints: { required: true } },
        { name: "productId", type: "integer" },
        { name: "slip", type: "string", title: "Slip", constraints: { unique: true } },
        { name: "note", type: "string" },
      ],
      [refersTo("customers", "customerId", "customer"), refersTo("products", "productId", "product")],
    ),
  ],
};

type Fields = { name: string; start: number; length: number }[];
/** A record is the customer's key, its number, and two items of ten bytes, which `item` describes. */
function layoutOf(item: Fields, more: object = {}, owner = { name: "customerId", start: 1, length: 3 }): object {
  return {
    ...{ kind: "fixed", collection: "customers", recordLength: 26, lineEnd: "lf" },
    detail: {
      fields: [
        { name: "id", start: 1, length: 3 },
        { name: "number", start: 4, length: 3 },
      ],
      children: [{ collection: "bookings", start: 7, length: 10, max: 2, fields: [owner, ...item], ...more }],
    },
  };
}

const folder = makeFolder();
let service: Started;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService(join(folder.path, "store"), "0", { DICTIONARY: write("dictionary.json", DICTIONARY) });
  headers = { ...(await authorize(service.url, "preset", ADMIN_SECRET)), "content-type": "application/json" };
  for (const [i, code] of ["APL", "PER"].entries()) await post("products", { product: { id: i + 1, code } });
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

function write(name: string, content: string | object): string {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const record = (id: number | string, ...items: string[]) =>
  `${String(id).padStart(3, "0")}${String(id).padStart(3, "0")}${items.map((item) => item.padEnd(10)).join("")}`.padEnd(26);
const file = (name: string, ...records: string[]) => write(name, records.map((one) => `${one}\n`).join(""));
const load = (path: string, layout: object, ...more: string[]) =>
  batch(service.url, ["run", path, "--layout", write("layout.json", layout), "--mode", "upsert", ...more]);

async function post(collection: string, body: object): Promise<void> {
  const reply = await fetch(`${service.url}/v1/${collection}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(reply.status).toBe(201);
}
type Stored = Record<string, string | number | null>;
async function stored(collection: string, from: number, to: number, by = "customerId"): Promise<Stored[]> {
  const reply = await fetch(`${service.url}/v1/${collection}?limit=100&sort=id&${by}[gte]=${from}&${by}[lte]=${to}`, { headers });
  return ((await reply.json()) as Record<string, Stored[]>)[collection] as Stored[];
}
const slips = async (from: number, to: number) => (await stored("bookings", from, to)).map((one) => `${one.customerId} ${one.slip}`);

const SLIP = [{ name: "slip", start: 7, length: 4 }];
const PRODUCT = [{ name: "product.code", start: 7, length: 3 }];
const NOTE = [{ name: "note", start: 7, length: 4 }];

describe("a key that cannot be read", { timeout: 60_000 }, () => {
  test.each([
    ["of the record", layoutOf(NOTE), 100],
    ["of a unique number of the record", layoutOf(NOTE, {}, { name: "customer.number", start: 4, length: 3 }), 110],
  ])("%s makes that record a reject, and the others are loaded", async (_, layout, from) => {
    await load(file(`first-${from}.dat`, record(from, "old")), layout);
    for (const bad of ["ABC", "1-2", "1.5", '"",', "-01"]) {
      const path = file(`bad-${from}.dat`, record(from, `n${bad}`), record(bad, "x"), record(from + 1, `m${bad}`));
      const refused = await load(path, layout);
      expect([bad, refused.code, refused.stderr]).toEqual([bad, 1, expect.stringContaining("of 3 records")]);
      const some = await load(path, layout, "--max-rejects", "none");
      expect([bad, some.code, some.stderr]).toEqual([bad, 2, expect.any(String)]);
      const items = await stored("bookings", from, from + 1);
      expect(items.map(({ customerId, note }) => [customerId, note])).toEqual([
        [from, `n${bad}`],
        [from + 1, `m${bad}`],
      ]);
    }
  });
});

describe("items that are known by a parent alone", { timeout: 60_000 }, () => {
  test("are not taken for each other where stored ones are kept", async () => {
    const layout = layoutOf(PRODUCT, { gone: "kept" });
    const products = async () => (await stored("bookings", 200, 209)).map(({ id, productId }) => [id, productId]);
    expect((await load(file("p1.dat", record(200, "APL")), layout)).code).toBe(0);
    const [first] = await products();
    expect((await load(file("p2.dat", record(200, "PER")), layout)).code).toBe(0);
    const both = await products();
    expect([both[0], both.map(([, product]) => product)]).toEqual([first, [1, 2]]);
    expect((await load(file("p3.dat", record(200, "APL"), record(201, "PER")), layout)).code).toBe(0);
    expect(await products()).toEqual([...both, [expect.any(Number), 2]]);
  });

  test("keep their record when the file has them in another order", async () => {
    const layout = layoutOf(PRODUCT);
    await load(file("o1.dat", record(210, "APL", "PER")), layout);
    const before = await stored("bookings", 210, 210);
    expect((await load(file("o2.dat", record(210, "PER", "APL")), layout)).code).toBe(0);
    expect(await stored("bookings", 210, 210)).toEqual(before);
  });
});

describe("an item that the file has with another record", { timeout: 60_000 }, () => {
  test.each([
    ["down", (from: number) => [record(from), record(from + 1, `S${from}`)]],
    ["up", (from: number) => [record(from, `S${from + 1}`), record(from + 1)]],
  ])("by a unique field, moved %s: the file is refused, and nothing is stored or lost", async (way, moved) => {
    const from = way === "down" ? 300 : 310;
    await load(file(`s1-${way}.dat`, record(from, `S${from}`), record(from + 1, `S${from + 1}`)), layoutOf(SLIP));
    const before = await stored("bookings", from, from + 1);
    const path = file(`s2-${way}.dat`, record(from + 2, "NEW"), ...moved(from));
    for (const command of ["run", "validate"]) {
      const layout = write("layout.json", layoutOf(SLIP));
      const refused = await batch(service.url, [command, path, "--layout", layout, "--mode", "upsert"]);
      expect([command, refused.code, refused.stderr]).toEqual([
        command,
        1,
        expect.stringMatching(/^Nothing of \S+ was stored\. The booking with Slip S\d+ is stored with another record than in this file\./),
      ]);
    }
    expect(await stored("bookings", from, from + 2)).toEqual(before);
    expect(await stored("customers", from + 2, from + 2, "id")).toEqual([]);
    expect((await load(path, layoutOf(SLIP, { gone: "kept" }), "--max-rejects", "none")).code).toBe(2); // nothing is deleted
    expect((await slips(from, from + 1)).sort()).toEqual([`${from} S${from}`, `${from + 1} S${from + 1}`]);
  });

  test("by its own key, and one that only changes its place among those of its record is no move", async () => {
    const layout = layoutOf([{ name: "id", start: 7, length: 3 }, ...[{ name: "note", start: 10, length: 4 }]]);
    expect((await load(file("k1.dat", record(320, "501a", "502b"), record(321, "503c")), layout)).code).toBe(0);
    expect((await load(file("k2.dat", record(320, "502b", "501x"), record(321, "503c")), layout)).code).toBe(0);
    const before = await stored("bookings", 320, 321);
    expect(before.map(({ id, note }) => [id, note])).toEqual([
      [501, "x"],
      [502, "b"],
      [503, "c"],
    ]);
    const refused = await load(file("k3.dat", record(320, "502b"), record(321, "503c", "501x")), layout);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("501 is stored with another record")]);
    expect(await stored("bookings", 320, 321)).toEqual(before);
    expect((await load(file("k4.dat", record(321, "503c", "501x")), layout)).code).toBe(0); // its old record is not in the file
    expect((await stored("bookings", 321, 321)).map(({ id }) => id)).toEqual([501, 503]);
  });
});

test("an item that takes the unique value of another one of its record, which is gone, is no move", async () => {
  const item = [{ name: "note", start: 7, length: 2 }, ...[{ name: "slip", start: 9, length: 6 }]];
  const layout = layoutOf(item, { key: "note" });
  expect((await load(file("t1.dat", record(330, "L1T1", "L2T2")), layout)).code).toBe(0);
  const taken = await load(file("t2.dat", record(330, "L1T2")), layout);
  expect([taken.code, taken.stderr]).toEqual([0, expect.any(String)]);
  expect((await stored("bookings", 330, 330)).map(({ note, slip }) => [note, slip])).toEqual([["L1", "T2"]]);
});

test("a file that has the items of a record twice is refused before its records are stored, and validate says so, too", async () => {
  const path = file("twice.dat", record(400, "a"), record(401, "b"), record(400, "c"));
  for (const command of ["validate", "run", "run"]) {
    const layout = write("layout.json", layoutOf(NOTE));
    const refused = await batch(service.url, [command, path, "--layout", layout, "--mode", "upsert"]);
    expect([command, refused.code, refused.stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/^Nothing of twice\.dat was stored\. This file has the items of customer 400 twice\./),
    ]);
    expect(await stored("customers", 400, 401, "id")).toEqual([]);
  }
});

test("a table without a field that says whose its items are is refused where it updates, because they would double", async () => {
  const layout = layoutOf([...NOTE, { name: "slip", start: 11, length: 4 }], {}, { name: "customerId", start: 15, length: 2 });
  const refused = await load(file("whose.dat", record(500, "aaaabbbb01")), layout);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("/detail/children/0/fields: has no field outside of the table that says which record the items belong to"),
  ]);
});
