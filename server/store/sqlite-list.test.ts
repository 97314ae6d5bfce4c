// Pages against a plain sort and a plain search of the same records, for any records, orders, words and page sizes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../dictionary/collections.ts";
import { foldWords } from "../../dictionary/fold.ts";
import type { Value } from "../../dictionary/kinds.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { sortValue } from "./columns.ts";
import { openSqlite } from "./sqlite.ts";
import type { SortTerm, Store } from "./store.ts";

const FIELDS = { id: "integer", text: "string", note: "string", amount: "integer", size: "number", day: "date", flag: "boolean" };
const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: { fields: Object.entries(FIELDS).map(([name, type]) => ({ name, type })), primaryKey: "id" },
    },
  ],
});
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

let folder: string;
let store: Store;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-list-"));
  store = openSqlite(join(folder, "intake.db"), [collection]);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const letters = fc.constantFrom("a", "A", "á", "b", "B", "ß", "z", "ø", "王", "😀", "'", " ", "-", "0", "9");
const aText = fc.oneof(fc.string({ unit: letters, maxLength: 6 }), fc.constant(`${"x".repeat(127)}😀tail`), fc.constant("ﷺ".repeat(40)));
const aRecord = fc.record({
  text: fc.option(aText),
  note: fc.option(aText),
  amount: fc.option(fc.integer({ min: -3, max: 3 })),
  size: fc.option(fc.constantFrom(-1.5, 0, 0.1, 2, 1e300)),
  day: fc.option(fc.constantFrom("0001-01-01", "2020-02-29", "9999-12-31")),
  flag: fc.option(fc.boolean()),
});
const aSort = fc.uniqueArray(
  fc.record({ name: fc.constantFrom("text", "note", "amount", "size", "day", "flag", "createdAt"), descending: fc.boolean() }),
  {
    maxLength: 3,
    selector: ({ name }) => name,
  },
);

async function refill(records: readonly Record<string, Value | null>[]): Promise<void> {
  const answer = () => ({ status: 200, headers: {}, body: "" });
  const old = await store.list(collection, { limit: 1000, sort: [{ name: "id", descending: false }], words: [] });
  await store.write({ collection, ops: old.records.map(({ id }) => ({ verb: "delete", id: Number(id) })), atomic: true }, answer);
  const ops = records.map((record, i) => ({ verb: "put", id: i + 1, given: { id: i + 1, ...record } }) as const);
  await store.write({ collection, ops, atomic: true }, answer);
}

async function readPages(sort: readonly SortTerm[], words: readonly string[], limit: number): Promise<WireRecord[]> {
  const all: WireRecord[] = [];
  for (let after: (Value | null)[] | undefined; ; ) {
    const { records, more } = await store.list(collection, { limit, sort, words, ...(after && { after }) });
    all.push(...records);
    const last = records.at(-1);
    if (!more || !last) return all;
    after = sort.map(({ name }) => sortValue(collection, last, name));
  }
}

/** No value before every value; text by the bytes of its folded form. */
function compare(a: WireRecord, b: WireRecord, sort: readonly SortTerm[]): number {
  for (const { name, descending } of sort) {
    const [x, y] = [sortValue(collection, a, name), sortValue(collection, b, name)];
    const order =
      typeof x === "string" && typeof y === "string"
        ? Buffer.compare(Buffer.from(x), Buffer.from(y))
        : Number(x ?? -Infinity) - Number(y ?? -Infinity) || 0;
    const dates = x === null && typeof y === "string" ? -1 : y === null && typeof x === "string" ? 1 : order;
    if (dates !== 0) return descending ? -dates : dates;
  }
  return 0;
}

function finds(record: WireRecord, words: readonly string[]): boolean {
  const own = [record.text, record.note].flatMap((text) => (text === null ? [] : foldWords(String(text))));
  return words.every((word) => own.some((other) => other.startsWith(word)));
}

test("pages of any size add up to the whole list in its order, searched or not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRecord, { maxLength: 25 }),
      aSort,
      fc.boolean(),
      fc.array(aText, { maxLength: 2 }),
      fc.integer({ min: 1, max: 9 }),
      async (records, terms, descending, typed, limit) => {
        await refill(records);
        const sort = [...terms, { name: "id", descending }];
        const words = typed.flatMap((text) => foldWords(text.slice(0, 3)));
        const whole = (await readPages([{ name: "id", descending: false }], [], 1000)).filter((record) => finds(record, words));
        const wanted = whole.sort((a, b) => compare(a, b, sort)).map(({ id }) => id);
        expect((await readPages(sort, words, limit)).map(({ id }) => id)).toEqual(wanted);
      },
    ),
    { numRuns: 150 },
  );
});
