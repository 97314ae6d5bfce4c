// A row is cut out of its file byte for byte, whatever its line ends and encoding.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Encoding } from "../../pipeline/model/dialect.ts";
import { parseRows } from "../../pipeline/reading/csv-rows.ts";
import { readText } from "../../pipeline/reading/text-blocks.ts";
import { LineStarts, linesIn } from "./row-bytes.ts";

const PLAIN = { delimiter: ",", quote: '"', headingLine: 1 } as const;
const end = fc.constantFrom("\n", "\r\n", "\r");
const cell = fc.oneof(fc.constantFrom("a", "Zoë", "髙橋", "x\ny", "x\r\ny", "x\ry\r\r\nz", '"', ""), fc.string({ maxLength: 5 }));
const row = fc.tuple(cell, cell).map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(","));

function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text, encoding === "UTF-8" ? "utf8" : "utf16le");
  return new Uint8Array(encoding === "UTF-16BE" ? bytes.swap16() : bytes);
}

test.each(["UTF-8", "UTF-16LE", "UTF-16BE"] as const)("rows of %s files are found where they stand", async (encoding) => {
  const rows = fc.array(fc.record({ row, end, blank: fc.nat(2) }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, end, async (given, first) => {
      const lines = given.map(({ row, end, blank }) => ({ text: row + end, rest: end.repeat(blank) }));
      const file = new Blob([encode(`a,b${first}${lines.map(({ text, rest }) => text + rest).join("")}`, encoding)]);
      const starts = new LineStarts(file, encoding);
      const found: string[] = [];
      for await (const block of parseRows(readText(file, { encoding }), PLAIN)) {
        for (const [i, cells] of block.rows.entries()) {
          const line = block.lines[i] as number;
          const [from, to] = [await starts.of(line), await starts.of(line + linesIn(cells))];
          found.push(new TextDecoder(encoding, { ignoreBOM: true }).decode(await file.slice(from, to).arrayBuffer()));
        }
      }
      expect(found).toEqual(lines.map(({ text }) => text));
    }),
    { numRuns: 300 },
  );
});

test("line ends are found across the slices in which a file is read", async () => {
  const line = `${"x".repeat(1022)}\r\n`; // a slice ends between CR and LF, and on a line's end
  const file = new Blob([`y${line.repeat(1100)}`, line.repeat(1100)]);
  const starts = new LineStarts(file, "UTF-8");
  for (const at of [2, 1024, 1025, 1026, 2049, 2200]) expect(await starts.of(at)).toBe(1 + (at - 1) * 1024);
  expect(await starts.of(2202)).toBe(file.size);
});
