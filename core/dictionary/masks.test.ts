import { describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "./collections.ts";
import { isMask, maskOf } from "./masks.ts";
import { validateRecord } from "./validate.ts";

describe("a mask", () => {
  test.each<[unknown, boolean, string | null]>([
    ["DE89370400440532013000", true, "••••3000"],
    ["123456789", true, "••••6789"],
    ["12345678", true, "••••"],
    ["", true, "••••"],
    ["ab😀😀😀😀😀😀😀", true, "••••😀😀😀😀"],
    ["DE89370400440532013000", false, "••••"],
    [1234567890123, false, "••••"],
    [false, false, "••••"],
    [null, true, null],
    [undefined, true, null],
  ])("of %j is %j, %j", (value, isText, mask) => {
    expect(maskOf(value, isText)).toBe(mask);
  });
  test("is told from a value", () => {
    expect(["••••", " ••••3000", "•••", "DE89", 7, null].map(isMask)).toEqual([true, true, false, false, false, false]);
  });
});

describe("a record with a masked field", () => {
  const fields = [
    { name: "id", type: "integer" },
    { name: "iban", type: "string", readOnly: true, masked: true },
  ];
  const read = readDataPackage({ resources: [{ name: "things", schema: { fields, primaryKey: "id" } }] });
  const things = ("collections" in read && read.collections[0]) as Collection;
  test.each(["text", "json"] as const)("takes no other value of it than a mask, which changes nothing, from %s", (from) => {
    expect(validateRecord(things, { id: from === "text" ? "1" : 1, iban: "••••3000" }, { from })).toEqual({ record: { id: 1 } });
    const { problems, refused } = validateRecord(things, { iban: "DE89" }, { from, partial: true }) as {
      problems: unknown;
      refused: object;
    };
    expect(problems).toEqual([expect.objectContaining({ field: "iban", code: "READ_ONLY" })]);
    expect(refused).toEqual({}); // nobody compares it with what is stored
  });
});
