// docs/operators.md names every setting that the code reads, with its default, and no other.

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import schema from "../core/dictionary/dictionary.schema.json" with { type: "json" };
import { DictionaryRefused } from "../server/engine/migrate-dictionary.ts";
import { DEFAULT_LIMITS } from "../server/http/limits.ts";

const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;

const page = readFileSync("docs/operators.md", "utf8");
const sources = readdirSync("server", { recursive: true, encoding: "utf8" })
  // The samples of /docs read settings of the reader's program.
  .filter(
    (name) => name.endsWith(".ts") && !name.includes(".test.") && !name.includes("testing/") && name !== join("openapi", "samples.ts"),
  )
  .map((name) => readFileSync(join("server", name), "utf8"));

/** Name → default as the page's table has it. */
const documented = new Map([...page.matchAll(/^\| `([A-Z\d_]+)` \| ([^|]+) \|/gm)].map(([, name = "", value = ""]) => [name, value]));

function readByCode(): string[] {
  const taken = sources.flatMap((source) => [...source.matchAll(/\{([^{}]*)\} = (?:process\.)?env;/g)].map(([, names = ""]) => names));
  const named = sources.flatMap((source) => [...source.matchAll(/\benv\.([A-Z\d_]+)/g)].map(([, name = ""]) => name));
  const limits = [...readFileSync("server/http/limits.ts", "utf8").matchAll(/: \["([A-Z_]+)",/g)].map(([, name = ""]) => name);
  return [...taken.flatMap((names) => names.match(/\b[A-Z][A-Z\d_]+\b(?=\s*(?:[,:=]|$))/gm) ?? []), ...named, ...limits];
}

test("the table of settings names every variable that the service reads, and no other", () => {
  expect([...documented.keys()].sort()).toEqual([...new Set(readByCode())].sort());
});

test("systemd rates the unit as closed", ({ skip }) => {
  skip(!HAS_SYSTEMD, "systemd-analyze is not installed");
  const unit = join(import.meta.dirname, "intake.service");
  execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=30", unit]); // ends with an error above 3.0
  expect(readFileSync(unit, "utf8")).toContain(`RestartPreventExitStatus=${DictionaryRefused.EXIT_CODE}\n`);
});

test("docs/dictionary.md has every word of the dictionary's schema, and says of those with an effect what the schema says", () => {
  const text = readFileSync("docs/dictionary.md", "utf8");
  const missing: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties } = node as { properties?: Record<string, { description?: string; not?: object }> };
    for (const [name, { description = "", not }] of Object.entries(properties ?? {})) {
      const isShort =
        not !== undefined || description.startsWith("Kept and published") || ["value", "label", "resource", "fields"].includes(name);
      if (!text.includes(`\`${name}\``) && !isNested(name)) missing.push(name);
      if (!isShort && !text.includes(description)) missing.push(`${name}: ${description}`);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  expect(missing).toEqual([]);
});

const isNested = (name: string) => ["value", "label"].includes(name); // of a category

test("the limits' defaults are those of the code", () => {
  const numbers = [...documented.entries()]
    .filter(([name]) => /^(MAX|RATE|.*SECONDS)/.test(name) && name !== "DRAIN_SECONDS")
    .map(([, value]) => Number(value.replaceAll("`", "")));
  expect(numbers).toEqual(Object.values(DEFAULT_LIMITS));
});

test("the page has at most 300 lines, and its links within the project lead to files", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(300);
  for (const [, path = ""] of page.matchAll(/\]\((\.\.?\/[^)#]+)/g)) expect(() => readFileSync(join("docs", path))).not.toThrow();
});
