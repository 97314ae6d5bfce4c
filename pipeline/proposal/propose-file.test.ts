import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { mistakesIn } from "../../server/dictionary/mistakes.ts";
import { writeXlsx } from "../containers/write-xlsx.ts";
import { realClock } from "../model/clock.ts";
import { runCheck } from "../runs/run-upload.ts";
import { fileOf } from "../testing/fake-service.ts";
import { proposeFile } from "./propose-file.ts";
import type { ColumnProposal, TableProposal } from "./propose-table.ts";
import { proposedCollection } from "./proposed-resource.ts";

const ZONE = "Europe/Berlin";

async function propose(file: File) {
  let found: Awaited<ReturnType<ReturnType<typeof proposeFile>["next"]>>["value"];
  for await (const step of proposeFile(file, {}, realClock, ZONE)) found = step;
  return found as { inspection: { dialect: never; header: string[] }; table: TableProposal };
}

/** Checks the file with the proposal as the dictionary. If it is right, there are no problems. */
async function problemsOf(
  file: File,
): Promise<{ columns: readonly ColumnProposal[]; problems: string[]; rows: number; resource: unknown }> {
  const { inspection, table } = await propose(file);
  const made = proposedCollection({ title: "Things", noun: "thing" }, table.columns, [{ name: "customers", singular: "customer" }]);
  const dataPackage = { name: "test", resources: [made.resource] };
  expect(mistakesIn(dataPackage), JSON.stringify(made.resource)).toEqual([]);
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const [collection] = read.collections;
  if (!collection) throw new Error("It has no collection.");
  const plan = { dialect: inspection.dialect, columns: made.columns, mode: "create" as const, fixes: made.fixes };
  const problems: string[] = [];
  let rows = 0;
  for await (const state of runCheck({ file, collection, plan, signal: new AbortController().signal })) {
    if (state.step === "refused") problems.push(state.title);
    if (state.step !== "checked") continue;
    rows = state.check.rowsRead;
    for (const { field, code, examples } of state.check.groups as unknown as { field: string; code: string; examples?: unknown }[])
      problems.push(`${field} ${code} ${JSON.stringify(examples)}`);
  }
  return { columns: table.columns, problems, rows, resource: made.resource };
}

const column = (columns: readonly ColumnProposal[], heading: string) => columns.find((one) => one.heading === heading) as ColumnProposal;
const lines = (heading: string, rows: readonly string[]) => fileOf(`${[heading, ...rows].join("\n")}\n`, "things.csv");
const sortsOf = (columns: readonly ColumnProposal[]) => Object.fromEntries(columns.map(({ heading, sort }) => [heading, sort]));

test("a file of a German office: each column with its reason", async () => {
  const rows = Array.from({ length: 40 }, (_, i) =>
    [
      1000 + i,
      `Frau ${String.fromCharCode(65 + (i % 26))}${i}`,
      `0${1000 + i}`,
      `${String((i % 28) + 1).padStart(2, "0")}.03.2024`,
      `${i + 1}.${String(i + 100)},5${i % 10} €`,
      i % 3 ? "ja" : "nein",
      ["offen", "fertig", "wartet"][i % 3],
      `a${i}@beispiel.de`,
      `+49 30 ${123000 + i}`,
      `${8 + (i % 9)}:30 Uhr`,
      1990 + (i % 30),
      `2024-01-${String((i % 28) + 1).padStart(2, "0")} 08:15`,
    ].join(";"),
  );
  const heading = "Nr.;Bezeichnung;PLZ;Eingang;Betrag;Aktiv;Stand;E-Mail;Telefon;Beginn;Baujahr;Geändert am";
  const { columns, problems } = await problemsOf(lines(heading, rows));
  expect(problems).toEqual([]);
  expect(sortsOf(columns)).toEqual({
    "Nr.": "integer",
    Bezeichnung: "text",
    PLZ: "text",
    Eingang: "date",
    Betrag: "decimal",
    Aktiv: "boolean",
    Stand: "choice",
    "E-Mail": "email",
    Telefon: "phone",
    Beginn: "time",
    Baujahr: "year",
    "Geändert am": "datetime",
  });
  expect(columns.filter(({ isKey }) => isKey).map(({ name }) => name)).toEqual(["nr"]);
  expect(columns.filter(({ isLabel }) => isLabel).map(({ name }) => name)).toEqual(["bezeichnung"]);
  expect(column(columns, "Eingang").evidence).toEqual([
    "All 40 values are dates. They are written like “01.03.2024”.",
    "Every row has a value.",
  ]);
  expect(column(columns, "Stand").evidence).toContain("3 different values.");
  expect(column(columns, "PLZ").evidence).toContain("Values begin with a zero, which a number would lose, so this stays text.");
  expect(column(columns, "Betrag")).toMatchObject({ unit: "€", decimals: 2, isRequired: true });
  expect(column(columns, "E-Mail").evidence).toContain("No value stands there twice.");
  expect(column(columns, "Geändert am").name).toBe("geaendertAm");
});

