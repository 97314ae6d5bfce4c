// From a copybook to a layout and a dictionary: what is taken over, what is not, and that the result is right.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { readLayout, reportMistakes } from "../layouts/validate/parse-layout.ts";
import { customers } from "../testing/layouts.ts";
import { type Draft, type DraftOptions, draftLayout } from "./draft-layout.ts";

const NEW: DraftOptions = { encoding: "utf-8", record: undefined, collection: undefined, name: undefined };

function draftOf(text: string, options: Partial<DraftOptions> = {}): Draft {
  const draft = draftLayout(text, { ...NEW, ...options });
  if (typeof draft === "string") throw new Error(draft);
  return draft;
}

function collectionsOf({ dataPackage }: Draft): Collection[] {
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

const collectionOf = (draft: Draft) => collectionsOf(draft)[0] as Collection;

/** Lists those of the layout, checked as `layout check` does. */
function mistakesOf(draft: Draft, collections = collectionsOf(draft)): string[] {
  const read = readLayout(JSON.stringify(draft.layout), collections);
  return "mistakes" in read ? reportMistakes(read.mistakes) : [];
}

const sentences = ({ notes }: Draft) => notes.map(({ line, sentence }) => `${line}: ${sentence}`);

/** One entry below a record, and the field of the layout and of the dictionary that it becomes. */
function fieldOf(entry: string, options: Partial<DraftOptions> = {}) {
  const draft = draftOf(`01 R.\n  05 ID PIC 9(5).\n  05 ${entry}\n`, options);
  expect(mistakesOf(draft)).toEqual([]);
  const { name: _, start: __, ...placed } = draft.layout.detail.fields[1] ?? { name: "" };
  const { schema } = (draft.dataPackage as { resources: [{ schema: { fields: Record<string, unknown>[] } }] }).resources[0];
  const { name: ___, title: ____, ...described } = schema.fields[1] ?? {};
  return { placed, described, notes: draft.notes.map(({ sentence }) => sentence), end: draft.layout.recordLength };
}

test("the copybook of docs/layouts.md becomes its layout: header, detail and trailer with count and total", () => {
  const text = [
    "01  HEADER-REC.",
    "    05  H-TYPE       PIC X      VALUE 'H'.",
    "    05  H-SENDER     PIC X(8).",
    "    05  H-FILE       PIC X(8).",
    "    05  H-SEQUENCE   PIC 9(6).",
    "    05  FILLER       PIC X(37).",
    "01  CUSTOMER-REC.",
    "    05  C-TYPE       PIC X      VALUE 'D'.",
    "    05  C-NUMBER     PIC 9(10).",
    "    05  C-FIRST      PIC X(15).",
    "    05  C-LAST       PIC X(20).",
    "    05  C-ACCOUNT    PIC X(10).",
    "    05  FILLER       PIC X(4).",
    "01  TRAILER-REC.",
    "    05  T-TYPE       PIC X      VALUE 'T'.",
    "    05  T-COUNT      PIC 9(9).",
    "    05  T-HASH       PIC 9(10).",
    "    05  FILLER       PIC X(40).",
  ].join("\n");
  const draft = draftOf(text, { encoding: "cp037" });
  expect(mistakesOf(draft)).toEqual([]);
  expect(draft.layout).toEqual({
    kind: "fixed",
    title: "Customers",
    collection: "customers",
    encoding: "cp037",
    recordLength: 60,
    lineEnd: "none",
    recordType: { start: 1, length: 1 },
    header: { type: "H", sender: { start: 2, length: 8 }, fileId: { start: 10, length: 8 }, sequence: { start: 18, length: 6 } },
    detail: {
      type: "D",
      fields: [
        { name: "number", start: 2, length: 10, null: "0000000000" },
        { name: "first", start: 12, length: 15 },
        { name: "last", start: 27, length: 20 },
        { name: "account", start: 47, length: 10 },
      ],
    },
    trailer: { type: "T", count: { start: 2, length: 9 }, totals: [{ of: "number", start: 11, length: 10 }] },
  });
  expect(sentences(draft)).toEqual(["17: T-HASH (bytes 11–20) is taken to be the sum of number."]);
});

describe("an entry becomes", () => {
  test.each<[entry: string, placed: object, described: object]>([
    ["A PIC X(12).", { length: 12 }, { type: "string", constraints: { maxLength: 12 } }],
    ["A PIC AAA.", { length: 3 }, { type: "string", constraints: { maxLength: 3 } }],
    ["A PIC X(4) JUSTIFIED RIGHT.", { length: 4, justify: "right" }, { type: "string", constraints: { maxLength: 4 } }],
    ["A PIC 9(4).", { length: 4 }, { type: "integer", constraints: { minimum: 0, maximum: 9999 } }],
    [
      "A PICTURE IS S99 USAGE IS DISPLAY.",
      { length: 2, sign: "overpunch-ascii" },
      { type: "integer", constraints: { minimum: -99, maximum: 99 } },
    ],
    [
      "A PIC S9(3) SIGN IS LEADING SEPARATE.",
      { length: 4, sign: "leading" },
      { type: "integer", constraints: { minimum: -999, maximum: 999 } },
    ],
    ["A PIC S9(7)V99 COMP-3.", { length: 5, usage: "packed", decimals: 2 }, { type: "number", decimals: 2 }],
    ["A PIC 9(6) COMP-6.", { length: 3, usage: "packed-unsigned" }, { type: "integer", constraints: { minimum: 0, maximum: 999999 } }],
    ["A PIC S9(4) COMP.", { length: 2, usage: "binary" }, { type: "integer", constraints: { minimum: -9999, maximum: 9999 } }],
    ["A PIC 9(9) BINARY.", { length: 4, usage: "binary-unsigned" }, { type: "integer", constraints: { minimum: 0, maximum: 999999999 } }],
    ["A PIC S9(18) COMPUTATIONAL-4.", { length: 8, usage: "binary" }, { type: "number", decimals: 0 }],
    ["A BINARY-LONG UNSIGNED.", { length: 4, usage: "little-endian-unsigned" }, { type: "integer" }],
    ["A PIC 9(18).", { length: 18 }, { type: "number", decimals: 0 }],
    ["A PIC 9(3)V9(2).", { length: 5, decimals: 2 }, { type: "number", decimals: 2 }],
    [
      "A PIC S9(4) LEADING.",
      { length: 4, sign: "overpunch-ascii-leading" },
      { type: "integer", constraints: { minimum: -9999, maximum: 9999 } },
    ],
    ["A COMP-1.", { length: 4, usage: "float-little-endian" }, { type: "number" }],
    ["A PIC 9(3)P(2).", { length: 3, decimals: -2 }, { type: "number", decimals: 0 }],
    ["A PIC VP(2)9(3) COMP-3.", { length: 2, usage: "packed", decimals: 5 }, { type: "number", decimals: 5 }],
    ["A PIC SPP9.", { length: 1, sign: "overpunch-ascii", decimals: 3 }, { type: "number", decimals: 3 }],
    ["A PIC Z(4)9.99-.", { length: 9, picture: "Z(4)9.99-" }, { type: "number", decimals: 2 }],
    ["A PIC $$,$$9.99-.", { length: 10, picture: "$$,$$9.99-" }, { type: "number", decimals: 2 }],
    ["A PIC 99/99/9999.", { length: 10 }, { type: "string" }],
  ])("%s", (entry, placed, described) => {
    expect(fieldOf(entry)).toMatchObject({ placed, described });
    expect(fieldOf(entry).placed).toEqual(placed);
  });

  test("a date or a time where name and digits say so, which is named as a guess", () => {
    const { placed, described, notes } = fieldOf("BIRTH-DATE PIC 9(8).");
    expect([placed, described]).toEqual([{ length: 8, format: "YYYYMMDD", null: "00000000" }, { type: "date" }]);
    expect(notes).toEqual(["BIRTH-DATE (bytes 6–13): It is taken to be a date such as 20260131."]);
    expect(fieldOf("BIRTH-DATE PIC 9(8) COMP-3.").placed).toEqual({ length: 5, usage: "packed", format: "YYYYMMDD", null: "0" });
    expect(fieldOf("CHANGED-TIMESTAMP PIC X(14).").placed).toMatchObject({ format: "YYYYMMDDhhmmss", zone: "Z" });
    expect(fieldOf("START-TIME PIC 9(6).")).toMatchObject({ placed: { length: 6, format: "hhmmss" }, described: { type: "time" } });
    expect(fieldOf("MODEL-YEAR PIC 9(4) COMP-3.")).toMatchObject({
      placed: { length: 3, usage: "packed", format: "YYYY", null: "0" },
      described: { type: "year" },
    });
    expect(fieldOf("LEAD-TIME PIC 9(4).").described).toMatchObject({ type: "integer" });
    expect(fieldOf("UPDATE-COUNT PIC 9(8).").described).toMatchObject({ type: "integer" });
  });

  test("a flag or a closed list, by its 88 levels", () => {
    const flag = fieldOf("VIP PIC X.\n 88 IS-VIP VALUE 'Y'.\n 88 NO-VIP VALUE 'N'.");
    expect([flag.placed, flag.described]).toEqual([{ length: 1, values: { Y: "true", N: "false" } }, { type: "boolean" }]);
    const list = fieldOf(
      "STATE PIC X.\n 88 ACTIVE VALUE 'A'.\n 88 CLOSED-FOR-GOOD VALUE 'C'.\n 88 KNOWN VALUES ARE 'A', 'C'.\n 88 NONE VALUE SPACE.",
    );
    const categories = [
      { value: "A", label: "Active" },
      { value: "C", label: "Closed for good" },
    ];
    expect(list.described).toEqual({ type: "string", categories, constraints: { maxLength: 1 } });
    const codes = fieldOf("STATE PIC 9.\n 88 KNOWN VALUES 1 2 5.");
    expect(codes.described).toMatchObject({ type: "integer", constraints: { enum: [1, 2, 5] } });
    const range = fieldOf("AGE PIC 99.\n 88 ADULT VALUE 18 THRU 99.");
    expect(range.notes).toEqual(["AGE (bytes 6–7): the range of ADULT (18 to 99) is not taken over."]);
  });
});

test("COMP-5, floating point and signs are those of the computer that the encoding belongs to", () => {
  expect(fieldOf("A PIC S9(9) COMP-5.").placed).toMatchObject({ usage: "little-endian" });
  expect(fieldOf("A PIC S9(9) COMP-5.", { encoding: "cp037" }).placed).toMatchObject({ usage: "binary" });
  expect(fieldOf("A COMP-2.", { encoding: "cp037" }).placed).toEqual({ length: 8, usage: "float-hexadecimal" });
  expect(fieldOf("A PIC S9(4).", { encoding: "cp037" }).placed).toEqual({ length: 4, sign: "overpunch" });
  expect(fieldOf("A PIC 9(9) COMP.").placed).toMatchObject({ usage: "binary-unsigned" });
});

test("what has no field is named with its line and bytes, and the places after it are right", () => {
  const draft = draftOf(
    [
      "01 ORDER-REC.",
      "   05 ORDER-NO      PIC 9(6).",
      "   05 ORDER-DAY     PIC X(8).",
      "   05 ORDER-DAY-N   REDEFINES ORDER-DAY PIC 9(8).",
      "   05 ORDER-RATE    POINTER.",
      "   05 ORDER-ITEM    OCCURS 3 TIMES INDEXED BY I.",
      "      10 ITEM-CODE  PIC X(4).",
      "      10 ITEM-PRICE PIC S9(5)V99 COMP-3.",
      "   05 ORDER-LONG    PIC 9(20) COMP.",
      "   05 ORDER-TEXT-N  PIC N(4).",
      "   05 ORDER-NOTE    PIC X(10).",
      "   66 ORDER-ALL RENAMES ORDER-NO THRU ORDER-NOTE.",
      "77 COUNTER PIC 9(4).",
      "   COPY ADDRESS.",
    ].join("\n"),
  );
  expect(mistakesOf(draft)).toEqual([]);
  expect(draft.layout.detail.fields.map(({ name, start, length }) => [name, start, length])).toEqual([
    ["no", 1, 6],
    ["day", 7, 8],
    ["textN", 59, 8],
    ["note", 67, 10],
  ]);
  expect(draft.layout.recordLength).toBe(76);
  expect(draft.layout.detail.children).toEqual([
    {
      collection: "orderItems",
      start: 19,
      length: 8,
      max: 3,
      fields: [
        { name: "orderId", start: 1, length: 6, null: "000000" },
        { name: "code", start: 19, length: 4 },
        { name: "price", start: 23, length: 4, usage: "packed", decimals: 2 },
      ],
    },
  ]);
  const items = collectionsOf(draft)[1];
  expect([items?.key.name, items?.references.map(({ name, reference }) => [name, reference.collection, reference.key])]).toEqual([
    "id",
    [["orderId", "orders", "no"]],
  ]);
  expect(sentences(draft)).toEqual([
    "4: ORDER-DAY-N (bytes 7–14) is not taken over: it REDEFINES ORDER-DAY, whose fields are taken. If this is meant instead, change the names and places.",
    "5: ORDER-RATE (bytes 15–18) is not taken over: it is an index or an address, which is no data.",
    '6: ORDER-ITEM (bytes 19–42) comes 3 times: each is a record of orderItems, which refers to its order. Where items are empty in another way than with blanks or bytes 00, add "presentBy".',
    "9: ORDER-LONG (bytes 43–58) is not taken over: it is a binary number of more than 18 digits.",
    "10: ORDER-TEXT-N (bytes 59–66): It is taken to be national (UTF-16), as the compiler's NSYMBOL(NATIONAL) has it: look at its first values.",
    "12: ORDER-ALL (level 66) is not taken over: it is no part of a record.",
    "13: COUNTER (level 77) is not taken over: it is no part of a record.",
    "14: COPY brings in text from elsewhere, which is not followed: put that text in its place.",
  ]);
});

test("OCCURS DEPENDING ON becomes a table of the layout, and the places behind it those of a full one", () => {
  const text = "01 R.\n 05 R-NO PIC 9(4).\n 05 N PIC 9.\n 05 LINE-ITEM OCCURS 0 TO 5 TIMES DEPENDING ON N PIC X(3).\n 05 AFTER PIC X(2).\n";
  const draft = draftOf(text);
  expect(mistakesOf(draft)).toEqual([]);
  expect(draft.layout.detail.fields.map(({ name, start }) => [name, start])).toEqual([
    ["rNo", 1],
    ["after", 21],
  ]);
  expect([draft.layout.trimmed, draft.layout.detail.occurs, draft.layout.detail.children]).toEqual([
    true,
    [{ start: 6, length: 3, max: 5, dependingOn: { start: 5, length: 1 } }],
    [
      {
        collection: "lineItems",
        start: 6,
        length: 3,
        max: 5,
        fields: [
          { name: "rId", start: 1, length: 4, null: "0000" },
          { name: "lineItem", start: 6, length: 3 },
        ],
      },
    ],
  ]);
  expect(sentences(draft)).toEqual([
    "1: The records of R have different lengths: trimmed true is a guess. See “Records of variable length” in docs/layouts.md.",
    '4: LINE-ITEM (bytes 6–20) comes up to 5 times: each is a record of lineItems, which refers to its r. Where items are empty in another way than with blanks or bytes 00, add "presentBy".',
  ]);
  expect(draftOf(text, { encoding: "cp037" }).layout).toMatchObject({ recordFormat: "rdw", lineEnd: "none" });
  expect(draftOf(text.replace("N PIC 9.", "N PIC 9 COMP-3.")).layout).toMatchObject({ recordFormat: "gnucobol-0", lineEnd: "none" });
});

test("what cannot be taken over of a table is named exactly", () => {
  const within = draftOf(
    "01 ORDER.\n 05 ORDER-NO PIC 9(4).\n 05 LINE-ITEM OCCURS 2 TIMES.\n 10 CODE PIC X.\n 10 PART OCCURS 3 TIMES PIC X.\n 05 NOTE PIC X.\n",
  );
  expect(mistakesOf(within)).toEqual([]);
  expect(sentences(within)).toContain("5: PART (bytes 6–8) is not taken over: it is a table within a table, whose items are no records.");
  expect(within.layout.detail.fields.at(-1)).toEqual({ name: "note", start: 13, length: 1 });
  const nameless = draftOf("01 CUSTOMER.\n 05 NAME PIC X(4).\n 05 PHONE OCCURS 2 TIMES PIC X(3).\n");
  expect(sentences(nameless)).toContain(
    "3: PHONE (bytes 5–10) is not taken over: it comes 2 times (OCCURS), and no item of its record looks like a number to which each could refer.",
  );
  const known = draftOf("01 CUST.\n 05 LAST-NAME PIC X(4).\n 05 ACCOUNT-ID PIC X(4).\n 05 PHONE OCCURS 2 TIMES PIC X(3).\n", {
    collection: customers,
  });
  expect(mistakesOf(known, [customers])).toEqual([]);
  expect(sentences(known)).toEqual([
    '4: PHONE (bytes 9–14) is not taken over: it comes 2 times (OCCURS). If each is a record of a collection that refers to this one, add the field with the parent\'s key and put it into "children": {"collection":"…","start":9,"length":3,"max":2,"fields":[{"name":"phone","start":9,"length":3}]}',
  ]);
  const elsewhere = draftOf("01 R.\n 05 R-NO PIC 9(4).\n 05 ITEM OCCURS 1 TO 2 TIMES DEPENDING ON W-COUNT PIC X.\n");
  expect(sentences(elsewhere)).toContain(
    '3: ITEM (bytes 5–6) depends on W-COUNT, which is not in this record: write "occurs" and the places behind it by hand.',
  );
});

test("several records with data become kinds of one layout, each with its collection; or the one that is named", () => {
  const text = "01 CUSTOMER-REC.\n 05 K PIC X VALUE 'C'.\n 05 A PIC X(9).\n01 ACCOUNT-REC.\n 05 K PIC X VALUE 'A'.\n 05 B PIC X(9).\n";
  const both = draftOf(text);
  expect(mistakesOf(both)).toEqual([]);
  expect([both.record, both.layout.collection, both.layout.detail.type, both.layout.ignoredTypes]).toEqual([
    "CUSTOMER-REC",
    "customers",
    "C",
    undefined,
  ]);
  expect(both.layout.otherDetails).toEqual([{ collection: "accounts", type: "A", fields: [{ name: "b", start: 2, length: 9 }] }]);
  expect(collectionsOf(both).map(({ name }) => name)).toEqual(["customers", "accounts"]);
  const named = draftOf(text, { record: "account-rec" });
  expect([named.record, named.layout.collection, named.layout.detail.type, named.layout.ignoredTypes]).toEqual([
    "ACCOUNT-REC",
    "accounts",
    "A",
    ["C"],
  ]);
  expect(mistakesOf(named)).toEqual([]);
  expect(sentences(named)).toContain("1: CUSTOMER-REC is another record. Make a layout of its own for it with --record CUSTOMER-REC.");
  expect(draftLayout(text, { ...NEW, record: "X" })).toBe("It has no record X. It has CUSTOMER-REC, ACCOUNT-REC.");
  expect(draftLayout("* nothing", NEW)).toBe("It has no entry such as: 05 NAME PIC X(20).");
});

test("the fields of a collection that is there are matched, and an entry is proposed for each item that matches none", () => {
  const text =
    "01 CUST-REC.\n 05 CUST-NUMBER PIC 9(10).\n 05 CUST-LAST-NAME PIC X(20).\n 05 CUST-ACCOUNT-ID PIC 9(7) COMP-3.\n 05 CUST-HAIR PIC X(9).\n";
  const draft = draftOf(text, { collection: customers });
  expect(draft.dataPackage).toBeUndefined();
  expect(draft.layout.detail.fields).toEqual([
    { name: "lastName", start: 11, length: 20 },
    { name: "accountID", start: 31, length: 4, usage: "packed", digits: 7 },
  ]);
  expect(mistakesOf(draft, [customers])).toEqual([]);
  expect(sentences(draft)).toEqual([
    '2: CUST-NUMBER (bytes 1–10) matches no field of customers. Its entry would be {"name":"…","start":1,"length":10}',
    '5: CUST-HAIR (bytes 35–43) matches no field of customers. Its entry would be {"name":"…","start":35,"length":9}',
  ]);
});

test("comments describe the collection and its fields; sequence numbers and columns after 72 are no code", () => {
  const lines = [
    "      ******************************************",
    "      * Customers of the host.                 *",
    "000100 01  CUSTOMER.                                                    CUST0001",
    "000200*    Given by the branch.",
    "000300     05  CUST-ID         PIC 9(5).                                CUST0002",
    "000400     05  CUST-NAME       PIC X(20).  *> As on the contract",
    "000500D    05  CUST-DEBUG      PIC X(9).",
    "000600     05  CUST-CODE       PIC XX",
    "000700                         VALUE 'A*>B'.",
  ];
  const draft = draftOf(lines.join("\r\n"));
  const collection = collectionOf(draft);
  expect([collection.description, draft.layout.title]).toEqual(["Customers of the host.", "Customers of the host."]);
  expect(collection.fields.map(({ name, description }) => [name, description])).toEqual([
    ["id", "Given by the branch."],
    ["name", "As on the contract"],
    ["code", ""],
  ]);
  expect(draft.layout.recordLength).toBe(27);
});

test("whatever the names are, the fields of the dictionary have names that are right and different", () => {
  const word = fc.stringMatching(/^[A-Z0-9]{1,12}$/);
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `A${words.join("-")}`);
  const picture = fc.constantFrom("X(5)", "9(4)", "S9(5)V99 COMP-3", "S9(9) COMP", "9(8)", "S9(3)");
  const copybook = fc.array(fc.tuple(name, picture), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(copybook, (entries) => {
      const text = ["01 THE-REC.", ...entries.map(([of, as]) => `   05 ${of} PIC ${as}.`)].join("\n");
      const draft = draftOf(text);
      expect(mistakesOf(draft)).toEqual([]);
      expect(draft.layout.detail.fields).toHaveLength(entries.length);
    }),
    { numRuns: 60 },
  );
});
