// Each sentence that the service says in a problem has a translation, with the same placeholders.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { PROBLEM_CATALOGUE } from "../../core/contract/problem-catalogue.ts";
import german from "./de.json" with { type: "json" };
import { createTranslate, NO_WORDS } from "./translate-sentence.ts";

const SERVER = new URL("..", import.meta.url).pathname;
type Node = { type: string } & Record<string, unknown>;

/** Where sentences are no problems: settings, commands, the document, and what is written in the reader's language as it is. */
const OTHERS =
  /^(?:cli|openapi|testing|test|mail|audit|engine\/(?:sqlite|postgres|script)|content\/(?:s3|folder)|main|open-store|retention|secret-files)\b/;

function sources(): string[] {
  return readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name) && !OTHERS.test(name));
}

/** Text and template literals with `{}` in place of what is filled in. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("{}");
}

const nameOf = (node: unknown) => (node as { name?: string } | undefined)?.name ?? "";

/** Says whether what stands in this node is said in a problem. */
function isInProblem({ type, callee, key }: Node): boolean {
  if (type === "Property") return /^(?:detail|message|problem)$/.test(nameOf(key));
  if (type === "NewExpression") return nameOf(callee) === "HttpError";
  if (type !== "CallExpression") return false;
  const { object, property } = callee as { object?: unknown; property?: unknown };
  return (
    /^(?:httpErrors|limitErrors)$/.test(nameOf(object)) || /^(?:wrong|invalid|refused|invalidForm)/.test(nameOf(callee) || nameOf(property))
  );
}

function sentencesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown, isInside: boolean): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, isInside);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const text = isInside ? textOf(node as Node) : undefined;
    if (text !== undefined && /^[\p{Lu}“{"].* .*[.?]$/su.test(text) && /[a-z]{2}/.test(text)) found.push(text);
    const inside = isInside || isInProblem(node as Node);
    for (const value of Object.values(node)) visit(value, inside);
  };
  visit(parseAst(readFileSync(join(SERVER, file), "utf8"), { lang: "ts" }), file === "http/errors.ts" || file === "http/limits.ts");
  return found;
}

const translate = createTranslate(german);
/** Lists what may take the place of a placeholder: what stands for itself, and two phrases that have translations of their own. */
const FILLINGS = ["7", "the key of a record", "line 1, column 2"];
const isTranslated = (text: string) => FILLINGS.some((filling) => translate(text.replaceAll("{}", filling), NO_WORDS) !== undefined);

/** Sentences that are put together of pieces, as they are sent. */
const WHOLE: Record<string, readonly string[]> = {
  "Send the body {}.": ["Send the body plain or as gzip.", "Send the body not compressed."],
  "The body is not valid JSON: {} {}{}.": [
    "The body is not valid JSON: it ends too early, at line 1, column 2.",
    "The body is not valid JSON: the first wrong character is at line 1, column 2, in /3/name.",
  ],
  "{} {} is stored already. {}.": [
    "The same customer is stored already. Name: the same.",
    "Perhaps the same customer is stored already. Name: the same.",
  ],
  "{}, and the history has what they were. Erase these first, or take the merge apart.": [
    "1 record was merged into this customer, and the history has what they were. Erase these first, or take the merge apart.",
    "3 records were merged into this customer, and the history has what they were. Erase these first, or take the merge apart.",
  ],
  "{} refer{} to {}{}. Delete or change them first.": [
    "1 record of orders refers to this customer. Delete or change them first.",
    "12 records of orders refer to 7 of customers, which would be deleted with it. Delete or change them first.",
    "12 records of orders refer to this customer; so many are not deleted or changed along with it. Delete or change them first.",
  ],
};
/** Nobody is answered these: an example of a dictionary, settings, and mistakes in a dictionary, whose words stand in core. */
const NO_ANSWERS = new Set(["app.ts", "dictionary/mistakes.ts", 'http/limits.ts: {} must be a whole number from 1 on, not "{}".']);

test("every title of a problem has a translation", () => {
  const titles = Object.values(PROBLEM_CATALOGUE).map(({ title }) => title);
  expect(titles.filter((title) => !Object.hasOwn(german, title))).toEqual([]);
});

test("every sentence that the service says in a problem has a translation", () => {
  const sentences = sources().flatMap((file) => sentencesIn(file).map((text) => ({ file, text })));
  expect(sentences.length).toBeGreaterThan(250);
  const answered = sentences.filter(({ file, text }) => !NO_ANSWERS.has(file) && !NO_ANSWERS.has(`${file}: ${text}`));
  const missing = answered.filter(({ text }) => !(WHOLE[text] ?? [text]).every(isTranslated));
  expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test("a translation has no placeholder that its sentence lacks", () => {
  const marks = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
  const wrong = Object.entries(german).filter(([text, own]) => marks(own).some((mark) => !text.includes(mark)));
  expect(wrong).toEqual([]);
});

test("every translation is of a sentence that stands in the code", () => {
  const files = [...sources(), "../core/dictionary/filters.ts"];
  const code = files.map((file) => readFileSync(join(SERVER, file), "utf8").replaceAll('\\"', '"')).join();
  /** The beginning of the longest piece: the rest may stand elsewhere. */
  const longest = (text: string) =>
    text
      .split(/\{\w+\}/)
      .sort((a, b) => b.length - a.length)[0]
      ?.slice(0, 12) ?? "";
  const titles = new Set<string>(Object.values(PROBLEM_CATALOGUE).map(({ title }) => title));
  expect(Object.keys(german).filter((text) => !titles.has(text) && !code.includes(longest(text)))).toEqual([]);
});
