// Several kinds of detail records under one trailer, each for a collection of its own. The file is GnuCOBOL's.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AMOUNTS_PACKAGE, amounts } from "../../batch/testing/amounts.ts";
import { batch, makeFolder, startService } from "../../batch/testing/process.ts";
import customersPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { ADMIN_SECRET, authorize, readAll as readStored, type Started } from "../../server/testing/process.ts";
import type { FixedLayout, OtherDetail } from "../layouts/layout.ts";
import { selectDetail } from "../layouts/select-detail.ts";
import { readLayout, reportMistakes } from "../layouts/validate/parse-layout.ts";
import { cobolFile } from "../testing/gnucobol.ts";
import { customers, fileOf, readAll } from "../testing/layouts.ts";
import { makeSample } from "./sample.ts";

const BRANCHES: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 40,
  lineEnd: "none",
  recordFormat: "gnucobol-0",
  recordType: { start: 1, length: 1 },
  detail: {
    type: "S",
    minLength: 37,
    fields: [
      { name: "objectId", start: 2, length: 6 },
      { name: "lastName", start: 8, length: 20 },
      { name: "accountID", start: 28, length: 10 },
    ],
  },
  otherDetails: [
    {
      type: "A",
      collection: "amounts",
      fields: [
        { name: "id", start: 2, length: 6 },
        { name: "over", start: 8, length: 5, usage: "packed", decimals: 2 },
        { name: "binary", start: 13, length: 4, usage: "binary" },
      ],
    },
  ],
  trailer: {
    type: "T",
    count: { start: 2, length: 4 },
    totals: [
      { of: "objectId", start: 6, length: 9 },
      { of: "over", type: "A", start: 15, length: 6, usage: "packed" },
    ],
  },
};
const FOR_AMOUNTS = selectDetail(BRANCHES, "amounts") as FixedLayout;
const both = [customers, amounts];

function mistakesOf(change: Partial<FixedLayout>): string {
  const read = readLayout(JSON.stringify({ ...BRANCHES, ...change }), both);
  return "mistakes" in read ? reportMistakes(read.mistakes).join("\n") : "";
}

test("each kind is read for its collection, and count and totals are those of all", async () => {
  expect(mistakesOf({})).toBe("");
  const file = fileOf(cobolFile("branches.dat"));
  expect(await readAll(file, BRANCHES)).toMatchObject({
    rows: [
      ["801", "Smith", "b1"],
      ["802", "O'Neill", "b2"],
    ],
    malformed: [],
    refused: undefined,
  });
  expect(await readAll(file, FOR_AMOUNTS, amounts)).toMatchObject({
    rows: [
      ["901", "4150.19", "-7"],
      ["902", "-150.20", "41505"],
    ],
    refused: undefined,
  });
});

test("a record of the other kind that is missing or changed is noticed by either collection", async () => {
  const bytes = Buffer.from(cobolFile("branches.dat"));
  const at = bytes.indexOf("A000901");
  const missing = Buffer.concat([bytes.subarray(0, at - 4), bytes.subarray(at + 16)]);
  const changed = Buffer.from(bytes);
  changed[at + 11] = 0x8c; // 4150.18 instead of 4150.19
  for (const [layout, collection] of [
    [BRANCHES, customers],
    [FOR_AMOUNTS, amounts],
  ] as const) {
    expect((await readAll(fileOf(missing), layout, collection)).refused).toContain("It says 0004 detail records; the file has 3.");
    expect((await readAll(fileOf(changed), layout, collection)).refused).toContain("as the total of over; the records add up to 399998.");
  }
});

test("a sample has the records of one kind, and loads", async () => {
  for (const [layout, collection] of [
    [BRANCHES, customers],
    [FOR_AMOUNTS, amounts],
  ] as const) {
    const { rows, refused } = await readAll(fileOf(makeSample(layout, collection)), layout, collection);
    expect([rows.length, refused]).toEqual([3, undefined]);
  }
});

const [other] = BRANCHES.otherDetails ?? [];
if (!other) throw new Error("The layout has no other details.");

test.each([
  [
    { otherDetails: [{ ...other, type: "S" }] },
    '/otherDetails/0/type: "S" is /detail/type already: every kind of record needs a type of its own',
  ],
  [
    { otherDetails: [{ ...other, collection: "amuonts" }] },
    '/otherDetails/0/collection: there is no collection "amuonts"; did you mean "amounts"?',
  ],
  [{ otherDetails: [{ ...other, collection: "customers" }] }, "/otherDetails/0/collection: customers has /detail already"],
  [
    { otherDetails: [{ ...other, fields: [{ name: "ovre", start: 8, length: 5 }] }] },
    '/otherDetails/0/fields/0/name: amounts have no field "ovre"; did you mean "over"?',
  ],
  [
    { otherDetails: [{ ...other, fields: [...other.fields, { name: "packed", start: 16, length: 2 }] }] },
    "/otherDetails/0/fields/3: packed (bytes 16–17) overlaps binary (bytes 13–16): move one of them or make it shorter",
  ],
  [
    { trailer: { type: "T", totals: [{ of: "over", type: "B", start: 6, length: 9 }] } },
    '/trailer/totals/0/type: "B" is no type of detail records; there are "S", "A"',
  ],
  [
    { trailer: { type: "T", totals: [{ of: "over", start: 6, length: 9 }] } },
    '/trailer/totals/0/of: no detail field with a place is called "over"',
  ],
] as const)("%j is a mistake", (change, expected) => {
  expect(mistakesOf(change as Partial<FixedLayout>).split("\n")).toContain(expected);
});

