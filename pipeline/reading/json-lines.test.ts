// JSON Lines: cells have exactly what a line says, and every line that is no record is named.

import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsOf } from "../containers/row-source.ts";
import { detectDialect } from "../inspection/detect-dialect.ts";
import { makeErrorsFile } from "../runs/errors-file.ts";
import { customers } from "../testing/fake-service.ts";

async function read(text: string) {
  const file = new Blob([text]);
  const { dialect } = await detectDialect(file);
  const rows: string[][] = [];
  const lines: number[] = [];
  const wrong: string[] = [];
  for await (const block of rowsOf({ file, plan: { dialect } })) {
    rows.push(...block.rows);
    lines.push(...block.lines);
    for (const found of block.malformed.values()) wrong.push(typeof found === "string" ? found : found.message);
  }
  return { keys: dialect.keys, rows, lines, wrong };
}

test("numbers keep all their digits, null and a key that lacks are empty, blank lines and other line ends do not count", async () => {
  const text = '\n{"id":12345678901234567890,"amount":1.50,"isNew":true,"note":null}\r\n\n{ "note": "a \\"1\\": 2,\\nb", "id": -0.0 }';
  expect(await read(text)).toEqual({
    keys: ["id", "amount", "isNew", "note"],
    rows: [
      ["12345678901234567890", "1.50", "true", ""],
      ["-0.0", "", "", 'a "1": 2,\nb'],
    ],
    lines: [2, 4],
    wrong: [],
  });
});

test("separators of lines within a text belong to it, and a line may be anything without taking long", async () => {
  expect((await read(`${JSON.stringify({ a: "x\u2028y\u2029z" })}\n`)).rows).toEqual([["x\u2028y\u2029z"]]);
  const endless = `{"a":"${'\\"'.repeat(200_000)}`; // each quotation mark would be looked at to the end of the line
  expect((await read(`{"a":1}\n${endless}\n`)).wrong).toHaveLength(1);
});

test.each([
  ["{1:2}", 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ['{"a":1', 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ["[1]", 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ['"a"', 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ['{"a":01}', 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ['{"a":1} {"a":2}', 'Line 2 is not a JSON object. Each line is one, such as {"id":1}.'],
  ['{"a":1,"a":2}', "Line 2 has a key twice."],
  ['{"a":[1]}', "Line 2: “a” is a list or an object, and a field has one value."],
  ['{"a":{"b":1}}', "Line 2: “a” is a list or an object, and a field has one value."],
])("%s is named, and the lines around it are read", async (line, sentence) => {
  expect(await read(`{"a":1}\n${line}\n{"a":3}\n`)).toMatchObject({ rows: [["1"], [""], ["3"]], wrong: [sentence] });
});

test("a key that comes after the first 16 MiB is named, and its line is not read", async () => {
  const before = `{"a":"${"x".repeat(1000)}"}\n`.repeat(17 * 1024);
  const { keys, rows, wrong } = await read(`${before}{"a":"1","b":2}\n`);
  expect([keys, rows.length]).toEqual([["a"], 17 * 1024 + 1]);
  expect(wrong).toEqual(["Line 17,409 has the key “b”, which no record before it has. Add it to the first line, with null."]);
});

test("a file of one long line, and JSON over several lines, are refused", async () => {
  await expect(read(`{"a":1}\n{"a":"${"x".repeat(1_100_000)}"`)).rejects.toThrow("A row of this file is too long.");
  await expect(read('{\n "a": 1\n}')).rejects.toThrow("This file is JSON, not CSV.");
  await expect(read('[{"a":1}]')).rejects.toThrow("This file is JSON, not CSV.");
});

test("any flat records come back, whatever stands in their texts and keys", async () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const record = fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
      const { keys = [], rows, wrong } = await read(records.map((one) => `${JSON.stringify(one)}\n`).join(""));
      expect(wrong).toEqual([]);
      const expected = records.map((one) =>
        keys.map((key) => (Object.hasOwn(one, key) && one[key] !== null ? String(JSON.parse(JSON.stringify(one[key]))) : "")),
      );
      const asWritten = (cell: string) => (/^-?[0-9.]+e/.test(cell) ? String(Number(cell)) : cell);
      expect(rows.map((cells) => cells.map(asWritten))).toEqual(expected.map((cells) => cells.map(asWritten)));
    }),
  );
});

test("an apostrophe before a formula is part of the text, also in the file of rows that were not stored", async () => {
  const file = new Blob([`{"id":"x","lastName":"'=1","accountID":"'-A"}\n`]);
  const { dialect } = await detectDialect(file);
  const columns = ["objectId", "lastName", "accountID"];
  const errors = await makeErrorsFile(file, customers, { dialect, columns, mode: "create" });
  expect((await errors.text()).split("\r\n")[1]).toMatch(/,x,''=1,''-A$/); // read as CSV, each has one apostrophe again
});