describe("what is uncertain stays text, with the reason", () => {
  const twelve = (cell: (i: number) => string) => Array.from({ length: 12 }, (_, i) => cell(i));
  test.each<[string, string, string[], RegExp]>([
    ["the order of day and month", "When", twelve((i) => `0${(i % 9) + 1}/0${((i + 3) % 9) + 1}/2024`), /whether the day or the month/],
    ["the century", "When", twelve((i) => `${i + 10}.12.24`), /does not say its century/],
    ["zeros in front", "Code", twelve((i) => `00${i}`), /begin with a zero/],
    ["postal codes without such a zero", "ZIP code", twelve((i) => String(10115 + i)), /a name and no amount/],
    ["points between thousands or before decimals", "Weight", twelve((i) => `1.${100 + i * 10}`), /thousands/],
    ["many digits", "Card", twelve((i) => `4929${10000000 + i}`), /So many digits/],
    ["three slips", "When", [...twelve((i) => `2024-01-${i + 10}`), "soon", "later"], /^2 of 14 values are no dates, such as “soon”/],
    ["two currencies", "Price", twelve((i) => `${i},50 ${i % 2 ? "€" : "$"}`), /different units/],
    ["two spellings of one value", "State", twelve((i) => ["open", "Open"][i % 2] as string), /may be one value/],
  ])("%s", async (_, heading, cells, reason) => {
    const { columns, problems } = await problemsOf(fileOf(`Name;${heading}\n${cells.map((cell, i) => `N${i % 5}x;${cell}`).join("\n")}\n`));
    expect(problems).toEqual([]);
    expect(column(columns, heading).sort).toBe("text");
    expect(column(columns, heading).evidence.join("\n")).toMatch(new RegExp(reason.source, "m"));
  });
});

test("numbers that only clear cells explain: 1.500 beside 0,50 is fifteen hundred", async () => {
  const { columns, problems } = await problemsOf(fileOf("Name;Preis\nA;1.500\nB;0,50\nC;12,25\n"));
  expect(problems).toEqual([]);
  expect(column(columns, "Preis")).toMatchObject({ sort: "decimal", decimals: 2 });
});

