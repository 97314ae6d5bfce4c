// Mistakes of layouts whose records are shorter than others, or have a table whose length varies.

import { expect, test } from "vitest";
import { type BrokenLayout, mistakesOf } from "../../testing/broken-layouts.ts";
import { customersLayout } from "../../testing/layouts.ts";
import type { FixedLayout, VariableTable } from "../layout.ts";

const { detail } = customersLayout();
const shorter = (minLength: number, change: Partial<FixedLayout> = {}) => customersLayout({ ...change, detail: { ...detail, minLength } });

/** Records with a table from byte 62 on, and more tables. */
function tables(table: Partial<VariableTable>, more: VariableTable[] = [], change: Partial<FixedLayout> = {}): FixedLayout {
  const occurs = [{ start: 63, length: 2, max: 3, dependingOn: { start: 62, length: 1 }, ...table }, ...more];
  return customersLayout({ recordLength: 80, trimmed: true, ...change, detail: { ...detail, occurs } });
}

const MISTAKEN: BrokenLayout[] = [
  [
    "trimmed records without line ends",
    customersLayout({ lineEnd: "none", trimmed: true }),
    "/trimmed: needs line ends: without them nothing says where a record ends",
  ],
  [
    "trimmed records that say how long they are",
    customersLayout({ lineEnd: "none", recordFormat: "rdw", trimmed: true }),
    "/trimmed: is not needed: a record of variable length says itself how long it is",
  ],
  [
    "line ends behind records that say how long they are",
    customersLayout({ recordFormat: "rdw" }),
    '/recordFormat: needs "lineEnd": "none": the length before a record says where it ends',
  ],
  [
    "a least length where all have the same",
    shorter(10),
    '/detail/minLength: is for "trimmed" and "recordFormat": all other records have 64 bytes',
  ],
  ["a least length beyond the longest", shorter(65, { trimmed: true }), "/detail/minLength: must be at most 64, which is recordLength"],
  [
    "a table that closes up in records of one length",
    tables({ slides: true }, [], { trimmed: false }),
    '/detail/occurs/0/slides: must be false, unless records may be shorter ("recordFormat" or "trimmed")',
  ],
  ["a table beyond the record", tables({ max: 10 }), "/detail/occurs/0: ends at byte 82 when it is full, but a record has 80"],
  [
    "a table before its number of items",
    tables({ dependingOn: { start: 63, length: 1 } }),
    "/detail/occurs/0/dependingOn: must stand before the table",
  ],
  [
    "half an item",
    tables({ dependingOn: { start: 58, length: 4, usage: "float" } }, [], { lineEnd: "none", trimmed: false, recordFormat: "rdw" }),
    "/detail/occurs/0/dependingOn/usage: must be of whole numbers",
  ],
  [
    "a table before the record type",
    tables({}, [], { recordType: { start: 79, length: 1 } }),
    "/detail/occurs/0: must stand behind the record type",
  ],
  [
    "two tables in one place",
    tables({}, [{ start: 66, length: 2, max: 2, dependingOn: { start: 62, length: 1 } }]),
    "/detail/occurs/1: begins at byte 66, within the table from byte 63 on",
  ],
  [
    "a field across two items",
    tables({ start: 52, length: 4, max: 3, dependingOn: { start: 12, length: 1 } }),
    "/detail/fields/3: accountID is not within one item of the table from byte 52 on: an item has 4 bytes",
  ],
];

test.each(MISTAKEN)("%s", (_what, layout, expected) => {
  expect(mistakesOf(layout).split("\n")).toContain(expected);
});
