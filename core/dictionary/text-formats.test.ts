import { describe, expect, test } from "vitest";
import { type Field, readField } from "./fields.ts";
import { FORMAT_NAMES, FORMATS, type TextFormat } from "./text-formats.ts";
import { validateValue } from "./validate.ts";

const RIGHT: Record<TextFormat, string[]> = {
  email: ["a@b.de", "anna.o'neil+crm@mail.example.co.uk", "müller@exämple.de", "用户@例子.公司"],
  uri: [
    "https://example.com",
    "http://localhost:8080/x?y=1#z",
    "https://exämple.de/straße",
    "mailto:a@b.de",
    "urn:isbn:0451450523",
    "ftp://host/x",
  ],
  phone: ["+49 30 123456", "(030) 12 34-56", "020/1234567", "+49 (0)30 123456", "0049 30 123456", "555.123.4567 ext. 12", "110"],
  multiline: ["one line", "two\nlines", "with\ttab"],
};
const WRONG: Record<TextFormat, string[]> = {
  email: [
    "a",
    "b.de",
    "1.100",
    "a@b",
    "a b@c.de",
    "@b.de",
    "a@",
    "a@b..de",
    ".a@b.de",
    "a@b.de, c@d.de",
    "Anna <a@b.de>",
    `${"x".repeat(65)}@b.de`,
  ],
  uri: ["example.com", "https://", "https://a b.de", "javascript:alert(1)", "DATA:text/html,x", "https://user:secret@example.com", "/path"],
  phone: ["12", "abc", "+49 30 call me", "++49 30 123", "1234567890123456789", "12-34-56 x"],
  multiline: ["a\u0000b", "a\u202eb"],
};

function fieldOf(format: TextFormat | "default"): Field {
  const field = readField({ name: "thing", title: "Thing", type: "string", format }, "", (path, text) => {
    throw new Error(`${path}: ${text}`);
  });
  if (!field) throw new Error("The field has mistakes.");
  return field;
}

describe.each(FORMAT_NAMES)("text of the format %s", (format) => {
  test.each(RIGHT[format])("may be %j, and is kept as it was typed", (text) => {
    for (const from of ["text", "json"] as const) expect(validateValue(fieldOf(format), text, from)).toBe(text);
  });

  test.each(WRONG[format])("is not %j", (text) => {
    for (const from of ["text", "json"] as const) expect(validateValue(fieldOf(format), text, from)).toMatchObject({ field: "thing" });
  });

  test("has an example that it accepts", () => {
    const { accepts, example } = FORMATS[format];
    expect(accepts(example)).toBe(true);
  });
});

test("a problem says what is expected, with the field's own example where that is right", () => {
  const field = fieldOf("email");
  expect(validateValue(field, "x", "text")).toEqual({
    field: "thing",
    code: "PATTERN",
    message: "Thing must be an e-mail address, such as name@example.com.",
  });
  expect(validateValue({ ...field, example: "a@b.de" }, "x", "text")).toMatchObject({
    message: expect.stringContaining("such as a@b.de."),
  });
});

test("line breaks of every system are one, and only text of several lines may have them", () => {
  expect(validateValue(fieldOf("multiline"), "\r\n a\r\nb\rc\n ", "text")).toBe("a\nb\nc");
  expect(validateValue(fieldOf("default"), "a\nb", "text")).toMatchObject({ code: "CHARACTERS" });
});

test("an address of a hundred thousand characters is checked at once", () => {
  const long = `${"a.".repeat(50_000)}@${"a-".repeat(50_000)}`;
  for (const format of ["email", "uri", "phone"] as const) expect(FORMATS[format].accepts(`${long} `)).toBe(false);
});
