// Parses the command line into a command and its options.

import { parseArgs } from "node:util";
import type { OnDuplicate } from "../../core/contract/records.ts";
import { optionMistake, withMeant } from "../../core/text/option-mistakes.ts";
import { closest } from "../../core/text/similarity.ts";
import { LAYOUT_ENCODINGS, type LayoutEncoding } from "../../layouts/layouts/character-sets.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type Delimiter, ENCODINGS, type Encoding, isDelimiter } from "../../pipeline/model/dialect.ts";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import type { Fingerprint } from "../../pipeline/reading/fingerprint.ts";
import { COMMAND_LINE } from "./command-line.ts";
import { CommandError, EXIT } from "./exit-codes.ts";
import { USAGE } from "./usage.ts";

export type CommandName = "run" | "validate" | "show" | "export" | "resume" | "status" | "watch" | "undo" | "missing" | "layout" | "mcp";

export interface Options {
  config: string | undefined;
  state: string | undefined;
  /** The folder for rejects and reports; undefined for the folder of the file. */
  out: string | undefined;
  collection: string | undefined;
  /** Name the collections of a layout with several: all that are loaded, and the one that is meant now. */
  parts?: readonly string[];
  part?: string;
  /** Some of its collections cannot be loaded once more without storing records twice. */
  isOnce?: true;
  /** Belongs to a file that was read before, and to the run that was noted for it. */
  fingerprint?: Fingerprint;
  id?: string;
  mode: UploadMode;
  /** The unique fields that say which record a row means; undefined: the key, or as the recipe says. */
  matchBy: readonly string[] | undefined;
  /** An empty cell takes the stored value away. */
  clears: true | undefined;
  layout: string | undefined;
  /** The sheet of a workbook, the file in an archive, and the line of the heading (0: none); undefined: found out. */
  sheet: string | undefined;
  entry: string | undefined;
  heading: number | undefined;
  /** The name of a recipe of the service. */
  recipe: string | undefined;
  /** The most rejects; null for any number, undefined when not given. */
  limit: number | null | undefined;
  /** The most rows of a file, and the most bytes that it is unpacked; null for any number. */
  maxRows: number | null;
  maxBytes: number | null;
  dryRun: boolean;
  rehearse: boolean;
  again: boolean;
  json: boolean;
  /** Seconds for which a file in a watched folder must not change before it is taken. */
  stableSeconds: number;
  order: "name" | "mtime";
  once: boolean;
  /** Only files with a marker are taken. */
  done: boolean;
  /** The path of a list of name patterns. */
  rules: string | undefined;
  /** Says for how many days reports are kept, and by `watch` files that were put away; undefined: for ever. */
  keepDays: number | undefined;
  /** Name a command line of the shell and an address for mails, which are told of each file. */
  onEnd: string | undefined;
  mailTo: string | undefined;
  /** A command line of the shell that reads the encrypted file and writes its clear text. */
  decrypt: string | undefined;
  /** Says how a file without a layout is written; undefined: found out. */
  fileEncoding: Encoding | undefined;
  separator: Delimiter | undefined;
  suspectRows: SuspectRows;
  /** The rules whose warnings are confirmed; "all" stands for all of them. */
  acknowledge: readonly string[];
  /** Records that are stored already, by the comparisons of the dictionary, are counted or refused. */
  onDuplicate: OnDuplicate | undefined;
  /** Parents that are not there are created before the records that name them. */
  createParents: true | undefined;
  /** Is the encoding of what `layout new` drafts. */
  encoding: LayoutEncoding;
  /** Says how many records `show` prints. */
  records: number;
  /** Serve `layout from`: where the draft of the dictionary goes, and the name of the record with the data. */
  dictionary: string | undefined;
  record: string | undefined;
  /** Serve `export`: a cursor of the change feed, and the sequence of the header. */
  changesSince: string | undefined;
  sequence: string | undefined;
  /** Serve `missing`: a filter as in the address of a list, and the most records that it deletes; undefined: it deletes none. */
  where: string | undefined;
  deletes: number | undefined;
  /** Serve `mcp`: the port or address where it listens, undefined for standard input; and the host names under which callers reach it. */
  http: string | undefined;
  allowHosts: readonly string[];
}

export interface Command {
  name: CommandName;
  /** The words after the name of the command. */
  targets: string[];
  options: Options;
}

