// A new kind, operator or outcome fails to compile at exactly the places that CONTRIBUTING.md lists.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const PACKAGES = ["core", "client", "pipeline", "src", "layouts", "server", "batch"];
const COPIED = [...PACKAGES, "package.json"];
// One project for all packages: here it matters which places do not compile, not which of them may use the DOM.
const PROJECT = {
  extends: "./core/tsconfig.json",
  compilerOptions: {
    lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "WebWorker.ImportScripts"],
    types: ["node", "vite/client"],
    jsx: "react-jsx",
  },
  include: PACKAGES,
  exclude: ["**/*.test.ts", "**/*.test.tsx"],
};
const SKIPPED = /\/(node_modules|dist)(\/|$)|\.(test|css)\./;

const folder = mkdtempSync(join(tmpdir(), "intake-exhaustive-"));
for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true, filter: (path) => !SKIPPED.test(path) });
writeFileSync(join(folder, "all.json"), JSON.stringify(PROJECT));
symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files in which the compiler finds errors once `path` is changed. */
async function filesWithErrors(path: string, change: (source: string) => string): Promise<string[]> {
  const file = join(folder, path);
  const source = readFileSync(file, "utf8");
  const changed = change(source);
  expect(changed).not.toBe(source);
  writeFileSync(file, changed);
  const out = await compile();
  writeFileSync(file, source);
  return [...new Set([...out.matchAll(/^([\w./-]+\.tsx?)\(/gm)].map(([, name = ""]) => name))].sort();
}

function compile(): Promise<string> {
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  return new Promise((resolve) =>
    execFile(process.execPath, [tsc, "-p", "all.json", "--pretty", "false"], { cwd: folder }, (_, out) => resolve(out)),
  );
}

/** The list between `<!-- compiler: name -->` and `<!-- end -->`. */
function listed(name: string): string[] {
  const [, list = ""] = readFileSync("CONTRIBUTING.md", "utf8").split(`<!-- compiler: ${name} -->`);
  return [...(list.split("<!-- end -->", 1)[0] as string).matchAll(/^- `([^`]+)`/gm)].map(([, file = ""]) => file).sort();
}

test.each([
  ["kind", "core/dictionary/kinds.ts", /(KIND_NAMES = \[)/, '$1"colour", '],
  ["operator", "core/dictionary/filters.ts", /(const OPERATORS = \[)/, '$1"near", '],
  ["outcome", "pipeline/model/outcomes.ts", /(OUTCOMES = \[)/, '$1"parked", '],
])(
  "a new %s fails to compile wherever it must be known",
  async (name, path, at, added) => {
    const files = await filesWithErrors(path, (source) => source.replace(at, added));
    expect(listed(name)).not.toEqual([]);
    expect(files).toEqual(listed(name));
  },
  120_000,
);
