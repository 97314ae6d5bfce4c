// Checks the examples and tables of docs/layouts.md against the code.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import ordersPackage from "../../core/dictionary/orders.example.json" with { type: "json" };
import { validateValue } from "../../core/dictionary/validate.ts";
import { openLayout } from "../../layouts/formats/open-layout.ts";
import { createCodec } from "../../layouts/layouts/character-sets.ts";
import { NUMERALS, type Usage } from "../../layouts/layouts/cobol-numbers.ts";
import { EBCDIC_ENCODINGS, type EbcdicEncoding } from "../../layouts/layouts/ebcdic.ts";
import schema from "../../layouts/layouts/layout.schema.json" with { type: "json" };
import { openSign, SIGNS, type Sign } from "../../layouts/layouts/signs.ts";
import { readLayout, reportMistakes } from "../../layouts/layouts/validate/parse-layout.ts";
import { mistakesOf, staff } from "../../layouts/testing/broken-layouts.ts";
import { customers, fileOf, readAll } from "../../layouts/testing/layouts.ts";
import { createService, upload } from "../../pipeline/testing/fake-service.ts";
import { amounts } from "../testing/amounts.ts";

const page = readFileSync("docs/layouts.md", "utf8");
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, of, text = ""]) => (of === language ? [text] : []));

const ofOrders = readDataPackage(ordersPackage);
const withOrders = "collections" in ofOrders ? ofOrders.collections.map((collection) => withLookups(collection)) : [];

function layoutOf(text: string) {
  const read = readLayout(text, text.includes('"orders"') ? withOrders : [customers, amounts]);
  if ("mistakes" in read) throw new Error(reportMistakes(read.mistakes).join("\n"));
  return read;
}

test("the worked example: from the layout and the file in EBCDIC to the stored customers of the table", async () => {
  const [text = ""] = blocks("json");
  const { layout, collection } = layoutOf(text);
  const file = fileOf(createCodec("cp037").encode((blocks("text")[0] ?? "").replaceAll("\n", "")) as Uint8Array);
  expect(file.size).toBe(300);
  const { openRows, plan } = await openLayout(file, layout, collection);
  const service = createService();
  const { report } = await upload(new File([file], "customers.dat"), service, { openRows, plan: { ...plan, mode: "create" } });
  expect(report.counts).toMatchObject({ created: 3, notSent: 0 });
  const rows = [...service.records.values()].map(({ objectId = "*given by the service*", ...rest }) =>
    [objectId, ...Object.values(rest)].join(" | "),
  );
  for (const row of rows) expect(page).toContain(`| ${row} |`);
  expect(rows).toHaveLength(3);
});

test("every layout of the page is right", () => {
  expect(blocks("json").map((text) => layoutOf(text).layout.kind)).toEqual(["fixed", "fixed", "fixed", "fixed", "delimited", "delimited"]);
});