const FLAGS = {
  config: { type: "string" },
  state: { type: "string" },
  out: { type: "string" },
  collection: { type: "string" },
  mode: { type: "string", default: "create" },
  "match-by": { type: "string" },
  "empty-cells": { type: "string", default: "keep" },
  layout: { type: "string" },
  sheet: { type: "string" },
  entry: { type: "string" },
  heading: { type: "string" },
  recipe: { type: "string" },
  "max-rejects": { type: "string" },
  "max-rows": { type: "string" },
  "max-bytes": { type: "string" },
  "dry-run": { type: "boolean", default: false },
  rehearse: { type: "boolean", default: false },
  again: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  settle: { type: "string", default: "10" },
  order: { type: "string", default: "name" },
  once: { type: "boolean", default: false },
  done: { type: "boolean", default: false },
  rules: { type: "string" },
  "keep-days": { type: "string" },
  "on-end": { type: "string" },
  "mail-to": { type: "string" },
  decrypt: { type: "string" },
  encoding: { type: "string" },
  separator: { type: "string" },
  "suspect-rows": { type: "string", default: "refuse" },
  acknowledge: { type: "string" },
  "on-duplicate": { type: "string" },
  "create-parents": { type: "boolean", default: false },
  records: { type: "string", default: "5" },
  dictionary: { type: "string" },
  record: { type: "string" },
  "changes-since": { type: "string" },
  sequence: { type: "string" },
  where: { type: "string" },
  delete: { type: "string" },
  http: { type: "string" },
  "allow-hosts": { type: "string" },
  help: { type: "boolean", default: false, short: "h" },
  version: { type: "boolean", default: false },
} as const;

/** Says what becomes of rows that look like no data (docs/reading.md). */
const SUSPECT_ROWS = ["refuse", "leave-out", "load"] as const;
export type SuspectRows = (typeof SUSPECT_ROWS)[number];

/** A watched folder loads no more than this unless it is told to: nobody has looked at its files, as whoever names one has. */
const WATCHED_ROWS = 10_000_000;
const WATCHED_BYTES = 10 * 1024 ** 3;

const MODES: readonly UploadMode[] = ["create", "update", "upsert"];
const LOAD_FLAGS = [
  "collection",
  "mode",
  "match-by",
  "empty-cells",
  "layout",
  "recipe",
  "sheet",
  "entry",
  "heading",
  "encoding",
  "separator",
  "suspect-rows",
  "acknowledge",
  "on-duplicate",
  "create-parents",
  "max-rejects",
  "max-rows",
  "max-bytes",
  "decrypt",
  "out",
  "state",
  "config",
  "json",
] as const;

/** These are for files that are written, which `show` does not do. */
const NOT_TO_SHOW: readonly string[] = ["max-rejects", "max-rows", "max-bytes", "out", "on-duplicate", "create-parents"];

/** These say what becomes of a record, and `missing` stores none. */
const NOT_TO_COMPARE: readonly string[] = ["mode", "empty-cells", "acknowledge"];

/** Serve whoever looks after files that are loaded without a person. */
const OPERATOR_FLAGS = ["on-end", "mail-to", "keep-days"] as const;

/** The words after the name of each command, how many they are, and its options. */
const COMMANDS: Record<CommandName, { words: string; arity: [least: number, most: number]; flags: readonly (keyof typeof FLAGS)[] }> = {
  run: { words: "FILE", arity: [1, 1], flags: [...LOAD_FLAGS, ...OPERATOR_FLAGS, "dry-run", "rehearse", "again"] },
  validate: { words: "FILE", arity: [1, 1], flags: [...LOAD_FLAGS, "again"] },
  show: { words: "FILE", arity: [1, 1], flags: [...LOAD_FLAGS.filter((flag) => !NOT_TO_SHOW.includes(flag)), "records"] },
  export: { words: "FILE, or by COLLECTION and FILE", arity: [1, 2], flags: ["layout", "changes-since", "sequence", "config", "json"] },
  resume: { words: "FILE or RUN", arity: [1, 1], flags: ["max-rejects", "decrypt", "out", "state", "config", "json", ...OPERATOR_FLAGS] },
  status: { words: "FILE, RUN, DIR or nothing", arity: [0, 1], flags: ["state", "rules", "config", "json"] },
  watch: {
    words: "DIR",
    arity: [1, 1],
    flags: [
      ...LOAD_FLAGS.filter((flag) => flag !== "out"),
      "rehearse",
      "again",
      "settle",
      "order",
      "once",
      "done",
      "rules",
      ...OPERATOR_FLAGS,
    ],
  },
  undo: { words: "FILE or RUN", arity: [1, 1], flags: ["state", "config", "json"] },
  missing: {
    words: "FILE and the file to write",
    arity: [2, 2],
    flags: [...LOAD_FLAGS.filter((flag) => !NOT_TO_SHOW.includes(flag) && !NOT_TO_COMPARE.includes(flag)), "where", "delete"],
  },
  layout: {
    words: "new, from, sample, check or save",
    arity: [1, 3],
    flags: ["collection", "mode", "encoding", "recipe", "dictionary", "record", "config", "json"],
  },
  mcp: { words: "nothing", arity: [0, 0], flags: ["http", "allow-hosts", "config"] },
};

