// Strict JSON, the forms of a body, content negotiation and cursors.

import fc from "fast-check";
import { expect, test } from "vitest";
import { LongNumber } from "../../core/dictionary/decimals.ts";
import { pointerOf, unwrap } from "../records/unwrap-body.ts";
import { DICTIONARY, readCollections } from "../testing/service.ts";
import { accepts } from "./content-negotiation.ts";
import { createCursors } from "./cursor.ts";
import { HttpError } from "./errors.ts";
import { parseJson, parseJsonRecords } from "./parse-json-body.ts";

const [customers] = readCollections(DICTIONARY).collections;
if (!customers) throw new Error("dictionary");
const bytes = (text: string) => Buffer.from(text);

test("any JSON within the depth limit is parsed as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
    }),
  );
});

test.each(["1e-400", "1E-400", "-4e-324", "1e-4000", "1e+4000", "0.1e-400", "1.00000000000000000001e00001"])(
  "a number that a double does not hold is kept as it was sent: %s",
  async (number) => {
    for (const text of [`[{"a":${number}}]`, `[ { "a" : ${number}\n} ]`, `[{"a":${number} ,"b":"1e-400"}]`]) {
      const [{ a }] = (await parseJsonRecords(bytes(text), 1e6)) as [{ a: LongNumber }];
      expect(a.text).toBe(number);
    }
  },
);

test.each(["0e-400", "5e-324", "1e3", "1e0003", "2.5E-7", "1e+22"])("a number that a double holds is a number: %s", async (number) => {
  expect(await parseJsonRecords(bytes(`[{"a":${number}}]`), 1e6)).toEqual([{ a: Number(number) }]);
});

test("a number keeps all its digits, wherever it stands, and text that looks like one stays text", async () => {
  const long = "100000069899999.93";
  const records = Array.from({ length: 9_000 }, (_, i) => `{"a": ${long}${i}\n,"b":"${long}","c":[${long}],"d":1.5}`);
  for (const text of [`[${records.join()}]`, `{"x":${long},"records":[${records.join()}],"y": ${long} }`]) {
    const parsed = (await parseJsonRecords(bytes(text), 1e6)) as unknown;
    expect(parseJson(bytes(text))).toEqual(parsed);
    const { records: read, x, y } = Array.isArray(parsed) ? { records: parsed, x: undefined, y: undefined } : (parsed as Wrapped);
    expect(read.map(({ a }) => (a as LongNumber).text)).toEqual(records.map((_, i) => `${long}${i}`));
    expect(read.at(-1)).toMatchObject({ b: long, c: [expect.any(LongNumber)], d: 1.5 });
    if (x) expect([x, y].map((one) => (one as LongNumber).text)).toEqual([long, long]);
  }
  expect(() => parseJson(bytes(`{"a":${long},"a":${long}}`))).toThrow("twice");
  for (const wrong of [`[${long}.5]`, `[0${long}]`, `[${long}x]`, `[${long} ${long}]`, `[-${long}-]`]) {
    expect(() => parseJson(bytes(wrong)), wrong).toThrow("not valid JSON");
  }
});

interface Wrapped {
  records: Record<string, unknown>[];
  x?: unknown;
  y?: unknown;
}

test("a doubled key is found wherever it is", () => {
  const word = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "]", "é", "\n") });
  fc.assert(
    fc.property(word, word, fc.nat(3), (key, value, depth) => {
      const twice = `{${JSON.stringify(key)}:1,"other":${JSON.stringify(value)},${JSON.stringify(key)}:2}`;
      const text = `${'{"in":['.repeat(depth)}${twice}${"]}".repeat(depth)}`;
      expect(() => parseJson(bytes(text))).toThrow(HttpError);
    }),
  );
});

test.each(['{"a":1,"\\u0061":2}', '{"__proto__":1,"__proto__":2}', '{"a":{"b":1,"b":1}}'])("the doubled key in %s is found", (text) => {
  expect(() => parseJson(bytes(text))).toThrow("twice");
});

test.each(['{"__proto__":1}', '{"a":":\\":{[","b":"\\\\"}', '"a:b"', '\uFEFF{"a":1}', `${"[".repeat(8)}${"]".repeat(8)}`])(
  "the unusual but valid body %s is parsed",
  (text) => {
    expect(() => parseJson(bytes(text))).not.toThrow();
  },
);

