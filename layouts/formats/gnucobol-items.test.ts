// Tables of records that GnuCOBOL wrote (OCCURS, OCCURS DEPENDING ON): their items are records of another collection.

import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import ordersPackage from "../../core/dictionary/orders.example.json" with { type: "json" };
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";
import { selectDetail } from "../layouts/select-detail.ts";
import { readLayout } from "../layouts/validate/parse-layout.ts";
import { type CobolFileName, cobolFile } from "../testing/gnucobol.ts";
import { fileOf, readAll } from "../testing/layouts.ts";

const read = readDataPackage(ordersPackage);
if ("mistakes" in read) throw new Error("The example is wrong.");
const collections = read.collections.map((collection) => withLookups(collection));

/** `from`: the first byte of the table. `account`: that of the customer's account. */
function orderFields(from: number, account: number): LayoutField[] {
  return [
    { name: "customer.accountNumber", start: account, length: 8 },
    { name: "orderNumber", start: from, length: 10 },
    { name: "total", start: from + 10, length: 5, usage: "packed", decimals: 2 },
    { name: "orderedOn", start: from + 15, length: 8, format: "YYYYMMDD", null: "00000000" },
  ];
}

const TABLE = { collection: "orders", length: 23, max: 3, presentBy: "orderNumber" };

/** occurs.cob */
const FIXED: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 100,
  lineEnd: "none",
  recordType: { start: 1, length: 1 },
  detail: {
    type: "C",
    fields: [
      { name: "accountNumber", start: 2, length: 8 },
      { name: "name", start: 10, length: 20 },
      { name: "items", start: 30, length: 2, skip: true },
    ],
    children: [{ ...TABLE, start: 32, fields: orderFields(32, 2) }],
  },
  trailer: { type: "T", count: { start: 2, length: 4 }, totals: [{ of: "items", start: 6, length: 6 }] },
};

/** occurs-depending.cob */
const DEPENDING: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 111,
  recordFormat: "gnucobol-0",
  lineEnd: "none",
  detail: {
    fields: [
      { name: "accountNumber", start: 1, length: 8 },
      { name: "name", start: 9, length: 20 },
      { name: "city", start: 100, length: 12 },
    ],
    occurs: [{ start: 31, length: 23, max: 3, dependingOn: { start: 29, length: 2, usage: "binary" } }],
    children: [{ ...TABLE, start: 31, fields: orderFields(31, 1) }],
  },
};

async function rowsOf(file: CobolFileName, layout: FixedLayout, name: string): Promise<string[][]> {
  expect(readLayout(JSON.stringify(layout), collections)).toMatchObject({ layout });
  const collection = collections.find((one) => one.name === name);
  const { rows, malformed, refused } = await readAll(fileOf(cobolFile(file)), selectDetail(layout, name) as FixedLayout, collection);
  expect([malformed, refused]).toEqual([[], undefined]);
  return rows;
}

test("OCCURS: items that were initialized, are LOW-VALUES or blank are none, wherever they stand; count and total of the trailer match", async () => {
  expect(await rowsOf("occurs.dat", FIXED, "customers")).toEqual([
    ["A-1", "Smith"],
    ["A-2", "O'Neill"],
    ["A-3", "Lee"],
  ]);
  expect(await rowsOf("occurs.dat", FIXED, "orders")).toEqual([
    ["A-1", "B-1", "10.50", "2026-01-31"],
    ["A-1", "B-2", "4150.19", "1999-12-31"],
    ["A-1", "B-3", "0.00", ""],
    ["A-3", "B-4", "1234567.89", "2024-02-29"],
  ]);
});

test("OCCURS DEPENDING ON: a record has as many items as it says, and the field behind the table is found", async () => {
  expect(await rowsOf("occurs-depending.dat", DEPENDING, "customers")).toEqual([
    ["A-1", "Smith", "Utrecht"],
    ["A-2", "O'Neill", "Galway"],
    ["A-3", "Lee", "Bonn"],
  ]);
  expect(await rowsOf("occurs-depending.dat", DEPENDING, "orders")).toEqual([
    ["A-1", "B-1", "10.50", "2026-01-31"],
    ["A-1", "B-2", "4150.19", "1999-12-31"],
    ["A-3", "B-3", "0.00", ""],
    ["A-3", "B-4", "1234567.89", "2024-02-29"],
    ["A-3", "B-5", "0.01", "2026-11-25"],
  ]);
});
