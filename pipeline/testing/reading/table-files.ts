// Files with lines that are no rows, and files with other separators.

import type { CorpusFile, Truth } from "./corpus.ts";
import { HEADER, lines, people } from "./people.ts";

const NO_DATA = "rows that are no data";
const HEAD = lines([HEADER]);
const ROWS = people(12);
/** A note in every third row only. */
const GAPS = ROWS.map(([id = "", name = "", note = "", account = ""], i) => (i % 3 === 0 ? [id, name, note, account] : [id, name, "", ""]));
const NAMED = ROWS.map(([id = "", name = ""], i) => [name, `Jo ${i}`, "paid", `10${id}`]);

const table = (name: string, content: string, rows: Truth["rows"], header: readonly string[] = HEADER): CorpusFile => ({
  of: NO_DATA,
  name,
  content,
  header,
  rows,
});

/** Rows of numbers under a name: their sums can be known. */
const SALES_HEADER = ["region", "2021", "2022"];
const SALES = people(12).map(([, name = ""], i) => [`${name} ${i}`, String(100 + i), String(1000 + 7 * i)]);
const sumOf = (rows: readonly (readonly string[])[], at: number) => String(rows.reduce((sum, cells) => sum + Number(cells[at]), 0));
const SALES_TOTAL = ["Total", sumOf(SALES, 1), sumOf(SALES, 2)];
const sales = (name: string, rows: readonly (readonly string[])[], says: Truth["rows"]): CorpusFile =>
  table(name, lines([SALES_HEADER, ...rows]), says, SALES_HEADER);

const SUSPECTS: CorpusFile[] = [
  sales("a total in a row of numbers", [...SALES, SALES_TOTAL], [...SALES, null]),
  sales("a total without a word", [...SALES, ["", ...SALES_TOTAL.slice(1)]], [...SALES, null]),
  sales(
    "a subtotal for each half",
    [
      ...SALES.slice(0, 6),
      ["North total", sumOf(SALES.slice(0, 6), 1), sumOf(SALES.slice(0, 6), 2)],
      ...SALES.slice(6),
      ["South total", sumOf(SALES.slice(6), 1), sumOf(SALES.slice(6), 2)],
      ["Grand total", ...SALES_TOTAL.slice(1)],
    ],
    [...SALES.slice(0, 6), null, ...SALES.slice(6), null, null],
  ),
  sales("a mean at the end", [...SALES, ["Durchschnitt", "105.5", "1038.5"]], [...SALES, null]),
  sales("other names in the second row", [["Gebiet", "Vorjahr", "Jahr"], ...SALES], [null, ...SALES]),
  table(
    "a total of amounts with a comma",
    `name;city;amount\n${ROWS.map(([, name], i) => `${name} ${i};Bonn;1.00${i % 10},50\n`).join("")}Summe;;12.058,00\n`,
    [...ROWS.map(([, name], i) => [`${name} ${i}`, "Bonn", `1.00${i % 10},50`]), null],
    ["name", "city", "amount"],
  ),
  table("names and units below each other", `${HEAD}Object ID,Last name,Note,Account ID\n,kg,,\n${lines(ROWS)}`, [null, null, ...ROWS]),
  table("the heading repeated in capitals", `${HEAD}${lines(ROWS)}OBJECTID,LASTNAME,NOTE,ACCOUNTID\n`, [...ROWS, null]),
  table("the heading on every page", `${HEAD}${lines(ROWS)}${HEAD}${lines(ROWS)}${HEAD}${lines(ROWS)}`, [
    ...ROWS,
    null,
    ...ROWS,
    null,
    ...ROWS,
  ]),
  table("a count at the end", `${HEAD}${lines(ROWS)}Number of records: 12,,,\n`, [...ROWS, null]),
  table("a total on a line of its own", `${HEAD}${lines(ROWS)}\nTotal: 12\n`, [...ROWS, null]),
  table("notes below an empty line", `${HEAD}${lines(ROWS)}\n* preliminary,,,\nPrinted by Jo,,,\n`, [...ROWS, null, null]),
  table("two notes at the end", `${HEAD}${lines(ROWS)}All figures are preliminary,,,\nAsk Jo,,,\n`, [...ROWS, null, null]),
  table("a note in the middle", `${HEAD}${lines(ROWS.slice(0, 6))}Note: these are new,,,\n${lines(ROWS.slice(6))}`, [
    ...ROWS.slice(0, 6),
    null,
    ...ROWS.slice(6),
  ]),
  table("a second table with a title", `${HEAD}${lines(ROWS)}\nOffices,,,\ncity,zip,street,country\nLeeds,1,Oak,UK\n`, [
    ...ROWS,
    null,
    null,
    null,
  ]),
  table("a third table like the first", `${HEAD}${lines(ROWS)}\ncity,zip,street,country\nLeeds,1,Oak,UK\n\n${HEAD}${lines(ROWS)}`, [
    ...ROWS,
    null,
    null,
    null,
    ...ROWS,
  ]),
  // The opposite.
  sales("not: a customer called Total with numbers", [...SALES, ["Total", "17", "3"]], [...SALES, ["Total", "17", "3"]]),
  sales("not: Summe GmbH", [...SALES, ["Summe GmbH", "17", "3"]], [...SALES, ["Summe GmbH", "17", "3"]]),
  sales("not: a row without a name", [...SALES, ["", "17", "3"]], [...SALES, ["", "17", "3"]]),
  table("not: Total in a file with gaps", `${HEAD}${lines(GAPS)}13,Total,,\n`, [...GAPS, ["13", "Total", "", ""]]),
  table(
    "not: Total with a number only",
    `lastName,firstName,note,accountID\n${lines(NAMED)}Total,,,1012\n`,
    [...NAMED, ["Total", "", "", "1012"]],
    ["lastName", "firstName", "note", "accountID"],
  ),
  table("not: a city called like the column", `${HEAD}${lines(ROWS)}13,lastName,note to self,A-13\n`, [
    ...ROWS,
    ["13", "lastName", "note to self", "A-13"],
  ]),
  table("not: blank lines between all rows", `${HEAD}${ROWS.map((cells) => `${cells.join(",")}\n\n`).join("")}`, ROWS),
  table(
    "not: cells of two lines",
    `${HEAD}${lines(ROWS.map(([id = "", name = "", , account = ""]) => [id, name, '"a\nb\n\nc"', account]))}`,
    ROWS.map(([id = "", name = "", , account = ""]) => [id, name, "a\nb\n\nc", account]),
  ),
  table("not: names with nothing else", `${HEAD}${lines(GAPS)}14,,,\n15,Smith,,\n`, [...GAPS, ["14", "", "", ""], ["15", "Smith", "", ""]]),
  table(
    "not: a first row without numbers",
    `name,phone,zip\nSmith,unknown,n/a\n${lines(ROWS.map(([id = "", name = ""]) => [name, `555${id}`, `10${id}`]))}`,
    [["Smith", "unknown", "n/a"], ...ROWS.map(([id = "", name = ""]) => [name, `555${id}`, `10${id}`])],
    ["name", "phone", "zip"],
  ),
  table("not: a company called Source", `${HEAD}${lines(ROWS)}13,Source: our office,paid,A-13\n`, [
    ...ROWS,
    ["13", "Source: our office", "paid", "A-13"],
  ]),
];

