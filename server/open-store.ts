// Opens the dictionary and the store that the environment names, for the service and its commands.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Collection, readDataPackage } from "../core/dictionary/collections.ts";
import { hasPatterns, slowPatterns } from "../core/dictionary/slow-patterns.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";
import { toAnswer } from "./routes/records/answers.ts";
import { sqliteThreads } from "./sqlite-threads.ts";
import { openPostgres } from "./store/postgres/store.ts";
import { requirePrivateFiles } from "./store/sqlite/file-access.ts";
import { openSqlite } from "./store/sqlite/store.ts";
import { DEFAULT_SETTINGS, type Store, StoreInUse } from "./store/store.ts";

const DEFAULT_DICTIONARY = join(PACKAGE_FOLDER, "core", "dictionary", "datapackage.json");

/** The service cannot start; the message is a sentence for whoever started it. */
export class StartError extends Error {}

/** Where the records are: PostgreSQL where there is a `url`, otherwise the SQLite file in `folder`. */
export interface StorePlace {
  folder: string;
  url: string | undefined;
}

/** The place that the environment names. Throws StartError for a name that is empty: it would be another store, with nothing in it. */
export function readPlace(env: Readonly<Record<string, string | undefined>>): StorePlace {
  const { DATA_DIR = "./data", DATABASE_URL } = env;
  if (DATABASE_URL?.trim() === "")
    throw new StartError("DATABASE_URL is set, but empty: set it to the address of the PostgreSQL database, or remove it for SQLite.");
  if (DATA_DIR.trim() === "")
    throw new StartError("DATA_DIR is set, but empty: set it to the folder of the SQLite file, or remove it for ./data.");
  return { folder: DATA_DIR, url: DATABASE_URL };
}

/** Throws StoreOpenError or StartError. */
export async function openStore(
  collections: readonly Collection[],
  { folder, url }: StorePlace,
  settings = DEFAULT_SETTINGS,
): Promise<Store> {
  if (url) return openPostgres(url, collections, toAnswer, settings);
  const file = join(folder, "intake.db");
  if (!mayShareFiles()) requirePrivateFiles(file);
  const { readSeconds, connections: _, ...others } = settings;
  return openSqlite(file, collections, { threads: sqliteThreads, readBudget: readSeconds * 1_000, ...others });
}

/**
 * The store of the environment, for a command; undefined when a service holds it. Throws StartError where there is none: in a new one a
 * key would open no service, and no record would be found.
 */
export async function openExistingStore(collections: readonly Collection[]): Promise<Store | undefined> {
  const place = readPlace(process.env);
  requireStore(place, ", or the running service with URL and ADMIN_KEY");
  return openStore(collections, place, { ...DEFAULT_SETTINGS, mayChangeTables: false }).catch((error) => {
    if (error instanceof StoreInUse) return undefined;
    throw error;
  });
}

/** Throws StartError where a folder has no store. `others`: what may be named instead. */
export function requireStore({ folder, url }: StorePlace, others = ""): void {
  if (url || existsSync(join(folder, "intake.db"))) return;
  const choices = `name the store with DATA_DIR or DATABASE_URL${others}`;
  throw new StartError(`There is no store in ${folder}: ${choices}. A new store is made when the service starts.`);
}

function mayShareFiles(): boolean {
  const { SHARED_DATA_DIR = "" } = process.env;
  if (!["", "true", "false"].includes(SHARED_DATA_DIR))
    throw new StartError(`SHARED_DATA_DIR must be true or false, not "${SHARED_DATA_DIR}".`);
  return SHARED_DATA_DIR === "true";
}

/** Reads a data package, by default the one that comes with Intake. Throws StartError with every mistake in it. */
export function readDictionary(path: string | undefined): { dataPackage: unknown; collections: Collection[] } {
  let dataPackage: unknown;
  try {
    dataPackage = JSON.parse(readFileSync(path ?? DEFAULT_DICTIONARY, "utf8"));
  } catch (error) {
    throw new StartError(`the dictionary ${path ?? DEFAULT_DICTIONARY} cannot be read: ${(error as Error).message}`);
  }
  const read = readDataPackage(dataPackage);
  if (!("mistakes" in read)) return { dataPackage, collections: read.collections };
  const mistakes = read.mistakes.map((mistake) => `\n  ${mistake.path || "/"}: ${mistake.message}`);
  throw new StartError(`the dictionary ${path ?? DEFAULT_DICTIONARY} has mistakes:${mistakes.join("")}`);
}

/** Throws StartError for patterns that one text could keep busy for seconds: every record that is sent would be checked by them. */
export async function refuseSlowPatterns(collections: readonly Collection[]): Promise<void> {
  if (!hasPatterns(collections)) return;
  const { checkSync } = await import("recheck/lib/browser.js"); // 3 MB, loaded only where it is needed
  const mistakes = slowPatterns(collections, checkSync).map(({ path, message }) => `\n  ${path}: ${message}.`);
  if (mistakes.length > 0) throw new StartError(`the dictionary has patterns that are too slow:${mistakes.join("")}`);
}
