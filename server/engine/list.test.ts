// Pages against a simple sort, search and filter of the same records in memory.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { FilterOperator } from "../../core/dictionary/filters.ts";
import { type Item, itemsOf, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import { foldWords } from "../../core/text/fold.ts";
import { typeOf } from "../../src/testing/fields.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { sortKey, sortValue } from "./columns.ts";
import type { Filter, Selection, SortTerm, Store } from "./store.ts";

const FIELDS = {
  id: "integer",
  text: "string",
  note: "string",
  amount: "integer",
  size: "number",
  price: "decimal",
  day: "date",
  clock: "time",
  year: "year",
  flag: "boolean",
  tags: "list",
  counts: "list of integer",
};
const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: Object.entries(FIELDS).map(([name, kind]) => {
          const [own, itemType] = kind.split(" of ");
          return { name, ...typeOf(own as Kind), ...(itemType && { itemType }) };
        }),
        primaryKey: "id",
      },
    },
  ],
});
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open([collection]);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const letters = fc.constantFrom("a", "A", "á", "b", "B", "ß", "z", "ø", "王", "😀", "'", " ", "-", "0", "9");
const aText = fc.oneof(fc.string({ unit: letters, maxLength: 6 }), fc.constant(`${"x".repeat(127)}😀tail`), fc.constant("ﷺ".repeat(40)));
const PRICES = ["-100000000000.93", "-10", "-9.5", "-9.45", "-9", "0", "0.05", "9", "9.5", "10", "100000000000.93"];
const CLOCKS = ["00:00:00", "09:59:59", "10:00:00", "23:59:59"];
const YEARS = [-9999, -44, 0, 987, 1987, 9999];
/** Texts that could be taken for the end of one item and the beginning of another. */
const aTag = fc.constantFrom("a", "A", "ab", 'a"', '"a","b"', "a\n", '\n"a"\n', "\\n", "a,b", ",", "[", "%", "_", "王", "1", "b");
const aRecord = fc.record({
  text: fc.option(aText),
  note: fc.option(aText),
  amount: fc.option(fc.integer({ min: -3, max: 3 })),
  size: fc.option(fc.constantFrom(-1.5, 0, 0.1, 2, 1e300)),
  price: fc.option(fc.constantFrom(...PRICES)),
  day: fc.option(fc.constantFrom("0001-01-01", "2020-02-29", "9999-12-31")),
  clock: fc.option(fc.constantFrom(...CLOCKS)),
  year: fc.option(fc.constantFrom(...YEARS)),
  flag: fc.option(fc.boolean()),
  tags: fc.option(fc.uniqueArray(aTag, { minLength: 1, maxLength: 4 })),
  counts: fc.option(fc.uniqueArray(fc.integer({ min: -3, max: 12 }), { minLength: 1, maxLength: 3 })),
});
const aSort = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("text", "note", "amount", "size", "price", "day", "clock", "year", "flag", "createdAt"),
    descending: fc.boolean(),
  }),
  {
    maxLength: 3,
    selector: ({ name }) => name,
  },
);

type Name = "text" | "note" | "amount" | "size" | "price" | "day" | "clock" | "year" | "flag" | "tags" | "counts";
const VALUES: Record<Name, fc.Arbitrary<Value>> = {
  text: aText,
  note: aText,
  amount: fc.integer({ min: -3, max: 3 }),
  size: fc.constantFrom(-1.5, 0.1, 2, 1e300),
  price: fc.constantFrom(...PRICES),
  day: fc.constantFrom("0001-01-01", "2020-02-29"),
  clock: fc.constantFrom(...CLOCKS, "10:00:01"),
  year: fc.constantFrom(...YEARS, 1988),
  flag: fc.boolean(),
  tags: aTag, // of several values a filter has items
  counts: fc.integer({ min: -3, max: 12 }),
};

/** Filters with this operator on one of the fields; `values` makes theirs for a field. */
function filtersOf(operator: FilterOperator, names: readonly Name[], values: (name: Name) => fc.Arbitrary<(Value | null)[]>) {
  return fc.oneof(...names.map((name) => fc.record({ name: fc.constant(name), operator: fc.constant(operator), values: values(name) })));
}

/** In whole characters: no request can send half of one. */
const firstOf = (text: string, count: number) => [...text].slice(0, count).join("");

