// Files with lines that are no rows, and files with other separators.

import type { CorpusFile, Truth } from "./corpus.ts";
import { HEADER, lines, people } from "./people.ts";

const NO_DATA = "rows that are no data";
const HEAD = lines([HEADER]);
const ROWS = people(12);

const table = (name: string, content: string, rows: Truth["rows"], header: readonly string[] = HEADER): CorpusFile => ({
  of: NO_DATA,
  name,
  content,
  header,
  rows,
});

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