/** Throws CommandError for what can be no names of rules. */
function readRules(given: string | undefined): string[] {
  const names = given?.split(",").map((name) => name.trim()) ?? [];
  if (names.every((name) => /^\w+$/.test(name))) return names;
  throw usageError("--acknowledge takes names of rules with commas between, or all.");
}

/** Two of these say how a file is read. Throws CommandError. */
function refuseTwoWays(name: CommandName, values: ReturnType<typeof parse>["values"], tokens: ReturnType<typeof parse>["tokens"]): void {
  const { recipe, layout, collection } = values;
  if (recipe !== undefined && layout !== undefined)
    throw usageError("A layout and a recipe both say how a file is read: leave one of them out.");
  if (recipe !== undefined && name !== "layout" && tokens.some((token) => token.kind === "option" && token.name === "mode"))
    throw usageError("The recipe says what to do with each record: leave --mode out.");
  if (values.rules !== undefined && (layout ?? recipe ?? collection) !== undefined)
    throw usageError("The rules say how each file is read: leave --layout, --recipe and --collection out.");
}

/** Throws CommandError for what is no number. */
function readComparing({ where, delete: most }: ReturnType<typeof parse>["values"]): Pick<Options, "where" | "deletes"> {
  return { where, deletes: most === undefined ? undefined : readNumber(most, "--delete") };
}

/** Reads what becomes of records that are there already, and of parents that are not. Throws CommandError. */
function readNewRecords(values: ReturnType<typeof parse>["values"]): Pick<Options, "onDuplicate" | "createParents"> {
  const given = values["on-duplicate"];
  const onDuplicate = given === undefined ? undefined : oneOf(["warn", "error"] as const, given, "--on-duplicate");
  return { onDuplicate, createParents: values["create-parents"] || undefined };
}

/** Throws CommandError for what can be no host names. */
function readServing({ http, "allow-hosts": given }: ReturnType<typeof parse>["values"]): Pick<Options, "http" | "allowHosts"> {
  if (given === undefined) return { http, allowHosts: [] };
  if (http === undefined) throw usageError("--allow-hosts goes with --http.");
  const allowHosts = given.split(",").map((name) => name.trim().toLowerCase());
  if (allowHosts.every((name) => /^(?:[a-z0-9.-]+|\[[\da-f:.]+\])$/.test(name))) return { http, allowHosts };
  throw usageError("--allow-hosts takes host names without ports, with commas between.");
}

/** Carries what --help or --version prints: the sentence is printed as it is, and may have many lines. */
export class UsageShown extends CommandError {}

/** Throws CommandError. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals, tokens } = parse(args);
  const [name, ...targets] = positionals;
  if (values.version) throw new UsageShown(EXIT.stored, packageJson.version);
  if (values.help || name === undefined) throw new UsageShown(values.help ? EXIT.stored : EXIT.nothing, USAGE);
  if (!isCommand(name)) throw usageError(withMeant(`There is no command "${name}"`, closest(name, Object.keys(COMMANDS))));
  const { flags } = COMMANDS[name];
  const unknown = tokens.find((token) => token.kind === "option" && !flags.some((flag) => flag === token.name));
  if (unknown?.kind === "option") throw usageError(`${name} has no option ${unknown.rawName}.`);
  requireWords(name, targets.length);
  const { config, state, out, collection, layout, recipe, sheet, entry, rehearse, again, json, once, dictionary, record } = values;
  refuseTwoWays(name, values, tokens);
  const mode = oneOf(MODES, values.mode, "--mode");
  const order = oneOf(["name", "mtime"] as const, values.order, "--order");
  const limit = values["max-rejects"] === undefined ? undefined : readLimit(values["max-rejects"]);
  const heading = values.heading === undefined ? undefined : readNumber(values.heading, "--heading");
  if (layout !== undefined && (sheet ?? entry ?? heading ?? values.encoding ?? values.separator) !== undefined) {
    throw usageError("--layout describes the whole file: leave --sheet, --entry, --heading, --encoding and --separator out.");
  }
  const isLayout = name === "layout";
  const encoding = isLayout ? oneOf(LAYOUT_ENCODINGS, values.encoding ?? "utf-8", "--encoding") : "utf-8";
  const fileEncoding = isLayout || values.encoding === undefined ? undefined : readEncoding(values.encoding);
  const separator = values.separator === undefined ? undefined : readSeparator(values.separator);
  const suspectRows = oneOf(SUSPECT_ROWS, values["suspect-rows"], "--suspect-rows");
  if (layout !== undefined && suspectRows !== "refuse")
    throw usageError("A file with a layout has only records: leave --suspect-rows out.");
  const options = {
    config,
    state,
    out,
    collection,
    mode,
    ...readMeaning(values, mode),
    layout,
    sheet,
    entry,
    heading,
    recipe,
    limit,
    rehearse,
    again,
    json,
    order,
    once,
    ...readWatch(values),
    encoding,
    fileEncoding,
    separator,
    suspectRows,
    acknowledge: readRules(values.acknowledge),
    ...readNewRecords(values),
    dictionary,
    record,
    changesSince: values["changes-since"],
    sequence: readSequence(values.sequence),
    records: readNumber(values.records, "--records"),
  };
  return {
    name,
    targets,
    options: { ...options, ...readSizes(name, values), ...readServing(values), ...readComparing(values), dryRun: values["dry-run"] },
  };
}

/** Reads which record a row means, and what its empty cells do. Throws CommandError. */
function readMeaning(values: ReturnType<typeof parse>["values"], mode: UploadMode): Pick<Options, "matchBy" | "clears"> {
  const matchBy = values["match-by"]?.split(",").map((one) => one.trim());
  const clears = oneOf(["keep", "clear"] as const, values["empty-cells"], "--empty-cells") === "clear" || undefined;
  if ((matchBy ?? clears) !== undefined && (values.layout ?? values.recipe) !== undefined)
    throw usageError("A layout or a recipe says what a record means: leave --match-by and --empty-cells out.");
  if (clears && mode === "create") throw usageError("--empty-cells clear is for --mode update or upsert.");
  return { matchBy, clears };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw usageError(optionMistake(error as Error, FLAGS));
  }
}