test("every line of what COBOL writes names a test that there is", () => {
  const rows = [...page.matchAll(/^\|[^|]+\|[^|]+\| `([a-z/-]+\.test\.ts)`: ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(19);
  for (const [, path = "", title = ""] of rows) {
    const titles = [...readFileSync(path, "utf8").matchAll(/(?:test|describe)[\s\S]*?\(\s*(["`])(.*?)\1,/g)].map(([, , name = ""]) => name);
    expect([path, title, titles.some((each) => each.includes(title))]).toEqual([path, title, true]);
  }
});

test("every packed or binary number of the table has the bytes that its PICTURE needs, and a way to read it", () => {
  const rows = [...page.matchAll(/^\| `(PIC [^`]+)`.*`("length": [^`]+"usage"[^`]+)` \|$/gm)];
  expect(rows).toHaveLength(12);
  for (const [, picture = "", keys] of rows) {
    const fieldFormat = JSON.parse(`{ ${keys} }`) as { length: number; usage: Usage; format?: string; digits?: number; decimals?: number };
    const [whole = 0, part = 0] = [...picture.matchAll(/9\((\d+)\)|V(9+)/g)].map(([, n, nines]) => Number(n ?? nines?.length));
    const spare = NUMERALS[fieldFormat.usage].room(fieldFormat.length) - whole - part; // an even number of digits leaves half a byte
    expect([picture, spare, fieldFormat.decimals ?? 0]).toEqual([
      picture,
      (whole + part + 1) % 2 && fieldFormat.usage === "packed" ? 1 : 0,
      part,
    ]);
    const name = fieldFormat.format ? "birthday" : fieldFormat.digits ? "badge" : fieldFormat.decimals ? "salary" : "id";
    expect(mistakesOf({ ...(staff({ name, start: 1, ...fieldFormat }) as object), lineEnd: "none" })).toBe("");
  }
});

test("every floating-point number of the table has four or eight bytes, and a layout may say so", () => {
  const rows = [...page.matchAll(/^\| `(COMP-[12])`[^|]*\| ([48]) \| `("length": [^`]+)` \|$/gm)];
  expect(rows).toHaveLength(5);
  for (const [, usage, bytes, keys] of rows) {
    const field = { name: "salary", start: 1, ...JSON.parse(`{ ${keys} }`) };
    expect([field.length, usage]).toEqual([Number(bytes), bytes === "4" ? "COMP-1" : "COMP-2"]);
    expect(mistakesOf({ ...(staff(field) as object), lineEnd: "none" })).toBe("");
  }
});

test("every sign of the table is written and read so", () => {
  const rows = [...page.matchAll(/^\| `PIC S9[^|]+\| `"sign": "([a-z-]+)"` \| `(\S+)` \| `(\S+)` \|$/gm)];
  expect(rows.map(([, sign]) => sign)).toEqual(SIGNS);
  for (const [, sign, minus = "", plus = ""] of rows) {
    const form = openSign(sign as Sign, "utf-8");
    expect([form.read(minus), form.read(plus)].map(Number)).toEqual([-415, 415]);
    expect([form.write("415", true, minus.length), form.write("415", false, plus.length)].map((text) => text.padStart(5, "0"))).toEqual([
      minus,
      plus,
    ]);
  }
});

test("every key of a layout has its line", () => {
  const { fixed, delimited, detail, otherDetail, table, itemRecords, field, header, trailer } = schema.$defs;
  const keys = [fixed, delimited, detail, otherDetail, table, itemRecords, field, header, trailer]
    .flatMap(({ properties }) => Object.keys(properties))
    .filter((key) => key !== "$schema");
  for (const key of keys) expect(page).toContain(`\`${key}\``);
});

test("the table of code pages names every EBCDIC encoding, and the bytes that its characters have", () => {
  const rows = [...page.matchAll(/^\| `(cp\d+)` \|[^|]+\|([^\n]+)\|$/gm)];
  expect(rows.map(([, encoding]) => encoding)).toEqual(EBCDIC_ENCODINGS);
  for (const [, encoding = "", cells = ""] of rows) {
    const codec = createCodec(encoding as EbcdicEncoding);
    const bytes = [..."@[]!€"].map(
      (sign) =>
        Buffer.from(codec.encode(sign) ?? [])
          .toString("hex")
          .toUpperCase() || "–",
    );
    expect([encoding, cells.split("|").map((cell) => cell.trim())]).toEqual([encoding, bytes]);
  }
});

test("every date of the table is stored so", async () => {
  const rows = [...page.matchAll(/^\| `([0-9.-]+)` \| `("format": [^`]+)` \| (\S+) \|$/gm)];
  expect(rows).toHaveLength(10);
  for (const [, text = "", keys, expected = ""] of rows) {
    const name = expected.includes("T") ? "at" : "day";
    const field = { name, start: 5, length: text.length, ...JSON.parse(`{ ${keys} }`) };
    const fields = [{ name: "id", start: 1, length: 4 }, field];
    const layout = { kind: "fixed", collection: "amounts", recordLength: 4 + text.length, lineEnd: "none", detail: { fields } } as const;
    expect(readLayout(JSON.stringify(layout), [amounts])).toEqual({ layout, collection: amounts });
    const { rows: read } = await readAll(fileOf(Buffer.from(`0001${text}`)), layout, amounts);
    expect(validateValue(amounts.byName.get(name) as Field, read[0]?.[1], "text")).toBe(expected);
  }
});
