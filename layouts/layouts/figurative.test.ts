// LOW-VALUES and HIGH-VALUES as padding and as “no value”, and markers that are compared as numbers.

import { describe, expect, test } from "vitest";
import { amounts } from "../../batch/testing/amounts.ts";
import { FixedWriter } from "../formats/write-fixed.ts";
import { mistakesOf, staff } from "../testing/broken-layouts.ts";
import { customersLayout, fileOf, readAll, recordsOf } from "../testing/layouts.ts";
import { LAYOUT_ENCODINGS } from "./character-sets.ts";
import type { FixedLayout, LayoutField } from "./layout.ts";

function layoutOf(encoding: FixedLayout["encoding"], field: Partial<LayoutField>): FixedLayout {
  const fields = [
    { name: "id", start: 1, length: 4 },
    { name: "text", start: 5, length: 6, ...field },
  ];
  return { kind: "fixed", collection: "amounts", ...(encoding && { encoding }), recordLength: 10, lineEnd: "none", detail: { fields } };
}

describe.each(LAYOUT_ENCODINGS)("%s", (encoding) => {
  test.each(["LOW-VALUES", "HIGH-VALUES"] as const)("%s is padding, and is no value", async (constant) => {
    for (const field of [{ pad: constant }, { pad: constant, justify: "right" }, { null: constant }] as const) {
      const layout = layoutOf(encoding, field);
      const writer = new FixedWriter(layout, amounts);
      const [ab, none] = [writer.detail({ id: "1", text: "AB" }), writer.detail({ id: "2", text: "" })];
      const byte = constant === "LOW-VALUES" ? 0x00 : 0xff;
      expect([...none.subarray(4)]).toEqual(Array(6).fill(byte));
      if ("pad" in field) expect([...ab.subarray(4)].filter((each) => each === byte)).toHaveLength(4);
      const { rows, malformed } = await readAll(fileOf(ab, none), layout, amounts);
      expect([rows, malformed]).toEqual([
        [
          ["1", "AB"],
          ["2", ""],
        ],
        [],
      ]);
    }
  });
});

test("LOW-VALUES in a number in bytes is no value, though it may be a number", async () => {
  for (const usage of ["binary", "little-endian", "float", "packed"] as const) {
    const layout = layoutOf("utf-8", { name: "single", length: 4, usage, null: "LOW-VALUES" });
    const writer = new FixedWriter(layout, amounts);
    const { rows, malformed } = await readAll(
      fileOf(writer.detail({ id: "1", single: "" }), writer.detail({ id: "2", single: "7" })),
      layout,
      amounts,
    );
    expect([malformed, rows.map(([, cell]) => cell?.replace(/^0+(?=.)/, ""))]).toEqual([[], ["", "7"]]);
  }
});

test("figurative constants fill the texts of a header, too", async () => {
  for (const pad of ["LOW-VALUES", "HIGH-VALUES"]) {
    const layout = customersLayout({ header: { type: "H", sender: { start: 2, length: 8, constant: "HOST1", pad } } });
    const records = recordsOf(layout);
    expect(Buffer.from(records[0] as Uint8Array).toString("hex", 1, 9)).toBe(
      `${Buffer.from("HOST1").toString("hex")}${pad === "LOW-VALUES" ? "000000" : "ffffff"}`,
    );
    expect((await readAll(fileOf(...records), layout)).refused).toBeUndefined();
  }
});

test("a marker of a number is compared as a number", async () => {
  const layout = layoutOf("utf-8", { name: "over", null: "0", decimals: 2 });
  const file = fileOf(Buffer.from("0001000000"), Buffer.from("0002     0"), Buffer.from("0003000001"));
  expect((await readAll(file, layout, amounts)).rows).toEqual([
    ["1", ""],
    ["2", ""],
    ["3", "0.01"],
  ]);
});

test.each([
  [{ name: "age", start: 1, length: 3, pad: "LOW-VALUE" }, "/detail/fields/2/pad: must be one character, LOW-VALUES or HIGH-VALUES"],
  [
    { name: "age", start: 1, length: 3, usage: "float" },
    "/detail/fields/2/length: a floating-point number has 4 bytes (COMP-1) or 8 (COMP-2)",
  ],
  [{ name: "badge", start: 1, length: 4, usage: "float" }, "/detail/fields/2/usage: float is for numbers; badge is of type string"],
  [{ name: "age", start: 1, length: 4, usage: "float", decimals: -1 }, "/detail/fields/2/decimals: must be 0 or more"],
])("%j is a mistake", (field, expected) => {
  expect(mistakesOf({ ...(staff(field) as object), lineEnd: "none" })).toContain(expected);
});

test("floating-point numbers are not added up", () => {
  const layout = {
    ...(staff({ name: "salary", start: 10, length: 8, usage: "float" }) as object),
    ...{ lineEnd: "none", recordType: { start: 1, length: 1 } },
    trailer: { type: "T", count: { start: 2, length: 4, usage: "float" }, totals: [{ of: "salary", start: 10, length: 8 }] },
  };
  const mistakes = mistakesOf(layout);
  expect(mistakes).toContain("/trailer/totals/0/of: salary is a floating-point number, whose sum would depend on the order of the records");
  expect(mistakes).toContain("/trailer/count/usage: must be of whole numbers: a count or total has no decimals");
});
