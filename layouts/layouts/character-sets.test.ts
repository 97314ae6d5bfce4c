import fc from "fast-check";
import { expect, test } from "vitest";
import { type Codec, createCodec, LAYOUT_ENCODINGS, type LayoutEncoding } from "./character-sets.ts";
import { EBCDIC_ENCODINGS } from "./ebcdic.ts";
import schema from "./layout.schema.json" with { type: "json" };

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const read = (codec: Codec, bytes: Uint8Array) => codec.openRecord(bytes)(0, bytes.length);
const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

/** Has the code pages that do not use every byte. */
const GAPS: Partial<Record<LayoutEncoding, number>> = {
  cp290: 28,
  cp420: 8,
  cp423: 7,
  cp424: 38,
  cp833: 39,
  cp838: 5,
  cp875: 6,
  cp905: 7,
  cp924: 1,
};

test.each(["iso-8859-1", ...EBCDIC_ENCODINGS] as const)(
  "%s: each byte is a character of its own, and comes back as that byte",
  (encoding) => {
    const codec = createCodec(encoding);
    const known = everyByte.filter((byte) => read(codec, Uint8Array.of(byte)) !== undefined);
    expect([encoding, 256 - known.length]).toEqual([encoding, GAPS[encoding] ?? 0]);
    const text = read(codec, known) as string;
    expect(new Set(text).size).toBe(known.length);
    expect(codec.encode(text)).toEqual(known);
    expect(codec.encode("\u0000\u0001")).toEqual(hex("0001"));
  },
);

test("windows-1252: five bytes have no character, the others come back", () => {
  const codec = createCodec("windows-1252");
  const without = [...everyByte].filter((byte) => read(codec, Uint8Array.of(byte)) === undefined);
  expect(without).toEqual([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
  const others = everyByte.filter((byte) => !without.includes(byte));
  expect(read(codec, others)).toBe(new TextDecoder("windows-1252").decode(others, { stream: true }));
  expect(codec.encode(read(codec, others) as string)).toEqual(others);
});

// A mainframe prints them so: the letters stand in three groups, and the code pages disagree about brackets, bars and the exclamation mark.
test.each([
  ["cp037", "c194818995a940f0f1f97bf04b5a4f5fbabbb04a", "Amainz 019#0.!|¬[]^¢"],
  ["cp500", "c194818995a940f0f1f97bf04b4fbb5f4a5aba", "Amainz 019#0.!|^[]¬"],
  ["cp037", "d4435ca38140c15b8a5c", "Mä*ta A$«*"],
  ["cp037", "7cbabb9fc0d04f5a5b1525", "@[]¤{}|!$\u0085\n"],
  ["cp500", "7c4a5a9fc0d0bb4f5b1525", "@[]¤{}|!$\u0085\n"],
  ["cp1047", "7cadbd9fc0d04f5a5b5fbb1525", "@[]¤{}|!$^¨\u0085\n"],
  ["cp1140", "7cbabb9fc0d04f5a5b1525", "@[]€{}|!$\u0085\n"],
  ["cp1141", "b563fc9f43dcbb4f5b591525", "@[]€{}|!$~\u0085\n"],
  ["cp1141", "4ae05ac06ad0a1", "ÄÖÜäöüß"],
  ["cp273", "4ae05ac06ad0a1b563fc", "ÄÖÜäöüß@[]"],
  ["cp277", "7b7c5bc06ad080", "ÆØÅæøå@"],
  ["cp278", "7b7c5bc06ad0ec", "ÄÖÅäöå@"],
  ["cp280", "c0d06aa179b5", "àèòìù@"],
  ["cp284", "7b6a69", "Ññ#"],
  ["cp285", "5b4a", "£$"],
  ["cp297", "c0d07ce0b5", "éèàç]"],
  ["cp871", "c0d07cac", "þæÐ@"],
  ["cp870", "bac5", "ŁE"],
  ["cp1026", "5a6a", "Ğş"],
  ["cp1025", "b9ba", "АБ"],
  ["cp875", "4142", "ΑΒ"],
  ["cp1142", "7b7c5b5a", "ÆØÅ€"],
  ["cp1148", "9f", "€"],
  ["iso-8859-1", "c5e4a4", "Åä¤"],
  ["windows-1252", "80c5", "€Å"],
  ["utf-8", "c385", "Å"],
] as const)("%s: %s reads %s", (encoding, bytes, text) => {
  const codec = createCodec(encoding);
  expect(read(codec, hex(bytes))).toBe(text);
  expect(codec.encode(text)).toEqual(hex(bytes));
});

test("in EBCDIC the line ends NL, LF and CR are three bytes of their own", () => {
  for (const encoding of EBCDIC_ENCODINGS) expect(createCodec(encoding).encode("\u0085\n\r")).toEqual(hex("15250d"));
});

test("a character that an encoding lacks is refused, not replaced", () => {
  for (const encoding of LAYOUT_ENCODINGS.filter((name) => name !== "utf-8")) expect(createCodec(encoding).encode("☃")).toBeUndefined();
  expect(createCodec("utf-8").encode("\ud800")).toBeUndefined();
  expect(createCodec("iso-8859-1").encode("€")).toBeUndefined();
});

test("UTF-8: places count bytes, and a character cut in two is refused", () => {
  const cut = createCodec("utf-8").openRecord(new TextEncoder().encode("Åsa€x"));
  expect([cut(0, 2), cut(2, 4), cut(4, 7), cut(7, 8)]).toEqual(["Å", "sa", "€", "x"]);
  expect([cut(0, 1), cut(1, 3), cut(4, 6)]).toEqual([undefined, undefined, undefined]);
});

test.each(LAYOUT_ENCODINGS)("%s: a record is read as it was written, wherever it is cut", (encoding) => {
  const codec = createCodec(encoding);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 20 })), (texts) => {
      const written = texts.map((text) => codec.encode(text)).filter((bytes) => bytes !== undefined);
      const record = codec.openRecord(Buffer.concat(written));
      let at = 0;
      const again = written.map(({ length }) => {
        at += length;
        return codec.encode(record(at - length, at) as string) as Uint8Array;
      });
      expect(again.map((bytes) => Buffer.from(bytes).toString("hex"))).toEqual(written.map((bytes) => Buffer.from(bytes).toString("hex")));
    }),
  );
});

test("the schema that editors use has every encoding", () => {
  expect(schema.$defs.encoding.enum).toEqual(LAYOUT_ENCODINGS);
});
