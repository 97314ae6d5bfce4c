import { expect, test } from "vitest";
import { customers, customersLayout, ENCODINGS_AND_LINE_ENDS, fileOf, readAll, recordsOf } from "../../layouts/testing/layouts.ts";
import { writeRejects } from "./fixed-rejects.ts";

async function rejectsOf(file: Blob, layout: ReturnType<typeof customersLayout>, rows: readonly number[]): Promise<Uint8Array[]> {
  const { places } = await readAll(file, layout);
  const wanted = rows.map((row) => ({ offset: places[row - 1]?.[1] as number, end: places[row - 1]?.[2] as number }));
  const parts: Uint8Array[] = [];
  for await (const part of writeRejects(file, layout, customers, wanted)) parts.push(part);
  return parts;
}

test.each(ENCODINGS_AND_LINE_ENDS)(
  "%s, %s: records that were not stored are a file that loads again as it is",
  async (encoding, lineEnd) => {
    const layout = customersLayout({ encoding, lineEnd });
    const records = recordsOf(layout);
    records[3]?.set([0x00, 0x01], 62); // bytes that no field is made of
    const parts = await rejectsOf(fileOf(...records), layout, [1, 3]);
    const { rows, refused } = await readAll(fileOf(...parts), layout);
    expect([rows.map(([id]) => id), refused]).toEqual([["100482", "9000000001"], undefined]);
    const bytes = Buffer.concat(parts);
    expect(bytes.includes(Buffer.from(records[0] as Uint8Array)) && bytes.includes(Buffer.from(records[3] as Uint8Array))).toBe(true);
  },
);

test("a last record without its line end gets one before the trailer", async () => {
  const layout = customersLayout({ lineEnd: "crlf" });
  delete layout.trailer;
  const records = recordsOf(layout);
  const file = fileOf(...records).slice(0, -2);
  expect(Buffer.concat(await rejectsOf(file, layout, [3]))).toEqual(Buffer.concat([records[0], records[3]] as Uint8Array[]));
});

test("a count of all records counts the rejects' own header and trailer", async () => {
  const layout = customersLayout({ trailer: { type: "T", count: { start: 2, length: 9, of: "all" } } });
  const parts = await rejectsOf(fileOf(...recordsOf(layout)), layout, [2]);
  expect((await readAll(fileOf(...parts), layout)).refused).toBeUndefined();
  expect(Buffer.from(parts.at(-1) as Uint8Array).toString()).toContain("T000000003");
});
