// Files with quotation marks, and files whose rows have too many or too few separators.

import type { CorpusClass, CorpusFile, Truth } from "./corpus.ts";
import { HEADER, lines, people, quotedLines } from "./people.ts";

const HEAD = lines([HEADER]);
const BEFORE = people(6);
const AFTER = people(6, 20);

/** Some plain rows, one text in the middle, and plain rows again. `says`: the rows of the text. */
function amid(of: CorpusClass, name: string, text: string, says: Truth["rows"], more: Partial<CorpusFile> = {}): CorpusFile {
  const content = `${HEAD}${lines(BEFORE)}${text}\n${lines(AFTER)}`;
  return { of, name, content, header: HEADER, rows: [...BEFORE, ...says, ...AFTER], ...more };
}

function whole(of: CorpusClass, name: string, content: string, rows: Truth["rows"], more: Partial<CorpusFile> = {}): CorpusFile {
  return { of, name, content, header: HEADER, rows, ...more };
}

const SPACE = "space before a quote";
const spaced = people(8).map(([id = "", name = "", note = "", account = ""]) => [id, `${name}, Jo`, note, account]);
const SPACED: CorpusFile[] = [
  whole(SPACE, "every cell", HEAD + quotedLines(spaced, ",", " "), spaced),
  whole(SPACE, "semicolons", lines([HEADER], ";") + quotedLines(spaced, ";", " "), spaced),
  whole(SPACE, "bars", lines([HEADER], "|") + quotedLines(spaced, "|", " "), spaced),
  whole(SPACE, "several spaces", HEAD + quotedLines(spaced, ",", "   "), spaced),
  whole(SPACE, "the heading, too", quotedLines([HEADER, ...spaced], ",", " "), spaced),
  amid(SPACE, "one row", '7, "Smith, Jo", "2,3", A-7', [["7", "Smith, Jo", "2,3", "A-7"]]),
  amid(SPACE, "doubled marks within", '7, "say ""hi, there""", x, A-7', [["7", 'say "hi, there"', "x", "A-7"]]),
  amid(SPACE, "a line break within", '7, "Oak St 1\nLeeds", x, A-7', [["7", "Oak St 1\nLeeds", "x", "A-7"]]),
  amid(SPACE, "the first cell", ' "7", "Smith, Jo",x,A-7', [["7", "Smith, Jo", "x", "A-7"]]),
  amid(SPACE, "an empty quoted cell", '7, "",x,A-7', [["7", "", "x", "A-7"]]),
  whole(SPACE, "far down", HEAD + lines(people(4000)) + quotedLines(spaced, ",", " "), [...people(4000), ...spaced]),
  whole(SPACE, "at the end without a line end", `${HEAD}${lines(BEFORE)}7, "Smith, Jo", "2,3", "A-7"`, [
    ...BEFORE,
    ["7", "Smith, Jo", "2,3", "A-7"],
  ]),
  // The opposite: what looks like it and is text.
  amid(SPACE, "not: JSON in a cell", '7,Smith,"{""a"": 1, ""b"": ""x, y""}",A-7', [["7", "Smith", '{"a": 1, "b": "x, y"}', "A-7"]]),
  amid(SPACE, "not: a nickname", '7,Smith, "Bob" the third,A-7', [["7", "Smith", ' "Bob" the third', "A-7"]]),
  amid(SPACE, "not: an unpaired mark", '7,Smith, "hello,A-7', [["7", "Smith", ' "hello', "A-7"]]),
  amid(SPACE, "not: quoted text with a comma and a mark", '7,Smith,"one, ""two"", three",A-7', [
    ["7", "Smith", 'one, "two", three', "A-7"],
  ]),
  amid(SPACE, "not: spaces within marks", '7," Smith"," x ",A-7', [["7", " Smith", " x ", "A-7"]]),
  amid(SPACE, "not: inches", '7,Smith,5 " pipe,A-7', [["7", "Smith", '5 " pipe', "A-7"]]),
];

