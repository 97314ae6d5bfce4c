// The file as it lies on the disk: opened, named by its bytes, and how its rows are read. Reads it through Blob, never whole.

import { openAsBlob } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Collection } from "../dictionary/collections.ts";
import { type Fingerprint, takeFingerprint } from "../src/upload/fingerprint.ts";
import type { Plan } from "../src/upload/judge.ts";
import { lookAt } from "../src/upload/look.ts";
import { missingFields, noteColumns, type UploadMode } from "../src/upload/match.ts";
import { FileRefused } from "../src/upload/read.ts";
import type { OpenRows } from "../src/upload/rows.ts";
import { Ended, EXIT, systemTrouble } from "./ending.ts";
import { type KeptRun, STATE_FOLDER } from "./runs.ts";

export interface Source {
  /** Absolute. */
  path: string;
  name: string;
  file: File;
}

/** How the records of a file are read, and what should be known about it. */
export interface Reading {
  plan: Plan;
  openRows?: OpenRows;
  layout?: unknown;
  notes: string[];
}

/** Throws Ended. A file that changes after this is told by whoever reads on. */
export async function openSource(path: string): Promise<Source> {
  const name = basename(path);
  try {
    if (!(await stat(path)).isFile()) throw new Ended(EXIT.nothing, `${path} is no file.`);
    await access(path, constants.R_OK);
    return { path: resolve(path), name, file: new File([await openAsBlob(path)], name) };
  } catch (error) {
    const why = systemTrouble(error);
    throw why === undefined ? error : new Ended(EXIT.nothing, `${path} cannot be read: ${why}.`);
  }
}

export function stateFolder(path: string, given: string | undefined): string {
  return resolve(given ?? join(dirname(resolve(path)), STATE_FOLDER));
}

/** Reads the file once. Throws Ended. */
export async function fingerprintOf({ path, file }: Source): Promise<Fingerprint> {
  try {
    return await takeFingerprint(file);
  } catch {
    throw new Ended(EXIT.nothing, `${path} cannot be read to its end. It may be changing: run this again once it is whole.`);
  }
}

/** Of a delimited file without a layout: its form is detected and its headings are matched, as in the upload. Throws Ended. */
export async function detectReading({ file, name }: Source, collection: Collection, mode: UploadMode): Promise<Reading> {
  const look = await lookAt(file, collection).catch((error) => {
    throw error instanceof FileRefused ? new Ended(EXIT.nothing, `${name}: ${error.message}`) : error;
  });
  const { dialect, columns, header, why } = look;
  const missing = missingFields(collection, columns, mode);
  if (missing.length > 0) {
    const fields = missing.map(({ title, name }) => `${title} (${name})`).join(", ");
    const found = header.slice(0, 20).join(", ").slice(0, 200);
    throw new Ended(
      EXIT.nothing,
      `${name}: no column is matched with ${fields}. Its heading is read as: ${found}. Name the columns so, or describe the file with --layout.`,
    );
  }
  const notes = [`Read as ${dialect.encoding}, because ${why}.`, ...noteColumns(collection, header, columns, mode)];
  return { plan: { dialect, columns, mode }, notes };
}

/** As a run read its file, so that its batches come out as they were. */
export function readingOf(run: Pick<KeptRun, "plan" | "notes">): Reading {
  const { plan, notes } = run;
  return { plan, notes };
}

/** Throws Ended. */
export function chooseCollection(collections: readonly Collection[], name: string | undefined): Collection {
  const [only] = collections;
  const names = collections.map((collection) => collection.name).join(", ");
  if (name === undefined) {
    if (only && collections.length === 1) return only;
    throw new Ended(EXIT.nothing, `The service has several collections: say with --collection which is meant: ${names}.`);
  }
  const found = collections.find((collection) => collection.name === name);
  if (!found) throw new Ended(EXIT.nothing, `The service has no collection ${name}. It has ${names}.`);
  return found;
}
