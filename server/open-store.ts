// Opens the store that the environment names, for the service and its commands.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Collection } from "../core/dictionary/collections.ts";
import { nameStore } from "./access/named-store.ts";
import type { Content } from "./content/content.ts";
import { createContentFolder } from "./content/folder/content-folder.ts";
import { checkBucket } from "./content/s3/check-bucket.ts";
import { createS3Client } from "./content/s3/s3-client.ts";
import { createS3Content } from "./content/s3/s3-content.ts";
import { readS3Place, UnusableBucket } from "./content/s3/s3-place.ts";
import { withScanner } from "./content/scan.ts";
import { type StoredDictionary, storedDictionary } from "./dictionary/start-dictionary.ts";
import { openPostgres } from "./engine/postgres/store.ts";
import { requirePrivateFiles } from "./engine/sqlite/file-access.ts";
import { openSqlite } from "./engine/sqlite/store.ts";
import { DEFAULT_SETTINGS, type Store, StoreInUse } from "./engine/store.ts";
import type { GivenDictionary } from "./engine/versions.ts";
import { DEFAULT_DICTIONARY } from "./package-folder.ts";
import { toAnswer } from "./records/answers.ts";
import { sqliteThreads } from "./sqlite-threads.ts";

/** The service cannot start; the message is a sentence for whoever started it. */
export class StartError extends Error {}

/** Says where the records are: PostgreSQL where there is a `url`, otherwise the SQLite file in `folder`. */
export interface StorePlace {
  folder: string;
  url: string | undefined;
}

/** Returns the place that the environment names. Throws StartError for a name that is empty: it would be another store, with nothing in it. */
export function readPlace(env: Readonly<Record<string, string | undefined>>): StorePlace {
  const { DATA_DIR = "./data", DATABASE_URL } = env;
  if (DATABASE_URL?.trim() === "")
    throw new StartError("DATABASE_URL is set, but empty: set it to the address of the PostgreSQL database, or remove it for SQLite.");
  if (DATA_DIR.trim() === "")
    throw new StartError("DATA_DIR is set, but empty: set it to the folder of the SQLite file, or remove it for ./data.");
  return { folder: DATA_DIR, url: DATABASE_URL };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the replica that the environment names. Throws StartError where there is nothing to be a replica of. */
export function readReplica(env: Environment, { url }: StorePlace): string | undefined {
  const { READ_DATABASE_URL } = env;
  if (READ_DATABASE_URL?.trim() === "")
    throw new StartError("READ_DATABASE_URL is set, but empty: set it to the address of a replica of the database, or remove it.");
  if (READ_DATABASE_URL !== undefined && !url)
    throw new StartError("READ_DATABASE_URL is set, but not DATABASE_URL: SQLite has no replica.");
  return READ_DATABASE_URL;
}

export type ContentPlace = { folder: string } | { bucket: string };

/** Returns FILES, or `files` beside the SQLite file. Undefined on PostgreSQL without FILES: then no content is kept. Throws StartError. */
export function readContentPlace({ FILES }: Environment, { folder, url }: StorePlace): ContentPlace | undefined {
  if (FILES?.trim() === "") throw new StartError("FILES is set, but empty: set it to the place for the content of files, or remove it.");
  if (FILES?.startsWith("s3://")) return { bucket: FILES };
  if (FILES !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(FILES))
    throw new StartError(`FILES must be a folder, such as /var/lib/intake/files, or s3://bucket/prefix, not "${FILES}".`);
  if (FILES !== undefined) return { folder: FILES };
  return url ? undefined : { folder: join(folder, "files") };
}

/** Opens the content of files that the environment names. Throws StartError, also for a bucket that cannot be reached, read or written. */
export async function openContent(env: Environment, store: StorePlace): Promise<Content | undefined> {
  const place = readContentPlace(env, store);
  const { FILES_SCAN } = env;
  if (FILES_SCAN?.trim() === "") throw new StartError("FILES_SCAN is set, but empty: set it to the command of a scanner, or remove it.");
  const content = place && (await openContentAt(env, place));
  return content && FILES_SCAN !== undefined ? withScanner(content, FILES_SCAN) : content;
}

/** Opens the place where files wait that are imported, beside the content of files. Undefined where there is none. Throws StartError. */
export async function openImports(env: Environment, store: StorePlace): Promise<Content | undefined> {
  const place = readContentPlace(env, store);
  if (!place) return undefined;
  const own = "folder" in place ? { folder: join(place.folder, "imports") } : { bucket: `${place.bucket.replace(/\/$/, "")}/imports` };
  const content = await openContentAt(env, own);
  return env.FILES_SCAN === undefined ? content : withScanner(content, env.FILES_SCAN);
}

export async function openContentAt(env: Environment, place: ContentPlace): Promise<Content> {
  if ("folder" in place) return createContentFolder(place.folder);
  try {
    const client = createS3Client(readS3Place(place.bucket, env));
    await checkBucket(client);
    return createS3Content(client);
  } catch (error) {
    throw error instanceof UnusableBucket ? new StartError(error.message) : error;
  }
}

/** Throws StoreOpenError or StartError. */
export async function openStore(given: GivenDictionary, { folder, url }: StorePlace, settings = DEFAULT_SETTINGS): Promise<Store> {
  if (url) return openPostgres(url, given, toAnswer, settings);
  const file = join(folder, "intake.db");
  if (!mayShareFiles()) requirePrivateFiles(file);
  const { readSeconds, connections: _, readUrl: __, ...others } = settings;
  return openSqlite(file, given, { threads: sqliteThreads, readBudget: readSeconds * 1_000, ...others });
}

/** A store with the collections of its dictionary. */
export interface OpenedStore {
  store: Store;
  collections: readonly Collection[];
  served: StoredDictionary;
}

/**
 * Opens the store of the environment, for a command; undefined when a service holds it. Throws StartError where there is none: in a new one a
 * key would open no service, and no record would be found.
 */
export async function openExistingStore(): Promise<OpenedStore | undefined> {
  const place = readPlace(process.env);
  requireStore(place, ", or the running service with URL and ADMIN_KEY");
  const { choose, chosen } = storedDictionary(process.env.DICTIONARY ?? DEFAULT_DICTIONARY);
  try {
    const store = await openStore(choose, place, { ...DEFAULT_SETTINGS, mayChangeTables: false });
    const served = chosen();
    const { collections } = served;
    return { store: nameStore(store, collections), collections, served };
  } catch (error) {
    if (error instanceof StoreInUse) return undefined;
    throw error;
  }
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
