import { describe, expect, test } from "vitest";
import { fileOf, plainDialect } from "../testing/fake-service.ts";
import { parseRows } from "./csv-rows.ts";
import { nameSuspects } from "./suspect-rows.ts";
import { readText } from "./text-blocks.ts";

/** The suspect rows as [row, code], of a file that is read in blocks of so many bytes. */
async function suspectsOf(text: string, blockBytes = 64): Promise<[row: number, code: string][]> {
  const found: [number, string][] = [];
  for await (const { first, malformed } of nameSuspects(parseRows(readText(fileOf(text), plainDialect, blockBytes), plainDialect))) {
    for (const [i, why] of malformed) found.push([first + i, typeof why === "string" ? "malformed" : why.code]);
  }
  return found.sort(([a], [b]) => a - b);
}

const wrapped = { encoding: "UTF-8", quote: "wrapped" } as const;

const HEAD = "region,city,amount\n";
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `North,City ${from + i},${10 * (from + i)}\n`).join("");

test("lines in quotation marks go on where a mark is never closed, instead of being held to the end of the file", async () => {
  const lines = '"7,Ann"\n'.repeat(20_000);
  let [most, before] = [0, 0];
  for await (const { text, bytesRead } of readText(fileOf(`"id,name"\n"broken\n${"a,b\n".repeat(600_000)}${lines}`), wrapped)) {
    before += text.length;
    most = Math.max(most, bytesRead - before);
  }
  expect(most).toBeLessThan(1_300_000);
});

describe("a row that looks like no data", () => {
  test("is found wherever a block ends", async () => {
    const text = `${HEAD}${rows(1, 9)}Subtotal,,450\n${HEAD}${rows(10, 19)}Total,,1900\nFigures are preliminary,,\nAsk Jo,,\n`;
    for (const size of [40, 64, 100, 64 * 1024]) {
      const found = await suspectsOf(text, size);
      expect(found.slice(0, 3), `${size}`).toEqual([
        [10, "TOTAL"],
        [11, "HEADING"],
        [22, "TOTAL"],
      ]);
    }
    expect((await suspectsOf(text, 64 * 1024)).slice(3)).toEqual([
      [23, "NOTE"],
      [24, "NOTE"],
    ]);
  });

  test("counts a subtotal since the last one, and the total of all", async () => {
    const text = `${HEAD}${rows(1, 2)}Sum North,,30\n${rows(3, 4)}North total,,70\nGrand total,,100\n`;
    expect(await suspectsOf(text)).toEqual([
      [3, "TOTAL"],
      [6, "TOTAL"],
      [7, "TOTAL"],
    ]);
  });

  test("counts the rows above, and has nothing else, where a customer called so would have another number", async () => {
    const names = "name,account,city\n";
    const three = "Ann,7,\nBo,8,Ulm\nCy,9,\n";
    for (const label of ["Total", "Gesamt", "Summe:"]) expect(await suspectsOf(`${names}${three}${label},3,\n`)).toEqual([[4, "TOTAL"]]);
    expect(await suspectsOf(`${names}${three}Total,4,\n`)).toEqual([]);
    expect(await suspectsOf(`${names}${three}Total,3,Paris\n`)).toEqual([]);
    expect(await suspectsOf(`name,account\nAnn,7\nTotal,1\n`)).toEqual([]);
  });

  test("is not a row that is malformed already", async () => {
    expect(await suspectsOf(`${HEAD}${rows(1, 3)}"Total",,"60" x\n`)).toEqual([[4, "malformed"]]);
  });

  test("is not the last row of a file that was cut off", async () => {
    expect(await suspectsOf(`${HEAD}${rows(1, 9)}Nor`, 64 * 1024)).toEqual([]);
  });

  test("is named again when it is all that a file of rejected rows has", async () => {
    expect(await suspectsOf(`${HEAD}Total,,60\n`)).toEqual([[1, "TOTAL"]]);
    expect(await suspectsOf(`${HEAD},,EUR\n`)).toEqual([[1, "UNITS"]]);
  });
});
