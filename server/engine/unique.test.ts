// Unique fields besides the key: within one batch, and with many concurrent writers.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { caseFold } from "../../core/text/case-fold.ts";
import { rounds } from "../testing/rounds.ts";
import { createTestDatabase, outcomesOf, type TestDatabase, writeEach } from "../testing/store.ts";
import type { Store, WriteOp } from "./store.ts";

const read = readDataPackage({
  resources: [
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "code", type: "string", constraints: { unique: true } },
          { name: "rank", type: "integer", constraints: { unique: true } },
          { name: "share", type: "number", constraints: { unique: true } },
          { name: "mail", type: "string", constraints: { unique: true, caseless: true } },
        ],
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
  store = await database.open(read.collections);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

async function write(ops: WriteOp[]): Promise<string[]> {
  return outcomesOf(await writeEach(store, collection, ops));
}
const put = (id: number, code: string | null, rank: number | null = null): WriteOp => ({
  verb: "put",
  id,
  given: { id, code, rank, share: null, mail: null },
});

test("a unique value can move from record to record within one batch", async () => {
  expect(await write([put(1, "a", 1), put(2, "b", 2), put(3, "c", 3)])).toEqual(["created", "created", "created"]);
  const chain: WriteOp[] = [put(3, "d", 4), put(2, "c", 3), put(1, "b", 2), put(4, "a", 1)];
  expect(await write(chain)).toEqual(["updated", "updated", "updated", "created"]);
  expect(await write([{ verb: "delete", id: 1 }, put(5, "b", 2)])).toEqual(["deleted", "created"]);
});

test("two records cannot swap unique values in one batch, and then neither is changed", async () => {
  await write([put(11, "x"), put(12, "y")]);
  expect(await write([put(11, "y"), put(12, "x")])).toEqual(["VALIDATION", "VALIDATION"]);
  expect(await store.read(collection, 11)).toMatchObject({ code: "x", version: 1 });
});

test("a unique value that forty writers want at once goes to one of them", async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => write([put(100 + i, "wanted")])));
  expect(outcomes.flat().sort()).toEqual([...Array.from({ length: 39 }, () => "VALIDATION"), "created"]);
});

test("long unique values that differ in their last letter only do not collide", async () => {
  const long = "é".repeat(20_000);
  expect(await write([put(200, `${long}1`), put(201, `${long}2`), put(202, `${long}1`)])).toEqual(["created", "created", "VALIDATION"]);
});

test("unique numbers are compared to the last digit", async () => {
  const shares = [56025538.53902952, 3251.192565513001, 0.000005570318726665024, 0.1 + 0.2, 1e300, -7.5];
  const withShare = (from: number) =>
    shares.map((share, i): WriteOp => ({ verb: "put", id: from + i, given: { id: from + i, code: null, rank: null, share, mail: null } }));
  expect(await write(withShare(300))).toEqual(shares.map(() => "created"));
  expect(await write(withShare(400))).toEqual(shares.map(() => "VALIDATION"));
});

const mail = (id: number, text: string | null): WriteOp => ({
  verb: "put",
  id,
  given: { id, code: null, rank: null, share: null, mail: text },
});

test("a value that is unique whatever the case passes from record to record, and its own record may write it otherwise", async () => {
  expect(await write([mail(500, "Ben@x.org"), mail(501, "BEN@X.ORG"), mail(502, "Straße"), mail(503, "STRASSE")])).toEqual([
    "created",
    "VALIDATION",
    "created",
    "VALIDATION",
  ]);
  expect(await write([mail(500, "ben@x.org"), mail(502, "STRASSE")])).toEqual(["updated", "updated"]);
  expect(await write([mail(500, "Ändern"), mail(502, "BEN@x.org"), mail(504, "straẞe")])).toEqual(["updated", "updated", "created"]);
  expect(await write([{ verb: "delete", id: 500 }, mail(505, "äNDERN"), mail(506, "andern")])).toEqual(["deleted", "created", "created"]);
});

test("a value that forty writers want at once in other letters goes to one of them", async () => {
  const texts = ["straße", "STRASSE", "Straẞe", "sTRASSE"].map((text) => `${text} 40`);
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => write([mail(600 + i, texts[i % 4] as string)])));
  expect(outcomes.flat().sort()).toEqual([...Array.from({ length: 39 }, () => "VALIDATION"), "created"]);
});

test("what is stored without regard to case is what a model says, for any text, and equality finds it", { timeout: 120_000 }, async () => {
  let base = 10_000;
  const letters = fc.constantFrom("a", "A", "ß", "ẞ", "s", "S", "ı", "I", "i", "İ", "é", "É", "ς", "σ", "Σ", "K", "\u212a", "Ǆ", "ǆ", "@");
  const texts = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(texts, async (all) => {
    const from = base;
    base += 20;
    const marked = all.map((text) => `${from}${text}`);
    const outcomes = await write(marked.map((text, i) => mail(from + i, text)));
    const folded = marked.map(caseFold);
    expect(outcomes).toEqual(folded.map((text, i) => (folded.indexOf(text) === i ? "created" : "VALIDATION")));
    for (const text of marked) {
      const filters = [{ name: "mail", operator: "eq" as const, values: [text] }];
      expect(await store.count(collection, { words: [], filters })).toBe(1);
      expect(
        await store.count(collection, { words: [], filters: [{ name: "mail", operator: "in" as const, values: [text, "none"] }] }),
      ).toBe(1);
    }
  });
  await fc.assert(property, { numRuns: rounds(40, 1_000) });
});

test("a sequence in one batch ends as one write after the other does, also where values pass from record to record", {
  timeout: 120_000,
}, async () => {
  let base = 1_000;
  const codes = fc.constantFrom(null, "p", "q");
  const anOp = fc.record({ verb: fc.constantFrom("put", "patch", "delete", "post"), id: fc.integer({ min: 1, max: 3 }), code: codes });
  type Op = { verb: string; id: number; code: string | null };
  const toOp =
    (from: number) =>
    ({ verb, id, code }: Op): WriteOp => {
      const own = from + id;
      const given = { id: own, code: code === null ? null : `${from}${code}`, rank: null, share: null, mail: null };
      if (verb === "delete") return { verb, id: own };
      if (verb === "post") return { verb, id: own, given, onConflict: "error", onMissing: "create" };
      return verb === "put" ? { verb, id: own, given } : { verb: "patch", id: own, given };
    };
  const property = fc.asyncProperty(fc.array(anOp, { minLength: 1, maxLength: 12 }), async (ops) => {
    const [together, apart] = [base, base + 10];
    base += 20;
    const atOnce = await writeEach(store, collection, ops.map(toOp(together)), { isSequence: true });
    const outcomes: string[] = [];
    for (const op of ops) outcomes.push(...(await write([toOp(apart)(op)])));
    expect(outcomesOf(atOnce)).toEqual(outcomes);
    for (let id = 1; id <= 3; id++) {
      const states = [];
      for (const from of [together, apart]) {
        const record = await store.read(collection, from + id);
        const history = await store.history.listEntries("things", from + id, Number.MAX_SAFE_INTEGER, 100);
        states.push([record?.code?.toString().slice(-1), record?.version, history.map(({ version, operation }) => [version, operation])]);
      }
      expect(states[0]).toEqual(states[1]);
    }
  });
  await fc.assert(property, { numRuns: rounds(60, 1_000) });
});
