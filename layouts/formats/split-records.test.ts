// Fixed-width files that are cut, or have records of another length, no line ends or undecodable bytes.

import { describe, expect, test } from "vitest";
import {
  customersLayout,
  type EditableFile,
  ENCODINGS_AND_LINE_ENDS,
  editableFile,
  fileOf,
  type Reading,
  readAll,
  THREE_CUSTOMERS,
} from "../testing/layouts.ts";

describe.each(ENCODINGS_AND_LINE_ENDS.filter(([, lineEnd]) => lineEnd === "none"))("%s without line ends", (encoding, lineEnd) => {
  test.each([1, 31, 63])("cut within the last record, %i bytes of it left", async (left) => {
    const { layout, records, at } = editableFile(encoding, lineEnd);
    const file = fileOf(...records).slice(0, at(5) + left);
    expect((await readAll(file, layout)).refused).toBe(
      `This file is cut, or its records have another length. It has ${256 + left} bytes: 4 whole records of 64, and ${left === 1 ? "1 byte" : `${left} bytes`} more from byte offset 256 on. ` +
        "Ask the sender for the whole file, or correct the layout's recordLength or lineEnd.",
    );
  });

  test("a byte too many in the middle shifts what follows", async () => {
    const { layout, records } = editableFile(encoding, lineEnd);
    const file = fileOf(...records.slice(0, 2), Uint8Array.of(0x40), ...records.slice(2));
    expect((await readAll(file, layout)).refused).toBe(
      "This file is cut, or its records have another length. It has 321 bytes: 5 whole records of 64, and 1 byte more from byte offset 320 on. Ask the sender for the whole file, or correct the layout's recordLength or lineEnd.",
    );
  });

  test("a byte too many and one too few are an unknown type", async () => {
    const { layout, records } = editableFile(encoding, lineEnd);
    const file = fileOf(...records.slice(0, 2), Uint8Array.of(0x40), ...records.slice(2, 4), (records[4] as Uint8Array).slice(0, 63));
    expect((await readAll(file, layout)).refused).toContain("Record 3 (byte offset 128) has the type “");
  });
});

describe.each(ENCODINGS_AND_LINE_ENDS.filter(([, lineEnd]) => lineEnd !== "none"))(
  "%s with line end %s, records of another length",
  (encoding, lineEnd) => {
    const cutRecord = (record: Uint8Array, by: number) => Buffer.concat([record.slice(0, 64 - by), record.slice(64)]);

    test("a short one is a wrong row with its number and place, and the others stay right", async () => {
      const { layout, records, at } = editableFile(encoding, lineEnd);
      records[2] = cutRecord(records[2] as Uint8Array, 3);
      const { malformed, rows, refused } = await readAll(fileOf(...records), layout);
      expect(malformed).toEqual([[2, `Record 3 (byte offset ${at(3)}) has 61 bytes; a record has 64.`]]);
      expect([rows.length, refused]).toEqual([3, undefined]);
      expect(rows[2]?.[0]).toBe("9000000001");
    });

    test("a long one, too", async () => {
      const { layout, records, at } = editableFile(encoding, lineEnd);
      records[2] = Buffer.concat([(records[2] as Uint8Array).slice(0, 64), (records[2] as Uint8Array).slice(60)]);
      const { malformed, refused } = await readAll(fileOf(...records), layout);
      expect([malformed, refused]).toEqual([[[2, `Record 3 (byte offset ${at(3)}) has 68 bytes; a record has 64.`]], undefined]);
    });

    test("an empty line is a record without a type", async () => {
      const { layout, records, at } = editableFile(encoding, lineEnd);
      const empty = (records[0] as Uint8Array).slice(64);
      const { refused } = await readAll(fileOf(...records.slice(0, 2), empty, ...records.slice(2)), layout);
      expect(refused).toBe(
        `This file has a record of an unknown type. Record 3 (byte offset ${at(3)}) has the type “”; the layout knows “H”, “D”, “T”. Record 3 (byte offset ${at(3)}) has 0 bytes; a record has 64.`,
      );
    });

    test("a header or trailer of another length is refused", async () => {
      const { layout, records, at } = editableFile(encoding, lineEnd);
      const header = await readAll(fileOf(cutRecord(records[0] as Uint8Array, 1), ...records.slice(1)), layout);
      expect(header.refused).toBe("The header cannot be read. Record 1 (byte offset 0) has 63 bytes; a record has 64.");
      const trailer = await readAll(fileOf(...records.slice(0, 4), cutRecord(records[4] as Uint8Array, 1)), layout);
      expect(trailer.refused).toBe(`The trailer cannot be read. Record 5 (byte offset ${at(5)}) has 63 bytes; a record has 64.`);
    });

    test.each([1, 31, 63])("cut within the last record, %i bytes of it left", async (left) => {
      const { layout, records, at } = editableFile(encoding, lineEnd);
      const { refused } = await readAll(fileOf(...records).slice(0, at(5) + left), layout);
      expect(refused).toBe(
        `This file is cut. Record 5 (byte offset ${at(5)}) is its last: it has ${left} of 64 bytes and no line end. Ask the sender for the whole file.`,
      );
    });

    test("no line end where there should be one", async () => {
      const { layout, records } = editableFile(encoding, lineEnd);
      const { refused } = await readAll(fileOf(...records.map((record) => record.slice(0, 64))), layout);
      expect(refused).toBe(
        "This file has no line ends where the layout says. Record 1 (byte offset 0) does not end within 320 bytes; a record has 64. Correct the layout's lineEnd or recordLength.",
      );
    });
  },
);

