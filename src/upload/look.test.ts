import { describe, expect, test } from "vitest";
import { detectDelimiter } from "./detect.ts";
import { customers, fileOf } from "./fakes.ts";
import { runLook } from "./run.ts";

const bytes = (...list: (number | string)[]) =>
  new Uint8Array(list.flatMap((item) => (typeof item === "string" ? [...new TextEncoder().encode(item)] : item)));

async function refusal(content: string | Uint8Array): Promise<string> {
  const state = await runLook(fileOf(content), customers);
  return state.step === "refused" ? `${state.title} ${state.detail}` : state.step;
}

describe("a wrong file is named for what it is, with what to do", () => {
  const utf16 = (text: string) => new Uint8Array([...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  test.each<[string, string | Uint8Array, RegExp]>([
    ["an empty file", "", /empty.*Choose another file/],
    ["blank lines only", "\n \r\n\n", /empty/],
    ["a byte order mark only", "\uFEFF", /empty/],
    ["a heading only", "objectId,lastName,accountID\n", /heading but no rows/],
    ["an Excel workbook", bytes("PK", 3, 4, 20, 0, "[Content_Types].xml"), /Excel workbook \(\.xlsx\).*save it as CSV/],
    ["an old Excel workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0), /Excel workbook \(\.xls\)/],
    ["an OpenDocument sheet", bytes("PK", 3, 4, "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), /OpenDocument/],
    ["a ZIP", bytes("PK", 3, 4, 20, 0, "customers.csv"), /ZIP.*Unpack it/],
    ["a gzip", bytes(0x1f, 0x8b, 8, 0), /gzip.*Unpack it/],
    ["a PDF", "%PDF-1.7\n%âãÏÓ", /PDF/],
    ["a picture", bytes(0x89, "PNG\r\n"), /picture/],
    ["UTF-16 with its mark", bytes(0xff, 0xfe, "a"), /UTF-16.*UTF-8/],
    ["UTF-16 without", utf16("objectId,lastName\r\n1,Smith\r\n"), /UTF-16/],
    ["other binary data", bytes(...Array.from({ length: 400 }, (_, i) => (i * 7) % 11)), /not text/],
    ["a web page", "<!DOCTYPE html><html><body>Sign in</body></html>", /web page/],
    ["JSON", '[{"lastName": "Smith"}]', /JSON/],
    ["windows-1252", bytes("lastName,accountID\nJ", 0xf6, "rg,7\n"), /not saved as UTF-8.*Line 2 /],
  ])("%s", async (_, content, words) => {
    expect(await refusal(content)).toMatch(words);
  });

  test("a single NUL is a matter of its row, not of the file", async () => {
    expect(await refusal("lastName,accountID\nSm\0ith,7\n")).toBe("columns");
  });
});

describe("the delimiter is the one that makes rows as wide as the heading", () => {
  test.each([
    ["a,b\n1,2\n", ","],
    ["a;b\n1;2\n", ";"],
    ["a\tb\n1\t2\n", "\t"],
    ["id;name;address\n1;Smith, John;Oak St 1, Leeds, UK\n2;Doe, Jo;Elm St 2, York, UK\n", ";"],
    ["id;name, first\n1;Smith, John\n2;Doe, Jo\n", ";"],
    ["id,notes\n1,a; b; c\n2,d; e; f\n", ","],
    ['id,"a;b;c"\n1,"x;y;z"\n', ","],
    ["name\tnote\nSmith, John\tx; y\nDoe, Jo\tz; w\n", "\t"],
    ['id;"a,b"\r\n1;"x\n,y"\r\n', ";"],
    ["lastName\nSmith\n", ","],
    ["a,b,c\n1,2\n3,4\n", ","],
    ["a;b\r1;2\r", ";"],
  ])("%j → %j", (text, delimiter) => {
    expect(detectDelimiter(text, true)).toBe(delimiter);
  });

  test("the user's own choice wins", async () => {
    const state = await runLook(fileOf("a;b,c\n1;2,3\n"), customers, ";");
    expect(state.step === "columns" && state.look.header).toEqual(["a", "b,c"]);
  });
});

describe("the first look", () => {
  test("shows heading, first rows and dialect, and reads no further than it needs", async () => {
    const text = `\uFEFFObject ID;Last name;Account ID\r\n${"1;Ångström;007\r\n".repeat(50_000)}`;
    const state = await runLook(fileOf(text, "klanten.csv"), customers);
    expect(state).toMatchObject({
      step: "columns",
      look: {
        fileName: "klanten.csv",
        dialect: { encoding: "UTF-8", bom: true, delimiter: ";" },
        header: ["Object ID", "Last name", "Account ID"],
        columns: ["objectId", "lastName", "accountID"],
        samples: Array(5).fill(["1", "Ångström", "007"]),
        notes: ["No column is matched with First name."],
      },
    });
  });

  test("a character cut in two at the end of the head is no mistake", async () => {
    const text = `lastName,accountID\n${"é".repeat(32 * 1024)},7\n`; // the head's 64 KiB end within an é
    expect((await runLook(fileOf(text), customers)).step).toBe("columns");
  });

  test("one long first row is read whole", async () => {
    const state = await runLook(fileOf(`lastName,accountID\n${"é".repeat(200_000)},7\n`), customers);
    expect(state.step === "columns" && state.look.samples[0]?.[0]).toHaveLength(200_000);
  });
});