const SURPLUS = "surplus empty cells";
const padded = (rows: readonly string[][], by = ",") => rows.map((cells) => `${cells.join(",")}${by}\n`).join("");
const PADDED: CorpusFile[] = [
  amid(SURPLUS, "a separator too many in the middle", "7,Smith,,x,", [null]),
  amid(SURPLUS, "a comma in a name", "7,Smith, Jo,x,", [null]),
  amid(SURPLUS, "two separators too many", "7,Smith,Jo,x,,", [null]),
  amid(SURPLUS, "a cell of spaces at the end", "7,Smith,Jo,x, ", [null]),
  amid(SURPLUS, "quoted and moved", '"7","Smith","","Jo",""', [null]),
  whole(SURPLUS, "in padded rows one separator too few", `${HEAD + padded(BEFORE)}7,Smith Jo,A-7,\n${padded(AFTER)}`, [
    ...BEFORE,
    null,
    ...AFTER,
  ]),
  whole(SURPLUS, "in padded rows one too many", `${HEAD + padded(BEFORE)}7,Smith,Jo,x,,\n${padded(AFTER)}`, [...BEFORE, null, ...AFTER]),
  // The opposite: padding that most rows have.
  whole(SURPLUS, "not: every row ends with one", HEAD + padded(BEFORE), BEFORE),
  whole(SURPLUS, "not: every row ends with three", HEAD + padded(BEFORE, ",,,"), BEFORE),
  whole(
    SURPLUS,
    "not: the heading, too",
    `objectId,lastName,note,accountID,\n${padded(BEFORE)}`,
    BEFORE.map((cells) => [...cells, ""]),
    {
      header: [...HEADER, ""],
    },
  ),
  whole(SURPLUS, "not: most rows, some without", HEAD + padded(BEFORE) + lines(people(1, 9)) + padded(AFTER), [
    ...BEFORE,
    ...people(1, 9),
    ...AFTER,
  ]),
  whole(SURPLUS, "not: semicolons", lines([HEADER], ";") + BEFORE.map((cells) => `${cells.join(";")};\n`).join(""), BEFORE),
];