/** `null` before or behind the rows: a line that is no row. It may be refused, left out or named. */
const LINES: CorpusFile[] = [
  table("a second heading row", `${HEAD}Object ID,Last name,Note,Account ID\n${lines(ROWS)}`, [null, ...ROWS]),
  table("the heading repeated below", `${HEAD}${lines(ROWS.slice(0, 6))}${HEAD}${lines(ROWS.slice(6))}`, [
    ...ROWS.slice(0, 6),
    null,
    ...ROWS.slice(6),
  ]),
  table(
    "units below the heading",
    `objectId,weight,height,accountID\n,kg,cm,\n${lines(ROWS.map(([id = ""], i) => [id, String(60 + i), String(170 + i), "A"]))}`,
    [null, ...ROWS.map(([id = ""], i) => [id, String(60 + i), String(170 + i), "A"])],
    ["objectId", "weight", "height", "accountID"],
  ),
  table(
    "units in brackets",
    `objectId,weight,height,accountID\n,[kg],[cm],\n${lines(ROWS.map(([id = ""], i) => [id, String(60 + i), String(170 + i), "A"]))}`,
    [null, ...ROWS.map(([id = ""], i) => [id, String(60 + i), String(170 + i), "A"])],
    ["objectId", "weight", "height", "accountID"],
  ),
  table("a total at the end", `${HEAD}${lines(ROWS)}Total,,,12\n`, [...ROWS, null]),
  table("a total in German", `${HEAD}${lines(ROWS)}Summe,,,12\n`, [...ROWS, null]),
  table("a grand total with a colon", `${HEAD}${lines(ROWS)},Grand total:,,12\n`, [...ROWS, null]),
  table("a footnote", `${HEAD}${lines(ROWS)}Source: our office,,,\n`, [...ROWS, null]),
  table("a second table", `${HEAD}${lines(ROWS)}\ncity,zip,street,country\nLeeds,1,Oak,UK\nYork,2,Elm,UK\n`, [...ROWS, null, null, null]),
  table("a second table far down", `${HEAD}${lines(people(3000))}\ncity,zip,street,country\nLeeds,1,Oak,UK\n`, [
    ...people(3000),
    null,
    null,
  ]),
  table(
    "years as headings",
    `state,2021,2022,2023\n${lines(ROWS.map(([, name = ""], i) => [name, String(i), String(i + 1), String(i + 2)]))}`,
    ROWS.map(([, name = ""], i) => [name, String(i), String(i + 1), String(i + 2)]),
    ["state", "2021", "2022", "2023"],
  ),
  table(
    "a year as the second heading",
    `state,2022\n${lines(ROWS.map(([, name = ""], i) => [name, String(i)]))}`,
    ROWS.map(([, name = ""], i) => [name, String(i)]),
    ["state", "2022"],
  ),
  table("whole lines in quotes", [HEADER, ...ROWS].map((cells) => `"${cells.join(",")}"\n`).join(""), ROWS),
  table(
    "whole lines in quotes, with quotes in them",
    [HEADER, ...ROWS.map(([id, name, , account]) => [id, `""${name}, Jo""`, "x", account])]
      .map((cells) => `"${cells.join(",")}"\n`)
      .join(""),
    ROWS.map(([id = "", name = "", , account = ""]) => [id, `${name}, Jo`, "x", account]),
  ),
  ...SUSPECTS,
  // The opposite.
  table("not: a customer called Total", `${HEAD}${lines(ROWS.slice(0, 6))}7,Total,energy,A-7\n${lines(ROWS.slice(7))}`, [
    ...ROWS.slice(0, 6),
    ["7", "Total", "energy", "A-7"],
    ...ROWS.slice(7),
  ]),
  table("not: Total as the last customer", `${HEAD}${lines(ROWS)}13,Total,energy,A-13\n`, [...ROWS, ["13", "Total", "energy", "A-13"]]),
  table("not: a blank line between", `${HEAD}${lines(ROWS.slice(0, 6))}\n${lines(ROWS.slice(6))}`, ROWS),
  table("not: a first row of text", `${HEAD}X1,Kg,cm,A\n${lines(ROWS)}`, [["X1", "Kg", "cm", "A"], ...ROWS]),
  table(
    "not: one column of quoted text",
    `lastName\n"Smith, Jo"\n"Brown, Al"\n"Davis, Cy"\n`,
    [["Smith, Jo"], ["Brown, Al"], ["Davis, Cy"]],
    ["lastName"],
  ),
];

