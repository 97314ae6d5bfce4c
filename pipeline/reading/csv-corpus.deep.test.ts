// Every encoding, newline, delimiter and quoting style, each cut at every size of block from 1 to 200 bytes.

import { expect, test } from "vitest";
import { ENCODINGS } from "../model/dialect.ts";
import { expectCellsBack } from "../testing/reading/written-cells.ts";

test.each(ENCODINGS)("%s: 3 newlines × 4 delimiters × 3 styles × 200 sizes of block, with and without a last newline", async (encoding) =>
  expect(await expectCellsBack(encoding, 1)).toBe(7_200),
);