test.each(["[0,0,0,0]", "[[],[]]", "[[[[]]]]", '{"a":0,"b":0,"c":0,"d":0}', '[{"a":",,,,,,"},{"b":"[[[[\\""}]'])(
  "the body %s has more than three values and is refused before it is parsed",
  (text) => {
    expect(() => parseJson(bytes(text), 3)).toThrow(/at most 3 values/);
    expect(parseJson(bytes(text), 4)).toEqual(JSON.parse(text));
    expect(() => parseJson(bytes(text.slice(0, -1)), 3)).toThrow(/at most 3 values/);
  },
);

const MANY = 20_000; // values; more than are parsed at once

/** Returns what becomes of a text: its value, or the message of its error. */
async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() };
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  ["bare", "", ""],
  ["in an object", ' {"customers" : ', "} "],
  ["after a byte order mark", "\uFEFF", ""],
  ["in an object with other members before and after", '{"a":{"b":[1]},"customers":', ',"c":[2]}'],
  ["under a name that objects have already", '{"__proto__":', "}"],
  ["in an object that names them twice", '{"customers":', ',"customers":[1]}'],
])("many records %s are parsed as in one piece", async (_, before, after) => {
  const records = Array.from({ length: MANY / 2 }, (_, i) => ({ [`ä${i}`]: i % 7 ? "],[{é" : null }));
  const text = bytes(`${before}${JSON.stringify(records)}${after}`);
  const whole = await outcomeOf(() => parseJson(text));
  expect(JSON.stringify(await outcomeOf(() => parseJsonRecords(text, 10 * MANY)))).toBe(JSON.stringify(whole));
});

test("many records with one character too much, too little or changed are refused", async () => {
  const whole = JSON.stringify({ customers: Array.from({ length: MANY }, (_, i) => (i % 3 ? i : { a: [i] })) });
  const sign = fc.constantFrom("", ",", "[", "]", "{", "}", '"', "\\", ":", " ", "1", "]}", "],[", ",,");
  // Commas and ends are where it may be cut; every other place is inside a record.
  const place = fc.oneof(fc.nat(whole.length), fc.integer({ min: whole.length - 6, max: whole.length }), fc.nat(20));
  await fc.assert(
    fc.asyncProperty(place, fc.nat(2), sign, async (at, cut, inserted) => {
      const text = bytes(`${whole.slice(0, at)}${inserted}${whole.slice(at + cut)}`);
      const expected = await outcomeOf(() => parseJson(text));
      const outcome = await outcomeOf(() => parseJsonRecords(text, 10 * MANY));
      // A bracket in the wrong place may make one record of thousands.
      if (outcome === "One record may have at most 4000 values.") expect(expected).toBeTypeOf("string");
      else expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected));
    }),
    { numRuns: 60 },
  );
});

test.each(["[0,]", "[,0]", "[0}", "[0", "[0]]", "[0],0", '{"a":[0]', '{"a":[0],}', '{"a":[0]]', "[0]0"])(
  "of %s, with thousands of records, all is refused",
  async (text) => {
    const long = bytes(text.replace("0", Array.from({ length: MANY }, () => "0").join()));
    await expect(parseJsonRecords(long, 10 * MANY)).rejects.toThrow("The body is not valid JSON: ");
  },
);

test.each([
  ["one record", (names: string) => `{${names}}`],
  ["one of many", (names: string) => `[{},{${names}},{}]`],
  ["what stands around the records", (names: string) => `{"a":[0],"customers":[{${names}}]}`],
])("thousands of names in %s are refused before they are parsed", async (_, wrap) => {
  const names = Array.from({ length: 5_000 }, (_, i) => `"n${i}":0`).join();
  await expect(parseJsonRecords(bytes(wrap(names)), 10 * MANY)).rejects.toMatchObject({ status: 413, code: "TOO_LARGE" });
});

