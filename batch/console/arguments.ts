// What the operator typed, as a command with its options, or what is wrong with it and how it is meant. Reads no file.

import { parseArgs } from "node:util";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import { LAYOUT_ENCODINGS, type LayoutEncoding } from "../layouts/character-sets.ts";
import { CommandError, EXIT } from "./exit-codes.ts";

export type CommandName = "run" | "validate" | "resume" | "status" | "watch" | "undo" | "layout";

export interface Options {
  config: string | undefined;
  state: string | undefined;
  /** The folder for rejects and reports; undefined: beside the file. */
  out: string | undefined;
  collection: string | undefined;
  mode: UploadMode;
  layout: string | undefined;
  /** The most rejects; null: any number; undefined: not said. */
  limit: number | null | undefined;
  dryRun: boolean;
  rehearse: boolean;
  again: boolean;
  json: boolean;
  /** Seconds for which a file in a watched folder must not change before it is taken. */
  settleSeconds: number;
  order: "name" | "mtime";
  once: boolean;
  /** Of a new layout. */
  encoding: LayoutEncoding;
}

export interface Command {
  name: CommandName;
  /** What comes after the command's name. */
  targets: string[];
  options: Options;
}

const FLAGS = {
  config: { type: "string" },
  state: { type: "string" },
  out: { type: "string" },
  collection: { type: "string" },
  mode: { type: "string", default: "create" },
  layout: { type: "string" },
  "max-rejects": { type: "string" },
  "dry-run": { type: "boolean", default: false },
  rehearse: { type: "boolean", default: false },
  again: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  settle: { type: "string", default: "10" },
  order: { type: "string", default: "name" },
  once: { type: "boolean", default: false },
  encoding: { type: "string", default: "utf-8" },
  help: { type: "boolean", default: false, short: "h" },
} as const;

const MODES: readonly UploadMode[] = ["create", "update", "upsert"];
const OF_A_LOAD = ["collection", "mode", "layout", "max-rejects", "out", "state", "config", "json"] as const;

/** How many words each command takes after its name, and which flags. */
const COMMANDS: Record<CommandName, { words: [least: number, most: number]; flags: readonly (keyof typeof FLAGS)[] }> = {
  run: { words: [1, 1], flags: [...OF_A_LOAD, "dry-run", "rehearse", "again"] },
  validate: { words: [1, 1], flags: [...OF_A_LOAD] },
  resume: { words: [1, 1], flags: ["max-rejects", "out", "state", "config", "json"] },
  status: { words: [0, 1], flags: ["state", "json"] },
  watch: { words: [1, 1], flags: [...OF_A_LOAD.filter((flag) => flag !== "out"), "rehearse", "again", "settle", "order", "once"] },
  undo: { words: [1, 1], flags: ["state", "config", "json"] },
  layout: { words: [1, 3], flags: ["collection", "mode", "encoding", "config", "json"] },
};

export const USAGE = `npm run batch -- run FILE        checks the whole file, then stores its records
npm run batch -- validate FILE   checks only
npm run batch -- resume FILE|RUN goes on with a run that stopped midway
npm run batch -- undo FILE|RUN   takes back what a run stored
npm run batch -- status [FILE]   the runs that are known
npm run batch -- watch DIR       loads every file that comes into a folder
npm run batch -- layout new [FILE] | layout sample LAYOUT [FILE] | layout check LAYOUT

  --collection NAME              customers, where the service has several
  --mode create|update|upsert    what a record means (create)
  --layout FILE                  how the file is written
  --max-rejects N|none           the most records that may be refused (0)
  --dry-run                      asks the service as well, and stores nothing
  --rehearse                     asks the service before anything is stored
  --again                        loads a file that was loaded before
  --out DIR, --state DIR         where rejects and reports, and what is known of runs, are kept
  --config FILE                  a JSON object of url and key, in the place of INTAKE_URL and INTAKE_KEY
  --json                         one JSON object a line in the place of words
  --settle SECONDS, --order name|mtime, --once   of watch
  --encoding NAME                of a new layout

The page docs/batch.md says more.`;

/** Its sentence is the usage, of many lines. */
export class UsageShown extends CommandError {}

/** Throws Ended. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals, tokens } = parse(args);
  const [name, ...targets] = positionals;
  if (values.help || name === undefined) throw new UsageShown(values.help ? EXIT.stored : EXIT.nothing, USAGE);
  if (!isCommand(name)) throw wrong(`There is no command "${name}".`);
  const { words, flags } = COMMANDS[name];
  const stranger = tokens.find((token) => token.kind === "option" && !flags.some((flag) => flag === token.name));
  if (stranger?.kind === "option") throw wrong(`${name} has no option ${stranger.rawName}.`);
  if (targets.length < words[0] || targets.length > words[1]) throw wrong(`${name} takes ${inWords(words)} after its name.`);
  const { config, state, out, collection, layout, rehearse, again, json, once } = values;
  const mode = oneOf(MODES, values.mode, "--mode");
  const order = oneOf(["name", "mtime"] as const, values.order, "--order");
  const limit = values["max-rejects"] === undefined ? undefined : readLimit(values["max-rejects"]);
  const encoding = oneOf(LAYOUT_ENCODINGS, values.encoding, "--encoding");
  const settleSeconds = readNumber(values.settle, "--settle");
  const options = {
    config,
    state,
    out,
    collection,
    mode,
    layout,
    limit,
    rehearse,
    again,
    json,
    settleSeconds,
    order,
    once,
    encoding,
  };
  return { name, targets, options: { ...options, dryRun: values["dry-run"] } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw wrong(`${(error as Error).message.split(". ")[0]}.`);
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function oneOf<T extends string>(words: readonly T[], given: string, flag: string): T {
  const found = words.find((word) => word === given);
  if (found === undefined) throw wrong(`${flag} is ${words.join(", ")}, not "${given}".`);
  return found;
}

function readLimit(text: string): number | null {
  return text === "none" ? null : readNumber(text, "--max-rejects");
}

function readNumber(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const orNone = flag === "--max-rejects" ? ' or "none"' : "";
  throw wrong(`${flag} is a whole number${orNone}, not "${text}".`);
}

function inWords([least, most]: [number, number]): string {
  if (least === most) return least === 1 ? "one word" : `${least} words`;
  return least === 0 ? "at most one word" : `${least} to ${most} words`;
}

function wrong(sentence: string): CommandError {
  return new CommandError(EXIT.nothing, `${sentence} See: npm run batch -- --help`);
}
