// Every catalogue has a translation of each text in the code, with the same placeholders, and no others.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { afterEach, describe, expect, test } from "vitest";
import { PROBLEM_CATALOGUE, VALUE_PROBLEMS } from "../contract/problem-catalogue.ts";
import { BUILT_IN_ROLES } from "../contract/roles.ts";
import { readDataPackage } from "../dictionary/collections.ts";
import customersPackage from "../dictionary/datapackage.json" with { type: "json" };
import { validateRecord } from "../dictionary/validate.ts";
import { chooseLanguage, LANGUAGE_TAGS, LANGUAGES, type Language, openCatalogue, usualLocale } from "./languages.ts";
import { writeLanguages } from "./start-page.ts";
import { type Catalogue, type Forms, fill, inSentence, setCatalogue, t, tCode, tCount } from "./translate.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const translated = await Promise.all(LANGUAGE_TAGS.filter((tag) => LANGUAGES[tag].name).map(openCatalogue));
const catalogues = translated.filter((one) => one !== undefined);

// A code of the service, whose translation replaces its English sentence.
const CODE = /^[A-Z_]+$/;

interface Found {
  text: string;
  /** Holds the singular, if it is a plural. */
  one?: string;
  file: string;
}

/** A resource or field of a data package. */
interface Described {
  name: string;
  translations?: Partial<Record<string, Partial<Record<string, string>>>>;
}

type Node = { type: string; value?: unknown; callee?: { name?: string }; arguments?: Node[] } & Record<string, unknown>;

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(^|\/)testing\//.test(name))
    .map((name) => join(folder, name));
}

