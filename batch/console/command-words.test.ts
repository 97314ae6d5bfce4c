// What the command may print is said to an operator: no sentence that it shares with the app asks for a click.

import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { COMMAND_WORDS } from "./command-words.ts";

type Node = { type: string; value?: unknown; callee?: { name?: string }; arguments?: Node[] } & Record<string, unknown>;

/** Every file that the command loads, early or late. */
function loadedFrom(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(path, "utf8");
  found.set(path, text);
  for (const [, name = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"?]+\.ts)"/g))
    loadedFrom(normalize(join(dirname(path), name)), found);
  return found;
}

/** The sentences that a file gives to t, message and tCount. */
function sentencesIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, callee, arguments: given = [] } = node as Node;
    if (type === "CallExpression" && /^(t|message|tCount)$/.test(callee?.name ?? ""))
      for (const { value } of given.slice(0, 3)) if (typeof value === "string") found.push(value);
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(text, { lang: "ts" }));
  return found;
}

const files = loadedFrom("batch/main.ts");
const sentences = [...new Set([...files.values()].flatMap(sentencesIn))];
/** It is said at a form; the command says it with `fileWords`. */
const REQUIRED = ["Choose yes or no for {title}.", "Choose the {title}.", "Enter the {title}."];
const OF_A_BROWSER =
  /\b(app|browser|button|chose|choose|click|download|(?<!web )page|press|reload|sign-in|signed in|tab|type|upload|uploaded|(?<!Did )you|your)\b/i;

test("the command loads the code whose sentences it prints", () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect([...files.keys()].filter((path) => path.startsWith("src/"))).toEqual([]);
});

test("no sentence that it may print is for a browser", () => {
  const printed = sentences
    .map((sentence) => COMMAND_WORDS.texts[sentence] ?? sentence)
    .filter((sentence) => !REQUIRED.includes(String(sentence)));
  const words = (sentence: unknown) => String(sentence).replace(/\{\w+\}/g, "…"); // a placeholder may be called "type"
  expect(printed.filter((sentence) => OF_A_BROWSER.test(words(sentence)))).toEqual([]);
});

test("each sentence that is said otherwise is one of the code, and keeps its values", () => {
  const marks = (sentence: unknown) => [...new Set(String(sentence).match(/\{\w+\}/g))].sort().join();
  for (const [sentence, printed] of Object.entries(COMMAND_WORDS.texts)) {
    expect(sentences).toContain(sentence);
    expect([sentence, marks(printed)]).toEqual([sentence, marks(sentence)]);
  }
});
