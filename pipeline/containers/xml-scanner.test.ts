import { expect, test } from "vitest";
import { readAttribute, type XmlHandler, XmlScanner } from "./xml-scanner.ts";

/** The tags and texts, however the document is cut into pieces. */
function scan(xml: string, size = xml.length): string[] {
  const seen: string[] = [];
  const handler: XmlHandler = {
    open: (name, attributes, isEmpty) => seen.push(`<${name}${attributes}${isEmpty ? "/" : ""}>`),
    close: (name) => seen.push(`</${name}>`),
    text: (text) => seen.push(text),
  };
  const scanner = new XmlScanner(handler, { prefixes: { "urn:main": "", "urn:links": "r" }, skips: new Set(["extLst"]) });
  for (let at = 0; at < xml.length; at += size) scanner.push(xml.slice(at, at + size));
  scanner.end();
  return seen;
}

test("a tag ends behind its attributes, whatever stands in them", () => {
  const tag = `<a x='1">2' y="it's /> here" z="">`;
  for (const size of [1, 2, 7, 1000]) expect(scan(`${tag}text</a>`, size).join("")).toBe(`${tag}text</a>`);
  expect(readAttribute(scan(tag)[0] as string, "x")).toBe('1">2');
});

test("a long attribute full of such signs is read once, not again for each of them", () => {
  const tag = `<a x="${">".repeat(2_000_000)}"/>`;
  expect(scan(tag).map((one) => one.length)).toEqual([tag.length, 4]);
});

test("a long text within a tag that is no attribute takes no time to speak of", () => {
  // Where each character is a beginning, the second of these takes half a minute and the third an hour.
  for (const length of [10_000, 100_000, 1_000_000, 4_000_000]) {
    const started = performance.now();
    for (const piece of ["x", "x:", "x ", "= ", " '\"'", ` ${"x".repeat(97)}=""`]) {
      const tag = `<a xmlns:q="urn:links" ${piece.repeat(length / piece.length)}>`;
      expect(scan(tag)).toHaveLength(1);
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  }
});

test("attributes get the reader's prefixes, also behind one another without a space", () => {
  expect(scan(`<a xmlns:q="urn:links" q:id="1"q:x='2' id="3"/>`)[0]).toBe(`<a -:q="urn:links" r:id="1"r:x='2' id="3"/>`);
});

test("a document that ends within a tag is refused", () => {
  expect(() => scan('<a x="1>')).toThrow("damaged");
});

test("a long text comes in pieces, and none of them ends within a character reference", () => {
  const text = "&amp;&#x1F600;b".repeat(60_000);
  for (const size of [10_007, 65_536]) {
    const seen = scan(`<a>${text}</a>`, size);
    expect(seen.join("")).toBe(`<a>${"&😀b".repeat(60_000)}</a>`);
    expect(seen.length).toBeGreaterThan(3);
  }
});
