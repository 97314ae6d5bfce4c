// A file whose header, trailer or order of records is wrong is refused with a reason.

import { describe, expect, test } from "vitest";
import {
  customersLayout,
  type EditableFile,
  ENCODINGS_AND_LINE_ENDS,
  editableFile,
  fileOf,
  readAll,
  recordsOf,
} from "../testing/layouts.ts";

type Break = (file: EditableFile) => { parts?: Uint8Array[]; refused: string };

/** Where every file is broken in the same way, whatever its encoding and line ends. */
const BREAKS: Record<string, Break> = {
  "the count is one too many": ({ put, at }) => {
    put(5, 2, "000000004");
    return {
      refused: `The trailer does not match. It says 000000004 detail records; the file has 3. Record 5 (byte offset ${at(5)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "a detail record was lost": ({ records, at }) => {
    records.splice(2, 1);
    return {
      refused: `The trailer does not match. It says 000000003 detail records; the file has 2. It says 9000100490 as the total of objectId; the records add up to 9000100483. Record 4 (byte offset ${at(4)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "a detail record is there twice": ({ records, at }) => {
    records.splice(2, 0, records[1] as Uint8Array);
    return {
      refused: `The trailer does not match. It says 000000003 detail records; the file has 4. It says 9000100490 as the total of objectId; the records add up to 9000200972. Record 6 (byte offset ${at(6)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "a digit was changed": ({ put, at }) => {
    put(2, 11, "3");
    return {
      refused: `The trailer does not match. It says 9000100490 as the total of objectId; the records add up to 9000100491. Record 5 (byte offset ${at(5)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "the total is wrong": ({ put, at }) => {
    put(5, 11, "0000000001");
    return {
      refused: `The trailer does not match. It says 0000000001 as the total of objectId; the records add up to 9000100490. Record 5 (byte offset ${at(5)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "the count is no number": ({ put, at }) => {
    put(5, 2, "three    ");
    return {
      refused: `The trailer cannot be read. Record 5 (byte offset ${at(5)}): its count is “three”, which is not a number.`,
    };
  },
  "the count is blank": ({ put, at }) => {
    put(5, 2, "         ");
    return { refused: `The trailer cannot be read. Record 5 (byte offset ${at(5)}): its count is “”, which is not a number.` };
  },
  "the total is no number": ({ put, at }) => {
    put(5, 11, "12,345    ");
    return {
      refused: `The trailer cannot be read. Record 5 (byte offset ${at(5)}): its total of objectId is “12,345”, which is not a number.`,
    };
  },
  "an id has a letter, so the total cannot be made": ({ put, at }) => {
    put(3, 2, "000000O007");
    return {
      refused: `The total of Object ID cannot be made. Record 3 (byte offset ${at(3)}) has “000000O007” there, which is not a number, so that the file cannot be checked for completeness.`,
    };
  },
  "the trailer is missing": ({ records }) => {
    records.pop();
    return {
      refused: "This file has no trailer. It ends after 3 detail records: it may be cut. Ask the sender for the whole file.",
    };
  },
  "there are two trailers": ({ records, at }) => {
    records.push(records[4] as Uint8Array);
    return { refused: `This file has two trailers. Record 6 (byte offset ${at(6)}) is the second one: the file may be two in one.` };
  },
  "a record follows the trailer": ({ records, at }) => {
    records.push(records[1] as Uint8Array);
    return { refused: `Something follows the trailer. Record 6 (byte offset ${at(6)}) stands behind it: the file may be two in one.` };
  },
  "two files in one": ({ records, at }) => {
    records.push(...records);
    return { refused: `Something follows the trailer. Record 6 (byte offset ${at(6)}) stands behind it: the file may be two in one.` };
  },
  "the header is missing": ({ records }) => {
    records.shift();
    return {
      refused:
        "This file has no header. Record 1 (byte offset 0) is the first, and it is not a header. Ask the sender for the whole file, or correct the layout.",
    };
  },
  "there are two headers": ({ records, at }) => {
    records.splice(2, 0, records[0] as Uint8Array);
    return { refused: `This file has two headers. Record 3 (byte offset ${at(3)}) is the second one: the file may be two in one.` };
  },
  "the header is not the first": ({ records }) => {
    records.push(records.shift() as Uint8Array);
    return {
      refused:
        "This file has no header. Record 1 (byte offset 0) is the first, and it is not a header. Ask the sender for the whole file, or correct the layout.",
    };
  },
  "another sender": ({ put }) => {
    put(1, 2, "HOST2   ");
    return { refused: "This file has another sender. Its header says “HOST2”; the layout says “HOST1”. Is it the right file?" };
  },
  "no sender": ({ put }) => {
    put(1, 2, "        ");
    return { refused: "This file has another sender. Its header says “”; the layout says “HOST1”. Is it the right file?" };
  },
  "a record of an unknown type": ({ put, at }) => {
    put(4, 1, "X");
    return {
      refused: `This file has a record of an unknown type. Record 4 (byte offset ${at(4)}) has the type “X”; the layout knows “H”, “D”, “T”.`,
    };
  },
  "a type in small letters": ({ put, at }) => {
    put(2, 1, "d");
    return {
      refused: `This file has a record of an unknown type. Record 2 (byte offset ${at(2)}) has the type “d”; the layout knows “H”, “D”, “T”.`,
    };
  },
  "nothing but header and trailer, which counts three": ({ records, at }) => {
    records.splice(1, 3);
    return {
      refused: `The trailer does not match. It says 000000003 detail records; the file has 0. It says 9000100490 as the total of objectId; the records add up to 0000000000. Record 2 (byte offset ${at(2)}) is the trailer. Ask the sender for the whole file.`,
    };
  },
  "an empty file": () => ({ parts: [], refused: "This file is empty. Ask the sender for the file." }),
};

describe.each(ENCODINGS_AND_LINE_ENDS)("%s with line end %s", (encoding, lineEnd) => {
  test.each(Object.entries(BREAKS))("%s: the file is refused with a reason", async (_name, breakIt) => {
    const file = editableFile(encoding, lineEnd);
    const { parts = file.records, refused } = breakIt(file);
    expect((await readAll(fileOf(...parts), file.layout)).refused).toBe(refused);
  });
});

test.each([
  ["with its zeros in front", "sequence", "000042"],
  ["without them", "sequence", "42"],
  ["with blanks behind", "fileId", "CUST  "],
  ["of a blank", "sender", " "],
] as const)("a header may be held to a constant %s", async (_what, name, constant) => {
  const { header } = customersLayout();
  const layout = customersLayout({ header: { type: "H", ...header, [name]: { ...header?.[name], constant } } });
  const records = recordsOf(layout);
  if (name === "sender") records[0]?.set(Buffer.from("        "), 1);
  expect((await readAll(fileOf(...records), layout)).refused).toBeUndefined();
  records[0]?.set(Buffer.from("9"), { sender: 1, fileId: 9, sequence: 22 }[name]);
  const other = { sender: "another sender", fileId: "another file id", sequence: "another sequence number" }[name];
  const stated = { sender: "9", fileId: "9UST", sequence: "49" }[name];
  expect((await readAll(fileOf(...records), layout)).refused).toBe(
    `This file has ${other}. Its header says “${stated}”; the layout says “${constant}”. Is it the right file?`,
  );
});

test("a header, a type or a trailer in bytes that are no characters is named with its record", async () => {
  const refusedWith = async (record: number, start: number) => {
    const { records, layout } = editableFile("windows-1252", "lf");
    records[record - 1]?.set([0x81], start - 1); // which is no character there
    return (await readAll(fileOf(...records), layout)).refused;
  };
  expect(await refusedWith(1, 10)).toBe(
    "The header cannot be read. Record 1 (byte offset 0): its file id has bytes that are not characters.",
  );
  expect(await refusedWith(2, 1)).toBe(
    "This file has a record of an unknown type. Record 2 (byte offset 65) has a type that cannot be read; the layout knows “H”, “D”, “T”.",
  );
  expect(await refusedWith(5, 2)).toBe(
    "The trailer cannot be read. Record 5 (byte offset 260): its count is “X'813030303030303033'”, which is not a number.",
  );
});

test("a trailer that ends within its count is named", async () => {
  const layout = customersLayout({ trimmed: true });
  const records = recordsOf(layout).map((record) => Buffer.from(record));
  const cut = records.with(4, Buffer.from("T0000\n"));
  expect((await readAll(fileOf(...cut), layout)).refused).toMatch(
    /^The trailer cannot be read\. Record 5 \(byte offset \d+\) ends within its count\.$/,
  );
});
