// Random layouts and files: an accepted layout can always be used, a broken file is always noticed.

import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../server/testing/rounds.ts";
import { makeSample } from "../../formats/sample.ts";
import { NoRoom } from "../../formats/write-fixed.ts";
import { customers, customersLayout, ENCODINGS_AND_LINE_ENDS, employees, fileOf, readAll, recordsOf } from "../../testing/layouts.ts";
import type { FixedLayout } from "../layout.ts";
import { readLayout } from "./parse-layout.ts";

const value = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    1,
    2,
    11,
    64,
    1.5,
    -1,
    "",
    "0",
    " ",
    "D",
    "Å",
    "objectId",
    "lastName",
    "right",
    "YYYYMMDD",
    "overpunch",
    "packed",
    "binary",
    "none",
    "cp037",
    "cp273",
    -3,
    4,
    8,
    "LOW-VALUES",
    "HIGH-VALUES",
    "overpunch-leading",
    "overpunch-ascii",
    "leading",
    "trailing",
    "packed-unsigned",
    "little-endian",
    "float",
    "float-hexadecimal",
    "rdw",
    "bdw+rdw",
    "gnucobol-2",
  ),
  fc.constantFrom(
    [{ start: 32, length: 10, max: 2, dependingOn: { start: 62, length: 1 } }],
    [{ start: 32, length: 10, max: 3, dependingOn: { start: 12, length: 2, usage: "packed" } }],
    [{ type: "E", collection: "employees", fields: [{ name: "name", start: 2, length: 9 }] }],
  ),
  fc.constantFrom([], {}, ["H"], ["0000000000", "D"], { start: 2, length: 3 }, { Y: "true" }, { type: "X" }),
);
const key = fc.constantFrom(
  "start",
  "length",
  "pad",
  "justify",
  "null",
  "values",
  "decimals",
  "sign",
  "usage",
  "digits",
  "format",
  "constant",
  "skip",
  "trimmed",
  "recordFormat",
  "minLength",
  "occurs",
  "otherDetails",
  "lineEnd",
  "encoding",
  "type",
  "x",
);

/** A right layout with a few values in it set, or taken away, somewhere. */
const changes = fc.array(fc.tuple(fc.nat(), key, fc.option(value, { nil: undefined })), { maxLength: 3 });
const mutated = fc.tuple(changes, fc.constantFrom("lf", "none")).map(([changes, lineEnd]) => {
  const layout = structuredClone(customersLayout({ lineEnd }));
  for (const [where, name, to] of changes) {
    const places = objectsIn(layout);
    const place = places[where % places.length] as Record<string, unknown>;
    const at = name in place || to !== undefined ? name : (Object.keys(place)[where % Math.max(1, Object.keys(place).length)] ?? name);
    if (to === undefined) delete place[at];
    else place[at] = structuredClone(to);
  }
  return layout;
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value, ...inside];
}

test("with any accepted layout a file is read or refused with a reason, and its sample can be loaded", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(mutated, fc.uint8Array({ maxLength: 300 }), async (given, noise) => {
      const read = readLayout(JSON.stringify(given), [customers, employees]);
      if ("mistakes" in read) {
        expect(read.mistakes.filter(({ message }) => message.length < 6)).toEqual([]);
        return;
      }
      accepted++;
      const layout = read.layout as FixedLayout;
      await readAll(fileOf(noise), layout); // throws on any error but FileError
      try {
        const { refused, malformed } = await readAll(fileOf(makeSample(layout, customers)), layout);
        expect({ layout, refused, malformed }).toEqual({ layout, refused: undefined, malformed: [] });
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
      }
    }),
    { numRuns: rounds(300, 20_000) },
  );
  expect(accepted).toBeGreaterThan(30);
}, 600_000);

test.each(ENCODINGS_AND_LINE_ENDS)("%s, %s: a single changed byte is noticed, unless it is in a text", async (encoding, lineEnd) => {
  const layout = customersLayout({ encoding, lineEnd });
  const bytes = Buffer.concat(recordsOf(layout));
  const right = await readAll(fileOf(bytes), layout);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(bytes);
      changed[at] = ((changed[at] as number) + by) % 256;
      const { rows, malformed, refused } = await readAll(fileOf(changed), layout);
      if (refused !== undefined || malformed.length > 0) return;
      // Ids are under the total; texts are under nothing, and shown as they stand.
      expect(rows.map(([id]) => id)).toEqual(right.rows.map(([id]) => id));
    }),
  );
});
