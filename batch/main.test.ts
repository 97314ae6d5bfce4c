// Tests what the command loads: nothing of the app or the service, and few packages.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Follows every import of a file, also those that are loaded late. */
function importsOf(path: string, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(path)) return { files, packages };
  files.add(path);
  const text = path.endsWith(".ts") ? readFileSync(path, "utf8") : "";
  const imports = text.matchAll(/^import (?!type )(?:[^;"]*? from )?"([^"]+)"|\b(?:import|url\))\("([^"]+)"/gm);
  for (const [, name = "", late = name] of imports) {
    if (late.startsWith(".")) importsOf(join(dirname(path), late), files, packages);
    else packages.add(late);
  }
  return { files, packages };
}

const { files, packages } = importsOf("batch/main.ts");

test("the command loads only batch, layouts, pipeline, client and core, and its version", () => {
  expect([...files].filter((path) => !existsSync(path))).toEqual([]);
  expect([...new Set([...files].map((path) => path.split("/")[0]))].sort()).toEqual([
    "batch",
    "client",
    "core",
    "layouts",
    "package.json",
    "pipeline",
  ]);
});

test("the command loads no package of the app", () => {
  expect([...packages].filter((name) => !name.startsWith("node:")).sort()).toEqual([
    "@marcbachmann/cel-js", // only where the dictionary has rules
    "@modelcontextprotocol/server", // only for assistants
    "@modelcontextprotocol/server/stdio",
    "ajv/dist/2020.js",
    "codepage/dist/sbcs.full.js",
    "fflate",
    "nodemailer",
    "papaparse",
    "recheck/lib/browser.js", // only where the dictionary has a pattern
  ]);
});

test("what serves assistants is loaded late, by its own command alone", () => {
  const others = [...files].filter((path) => path.endsWith(".ts") && !path.startsWith("batch/assistants/"));
  const loading = others.filter((path) => /@modelcontextprotocol|from "[^"]*\/assistants\//.test(readFileSync(path, "utf8")));
  expect(loading).toEqual([]);
  expect([...files]).toContain("batch/assistants/serve.ts");
});
