import { describe, expect, test } from "vitest";
import { blockOf, isWithin, sizeOf, targetOf, wholeOf } from "./cell-block.ts";
import { fromClipboard, toClipboard } from "./clipboard-text.ts";

describe("the selected block", () => {
  test("is one cell, or what lies between two, whichever comes first", () => {
    expect(sizeOf(blockOf({ index: 3, field: 1 }, undefined, 4))).toBe(1);
    const block = blockOf({ index: 1, field: 2 }, { index: 4, field: 0 }, 4);
    expect(block).toEqual({ rows: [1, 4], fields: [0, 2] });
    expect(sizeOf(block)).toBe(12);
    expect([isWithin(block, { index: 4, field: 2 }), isWithin(block, { index: 0, field: 1 })]).toEqual([true, false]);
  });

  test("has no buttons in it", () => {
    expect(blockOf({ index: 0, field: 5 }, { index: 1, field: 2 }, 4)).toEqual({ rows: [0, 1], fields: [2, 3] });
  });

  test("grows to whole rows, columns or everything", () => {
    const block = blockOf({ index: 2, field: 1 }, { index: 3, field: 2 }, 4);
    const size = { rows: 10, fields: 4 };
    expect(wholeOf("rows", block, size)).toEqual([
      { index: 2, field: 0 },
      { index: 3, field: 3 },
    ]);
    expect(wholeOf("columns", block, size)).toEqual([
      { index: 0, field: 1 },
      { index: 9, field: 2 },
    ]);
    expect(wholeOf("all", block, size)).toEqual([
      { index: 0, field: 0 },
      { index: 9, field: 3 },
    ]);
  });

  test("is filled by what is pasted as often as it fits, else from its first cell on", () => {
    const selected = blockOf({ index: 0, field: 0 }, { index: 5, field: 1 }, 4);
    expect(targetOf(selected, [["a"]])).toEqual({ rows: [0, 5], fields: [0, 1] });
    expect(targetOf(selected, [["a"], ["b"]])).toEqual({ rows: [0, 5], fields: [0, 1] });
    expect(targetOf(selected, [["a", "b", "c"], [], [], ["x"]])).toEqual({ rows: [0, 3], fields: [0, 2] });
  });
});

describe("the clipboard", () => {
  test.each([
    [[["a", "b"]], "a\tb"],
    [[["1"], [""], ["3"]], "1\r\n\r\n3"],
    [[['6" nail', "two\nlines", "a\ttab"]], '"6"" nail"\t"two\nlines"\t"a\ttab"'],
  ])("has cells as spreadsheets write them: %j", (texts, written) => {
    expect(toClipboard(texts)).toBe(written);
    expect(fromClipboard(written)).toEqual(texts);
    expect(fromClipboard(`${written}\r\n`)).toEqual(texts);
  });

  test("is read from old and new systems alike", () => {
    expect(fromClipboard("a\rb")).toEqual([["a"], ["b"]]);
    expect(fromClipboard("a\nb\n")).toEqual([["a"], ["b"]]);
  });
});