const TEXT = "quotes as text";
const backslash = (rows: readonly string[][]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replace(/["\\]/g, "\\$&")}"`).join(",")}\n`).join("");
const quoting = people(8).map(([id = "", name = "", , account = ""]) => [id, name, 'say "hi, there", ok', account]);
const paths = people(8).map(([id = "", name = "", , account = ""]) => [id, name, "C:\\data\\", account]);
const LINES = { choices: { quote: "lines" } };
const AS_TEXT: CorpusFile[] = [
  whole(TEXT, "backslashes before marks", HEAD + backslash(quoting), quoting),
  whole(TEXT, "backslashes before backslashes, too", HEAD + backslash([...quoting, ...paths]), [...quoting, ...paths]),
  whole(TEXT, "backslashes and line breaks", HEAD + backslash([...quoting, ["9", "Smith", 'one "a"\ntwo', "A-9"]]), [
    ...quoting,
    ["9", "Smith", 'one "a"\ntwo', "A-9"],
  ]),
  whole(TEXT, "a backslash before a separator", `${HEAD}${backslash(quoting)}9,Smith\\, Jo,x,A-9\n`, [
    ...quoting,
    ["9", "Smith, Jo", "x", "A-9"],
  ]),
  amid(TEXT, "one backslash row, marks as text", '7,Smith,"say \\"hi, there\\"",A-7', [null], LINES),
  amid(TEXT, "nested marks", '7,Smith,"say "hi, there", ok",A-7', [["7", "Smith", 'say "hi, there", ok', "A-7"]], LINES),
  amid(TEXT, "nested marks at the end", '7,Smith,"say "hi"",A-7', [["7", "Smith", 'say "hi"', "A-7"]], LINES),
  amid(TEXT, "inches in a quoted cell", '7,Smith,"5" pipe",A-7', [["7", "Smith", '5" pipe', "A-7"]], LINES),
  amid(TEXT, "doubled marks, marks as text", '7,Smith,"say ""hi"", ok",A-7', [["7", "Smith", 'say "hi", ok', "A-7"]], LINES),
  amid(TEXT, "text after a quoted comma", '7,Smith,"Oak, Leeds" x', [null], LINES),
  amid(TEXT, "nested and unclear", '7,"a", "b "c", d, A-7', [null], LINES),
  amid(TEXT, "marks doubled in part", '7,Smith,"a ""b"" "c" d",A-7', [null], LINES),
  // The opposite.
  whole(TEXT, "not: paths that end with a backslash", HEAD + quotedLines(paths), paths),
  amid(TEXT, "not: a backslash outside marks", "7,Smith,a\\b,A-7", [["7", "Smith", "a\\b", "A-7"]]),
  amid(TEXT, "not: doubled marks", '7,Smith,"say ""hi"", ok",A-7', [["7", "Smith", 'say "hi", ok', "A-7"]]),
  amid(TEXT, "not: a mark at the start, as text", '7,"Ace Quote,x,A-7', [["7", '"Ace Quote', "x", "A-7"]], LINES),
  amid(TEXT, "not: a mark and a quoted cell", '7,"Ace Quote,"x, y",A-7', [["7", '"Ace Quote', "x, y", "A-7"]], LINES),
  amid(TEXT, "a nested mark that nobody chose", '7,Smith,"say "hi" now",A-7', [null]),
  amid(TEXT, "one backslash row that nobody chose", '7,Smith,"say \\"hi\\" now",A-7', [["7", "Smith", 'say "hi" now', "A-7"]]),
];

const MULTI = "multi-line cells";
const MULTI_LINE: CorpusFile[] = [
  amid(MULTI, "an address", '7,Smith,"Oak St 1\nLeeds\nUK",A-7', [["7", "Smith", "Oak St 1\nLeeds\nUK", "A-7"]]),
  amid(MULTI, "a letter with as many commas", '7,Smith,"Dear Ann,\nI saw Bo, Cy, Di, and Ed,\nbye, bye",A-7', [
    ["7", "Smith", "Dear Ann,\nI saw Bo, Cy, Di, and Ed,\nbye, bye", "A-7"],
  ]),
  amid(
    MULTI,
    "a list whose lines are as wide as rows",
    '7,Smith,"apples, pears, plums, figs\nnuts, salt, oil, rice\nbread, tea, milk, jam",A-7',
    [["7", "Smith", "apples, pears, plums, figs\nnuts, salt, oil, rice\nbread, tea, milk, jam", "A-7"]],
  ),
  amid(MULTI, "a table in a cell", '7,Smith,"a,b,c,d\n1,2,3,4\n5,6,7,8",A-7', [["7", "Smith", "a,b,c,d\n1,2,3,4\n5,6,7,8", "A-7"]]),
  amid(MULTI, "CRLF within", '7,Smith,"one\r\ntwo",A-7', [["7", "Smith", "one\r\ntwo", "A-7"]]),
  amid(MULTI, "marks within", '7,Smith,"one ""a""\ntwo",A-7', [["7", "Smith", 'one "a"\ntwo', "A-7"]]),
  amid(MULTI, "a ragged row with a line break", '7,Smith,"one\ntwo"', [null]),
  whole(
    MULTI,
    "every row",
    HEAD + quotedLines(people(9).map((cells) => [...cells.slice(0, 2), "one, two,\nthree, four", "A"])),
    people(9).map((cells) => [...cells.slice(0, 2), "one, two,\nthree, four", "A"]),
  ),
  // The opposite: marks that swallow rows must be noticed.
  amid(MULTI, "not: two marks that happen to pair", '7,Smith,"6 in,A-7\n8,Jones,y,A-8\n9,Brown,8 in",A-9', [null, null, null]),
  amid(MULTI, "not: two neighbours that happen to pair", '7,Smith,"6 in,A-7\n8,Jones,8 in",A-8', [null, null]),
  whole(MULTI, "not: one that is never closed", `${HEAD}${lines(BEFORE)}7,"Smith,x,A-7\n${lines(AFTER)}`, [
    ...BEFORE,
    null,
    ...AFTER.map(() => null),
  ]),
];

const MISSING = "missing separator";
const LACKING: CorpusFile[] = [
  amid(MISSING, "before a quoted comma", '7,Smith"Oak St 1, Leeds",A-7', [null]),
  amid(MISSING, "before the last", '7,Smith,x"A-7, B"', [null]),
  amid(MISSING, "after a number", '7"Smith, Jo",x,A-7', [null]),
  amid(MISSING, "behind a quoted comma", '7,"Smith, Jo"x,A-7', [null]),
  amid(MISSING, "behind a price, before a text that ends with inches", '7,$9"Kids, 24""",A-7', [null]),
  amid(MISSING, "behind a number, before a text that ends with a number", '7,9"Kids, 24",A-7', [null]),
  amid(MISSING, "between two quoted cells", '7,"Smith, Jo""x",A-7', [null]),
  amid(MISSING, "as text, before a quoted comma", '7,Smith"Oak St 1, Leeds",A-7', [null], LINES),
  amid(MISSING, "as text, behind a quoted comma", '7,"Smith, Jo"x,A-7', [null], LINES),
  whole(MISSING, "semicolons", `${lines([HEADER], ";")}${lines(BEFORE, ";")}7;Smith"Oak; Leeds";A-7\n`, [...BEFORE, null]),
  // The opposite.
  amid(MISSING, "not: inches", '7,5" pipe,6" pipe,A-7', [["7", '5" pipe', '6" pipe', "A-7"]]),
  amid(MISSING, "not: inches without spaces", '7,5"x3,6"x4,A-7', [["7", '5"x3', '6"x4', "A-7"]]),
  amid(MISSING, "not: a nickname", '7,Jo "Bob" Smith,x,A-7', [["7", 'Jo "Bob" Smith', "x", "A-7"]]),
  amid(MISSING, "not: quoted marks", '7,"a""b, c""d",x,A-7', [["7", 'a"b, c"d', "x", "A-7"]]),
  amid(MISSING, "not: two quoted cells with marks", '7,"a""b","c d""",A-7', [["7", 'a"b', 'c d"', "A-7"]]),
];

export const QUOTED_FILES: readonly CorpusFile[] = [...SPACED, ...PADDED, ...AS_TEXT, ...MULTI_LINE, ...LACKING];