describe("ugly files", () => {
  test("doubled headings, reserved names, numbers as headings, no heading, empty columns", async () => {
    const { columns, problems } = await problemsOf(lines("Name,Name,version,2021,,Leer,Limit", ["a,b,c,1,x,,9", "d,e,f,2,y,,8"]));
    expect(problems).toEqual([]);
    expect(columns.map(({ name }) => name)).toEqual(["name", "name2", "versionValue", "field2021", "column5", "leer", "limitValue"]);
    expect(columns.map(({ title }) => title)).toEqual(["Name", "Name (2)", "version", "2021", "Column 5", "Leer", "Limit"]);
    expect(columns.map(({ isIncluded }) => isIncluded)).toEqual([true, true, true, true, true, false, true]);
  });

  test("postal codes that happen to be all different are not unique, and numbers of a short file neither", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `N${i},0${1000 + i},${i + 7}`);
    const { columns } = await problemsOf(lines("Name,PLZ,House number", rows));
    expect(column(columns, "PLZ").isUnique).toBe(false);
    const short = await problemsOf(lines("Name,PLZ,House number", rows.slice(0, 5)));
    expect(short.columns.some(({ isUnique, isKey }) => isUnique || isKey)).toBe(false);
    const years = await problemsOf(lines("Year,Name", ["2020,a", "2021,b", "2022,c"]));
    expect(years.columns.map(({ sort, isKey }) => [sort, isKey])[0]).toEqual(["year", false]);
  });

  test("a heading of several lines and with marks that nobody sees is a title of one line", async () => {
    const { columns, problems } = await problemsOf(fileOf('"Name\n(full)","\u200bCity",Имя\na,b,c\n'));
    expect(problems).toEqual([]);
    expect(columns.map(({ title, name }) => [title, name])).toEqual([
      ["Name (full)", "nameFull"],
      ["City", "city"],
      ["Имя", "field"],
    ]);
  });

  test("one row", async () => {
    const { problems, columns } = await problemsOf(lines("Name,Amount", ["Ann,12"]));
    expect(problems).toEqual([]);
    expect(columns.every(({ isRequired, isUnique, isKey }) => !isRequired && !isUnique && !isKey)).toBe(true);
  });

  test("a file of values without a heading", async () => {
    const { problems, columns } = await problemsOf(fileOf("1,2024-01-01,a@b.de\n2,2024-01-02,c@d.de\n3,2024-01-03,e@f.de\n"));
    expect(problems).toEqual([]);
    expect(columns.map(({ title, sort }) => [title, sort])).toEqual([
      ["Column 1", "integer"],
      ["Column 2", "date"],
      ["Column 3", "email"],
    ]);
  });

  test("a totals row says nothing about its columns", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `2024-01-${i + 10},N${i},${i + 1}`);
    const file = lines("Date,Name,Pieces", [...rows, "Total,,78"]);
    const { inspection, table } = await propose(file);
    expect(inspection.header).toEqual(["Date", "Name", "Pieces"]);
    expect(sortsOf(table.columns)).toEqual({ Date: "date", Name: "text", Pieces: "integer" });
    expect(table).toMatchObject({ rowsRead: 13, rowsPassed: 1 });
  });

  test("a workbook, with headings of other scripts", async () => {
    const pieces: Uint8Array[] = [];
    const rows = Array.from({ length: 12 }, (_, i) => [`Иван ${i}`, `2024-02-${i + 10}`, String(i * 1.5)]);
    const table = { name: "Лист", header: ["Имя", "Дата", "Сумма"], numbers: new Set([2]) };
    for await (const piece of writeXlsx(table, (async function* () { yield rows; })())) pieces.push(piece); // biome-ignore format: short
    const file = new File(pieces as BlobPart[], "things.xlsx");
    const { problems, columns } = await problemsOf(file);
    expect(problems).toEqual([]);
    expect(columns.map(({ title, name, sort }) => [title, name, sort])).toEqual([
      ["Имя", "field", "text"],
      ["Дата", "field2", "date"],
      ["Сумма", "field3", "decimal"],
    ]);
  });
});