const OTHER = "other separators";
const plain = (delimiter: string, name: string, choices?: object): CorpusFile => ({
  of: OTHER,
  name,
  content: lines([HEADER, ...NO_SPACES], delimiter),
  header: HEADER,
  rows: NO_SPACES,
  ...(choices && { choices }),
});
const NO_SPACES = ROWS.map((cells) => cells.map((cell) => cell.replaceAll(" ", "_")));

const SEPARATORS: CorpusFile[] = [
  plain(" ", "a space"),
  plain("#", "a number sign"),
  plain(":", "a colon"),
  plain("^", "a caret"),
  plain("~", "a tilde"),
  plain("||", "two bars"),
  plain("::", "two colons"),
  plain(";;", "two semicolons"),
  plain("\u001f", "the unit separator"),
  plain("@", "an at sign, by hand", { delimiter: "@" }),
  plain("<>", "two characters, by hand", { delimiter: "<>" }),
  {
    of: OTHER,
    name: "two bars and quoted cells",
    content: lines([HEADER, ...ROWS.map((cells) => cells.map((cell) => `"${cell}||x"`))], "||"),
    header: HEADER,
    rows: ROWS.map((cells) => cells.map((cell) => `${cell}||x`)),
  },
  {
    of: OTHER,
    name: "not: columns aligned by spaces",
    content: lines([["objectId", "lastName"], ...ROWS.map(([id = "", name = ""]) => [id.padEnd(10), name])], " "),
    header: ["objectId lastName"],
    rows: ROWS.map(([id = "", name = ""]) => [`${id.padEnd(10)} ${name}`]),
  },
  // The opposite.
  {
    of: OTHER,
    name: "not: times in a file of commas",
    content: `objectId,when\n${ROWS.map((_, i) => `${i},10:${20 + i}:30\n`).join("")}`,
    header: ["objectId", "when"],
    rows: ROWS.map((_, i) => [String(i), `10:${20 + i}:30`]),
  },
  {
    of: OTHER,
    name: "not: one column of two words",
    content: `Last name\n${ROWS.map(([, name]) => `van ${name}\n`).join("")}`,
    header: ["Last name"],
    rows: ROWS.map(([, name]) => [`van ${name}`]),
  },
  {
    of: OTHER,
    name: "not: one column of times",
    content: `created\n${ROWS.map((_, i) => `10:${20 + i}\n`).join("")}`,
    header: ["created"],
    rows: ROWS.map((_, i) => [`10:${20 + i}`]),
  },
  {
    of: OTHER,
    name: "not: empty cells between bars",
    content: lines([HEADER, ...ROWS.map(([id = ""]) => [id, "", "", ""])], "|"),
    header: HEADER,
    rows: ROWS.map(([id = ""]) => [id, "", "", ""]),
  },
  {
    of: OTHER,
    name: "not: addresses with number signs",
    content: lines([HEADER, ...ROWS.map(([id = "", name = "", , account = ""]) => [id, name, "Oak #1 #2 #3", account])]),
    header: HEADER,
    rows: ROWS.map(([id = "", name = "", , account = ""]) => [id, name, "Oak #1 #2 #3", account]),
  },
];

export const TABLE_FILES: readonly CorpusFile[] = [...LINES, ...SEPARATORS];
