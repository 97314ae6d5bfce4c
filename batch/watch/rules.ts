// Reads how the files of a watched folder are loaded: name patterns, each with a layout, a recipe or a collection.

import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";
import { latestStored } from "../runs/header-checks.ts";
import type { Runs } from "../runs/run-registry.ts";
import { type Expected, type Late, lateness, readExpected } from "./expected.ts";
import { unnumbered } from "./inbox.ts";

export interface WatchRule {
  /** Holds the pattern as it was written, with * and ?. */
  files: string;
  /** Matches the whole name of a file. */
  pattern: RegExp;
  expected?: Expected;
  /** They stand in place of those of the command. */
  options: Partial<Pick<Options, "layout" | "recipe" | "collection" | "mode" | "limit">>;
}

/** Checks each key of a rule: its option, or undefined where the value is wrong. */
type ReadKey = (value: unknown, folder: string) => WatchRule["options"] | undefined;

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const MODES: readonly UploadMode[] = ["create", "update", "upsert"];

const KEYS: Record<string, { read: ReadKey; wanted: string }> = {
  layout: { read: (value, folder) => (text(value) ? { layout: resolve(folder, String(value)) } : undefined), wanted: "a path of a layout" },
  recipe: { read: (value) => (text(value) ? { recipe: String(value) } : undefined), wanted: "the name of a recipe" },
  collection: { read: (value) => (text(value) ? { collection: String(value) } : undefined), wanted: "the name of a collection" },
  mode: {
    read: (value) => (MODES.includes(value as UploadMode) ? { mode: value as UploadMode } : undefined),
    wanted: `one of ${MODES.join(", ")}`,
  },
  maxRejects: {
    read: (value) => {
      if (value === "none") return { limit: null };
      return Number.isSafeInteger(value) && Number(value) >= 0 ? { limit: Number(value) } : undefined;
    },
    wanted: 'a whole number or "none"',
  },
};

/** Layouts are relative to the file of the rules. Throws CommandError with every mistake. */
export async function readRules(path: string): Promise<WatchRule[]> {
  const given = await readFile(path, "utf8").catch((error) => {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `The rules ${path} cannot be read: ${why}.`);
  });
  const mistakes: string[] = [];
  const rules = readList(parse(given), dirname(resolve(path)), mistakes);
  if (mistakes.length === 0) return rules;
  throw new CommandError(EXIT.nothing, `The rules ${basename(path)} cannot be used:`, mistakes);
}

function parse(given: string): unknown {
  try {
    return JSON.parse(given.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function readList(list: unknown, folder: string, mistakes: string[]): WatchRule[] {
  if (!Array.isArray(list) || list.length === 0) {
    mistakes.push('It must be a list such as [{ "files": "customers-*.dat", "layout": "customers.json" }].');
    return [];
  }
  return list.flatMap((rule, i) => readRule(rule, folder, (key, message) => void mistakes.push(`/${i}${key}: ${message}`)) ?? []);
}

function readRule(given: unknown, folder: string, report: (key: string, message: string) => void): WatchRule | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return void report("", "must be an object");
  const { files, expected: when, ...rest } = given as Record<string, unknown>;
  if (typeof files !== "string" || files === "" || /[/\\]/.test(files))
    return void report("/files", 'must be a name with * and ?, such as "customers-*.dat"');
  if (rest.layout !== undefined && rest.recipe !== undefined)
    report("/recipe", "a layout and a recipe both say how a file is read: leave one of them out");
  if (rest.mode !== undefined && rest.recipe !== undefined) report("/mode", "the recipe says what to do with each record: leave it out");
  const expected = when === undefined ? undefined : readExpected(when);
  if (when !== undefined && !expected)
    report(
      "/expected",
      'must be such as { "by": "06:30", "zone": "Europe/Berlin", "days": ["mon", "fri"] }, perhaps with "from" and "except"',
    );
  const options: WatchRule["options"] = {};
  for (const [key, value] of Object.entries(rest)) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    const read = known?.read(value, folder);
    if (!known) report(`/${key}`, `is not a key here; there are files, expected, ${Object.keys(KEYS).join(", ")}`);
    else if (!read) report(`/${key}`, `must be ${known.wanted}`);
    else Object.assign(options, read);
  }
  return { files, pattern: toPattern(files), options, ...(expected && { expected }) };
}

/** `*`: any characters, `?`: one character. */
function toPattern(files: string): RegExp {
  const escaped = files.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "us");
}

/** Returns the first that matches. */
export function ruleFor(rules: readonly WatchRule[], name: string): WatchRule | undefined {
  return rules.find(({ pattern }) => pattern.test(name));
}

/** Returns the files that are late at this time, in epoch milliseconds. Of each rule only the latest run that loaded a file is read. */
export async function lateFiles(rules: readonly WatchRule[], runs: Runs, now: number): Promise<(Late & { files: string })[]> {
  const found: (Late & { files: string })[] = [];
  for (const rule of rules) {
    if (!rule.expected) continue;
    // Where a file got a number, its run does not say which of both names it had.
    const last = await latestStored(runs, ({ fileName }) => [fileName, unnumbered(fileName)].some((name) => ruleFor(rules, name) === rule));
    const late = lateness(rule.expected, last?.startedAt, now);
    if (late) found.push({ files: rule.files, ...late, sentence: `${rule.files}: ${late.sentence}` });
  }
  return found;
}
