// Adds a kind, an operator and an outcome to a copy of the code, and says which files then do not compile.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
export const removeCopy = () => rmSync(folder, { recursive: true, force: true });

interface Addition {
  name: string;
  path: string;
  at: RegExp;
  added: string;
}
export const ADDITIONS: readonly Addition[] = [
  { name: "kind", path: "core/dictionary/kinds.ts", at: /(KIND_NAMES = \[)/, added: '$1"colour", ' },
  { name: "operator", path: "core/dictionary/filters.ts", at: /(const OPERATORS = \[)/, added: '$1"near", ' },
  { name: "outcome", path: "pipeline/model/outcomes.ts", at: /(OUTCOMES = \[)/, added: '$1"parked", ' },
];

/** Resolves with the files in which the compiler finds errors once these are added, in the order of the alphabet. */
export async function filesWithErrors(additions: readonly Addition[]): Promise<string[]> {
  const before = additions.map(({ path }) => readFileSync(join(folder, path), "utf8"));
  for (const [i, { name, path, at, added }] of additions.entries()) {
    const source = before[i] as string;
    const changed = source.replace(at, added);
    if (changed === source) throw new Error(`${path} has no place for another ${name}.`);
    writeFileSync(join(folder, path), changed);
  }
  const out = await compile();
  for (const [i, { path }] of additions.entries()) writeFileSync(join(folder, path), before[i] as string);
  return [...new Set([...out.matchAll(/^([\w./-]+\.tsx?)\(/gm)].map(([, name = ""]) => name))].sort();
}

function compile(): Promise<string> {
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  return new Promise((resolve) =>
    execFile(process.execPath, [tsc, "-p", "all.json", "--pretty", "false"], { cwd: folder }, (_, out) => resolve(out)),
  );
}

/** Returns the list of CONTRIBUTING.md between `<!-- compiler: name -->` and `<!-- end -->`. */
export function listed(name: string): string[] {
  const [, list = ""] = readFileSync("CONTRIBUTING.md", "utf8").split(`<!-- compiler: ${name} -->`);
  return [...(list.split("<!-- end -->", 1)[0] as string).matchAll(/^- `([^`]+)`/gm)].map(([, file = ""]) => file).sort();
}
