// Every text that the app, the upload and the check say is in German too, with the same placeholders, and nothing else is.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { afterEach, expect, test } from "vitest";
import { readDataPackage } from "../dictionary/collections.ts";
import { validateRecord } from "../dictionary/validate.ts";
import de from "./de.json";
import { chooseLanguage } from "./languages.ts";
import { PSEUDO } from "./pseudo.ts";
import { type Forms, fill, inSentence, setCatalogue, t, tCode, tCount } from "./translate.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const GERMAN: Readonly<Record<string, string | Forms>> = de;

// Names, units and words that both languages share.
const ALIKE = new Set(
  "Alt|Esc|Text|API|Version|{n} s|{n} min|Filter|Mac Roman|Export|{done} of {whole}|{n} {nouns}|in {n} s|in {time}".split("|"),
);
// How the service names what it refuses; said in place of its English sentence.
const CODE = /^[A-Z_]+$/;

interface Found {
  text: string;
  /** Of a plural: its singular. */
  one?: string;
  file: string;
}

type Node = { type: string; value?: unknown; callee?: { name?: string }; arguments?: Node[] } & Record<string, unknown>;

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(^|\/)testing\//.test(name))
    .map((name) => join(folder, name));
}

/** Texts given to t, message, tCount and count; what is not written out is said elsewhere. */
function saidIn(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, callee, arguments: given = [] } = node as Node;
    if (type === "CallExpression" && /^(t|message|tCount|count)$/.test(callee?.name ?? "")) {
      const texts = (callee?.name?.endsWith("ount") ? given.slice(1, 3) : given.slice(0, 1)).map(({ value }) => value);
      const [text, one] = texts.reverse();
      if (typeof text === "string") found.push({ text, file, ...(typeof one === "string" && { one }) });
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(readFileSync(join(ROOT, file), "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

// collections.ts and fields.ts tell whoever writes a dictionary what is wrong with it, by a `say` of their own.
const SAID = ["core", "client", "pipeline", "src"]
  .flatMap(sources)
  .filter((file) => !/dictionary\/(collections|fields)\.ts$/.test(file))
  .flatMap(saidIn);

const marks = (text: string) => [...new Set(text.match(/\{\/?\w+\}/g))].sort();
const formsOf = (said: string | Forms) => (typeof said === "string" ? [said] : Object.values(said));

afterEach(() => setCatalogue());

test("German has a sentence for each that is said, and no others", () => {
  expect(SAID.length).toBeGreaterThan(700);
  const known = new Set(Object.keys(GERMAN).filter((text) => !CODE.test(text) || SAID.some((one) => one.text === text)));
  const said = new Set(SAID.map(({ text }) => text));
  expect(SAID.filter(({ text }) => !known.has(text)).map(({ text, file }) => `${file}: ${text}`)).toEqual([]);
  expect([...known].filter((text) => !said.has(text))).toEqual([]);
});

test("a sentence keeps its placeholders and marks in German; a plural is one in both", () => {
  const wrong = SAID.filter(({ text, one }) => {
    const german = GERMAN[text] ?? "";
    if ((typeof german === "string") !== (one === undefined)) return true;
    const english = [text, ...(one === undefined ? [] : [one])].map((form) => marks(form).join());
    return formsOf(german).some((form, i, { length }) => !english.slice(0, length - i).includes(marks(form).join()));
  });
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

test("no German sentence is empty, or still the English one", () => {
  const wrong = Object.entries(GERMAN).filter(([text, german]) =>
    formsOf(german).some((form) => form.trim() === "" || (form === text && !ALIKE.has(text))),
  );
  expect(wrong.map(([text]) => text)).toEqual([]);
});

test("the codes that have German words are ones that the service sends", () => {
  const sent = [
    "server/http/errors.ts",
    "server/routes/records/store-errors.ts",
    "server/store/plan-write.ts",
    "server/store/decide.ts",
    "core/dictionary/validate.ts",
  ]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join();
  const codes = Object.keys(GERMAN).filter((text) => CODE.test(text) && !SAID.some((one) => one.text === text));
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !sent.includes(`"${code}"`))).toEqual([]);
});

test("without a catalogue the sentences are the English ones", () => {
  expect(t("Up to {n} characters.", { n: 5 })).toBe("Up to 5 characters.");
  expect([1, 2].map((n) => tCount(n, "{n} row", "{n} rows"))).toEqual(["1 row", "2 rows"]);
  expect([tCode("UNIQUE", "It is taken."), inSentence("Last name"), inSentence("ID number")]).toEqual([
    "It is taken.",
    "last name",
    "ID number",
  ]);
  expect(fill("{b}{name}{/b}", { name: "{b}" })).toBe("{b}{b}{/b}");
});

test("in German the check of a record speaks German, with the dictionary's German words", () => {
  setCatalogue({ language: "de", texts: GERMAN });
  const file = readFileSync(join(ROOT, "core/dictionary/datapackage.json"), "utf8");
  const read = readDataPackage(JSON.parse(file), "de");
  const [customers] = "collections" in read ? read.collections : [];
  if (!customers) throw new Error("The shipped dictionary has no collection.");
  const validated = validateRecord(customers, { objectId: "x", lastName: "", accountID: "a".repeat(65) }, { from: "text" });
  expect([customers.title, customers.noun]).toEqual(["Kunden", "Kunde"]);
  expect(validated.problems?.map(({ message }) => message)).toEqual([
    "Kundennummer: Erwartet wird eine ganze Zahl ohne führende Nullen, etwa 100482.",
    "Bitte Nachname eingeben.",
    "Kontonummer darf höchstens 64 Zeichen haben; hier sind es 65.",
  ]);
  expect(customers.byName.get("lastName")?.aliases).toContain("Last name");
  expect(tCode("UNIQUE", "", { field: "Kontonummer" })).toBe("Der Wert ist schon vergeben (Kontonummer).");
});

test("words in a language that nobody can read are a mistake of the dictionary", () => {
  const resource = { name: "things", schema: { fields: [{ name: "id", type: "integer" }], primaryKey: "id" } };
  for (const translations of [[], { de: "Dinge" }, { de: { title: 7 } }, { de: { name: "dinge" } }]) {
    const read = readDataPackage({ resources: [{ ...resource, translations }] });
    expect("mistakes" in read && read.mistakes.map(({ path }) => path)).toEqual(["/resources/0/translations"]);
  }
});

test("the language is the one that was chosen, else the browser's first that the app speaks", () => {
  expect(chooseLanguage("de", ["en-GB"])).toBe("de");
  expect(chooseLanguage("system", ["fr-FR", "de-CH", "en"])).toBe("de");
  expect(chooseLanguage("system", ["pl"])).toBe("en");
});

test("the language for tests brackets every text", () => {
  setCatalogue(PSEUDO);
  expect([t("Save"), tCount(1, "{n} row", "{n} rows")]).toEqual(["«Save»", "«1 rows»"]);
});
