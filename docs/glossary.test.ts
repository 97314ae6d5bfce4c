// The words that docs/glossary.md retires are no names in the code.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";

const FOLDERS = ["core", "client", "pipeline", "src", "server", "batch", "bench", "e2e", "docs"];
const glossary = readFileSync("docs/glossary.md", "utf8");
const [, retired = ""] = glossary.split("## Words that we no longer use");
const RETIRED = new Set(
  [...retired.matchAll(/^\| ([a-z, ]+) \|/gm)].flatMap(([, words = ""]) => (words === "not" ? [] : words.split(", "))),
);

type Node = { type: string; name?: unknown; start: number } & Record<string, unknown>;

/** Every name in the file that is written there, with its place. */
function namesIn(path: string): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, name, start } = node as Node;
    if (/^(Identifier|PrivateIdentifier|JSXIdentifier)$/.test(type) && typeof name === "string") found.push({ name, at: start });
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(readFileSync(path, "utf8"), { lang: path.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

/** `openDoor` → open, door; `STRAY_QUOTE` → stray, quote. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** A retired word that the field uses in another sense, by the word that follows it. */
const FOLLOWED_BY = new Map([
  ["stray", /^quotes?$/],
  ["look", /^up$/],
  ["world", /^hint$/],
]);
/** They read what an earlier version stored, or what operators type, under the names that these have. */
const READS_OLD_NAMES = /batch\/console\/arguments(\.test)?\.ts$/;

const isRetired = (name: string) =>
  wordsOf(name).some((word, i, words) => RETIRED.has(word) && !FOLLOWED_BY.get(word)?.test(words[i + 1] ?? ""));

test("the glossary names the words that are retired", () => {
  expect(RETIRED.size).toBeGreaterThan(40);
  expect(["openDoor", "JUDGE_ROW", "strayQuotes", "isBeside", "lookUp"].map(isRetired)).toEqual([true, true, false, true, false]);
});

test("no name in the code has a retired word", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules") && !name.startsWith("dist"))
      .map((name) => join(folder, name)),
  );
  const wrong = files
    .filter((path) => !READS_OLD_NAMES.test(path))
    .filter((path) => [...new Set(readFileSync(path, "utf8").match(/[\w$]+/g))].some(isRetired)) // parsing takes long
    .flatMap((path) => [...new Set(namesIn(path).map(({ name }) => name))].filter(isRetired).map((name) => `${path}: ${name}`));
  expect(wrong).toEqual([]);
});

test("the glossary's words stand in the order of the alphabet, each once, each with a sentence", () => {
  const rows = [...glossary.matchAll(/^\| \*\*([^*]+)\*\* \| (.+) \|$/gm)].map(([, word = "", meaning = ""]) => ({ word, meaning }));
  const words = rows.map(({ word }) => word);
  expect(words.length).toBeGreaterThan(30);
  expect(new Set(words).size).toBe(words.length);
  expect(words).toEqual([...words].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  expect(rows.filter(({ meaning }) => !meaning.endsWith(".")).map(({ word }) => word)).toEqual([]);
});
