// The dictionary's file and the store behind the service or its command line, by what the environment named. Reads no env itself.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Collection, readDataPackage } from "../core/dictionary/collections.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";
import { openPostgres } from "./store/postgres/store.ts";
import { openSqlite } from "./store/sqlite/store.ts";
import type { Store } from "./store/store.ts";

const SHIPPED = join(PACKAGE_FOLDER, "core", "dictionary", "datapackage.json");

/** Why the service does not start, in words for whoever started it. */
export class StartError extends Error {}

export async function openStore(collections: readonly Collection[], folder: string, url: string | undefined): Promise<Store> {
  return url ? openPostgres(url, collections) : openSqlite(join(folder, "intake.db"), collections);
}

/** Throws StartRefused with every mistake that the file has. */
export function readDictionary(path: string | undefined): { dataPackage: unknown; collections: Collection[] } {
  let dataPackage: unknown;
  try {
    dataPackage = JSON.parse(readFileSync(path ?? SHIPPED, "utf8"));
  } catch (error) {
    throw new StartError(`the dictionary ${path ?? SHIPPED} cannot be read: ${(error as Error).message}`);
  }
  const read = readDataPackage(dataPackage);
  if (!("mistakes" in read)) return { dataPackage, collections: read.collections };
  const mistakes = read.mistakes.map((mistake) => `\n  ${mistake.path || "/"}: ${mistake.message}`);
  throw new StartError(`the dictionary ${path ?? SHIPPED} has mistakes:${mistakes.join("")}`);
}