function readWatch(
  values: ReturnType<typeof parse>["values"],
): Pick<Options, "stableSeconds" | "done" | "rules" | "keepDays" | "onEnd" | "mailTo" | "decrypt"> {
  const days = values["keep-days"];
  const keepDays = days === undefined ? undefined : readNumber(days, "--keep-days");
  if (keepDays === 0) throw usageError("--keep-days is a whole number from 1 on.");
  const { settle, done, rules, "on-end": onEnd, "mail-to": mailTo, decrypt } = values;
  return { stableSeconds: readNumber(settle, "--settle"), done, rules, keepDays, onEnd, mailTo, decrypt };
}

/** Throws CommandError when there are too few or too many words after the name of the command. */
function requireWords(name: CommandName, given: number): void {
  const { words, arity } = COMMANDS[name];
  if (given < arity[0]) throw usageError(`${name} is followed by ${words}.`);
  if (given <= arity[1]) return;
  if (arity[1] === 0) throw usageError(`${name} is followed by options alone.`);
  throw usageError(`${name} is followed by ${words}, and ${given} words were given. Put a name with blanks in quotation marks.`);
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function oneOf<T extends string>(words: readonly T[], given: string, flag: string): T {
  const found = words.find((word) => word === given);
  if (found === undefined) throw usageError(`${flag} is one of ${words.join(", ")}, not "${given}".`);
  return found;
}

function readEncoding(text: string): Encoding {
  const found = ENCODINGS.find((name) => name.toLowerCase() === text.toLowerCase());
  return found ?? oneOf(ENCODINGS, text, "--encoding");
}

function readSeparator(text: string): Delimiter {
  const separator = text.toLowerCase() === "tab" || text === "\\t" ? "\t" : text;
  if (isDelimiter(separator)) return separator;
  throw usageError("--separator is one to eight characters without quotation marks or line breaks, or tab.");
}

function readLimit(text: string): number | null {
  return text === "none" ? null : readNumber(text, "--max-rejects");
}

function readSizes(
  name: CommandName,
  { "max-rows": rows, "max-bytes": bytes }: { "max-rows"?: string | undefined; "max-bytes"?: string | undefined },
): Pick<Options, "maxRows" | "maxBytes"> {
  const isWatch = name === "watch";
  return {
    maxRows: readMost(rows, "--max-rows", isWatch ? WATCHED_ROWS : null),
    maxBytes: readMost(bytes, "--max-bytes", isWatch ? WATCHED_BYTES : null),
  };
}

function readMost(text: string | undefined, flag: string, otherwise: number | null): number | null {
  if (text === undefined) return otherwise;
  if (text === "none") return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw usageError(`${flag} is a whole number from 1 on, or "none", not "${text}".`);
}

/** It stays as it is typed: it may have more digits than a number of JavaScript. The writer knows how much room the header has. */
function readSequence(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text;
  throw usageError(`--sequence is a whole number, not "${text}".`);
}

function readNumber(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const orNone = flag === "--max-rejects" ? ' or "none"' : "";
  throw usageError(`${flag} is a whole number${orNone}, not "${text}".`);
}

function usageError(sentence: string): CommandError {
  return new CommandError(EXIT.nothing, `${sentence} See: ${COMMAND_LINE} --help`);
}