/** The texts that a file gives to t, message, tCount and count as literals. */
function textsIn(file: string): Found[] {
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

const USED = ["core", "client", "pipeline", "src", "server/fastify", "server/mail"].flatMap(sources).flatMap(textsIn);
const isUsed = new Set(USED.map(({ text }) => text));

const marks = (text: string) => [...new Set(text.match(/\{\/?\w+\}/g))].sort().join();
const formsOf = (text: string, translation: string | Forms | null = "") =>
  translation !== null && typeof translation === "object" ? translation : { other: translation ?? text };
/** Not only signs and placeholders. */
const hasWords = (text: string) => /\p{L}/u.test(text.replace(/\{\w+\}/g, ""));
const codesOf = ({ texts }: Catalogue) => Object.keys(texts).filter((text) => CODE.test(text) && !isUsed.has(text));

afterEach(() => setCatalogue());

test("the code has texts", () => {
  expect(USED.length).toBeGreaterThan(700);
});

test("one row is never called rows, nor one column columns", () => {
  const wrong = USED.filter(({ one }) => one !== undefined && /\{n\} (more )?(rows|columns|records|changes|files)\b/.test(one));
  expect(wrong.map(({ one, file }) => `${file}: ${one}`)).toEqual([]);
});

test("the data dictionary has one name in German", () => {
  const german = catalogues.find(({ language }) => language === "de")?.texts ?? {};
  expect(Object.values(german).filter((text) => /wörterbuch/i.test(JSON.stringify(text)))).toEqual([]);
});

test("each role that is built in has a name in every language", () => {
  const names = BUILT_IN_ROLES.map(({ name }) => name);
  for (const { texts } of catalogues) expect(names.filter((name) => !Object.hasOwn(texts, name))).toEqual([]);
});

describe.each(catalogues)("the catalogue of $language", (catalogue) => {
  const { language, texts } = catalogue;

  test("translates each text of the code, and no others", () => {
    expect(USED.filter(({ text }) => !Object.hasOwn(texts, text)).map(({ text, file }) => `${file}: ${text}`)).toEqual([]);
    expect(Object.keys(texts).filter((text) => !isUsed.has(text) && !CODE.test(text))).toEqual([]);
  });

  test("keeps the placeholders and marks of a text", () => {
    const wrong = USED.filter(({ text, one }) => {
      const { other = "", ...fewer }: Forms = formsOf(text, texts[text]);
      return marks(other) !== marks(text) || Object.values(fewer).some((form) => ![text, one ?? text].map(marks).includes(marks(form)));
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  test("has the plural forms that the language needs, where English has two, and only there", () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort().join();
    const wrong = USED.filter(({ text, one }) => {
      const translation = texts[text] ?? text;
      return one === undefined ? typeof translation !== "string" : Object.keys(translation).sort().join() !== needed;
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  test("has no text that is empty or still English, but for those that it says are the same", () => {
    const wrong = Object.entries(texts).filter(([text, translation]) =>
      Object.values(translation === null ? {} : formsOf(text, translation)).some(
        (form) => form.trim() === "" || (form === text && hasWords(text)),
      ),
    );
    expect(wrong.map(([text]) => text)).toEqual([]);
  });

  test("translates every problem of the service", () => {
    const codes = [...Object.keys(PROBLEM_CATALOGUE), ...Object.keys(VALUE_PROBLEMS)];
    // A missing right has a sentence of its own (client-messages.ts), and so has a rule, in the dictionary.
    expect(codes.filter((code) => !["INSUFFICIENT_SCOPE", "RULE", "WARNING"].includes(code) && !Object.hasOwn(texts, code))).toEqual([]);
  });

  test("translates codes that the service sends, the same ones as every other catalogue", () => {
    const files = ["server", "core/contract", "core/dictionary"].flatMap(sources);
    const code = files.map((file) => readFileSync(join(ROOT, file), "utf8")).join();
    expect(codesOf(catalogue).length).toBeGreaterThan(20);
    expect(codesOf(catalogue).filter((each) => !code.includes(`"${each}"`))).toEqual([]);
    expect(codesOf(catalogue).sort()).toEqual(codesOf(catalogues[0] as Catalogue).sort());
  });

  test("goes with a dictionary whose titles, nouns and descriptions are translated", () => {
    const described: Described[] = customersPackage.resources.flatMap((resource) => [
      { noun: resource.singular, ...resource },
      ...resource.schema.fields,
    ]);
    const missing = described.flatMap((one) =>
      ["title", "noun", "description"]
        .filter((word) => word in one && !one.translations?.[language]?.[word])
        .map((word) => `${one.name}: ${word}`),
    );
    expect(described.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });

  test("has the texts of the page that shows while the app loads", async () => {
    const html = await writeLanguages(readFileSync(join(ROOT, "index.html"), "utf8"));
    expect(html).toContain(`<span lang="${language}" hidden>${texts["Loading…"]}</span>`);
  });
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

test("in German the check of a record is in German, with the dictionary's German titles", async () => {
  setCatalogue(await openCatalogue("de"));
  const file = readFileSync(join(ROOT, "core/dictionary/datapackage.json"), "utf8");
  const read = readDataPackage(JSON.parse(file), "de");
  const [customers] = "collections" in read ? read.collections : [];
  if (!customers) throw new Error("The shipped dictionary has no collection.");
  const validated = validateRecord(customers, { objectId: "x", lastName: "", accountID: "a".repeat(65) }, { from: "text" });
  expect([customers.title, customers.noun]).toEqual(["Kunden", "Kunde"]);
  expect(validated.problems?.map(({ message }) => message)).toEqual([
    t("{title} must be {kind}.", {
      title: "Kundennummer",
      kind: t("a whole number without separators or leading zeros, such as {example}", { example: "100482" }),
    }),
    t("Enter the {title}.", { title: "Nachname" }),
    t("{title} may have at most {most} characters; this has {n}.", { title: "Kontonummer", most: 64, n: 65 }),
  ]);
  expect(validated.problems?.[1]?.message).toMatch(/^Bitte .*Nachname/);
  expect(customers.byName.get("lastName")?.aliases).toContain("Last name");
  expect(tCode("UNIQUE", "", { field: "Kontonummer" })).toContain("Kontonummer");
});

test("translations that cannot be read are a mistake of the dictionary", () => {
  const resource = { name: "things", schema: { fields: [{ name: "id", type: "integer" }], primaryKey: "id" } };
  for (const translations of [[], { de: "Dinge" }, { de: { title: 7 } }, { de: { name: "dinge" } }]) {
    const read = readDataPackage({ resources: [{ ...resource, translations }] });
    expect("mistakes" in read && read.mistakes.map(({ path }) => path)).toEqual(["/resources/0/translations"]);
  }
});

test("the language is the one the user chose, else the browser's first that the app has", () => {
  expect(chooseLanguage("de", ["en-GB"])).toBe("de");
  expect(chooseLanguage("system", ["xx-XX", "de-CH", "en"])).toBe("de");
  expect(chooseLanguage("system", ["xx"])).toBe("en");
});

test("numbers are written as the browser does, unless another translated language was chosen", async () => {
  const localeIn = async (language: Language, wanted: string, browser: string) => {
    setCatalogue(await openCatalogue(language));
    return usualLocale(wanted, browser);
  };
  expect(await localeIn("de", "de", "en-GB")).toBe("de");
  expect(await localeIn("de", "de", "de-CH")).toBe("");
  expect(await localeIn("de", "system", "en-GB")).toBe("");
  expect(await localeIn("en", "en", "de-CH")).toBe("");
  expect(await localeIn("pseudo", "pseudo", "de-CH")).toBe("");
});

test("the language for tests brackets every text", async () => {
  setCatalogue(await openCatalogue("pseudo"));
  const texts = [t("Save"), t("Filter"), tCount(1, "{n} row", "{n} rows")]; // "Filter" is the same in German
  expect(texts).toEqual(["«Save»", "«Filter»", "«1 rows»"]);
});