/** The letters of a text's sort key. */
const aPart = (text: string) => sortKey([...text].slice(1, 3).join("") || text || "a");

const oneValue = (name: Name) => fc.tuple(VALUES[name]);
const FILTERS: Record<FilterOperator, fc.Arbitrary<Filter>> = {
  eq: filtersOf("eq", ["text", "note", "amount", "size", "price", "day", "clock", "year", "flag"], (name) =>
    fc.oneof(oneValue(name), fc.constant<(Value | null)[]>([null])),
  ),
  in: filtersOf("in", ["text", "note", "day", "clock", "year"], (name) => fc.array(VALUES[name], { minLength: 1, maxLength: 3 })),
  notIn: filtersOf("notIn", ["text", "note", "amount", "price", "day", "clock", "year"], (name) =>
    fc.array(VALUES[name], { minLength: 1, maxLength: 3 }),
  ),
  prefix: filtersOf("prefix", ["text", "note"], () => fc.tuple(aText.map((text) => sortKey(firstOf(text, 2))))),
  gte: filtersOf("gte", ["text", "note", "amount", "size", "price", "day", "clock", "year"], oneValue),
  gt: filtersOf("gt", ["text", "note", "amount", "size", "price", "day", "clock", "year"], oneValue),
  lte: filtersOf("lte", ["text", "note", "amount", "size", "price", "day", "clock", "year"], oneValue),
  lt: filtersOf("lt", ["text", "note", "amount", "size", "price", "day", "clock", "year"], oneValue),
  ne: filtersOf("ne", ["text", "note", "amount", "size", "price", "day", "clock", "year", "flag"], (name) =>
    fc.oneof(oneValue(name), fc.constant<(Value | null)[]>([null])),
  ),
  contains: filtersOf("contains", ["text", "note"], () => fc.tuple(fc.oneof(aText, fc.constantFrom("%", "_", "!")).map(aPart))),
  suffix: filtersOf("suffix", ["text", "note"], () => fc.tuple(aText.map((text) => sortKey([...text].slice(-2).join("") || text || "a")))),
  notContains: filtersOf("notContains", ["text", "note"], () => fc.tuple(fc.oneof(aText, fc.constantFrom("%", "_", "!")).map(aPart))),
  has: filtersOf("has", ["tags", "counts"], oneValue),
  hasAny: filtersOf("hasAny", ["tags", "counts"], (name) => fc.array(VALUES[name], { minLength: 1, maxLength: 3 })),
  hasAll: filtersOf("hasAll", ["tags", "counts"], (name) => fc.array(VALUES[name], { minLength: 1, maxLength: 2 })),
  null: filtersOf("null", ["tags", "text", "note", "amount", "size", "price", "day", "clock", "year", "flag"], () =>
    fc.tuple(fc.boolean()),
  ),
};
const aFilter = fc.oneof(...Object.values(FILTERS));

async function refill(records: readonly Record<string, Value | null>[]): Promise<void> {
  const old = await store.list(collection, { limit: 1000, sort: [{ name: "id", descending: false }], words: [] });
  await writeEach(
    store,
    collection,
    old.records.map(({ id }) => ({ verb: "delete", id: Number(id) })),
    { atomic: true },
  );
  const ops = records.map((record, i) => ({ verb: "put", id: i + 1, given: { id: i + 1, ...record } }) as const);
  await writeEach(store, collection, ops, { atomic: true });
}

async function readPages(sort: readonly SortTerm[], selection: Selection, limit: number): Promise<WireRecord[]> {
  const all: WireRecord[] = [];
  for (let after: (Value | null)[] | undefined; ; ) {
    const { records, more } = await store.list(collection, { limit, sort, ...selection, ...(after && { after }) });
    all.push(...records);
    const last = records.at(-1);
    if (!more || !last) return all;
    after = sort.map(({ name }) => sortValue(collection, last, name));
  }
}

/** By size. */
const cents = (price: Value) => Math.round(Number(price) * 100);

function sortable(record: WireRecord, name: string): Value | null {
  const price = record[name] as Value | null;
  return name === "price" && price !== null ? cents(price) : sortValue(collection, record, name);
}

