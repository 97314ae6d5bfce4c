// Strict JSON, and the four forms a body may have.

import fc from "fast-check";
import { expect, test } from "vitest";
import { unwrap } from "../routes/records/unwrap-body.ts";
import { DICTIONARY, readCollections } from "../testing/service.ts";
import { accepts } from "./content-negotiation.ts";
import { createCursors } from "./cursor.ts";
import { HttpError } from "./errors.ts";
import { parseJson } from "./parse-json-body.ts";

const [customers] = readCollections(DICTIONARY).collections;
if (!customers) throw new Error("dictionary");
const bytes = (text: string) => Buffer.from(text);

test("any JSON of a bearable depth is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("a key that stands twice is found wherever it stands", () => {
  const word = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "]", "é", "\n") });
  fc.assert(
    fc.property(word, word, fc.nat(3), (key, value, depth) => {
      const twice = `{${JSON.stringify(key)}:1,"other":${JSON.stringify(value)},${JSON.stringify(key)}:2}`;
      const text = `${'{"in":['.repeat(depth)}${twice}${"]}".repeat(depth)}`;
      expect(() => parseJson(bytes(text))).toThrow(HttpError);
    }),
  );
});

test.each(['{"a":1,"\\u0061":2}', '{"__proto__":1,"__proto__":2}', '{"a":{"b":1,"b":1}}'])("%s has a key twice", (text) => {
  expect(() => parseJson(bytes(text))).toThrow("twice");
});

test.each(['{"__proto__":1}', '{"a":":\\":{[","b":"\\\\"}', '"a:b"', '\uFEFF{"a":1}', `${"[".repeat(8)}${"]".repeat(8)}`])(
  "%s is taken",
  (text) => {
    expect(() => parseJson(bytes(text))).not.toThrow();
  },
);

test("what cannot be parsed is never repeated in the answer", () => {
  expect(() => parseJson(bytes('{"lastName":"Quetzalcoatl"'))).toThrow(/^The body is not valid JSON\.$/);
});

test.each<[unknown, boolean, string[]]>([
  [{}, false, [""]],
  [{ lastName: "A" }, false, [""]],
  [{ customer: {} }, false, ["/customer"]],
  [{ customer: {}, lastName: "A" }, false, [""]],
  [[{}, {}], true, ["/0", "/1"]],
  [{ customers: [{}, {}] }, true, ["/customers/0", "/customers/1"]],
])("%j is %j with pointers %j", (body, isMany, pointers) => {
  const sent = unwrap(customers, body);
  expect(sent.isMany).toBe(isMany);
  expect(sent.items.map((_, i) => sent.pointerOf(i))).toEqual(pointers);
});

test("a field named like the wrapper is a field when it holds a plain value", () => {
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
])("Accept %j lets JSON through: %j", (header, expected) => {
  expect(accepts(header, "application/json")).toBe(expected);
});

test("any place survives a cursor, and no changed letter does", () => {
  const cursors = createCursors(Buffer.alloc(32, 7));
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