describe("a record with an undecodable byte is reported with its place", () => {
  const malformed = async (file: EditableFile): Promise<Reading["malformed"]> =>
    (await readAll(fileOf(...file.records), file.layout)).malformed;

  test.each([0x81, 0x8d, 0x8f, 0x90, 0x9d])("windows-1252 has none at %i", async (byte) => {
    const file = editableFile("windows-1252", "lf");
    file.records[2]?.set([byte], 35);
    expect(await malformed(file)).toEqual([
      [2, "Record 3 (byte offset 130): Last name (bytes 32–51) has a byte that is not a character of windows-1252."],
    ]);
  });

  test.each([
    ["a byte that begins nothing", [0xff]],
    ["a rest without its beginning", [0x85]],
    ["a beginning without its rest", [0xc3, 0x20]],
    ["more bytes than needed for a letter", [0xc1, 0x81]],
    ["half of a pair", [0xed, 0xa0, 0x80]],
  ])("UTF-8: %s", async (_what, bytes) => {
    const file = editableFile("utf-8", "lf");
    file.records[3]?.set(bytes, 11);
    expect(await malformed(file)).toEqual([
      [
        3,
        "Record 4 (byte offset 195): First name (bytes 12–31) is not whole UTF-8: a byte is no character, or a character is cut in two at the edge of the field.",
      ],
    ]);
  });

  test("UTF-8: a character that is cut in two at the edge of a field", async () => {
    const file = editableFile("utf-8", "lf");
    file.put(3, 31, "Å");
    expect(await malformed(file)).toEqual([[2, expect.stringContaining("First name (bytes 12–31) is not whole UTF-8")]]);
  });

  test("bytes between the fields may be anything", async () => {
    const file = editableFile("windows-1252", "lf");
    file.records[2]?.set([0x81, 0x00], 61);
    expect(await malformed(file)).toEqual([]);
  });
});

test("LF where the layout says CR LF is reported with its place", async () => {
  const { records } = editableFile("utf-8", "lf");
  const { refused } = await readAll(fileOf(...records), customersLayout({ lineEnd: "crlf" }));
  expect(refused).toBe(
    "This file has no line ends where the layout says. Record 1 (byte offset 0) does not end within 325 bytes; a record has 64. There is a byte 0a where its end should be. Correct the layout's lineEnd or recordLength.",
  );
});

test("CR LF where the layout says LF is reported with a hint", async () => {
  const { records } = editableFile("utf-8", "crlf");
  const layout = customersLayout();
  delete layout.header;
  delete layout.trailer;
  const { malformed } = await readAll(fileOf(...records.slice(1, 4)), layout);
  expect(malformed).toHaveLength(THREE_CUSTOMERS.length);
  expect(malformed[0]?.[1]).toBe(
    'Record 1 (byte offset 0) has 65 bytes; a record has 64. Its last byte is CR: the layout\'s lineEnd may have to be "crlf".',
  );
});

test("a file that never ends a record is given up soon", async () => {
  const { refused } = await readAll(fileOf(new Uint8Array(10_000_000).fill(0x41)), customersLayout());
  expect(refused).toBe(
    "This file has no line ends where the layout says. Record 1 (byte offset 0) does not end within 262144 bytes; a record has 64. Correct the layout's lineEnd or recordLength.",
  );
});
