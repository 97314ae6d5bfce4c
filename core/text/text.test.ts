import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, guardFormula, unguardFormula } from "./csv.ts";
import { fold, foldWords } from "./fold.ts";
import { bareName, closest, closestAlone } from "./similarity.ts";

test.each([
  ["Ångström", "angstrom"],
  ["STRASSE", "strasse"],
  ["Straße", "strasse"],
  ["Łódź", "lodz"],
  ["İstanbul", "istanbul"],
  ["Ｆｕｌｌ", "full"],
  ["O’Brien", "o'brien"],
  ["Ærø", "aero"],
  ["Mei\u200ber", "meier"],
  ["\ufeffZoë\u2060", "zoe"],
  ["Donau\u00addampf", "donaudampf"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["ΟΔΟΣ", "οδοσ"],
  ["οδός", "οδοσ"],
])("%s folds to %s", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test("folding a folded text changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => fold(fold(text)) === fold(text)),
    { interruptAfterTimeLimit: 5_000 },
  );
});

test("words are runs of letters and digits", () => {
  expect(foldWords("Zoë van ’t Hoff-00071")).toEqual(["zoe", "van", "t", "hoff", "00071"]);
});

test.each([
  ["lastname", "lastName"],
  ["last_name", "lastName"],
  ["lastNmae", "lastName"],
  ["acountID", "accountID"],
  ["id", undefined],
  ["telephone", undefined],
  ["__proto__", undefined],
])("%s is probably %s", (name, meant) => {
  expect(closest(name, ["objectId", "firstName", "lastName", "accountID"])).toBe(meant);
});

test.each([
  ["Oel", "Öl"],
  ["Öl", "Oel"],
  ["Ol", "Öl"],
  ["Anfaenger", "Anfänger"],
  ["Anfanger", "Anfänger"],
  ["ANFAENGR", "Anfänger"],
  ["Aepfelkoerbe gross", "Äpfelkörbe groß"],
  ["Aal", undefined],
])("%s most likely means %s, however umlauts are written", (name, meant) => {
  const names = ["Anfänger", "Äpfelkörbe groß", name === "Öl" ? "Oel" : "Öl"];
  expect(closest(name, names)).toBe(meant);
});

test("a name that is as close to two candidates means neither, unless both stand for one thing", () => {
  const meanings = (begin: string, bagin: string) => new Map(Object.entries({ begin, bagin }));
  expect(closestAlone("bgin", meanings("start", "end"))).toBeUndefined();
  expect(closestAlone("bgin", meanings("start", "start"))).toBe("start");
});

test.each([
  ["Inaktiv", "Inactive"],
  ["AKTIV", "Active"],
  ["Adresse", "Address"],
  ["Prozess", "Process"],
  ["Système", "System"],
  ["Kontakt.", "Contact"],
  ["Photographie", "Fotografie"],
  ["Kunde", undefined],
  ["A11", undefined],
  ["Kat", undefined],
])("%s means %s, which is the same word in another language", (word, meant) => {
  const known = ["Active", "Inactive", "Address", "Process", "System", "Contact", "Fotografie", "A1", "Cat", "Conde Nast"];
  expect(closestAlone(word, new Map(known.map((one) => [one, one])))).toBe(meant);
});

test("a word that another language has with two meanings means neither of them", () => {
  const known = new Map([["Optic", "lenses"], ["Optik", "shop"]]); // biome-ignore format: short
  expect(closestAlone("Opticke", known)).toBeUndefined();
});

test("names are compared without case, accents and punctuation", () => {
  expect(bareName("  Prénom (usuel)_")).toBe("prenomusuel");
});

test("a line of CSV quotes what must be quoted, and nothing else", () => {
  expect(csvLine(["1", 'He said "hi"', "a,b", "two\nlines", " edge", ""])).toBe('1,"He said ""hi""","a,b","two\nlines"," edge",\r\n');
});

test.each([
  ["=1+1", "'=1+1"],
  ["a\n=2", "a\n'=2"],
  ["x;=1+1;y", "x;'=1+1;y"],
  ["x;  =1+1", "x;  '=1+1"],
  ['x;"=1+1;y', `x;"'=1+1;y`],
  ["x,@SUM(A1)\t=2", "x,'@SUM(A1)\t'=2"],
  ["=1;=2", "'=1;'=2"],
  ["x;'=1", "x;''=1"],
  ["Tel. 030 12; +49 (30) 12-3", "Tel. 030 12; +49 (30) 12-3"],
  ["x;+1,a", "x;'+1,a"],
  ["x;-cmd|' /C calc'!A0", "x;'-cmd|' /C calc'!A0"],
  ["one; two, three's - four; 'n' five", "one; two, three's - four; 'n' five"],
  ['"=1"', '"=1"'],
  ["＝1", "'＝1"],
  ["+44 20", "'+44 20"],
  ["@x", "'@x"],
  ["-12.5", "-12.5"],
  ["-1e-7", "-1e-7"],
  ["-1e-7+1", "'-1e-7+1"],
  ["O'Neil", "O'Neil"],
])("%j is guarded as %j", (cell, guarded) => {
  expect(guardFormula(cell)).toBe(guarded);
});

test("a guarded cell reads back, whatever it was", () => {
  const signs = fc.string({ unit: fc.constantFrom("'", "=", "+", "-", "＝", "1", ".", "a", " ", '"', ";", ",", "\n", "\t") });
  const cell = fc.oneof(
    signs,
    signs.map((text) => `="${text}"`),
  );
  fc.assert(
    fc.property(cell, (text) => {
      expect(unguardFormula(guardFormula(text))).toBe(text);
    }),
    { numRuns: 2000, interruptAfterTimeLimit: 5_000 },
  );
});

test.each([
  ['="0042"', "0042"],
  ['=""', ""],
  ['="=1+1"', "=1+1"],
  [`="'=x"`, "'=x"],
  [`'="0042"`, '="0042"'],
  ['="a"&"b"', '="a"&"b"'],
  ['="a""b"', '="a""b"'],
  [' ="0042"', ' ="0042"'],
  ['="0042', '="0042'],
  ["=0042", "=0042"],
])("%j in a file is the text %j", (cell, text) => {
  expect(unguardFormula(cell)).toBe(text);
});

test("a spreadsheet that splits a line elsewhere than the file does finds no formula in a guarded cell", () => {
  const cell = fc.string({ unit: fc.constantFrom("'", "=", "@", "+", "1", "a", " ", '"', ";", ",", "\n", "\t") });
  const file = fc.constantFrom<[delimiter: string, splitAt: RegExp]>(
    [",", /[;\r\n]/],
    [",", /[;\t\r\n]/],
    [";", /[,\r\n]/],
    ["|", /[;\r\n]/],
    ["\t", /[,;\r\n]/],
  );
  fc.assert(
    fc.property(cell, file, (text, [delimiter, splitAt]) => {
      const line = `1${delimiter}${csvLine([guardFormula(text)])}`;
      for (const part of line.split(splitAt)) expect(part).not.toMatch(/^[\s"]*(=|@|\+.*[a@=])/);
    }),
    { numRuns: 2000, interruptAfterTimeLimit: 5_000 },
  );
});

test.each(["\n", " ", "'", ";", "; ", ";'", ';"', "-", ";-", "=;", "-1", "\t\r\n"])(
  "a cell of a million times %j is guarded in no time",
  (unit) => {
    const cell = unit.repeat(1_000_000);
    expect(unguardFormula(guardFormula(cell))).toBe(cell);
  },
);