const two = (n: number) => String(n).padStart(2, "0");
const DAY = fc.record({ y: fc.integer({ min: 1900, max: 2100 }), m: fc.integer({ min: 1, max: 12 }), d: fc.integer({ min: 1, max: 28 }) });
/** Cells as they come in files of all sorts; a column has those of one sort, now and then with others among them. */
const CELLS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  iso: DAY.map(({ y, m, d }) => `${y}-${two(m)}-${two(d)}`),
  german: DAY.map(({ y, m, d }) => `${d}.${m}.${y}`),
  slashes: DAY.map(({ y, m, d }) => `${two(d)}/${two(m)}/${y}`),
  shortYear: DAY.map(({ y, m, d }) => `${two(d)}.${two(m)}.${two(y % 100)}`),
  moment: DAY.map(({ y, m, d }) => `${y}-${two(m)}-${two(d)} ${two(d % 24)}:${two(m)}`),
  zulu: DAY.map(({ y, m, d }) => `${y}-${two(m)}-${two(d)}T${two(d % 24)}:00:00Z`),
  clock: fc.integer({ min: 0, max: 1439 }).map((n) => `${Math.floor(n / 60)}:${two(n % 60)}`),
  whole: fc.integer().map(String),
  small: fc.integer({ min: 0, max: 9 }).map(String),
  zeros: fc.integer({ min: 0, max: 99_999 }).map((n) => String(n).padStart(5, "0")),
  comma: fc.integer({ min: -999_999, max: 999_999 }).map((n) => (n / 100).toFixed(2).replace(".", ",")),
  thousands: fc.integer({ min: 0, max: 99_999_999 }).map((n) => (n / 100).toLocaleString("de-DE", { minimumFractionDigits: 2 })),
  english: fc.integer({ min: 0, max: 99_999_999 }).map((n) => (n / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })),
  point3: fc.integer({ min: 0, max: 9_999_999 }).map((n) => (n / 1000).toFixed(3)),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  euro: fc.integer({ min: 0, max: 999_999 }).map((n) => `${(n / 100).toFixed(2).replace(".", ",")} €`),
  percent: fc.integer({ min: 0, max: 100 }).map((n) => `${n} %`),
  yes: fc.constantFrom("ja", "nein", "J", "N", "yes", "no", "TRUE", "false", "x"),
  state: fc.constantFrom("offen", "in Arbeit", "fertig", " fertig "),
  email: fc.integer({ min: 1, max: 999 }).map((n) => `p${n}@example.org`),
  phone: fc.integer({ min: 100_000, max: 9_999_999 }).map((n) => `+49 (0)30 ${n}`),
  uri: fc.constantFrom("https://example.org/a", "www.example.org", "http://x.de?q=1"),
  none: fc.constantFrom("n/a", "-", "k.A.", "", "NULL"),
  lines: fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => `${text}\nzwei`),
  tabs: fc.constantFrom("a\tb", "a\u200bb", "a\u0007b", "e\u0301"),
  text: fc.string({ unit: "grapheme", maxLength: 120, size: "max" }),
};

const HEADINGS = fc.constantFrom(
  "Name",
  "name",
  "ID",
  "id",
  "Version",
  "Datum",
  "Jahr",
  "PLZ",
  "Telefon",
  "E-Mail",
  "2021",
  "count",
  "Straße",
  "Betrag",
  "Index",
  "",
);

const COLUMN = fc.record({
  heading: HEADINGS,
  sort: fc.constantFrom(...Object.keys(CELLS)),
  other: fc.constantFrom(...Object.keys(CELLS)),
  /** How many of a hundred cells are of another sort, or empty. */
  others: fc.constantFrom(0, 0, 0, 5),
  empty: fc.constantFrom(0, 0, 20),
});

const TABLE = fc.array(COLUMN, { minLength: 2, maxLength: 8 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(
      fc.tuple(
        ...columns.map(({ sort, other, others, empty }) =>
          fc.oneof(
            { weight: 100 - others - empty, arbitrary: CELLS[sort] as fc.Arbitrary<string> },
            { weight: others, arbitrary: CELLS[other] as fc.Arbitrary<string> },
            { weight: empty, arbitrary: fc.constant("") },
          ),
        ),
      ),
      { minLength: 1, maxLength: 60 },
    ),
  }),
);

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Problems of a row as a whole, or of a cell that holds no value: no dictionary could take them. */
const OF_ROWS = /^ |DAMAGED/;

test("nothing that was proposed refuses a row of its own file", async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, async ({ columns, rows }) => {
      const text = [columns.map(({ heading }) => heading), ...rows].map((cells) => cells.map(csvCell).join(",")).join("\r\n");
      const file = fileOf(`${text}\r\n`, "things.csv");
      const found = await propose(file).catch(() => undefined); // nothing but empty rows, for example
      fc.pre(found?.table.columns.some(({ isIncluded }) => isIncluded) === true);
      const { problems } = await problemsOf(file);
      expect(problems.filter((problem) => !OF_ROWS.test(problem))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
