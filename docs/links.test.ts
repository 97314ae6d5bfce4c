// Documents and comments name only files that exist, and README stays short.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const FOLDERS = ["core", "client", "pipeline", "src", "server", "batch", "e2e", "bench", "docs"];
const MAX_README = 8_192; // bytes

const isOurs = (path: string) => !/(^|\/)(node_modules|dist|results|files)\//.test(path);
const within = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(isOurs),
);
const documents = [...readdirSync(".").filter((name) => name.endsWith(".md")), ...within.filter((path) => path.endsWith(".md"))];
const sources = within.filter((path) => /\.(tsx?|css)$/.test(path));

/** A test may be named without its ending, as in `e2e/form`. */
const exists = (path: string) => [path, `${path}.spec.ts`, `${path}.test.ts`].some((candidate) => existsSync(candidate));

test("links in the documents lead somewhere", () => {
  const broken = documents.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(normalize(join(dirname(path), link))))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("files that the documents name exist", () => {
  const named = new RegExp(`\`((?:${FOLDERS.join("|")})/[\\w./-]+)\``, "g");
  const missing = documents.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(named)]
      .map(([, name = ""]) => name.replace(/[./]+$/, ""))
      .filter((name) => isOurs(`${name}/`) && !exists(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("documents that the code names exist", () => {
  const missing = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:\/\/|\*) .*?\b((?:docs\/)?[\w-]+\.md)\b/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !existsSync(name) && !existsSync(join("docs", name)) && !existsSync(join(dirname(path), name)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("README can be read in a few minutes", () => {
  expect(Buffer.byteLength(readFileSync("README.md"))).toBeLessThanOrEqual(MAX_README);
});
