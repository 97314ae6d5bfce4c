// Every encoding, newline, delimiter and quoting style, cut at every size of block: each cell comes out as written.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BOM, csvLine } from "../../core/text/csv.ts";
import { inspectFile } from "../inspection/inspect-file.ts";
import { ENCODINGS, type Encoding } from "../model/dialect.ts";
import { customers, fileOf, plainDialect } from "../testing/fake-service.ts";
import { DELIMITERS, encoderOf, expectCellsBack, parse, writeCell } from "../testing/reading/written-cells.ts";

// One size of seven with each of the 36 forms: all 200 sizes have their turn. csv-corpus.deep.test.ts takes all with each.
test.each(ENCODINGS)("every cell of a file in %s comes out as it was written, in each form and at each size of block", async (encoding) =>
  expect(await expectCellsBack(encoding, 7)).toBeGreaterThan(1_000),
);

describe("a file that the app wrote is read back unchanged", () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", "Zoë", "王", "🙂", '"', "'", ",", ";", "\t", "|", "\n", "\r\n", "\r", " ", "0", "=", "\0"),
  });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  test("as UTF-8 and as UTF-16, in blocks of any size", async () => {
    const encodings = fc.constantFrom<Encoding>("UTF-8", "UTF-16LE", "UTF-16BE");
    await fc.assert(
      fc.asyncProperty(rows, encodings, fc.boolean(), fc.integer({ min: 1, max: 120 }), async (cells, encoding, mark, blockBytes) => {
        const text = (mark ? BOM : "") + csvLine(["a", "b"]) + cells.map(csvLine).join("");
        const file = fileOf(new Uint8Array(encoderOf(encoding)(text)));
        expect(await parse(file, { ...plainDialect, encoding }, blockBytes)).toEqual(cells);
      }),
      { numRuns: 500, interruptAfterTimeLimit: 5_000 },
    );
  });

  test("with every delimiter and mark that may be chosen", async () => {
    const dialects = fc.record({ delimiter: fc.constantFrom(...DELIMITERS), quote: fc.constantFrom('"' as const, "'" as const) });
    await fc.assert(
      fc.asyncProperty(rows, dialects, fc.integer({ min: 1, max: 120 }), async (cells, { delimiter, quote }, blockBytes) => {
        const style = quote === "'" ? "apostrophes" : "everywhere";
        const text = [["a", "b"], ...cells].map((row) => row.map((each) => writeCell(each, delimiter, style)).join(delimiter)).join("\r\n");
        expect(await parse(fileOf(text), { ...plainDialect, delimiter, quote }, blockBytes)).toEqual(cells);
      }),
      { numRuns: 500, interruptAfterTimeLimit: 5_000 },
    );
  });
});

const SPECTRUM = dirname(createRequire(import.meta.url).resolve("csv-spectrum/package.json"));

describe("the cases of csv-spectrum", () => {
  const names = readdirSync(join(SPECTRUM, "csvs")).map((name) => name.replace(".csv", ""));
  test("are complete", () => expect(names).toHaveLength(12));

  test.each(names)("%s, detected and in blocks of 1 to 64 bytes", async (name) => {
    const csv = readFileSync(join(SPECTRUM, "csvs", `${name}.csv`));
    const expected: unknown = JSON.parse(readFileSync(join(SPECTRUM, "json", `${name}.json`), "utf8"));
    if (name === "location_coordinates") delete (expected as Record<string, string>)["Contact Phone Number"];
    const file = fileOf(new Uint8Array(csv));
    const { header, dialect } = await inspectFile(file, customers, { headingLine: 1 });
    for (const blockBytes of [1, 2, 3, 5, 7, 11, 64, undefined]) {
      const rows = await parse(file, dialect, blockBytes);
      const records = rows.map((cells) => Object.fromEntries(header.map((heading, i) => [heading, cells[i]])));
      // The JSON of this one was given another phone number than the CSV has.
      if (name === "location_coordinates") delete records[0]?.["Contact Phone Number"];
      expect(Array.isArray(expected) ? records : records[0]).toEqual(expected);
    }
  });
});
