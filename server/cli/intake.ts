#!/usr/bin/env node
// The command `intake`. Everything is imported only when it is needed, so that source maps are on before any of it loads.

import type { Command } from "./command-line.ts";

process.setSourceMapsEnabled(true);

const USAGE = `intake start                starts the service and prints its address
intake keys                 makes, lists and revokes API keys
intake backup FILE          copies the SQLite store
intake restore FILE         makes a backup the store
intake erase COLLECTION ID  erases a record with its history for good
intake copy COLLECTION ID   prints all that is held about a record
intake publish              writes the app for another host
intake-batch                loads files; see: intake-batch --help

Settings are environment variables: docs/operators.md`;

/** Each loads a command that takes its arguments and resolves with what to print. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  keys: async () => (await import("./keys.ts")).manageKeys,
  backup: async () => (await import("./backup.ts")).backUp,
  restore: async () => (await import("./restore.ts")).restore,
  erase: async () => (await import("./erase.ts")).erase,
  copy: async () => (await import("./erase.ts")).copy,
  publish: async () => (await import("./publish.ts")).publish,
};

const [name = "help", ...args] = process.argv.slice(2);
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (name === "start" && args.length === 0) await import("../main.ts");
else if (load) await runCommand(await load());
else printUsage();

async function runCommand(command: Command): Promise<void> {
  try {
    process.stdout.write(`${await command(args)}\n`);
  } catch (error) {
    const { isExplained } = await import("./explained-errors.ts");
    process.stderr.write(`${isExplained(error) ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = 1;
  }
}

function printUsage(): void {
  const isWanted = ["help", "--help", "-h"].includes(name);
  (isWanted ? process.stdout : process.stderr).write(`${USAGE}\n`);
  process.exitCode = isWanted ? 0 : 1;
}
