// `intake check`: whether a start with a dictionary would succeed, and what it would change. Nothing is changed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { startDictionary } from "../dictionary/start-dictionary.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { tryDictionary as tryPostgres } from "../engine/postgres/store.ts";
import { tryDictionary as trySqlite } from "../engine/sqlite/schema.ts";
import { readPlace } from "../open-store.ts";
import { DEFAULT_DICTIONARY } from "../package-folder.ts";
import { type Command, commandLine, readWords } from "./command-line.ts";
import { exitCodeOf } from "./explained-errors.ts";

const CHECK = commandLine("check");
const USAGE = `${CHECK} DICTIONARY          holds the file against the store of DATA_DIR or DATABASE_URL, which a service may use
${CHECK} DICTIONARY --json   prints JSON: { "ok", "mistakes", "notes" }

It changes nothing. It ends with 0 if a start with the file would succeed, 78 if it would be refused, 1 if that cannot be known.
Without DICTIONARY it takes the one that the variable DICTIONARY names, or else Intake's own.`;

export const check: Command = async (args) => {
  const { words, values } = readWords(args, USAGE, 1, { json: { type: "boolean" } });
  const [file = process.env.DICTIONARY] = words;
  try {
    const notes = await tryFile(file);
    return values.json ? jsonOf([], notes) : describe(notes);
  } catch (error) {
    if (!values.json || !(error instanceof DictionaryRefused)) throw error;
    process.exitCode = exitCodeOf(error);
    return jsonOf(error.reasons.length > 0 ? error.reasons : [error.message]);
  }
};

/** Returns what a start would do besides, in sentences; undefined where there is no store yet. Throws DictionaryRefused, StoreOpenError or StartError. */
async function tryFile(file: string | undefined): Promise<string[] | undefined> {
  const { choose, chosen, refuse } = await startDictionary(file, DEFAULT_DICTIONARY);
  const { folder, url } = readPlace(process.env);
  const store = join(folder, "intake.db");
  try {
    const notes = url ? await tryPostgres(url, choose) : existsSync(store) ? trySqlite(store, choose) : undefined;
    return notes && [...chosen().notes, ...notes];
  } catch (error) {
    return refuse(error);
  }
}

function jsonOf(mistakes: readonly string[], notes: readonly string[] = []): string {
  return JSON.stringify({ ok: mistakes.length === 0, mistakes, notes }, null, 2);
}

function describe(notes: readonly string[] | undefined): string {
  if (!notes) return "The dictionary is right. There is no store yet that it could be held against.";
  return ["The dictionary is right, and fits the records that are stored.", ...notes.map((note) => `  ${note}`)].join("\n");
}