const folder = makeFolder();
let service: Started;
beforeAll(async () => {
  const dictionary = join(folder.path, "two.json");
  writeFileSync(
    dictionary,
    JSON.stringify({ ...customersPackage, resources: [...customersPackage.resources, ...AMOUNTS_PACKAGE.resources] }),
  );
  service = await startService(join(folder.path, "store"), "0", { DICTIONARY: dictionary });
});
afterAll(() => {
  service.child.kill("SIGKILL");
  folder.remove();
});

test("each kind has a run of its own, is loaded once, and taken back with the others or by its run", async () => {
  const [file, layout] = [join(folder.path, "branches.dat"), join(folder.path, "branches.json")];
  writeFileSync(file, cobolFile("branches.dat"));
  writeFileSync(layout, JSON.stringify(BRANCHES));
  const run = (...more: string[]) => batch(service.url, ["run", file, "--layout", layout, ...more]);
  expect((await run("--collection", "amounts")).stderr).toBe("All 2 records of branches.dat are in amounts: 2 created.");
  expect((await run("--collection", "amounts")).code).toBe(5);
  expect((await run()).stderr).toBe("All 2 records of branches.dat are in customers: 2 created.");
  expect([(await run("--collection", "amounts")).code, (await run()).code]).toEqual([5, 5]);
  const wrong = await run("--collection", "orders");
  expect(wrong.stderr).toBe(
    "The layout is for customers and amounts, and --collection says orders. Name one of those, or leave --collection out.",
  );
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  expect(await readStored(service.url, headers, "&accountID[prefix]=b")).toMatchObject([{ objectId: 801 }, { objectId: 802 }]);
  const stored = async () => ((await (await fetch(`${service.url}/v1/amounts`, { headers })).json()) as { amounts: object[] }).amounts;
  expect(await stored()).toMatchObject([
    { id: 901, over: "4150.19", binary: "-7" },
    { id: 902, over: "-150.2", binary: "41505" },
  ]);
  expect((await batch(service.url, ["undo", file])).code).toBe(0); // the latest, which was begun by itself
  expect([await stored(), await readStored(service.url, headers, "&accountID[prefix]=b")]).toMatchObject([[{}, {}], []]);
  expect((await batch(service.url, ["undo", file])).code).toBe(0);
  expect(await stored()).toEqual([]);
  expect((await run()).stderr).toBe(
    "All 2 records of branches.dat are in customers: 2 created. All 2 records of branches.dat are in amounts: 2 created.",
  );
  expect([(await stored()).length, (await readStored(service.url, headers, "&accountID[prefix]=b")).length]).toEqual([2, 2]);
  const undone = await batch(service.url, ["undo", file]);
  expect(undone.stderr).toBe(
    "2 records of branches.dat (amounts) taken back; the store is as it was before. 2 records of branches.dat (customers) taken back; the store is as it was before.",
  );
  expect([await stored(), await readStored(service.url, headers, "&accountID[prefix]=b")]).toEqual([[], []]);
}, 180_000);

test("a file of several kinds that updates is loaded again after another, and as a whole or not at all", async () => {
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const named = (name: string) => Buffer.from(Buffer.from(cobolFile("branches.dat")).toString("latin1").replace("Smith", name), "latin1");
  const [a, b, c, d] = ["Smath", "Smbth", "Smcth", "Smdth"].map((name) => write(`${name}.dat`, named(name))) as [
    string,
    string,
    string,
    string,
  ];
  const run = async (file: string, layout: FixedLayout) => {
    const path = write("again.json", JSON.stringify(layout));
    const { code, stderr } = await batch(service.url, ["run", file, "--layout", path, "--mode", "upsert"]);
    return `${code} ${stderr}`;
  };
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  const names = async () =>
    (await readStored(service.url, headers, "&accountID[prefix]=b")).map((record) => (record as { lastName?: unknown }).lastName);
  const all = (name: string) => `records of ${name} are in`;
  const first = all("Smath.dat");
  expect(await run(a, BRANCHES)).toBe(`0 All 2 ${first} customers: 2 created. All 2 ${first} amounts: 2 created.`);
  expect(await run(b, BRANCHES)).toContain("1 updated, 1 there already.");
  const [aAgain, again] = [write("again.dat", named("Smath")), all("again.dat")];
  expect(await run(aAgain, BRANCHES)).toBe(
    `0 All 2 ${again} customers: 1 updated, 1 there already. All 2 ${again} amounts: 2 there already.`,
  );
  expect(await names()).toEqual(["Smath", "O'Neill"]);
  expect(await run(aAgain, BRANCHES)).toContain("5 again.dat was loaded");
  // Where one kind has no keys, its records get new numbers each time.
  const [kind] = BRANCHES.otherDetails as [OtherDetail];
  const keyless = { ...BRANCHES, otherDetails: [{ ...kind, fields: kind.fields.filter(({ name }) => name !== "id") }] };
  for (const file of [c, d]) expect(await run(file, keyless)).toContain("amounts: 2 created.");
  expect(await run(write("more.dat", named("Smcth")), keyless)).toContain("5 more.dat was loaded");
  expect(await names()).toEqual(["Smdth", "O'Neill"]);
}, 180_000);