test("other requests have a turn while many records are parsed", async () => {
  let turns = 0;
  let isParsed = false;
  const turn = () => {
    turns += 1;
    if (!isParsed) setImmediate(turn);
  };
  const records = Array.from({ length: MANY }, (_, i) => ({ [`n${i}`]: i }));
  const parsed = parseJsonRecords(bytes(JSON.stringify(records)), 10 * MANY);
  setImmediate(turn);
  expect(await parsed).toEqual(records);
  isParsed = true;
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("other requests have a turn while it is looked for where a large body stops being JSON", async () => {
  let turns = 0;
  let isRefused = false;
  const turn = () => {
    turns += 1;
    if (!isRefused) setImmediate(turn);
  };
  const records = Array.from({ length: MANY }, (_, i) => ({ [`n${i}`]: i }));
  const refused = parseJsonRecords(bytes(JSON.stringify(records).slice(0, -1)), 10 * MANY); // found before anything is parsed
  setImmediate(turn);
  await expect(refused).rejects.toMatchObject({ code: "MALFORMED_JSON", message: expect.stringContaining("ends too early") });
  isRefused = true;
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("the answer to malformed JSON never repeats the body", () => {
  const beginning = /^The body is not valid JSON: it ends too early, at line 1, column 27\.$/;
  expect(() => parseJson(bytes('{"lastName":"Quetzalcoatl"'))).toThrow(beginning);
});

test.each<[string, string | Buffer, string]>([
  ["a wrong character", '[\n{"é": "😀", x}]', "The body is not valid JSON: the first wrong character is at line 2, column 12, in /0."],
  ["a wrong value", '{"customers":[{"lastName":Ek}]}', "… the first wrong character is at line 1, column 27, in /customers/0/lastName."],
  ["a name of many characters", `{"${"n".repeat(201)}":x}`, "… the first wrong character is at line 1, column 206."],
  ["a byte order mark", "\ufeff[x]", "… the first wrong character is at line 1, column 2, in /0."],
  ["a long number before", "[100000069899999.93,x]", "… the first wrong character is at line 1, column 21, in /1."],
  ["too many levels", '{"é":\n[[[[[[[[[[[[1]]]]]]]]]]]]}', "The JSON is nested deeper than 12 levels, at line 2, column 12."],
  [
    "a wrong byte",
    Buffer.concat([bytes('["\ufffd é",\n"\ufffdé'), Buffer.from([0xc3]), bytes('"]')]),
    "The body is not valid UTF-8: the first wrong byte is at line 2, column 4.",
  ],
])("the place of %s is told", async (_, body, detail) => {
  const text = Buffer.from(body);
  const message = detail.replace("…", "The body is not valid JSON:");
  for (const parsed of [() => parseJson(text), () => parseJsonRecords(text, 10 * MANY)]) expect(await outcomeOf(parsed)).toBe(message);
});

test("in a large body the place is told, too", async () => {
  const text = bytes(`[\n${Array.from({ length: MANY }, (_, i) => `{"lastName": "Ek ${i}"}`).join(",\n")},\n{"lastName": Ek}]`);
  await expect(parseJsonRecords(text, 10 * MANY)).rejects.toThrow(`line ${MANY + 2}, column 14, in /${MANY}/lastName.`);
});

test.each<[unknown, boolean, string[]]>([
  [{}, false, [""]],
  [{ lastName: "A" }, false, [""]],
  [{ customer: {} }, false, ["/customer"]],
  [{ customer: {}, lastName: "A" }, false, [""]],
  [[{}, {}], true, ["/0", "/1"]],
  [{ customers: [{}, {}] }, true, ["/customers/0", "/customers/1"]],
])("the body %j is a list (%j) with the pointers %j", (body, isMany, pointers) => {
  const sent = unwrap(customers, body);
  expect(sent.isMany).toBe(isMany);
  expect(sent.items.map((_, i) => pointerOf(sent, i))).toEqual(pointers);
});

test("a field with the name of the wrapper is a field if its value is no object", () => {
  const collection = { ...customers, singular: "lastName" };
  expect(unwrap(collection, { lastName: "A" }).items).toEqual([{ lastName: "A" }]);
  expect(unwrap(collection, { lastName: { lastName: "A" } }).items).toEqual([{ lastName: "A" }]);
});

test.each([
  [undefined, true],
  ["", true],
  ["application/json", true],
  ["text/html, application/xhtml+xml, */*;q=0.8", true],
  ["application/json; q=0", false],
  ["application/json;q=0.000, application/*", false],
  ["*/*;q=0", false],
  ["application/problem+json", false],
  ["text/csv", false],
])("the header Accept: %j accepts JSON: %j", (header, expected) => {
  expect(accepts(header, "application/json")).toBe(expected);
});

test("a cursor opens to its place again, and not with any letter changed", () => {
  const cursors = createCursors([Buffer.alloc(32, 7)]);
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))), fc.string(), fc.nat(), (values, list, at) => {
      const place = at % 2 ? { after: values } : { before: values };
      const cursor = cursors.seal(list, place);
      expect(cursors.open(list, cursor)).toEqual(place);
      expect(cursors.seal(list, place)).toBe(cursor);
      const bytes = Buffer.from(cursor, "base64url");
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1;
      expect(() => cursors.open(list, bytes.toString("base64url"))).toThrow(HttpError);
      expect(() => cursors.open(`${list}x`, cursor)).toThrow(HttpError);
    }),
  );
});
