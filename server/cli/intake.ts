#!/usr/bin/env node
// The command `intake`. Everything is imported only when it is needed, so that source maps are on before any of it loads.

import packageJson from "../../package.json" with { type: "json" };
import type { Command } from "./command-line.ts";

process.setSourceMapsEnabled(true);

const USAGE = `intake start                starts the service and prints its address
intake check DICTIONARY     says whether a start with this dictionary would succeed
intake dictionary           shows, compares and applies the dictionary
intake keys                 makes, lists and revokes API keys
intake backup FILE          copies the SQLite store
intake restore FILE         makes a backup the store
intake erase COLLECTION ID  erases a record with its history for good
intake erase --rewrite      rewrites the store's files without what is left of it
intake copy COLLECTION ID   prints all that is held about a record
intake reset-secrets        begins anew after SECRETS_KEY was lost
intake publish              writes the app for another host
intake-batch                loads files; see: intake-batch --help

Each has --help; intake --version prints the version.
Settings are environment variables: docs/operators.md`;

/** Each loads a command that takes its arguments and resolves with what to print. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import("./check.ts")).check,
  dictionary: async () => (await import("./dictionary.ts")).dictionary,
  keys: async () => (await import("./keys.ts")).manageKeys,
  backup: async () => (await import("./backup.ts")).backUp,
  restore: async () => (await import("./restore.ts")).restore,
  erase: async () => (await import("./erase.ts")).erase,
  copy: async () => (await import("./erase.ts")).copy,
  "reset-secrets": async () => (await import("./reset-secrets.ts")).resetSecrets,
  publish: async () => (await import("./publish.ts")).publish,
};

const [name = "help", ...args] = process.argv.slice(2);
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const isHelpAsked = (word: string | undefined) => word === "--help" || word === "-h";
if (load) await runCommand(await load());
else if (name === "start" && args.length === 0) await import("../main.ts");
else if (name === "--version") process.stdout.write(`${packageJson.version}\n`);
else if (name === "help" || isHelpAsked(name) || (name === "start" && args.some(isHelpAsked))) process.stdout.write(`${USAGE}\n`);
else await printMistake();

async function runCommand(command: Command): Promise<void> {
  try {
    (await import("../secret-files.ts")).readSecretFiles(process.env);
    process.stdout.write(`${await command(args)}\n`);
  } catch (error) {
    const { HelpAsked } = await import("./command-line.ts");
    if (error instanceof HelpAsked) {
      process.stdout.write(`${error.message}\n`);
      return;
    }
    const { exitCodeOf, isExplained } = await import("./explained-errors.ts");
    process.stderr.write(`${isExplained(error) ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

async function printMistake(): Promise<void> {
  process.stderr.write(`${await mistakeOf()}\n${USAGE}\n`);
  process.exitCode = 1;
}

async function mistakeOf(): Promise<string> {
  if (name === "start") return "start is followed by nothing: its settings are environment variables.";
  const { withMeant } = await import("../../core/text/option-mistakes.ts");
  const { closest } = await import("../../core/text/similarity.ts");
  const found = closest(name, ["start", ...Object.keys(COMMANDS)]);
  return withMeant(name.startsWith("-") ? `There is no option ${name}` : `There is no command "${name}"`, found);
}
