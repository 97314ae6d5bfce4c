import { expect, test } from "vitest";
import type { Collection } from "../../core/dictionary/collections.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { LAYOUT_ENCODINGS } from "../layouts/character-sets.ts";
import type { Layout } from "../layouts/layout.ts";
import { readLayout } from "../layouts/validate/parse-layout.ts";
import { customers, customersLayout, employees, fileOf } from "../testing/layouts.ts";
import { openLayout } from "./open-layout.ts";
import { proposeLayout } from "./propose-layout.ts";
import { makeSample } from "./sample.ts";
import { NoRoom } from "./write-fixed.ts";

/** The records that the dictionary makes of a file, or throws with its problems. */
async function loaded(bytes: Uint8Array, layout: Layout, collection: Collection) {
  const file = await openLayout(fileOf(bytes), layout, collection);
  const records: unknown[] = [];
  const actions: unknown[] = [];
  for await (const { rows, malformed, actions: wanted } of file.openRows()) {
    expect([...malformed]).toEqual([]);
    for (const cells of rows) {
      const texts = Object.fromEntries(file.plan.columns.flatMap((name, i) => (name === null ? [] : [[name, cells[i]]])));
      const { record, problems } = validateRecord(collection, texts, { from: "text" });
      expect(problems).toBeUndefined();
      records.push(record);
    }
    actions.push(...wanted);
  }
  return { records, actions };
}

test.each(LAYOUT_ENCODINGS)("a proposed layout has no mistakes, and its sample loads without a problem (%s)", async (encoding) => {
  for (const collection of [customers, employees]) {
    const layout = proposeLayout(collection, encoding);
    expect(readLayout(JSON.stringify(layout), [collection])).toEqual({ layout, collection });
    const { records } = await loaded(makeSample(layout, collection), layout, collection);
    expect(records).toHaveLength(3);
  }
});

test("a sample for which there is no room, or no character, is not made", () => {
  const fields = [{ name: "name", start: 1, length: 3 }];
  const narrow: Layout = { kind: "fixed", collection: "employees", recordLength: 3, lineEnd: "lf", detail: { fields } };
  expect(() => makeSample(narrow, employees)).toThrow(new NoRoom("Name has no room for any example; make its place longer."));
  const arabic: Layout = { kind: "delimited", collection: "customers", encoding: "cp420" };
  expect(() => makeSample(arabic, customers)).toThrow(new NoRoom("An example has a character that the encoding does not have."));
});

test("a sample shows the dictionary's own examples, and keys that differ", async () => {
  const layout = proposeLayout(customers, "cp037");
  const { records } = await loaded(makeSample(layout, customers, 4), layout, customers);
  expect(records[0]).toEqual({ objectId: 100482, firstName: "Märta", lastName: "Ångström", accountID: "00071-A" });
  expect(new Set(records.map((record) => (record as { objectId: number }).objectId)).size).toBe(4);
});

test("a sample as it is printed", () => {
  const bytes = makeSample(customersLayout({ encoding: "iso-8859-1" }), customers, 2);
  expect(Buffer.from(bytes).toString("latin1").split("\n")).toEqual([
    "HHOST1   1       000001                                         ",
    "D0000100482Märta               Ångström            00071-A      ",
    "D0000100483Märta 2             Ångström 2          00071-A 2    ",
    "T0000000020000200965                                            ",
    "",
  ]);
});

test("a sample has the header that its layout insists on", async () => {
  const { header } = customersLayout();
  const sequence = { start: 18, length: 6, constant: "000042" };
  const layout = customersLayout({ header: { type: "H", ...header, sequence } });
  expect((await loaded(makeSample(layout, customers), layout, customers)).records).toHaveLength(3);
});

test("a sample has every action of its layout", async () => {
  const layout = customersLayout({ action: { start: 62, length: 1, add: "A", change: "C", delete: "D" } });
  expect((await loaded(makeSample(layout, customers), layout, customers)).actions).toEqual(["add", "change", "delete"]);
});

test.each([
  ["with a heading", { kind: "delimited", collection: "customers" }],
  ["with semicolons", { kind: "delimited", collection: "customers", delimiter: ";", encoding: "windows-1252" }],
  ["in EBCDIC", { kind: "delimited", collection: "customers", delimiter: "|", encoding: "cp500" }],
  ["without a heading", { kind: "delimited", collection: "customers", headingLine: 0, columns: ["accountID", null, "lastName"] }],
  ["with an action by name", { kind: "delimited", collection: "customers", action: { column: "ACT", add: "A" } }],
  [
    "with an action by number",
    {
      kind: "delimited",
      collection: "customers",
      columns: [null, "accountID", "lastName"],
      headingLine: 0,
      action: { column: 1, add: "A" },
    },
  ],
] as const)("a delimited sample loads, %s", async (_what, given) => {
  const layout: Layout = given;
  const { records, actions } = await loaded(makeSample(layout, customers), layout, customers);
  expect(records).toHaveLength(3);
  expect(actions).toEqual(Array.from({ length: 3 }, () => (layout.action ? "add" : undefined)));
});