/** No value before every value; text by the bytes of its folded form. */
function compare(a: WireRecord, b: WireRecord, sort: readonly SortTerm[]): number {
  for (const { name, descending } of sort) {
    const [x, y] = [sortable(a, name), sortable(b, name)];
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
  const own = [record.text, record.note, ...itemsOf(record.tags)].flatMap((text) => (text === null ? [] : foldWords(String(text))));
  return words.every((word) => own.some((other) => other.startsWith(word)));
}

/** Is true where a value that is there meets the values of a filter. Text is compared by its sort key, except where it must be the same. */
const MEETS: Record<FilterOperator, (own: Value, values: readonly (Value | null)[], toKey: (value: Value) => Value) => boolean> = {
  eq: (own, values) => values.includes(own),
  in: (own, values) => values.includes(own),
  notIn: (own, values) => !values.includes(own),
  prefix: (own, [folded], toKey) => String(toKey(own)).startsWith(String(folded)),
  gte: (own, [bound], toKey) => order(toKey(own), toKey(bound as Value)) >= 0,
  gt: (own, [bound], toKey) => order(toKey(own), toKey(bound as Value)) > 0,
  lte: (own, [bound], toKey) => order(toKey(own), toKey(bound as Value)) <= 0,
  lt: (own, [bound], toKey) => order(toKey(own), toKey(bound as Value)) < 0,
  ne: (own, values) => !values.includes(own),
  contains: (own, [folded], toKey) => String(toKey(own)).includes(String(folded)),
  suffix: (own, [folded], toKey) => String(toKey(own)).endsWith(String(folded)),
  notContains: (own, [folded], toKey) => !String(toKey(own)).includes(String(folded)),
  has: (own, [item]) => itemsOf(own).includes(item as Item),
  hasAny: (own, values) => values.some((item) => itemsOf(own).includes(item as Item)),
  hasAll: (own, values) => values.every((item) => itemsOf(own).includes(item as Item)),
  null: (_, [isNone]) => isNone === false,
};

function meets(record: WireRecord, { name, operator, values }: Filter): boolean {
  const own = (record[name] ?? null) as Value | null;
  const isText = name === "text" || name === "note";
  if (own === null && (operator === "ne" || operator === "notIn" || operator === "notContains")) return !values.includes(null);
  if (own === null && operator === "null") return values.includes(true);
  return own === null
    ? values.includes(null)
    : MEETS[operator](own, values, (value) => (isText ? sortKey(value) : name === "price" ? cents(value) : value));
}

function order(a: Value, b: Value): number {
  return typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b);
}

test("pages of any size add up to the whole list in order, with and without search and filters", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRecord, { maxLength: 25 }),
      aSort,
      fc.boolean(),
      fc.array(aText, { maxLength: 2 }),
      fc.array(aFilter, { maxLength: 2 }),
      fc.integer({ min: 1, max: 9 }),
      async (records, terms, descending, typed, filters, limit) => {
        await refill(records);
        const sort = [...terms, { name: "id", descending }];
        const words = typed.flatMap((text) => foldWords(firstOf(text, 3)));
        const all = await readPages([{ name: "id", descending: false }], { words: [] }, 1000);
        const whole = all.filter((record) => finds(record, words) && filters.every((filter) => meets(record, filter)));
        const wanted = whole.sort((a, b) => compare(a, b, sort)).map(({ id }) => id);
        expect(await store.count(collection, { words, filters })).toBe(wanted.length);
        const counted = await store.count(collection, { words, filters, most: 3 });
        expect(Math.min(counted, 4)).toBe(Math.min(wanted.length, 4));
        expect((await readPages(sort, { words, filters }, limit)).map(({ id }) => id)).toEqual(wanted);
      },
    ),
    { numRuns: 150 },
  );
});

test("a search finds words of every script, and nothing else", async () => {
  const anyText = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !/[\0\p{Cs}]/u.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 10, maxLength: 60 }), async (texts) => {
      await refill(texts.map((text) => ({ text })));
      const wholeWords = texts.flatMap((text) => foldWords(text).slice(0, 1)).slice(0, 8);
      for (const word of wholeWords.flatMap((whole) => [whole, [...whole][0] ?? ""])) {
        const found = await store.list(collection, { limit: 100, sort: [{ name: "id", descending: false }], words: [word] });
        const wanted = texts.flatMap((text, i) => (foldWords(text).some((own) => own.startsWith(word)) ? [i + 1] : []));
        expect(found.records.map(({ id }) => id)).toEqual(wanted);
      }
    }),
    { numRuns: 15 },
  );
});
