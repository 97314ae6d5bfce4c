// Decides with which dictionary a store is opened: the file that DICTIONARY names, or the one that the store keeps.

import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { changesOf } from "../../core/dictionary/changes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { identify } from "../../core/dictionary/identify.ts";
import { readWithRetired } from "../access/retired.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { StoreOpenError } from "../engine/store.ts";
import type { ChooseDictionary, KeptVersion } from "../engine/versions.ts";
import { type DictionaryFile, readDictionary, refuseSlowPatterns } from "./read-dictionary.ts";

/** A dictionary as the store keeps it. `version`: the number that it has, or gets when it is kept. */
export interface StoredDictionary {
  dataPackage: unknown;
  collections: readonly Collection[];
  version: number;
  /** Sentences about what a file lacks, which is retired. */
  notes: readonly string[];
}

export interface StartDictionary {
  choose: ChooseDictionary;
  /** Returns what `choose` has chosen last. */
  chosen(): StoredDictionary;
  /** Throws the error again, with the lines of a file's places. */
  refuse(error: unknown): never;
}

/**
 * The file at `path` counts, wherever there is one: what it names is the next version, and what it lacks is retired. Without it the store's own
 * dictionary counts, and for a new store the one at `own`. Throws DictionaryRefused for a file with mistakes.
 */
export async function startDictionary(path: string | undefined, own: string): Promise<StartDictionary> {
  const file = readDictionary(path ?? own);
  await refuseSlowPatterns(file, path ?? own);
  let chosen: StoredDictionary | undefined;
  return {
    choose(kept) {
      chosen = path === undefined && kept ? readKept(kept) : nextVersion(file, kept);
      const isKept = kept?.version === chosen.version;
      return {
        collections: chosen.collections,
        text: isKept ? kept.text : JSON.stringify(chosen.dataPackage),
        comment: path ? COMMENT : "",
      };
    },
    chosen() {
      if (!chosen) throw new Error("no store was opened");
      return chosen;
    },
    refuse: file.refuse,
  };
}

const LEAVES_ROLES = "roles: a file makes none; make them in Settings, or apply its package as a draft";
const COMMENT = "From the file that DICTIONARY names";

/** Chooses what the store keeps, for commands beside the service: only a store that keeps nothing yet takes the file. */
export function storedDictionary(path: string): Pick<StartDictionary, "choose" | "chosen"> {
  let chosen: StoredDictionary | undefined;
  return {
    choose(kept) {
      chosen = kept ? readKept(kept) : { ...readDictionary(path), version: 0, notes: [] };
      return { collections: chosen.collections };
    },
    chosen() {
      if (!chosen) throw new Error("no store was opened");
      return chosen;
    },
  };
}

function readKept({ text, version }: KeptVersion): StoredDictionary {
  const dataPackage: unknown = JSON.parse(text);
  const read = readWithRetired(dataPackage);
  if ("mistakes" in read)
    throw new StoreOpenError(
      `this version of Intake cannot read the store's dictionary (version ${version}): ${read.mistakes[0]?.message}`,
    );
  return { dataPackage, collections: read.collections, version, notes: [] };
}

/** Throws DictionaryRefused where the file cannot be the next version. */
export function nextVersion(
  { dataPackage, placeOf }: Pick<DictionaryFile, "dataPackage" | "placeOf">,
  kept: KeptVersion | undefined,
): StoredDictionary {
  const base: unknown = kept && JSON.parse(kept.text);
  const next = identify(dataPackage, base, newId);
  const refused = (mistakes: readonly { path: string; message: string }[]) =>
    new DictionaryRefused(
      "the dictionary cannot follow the one that is stored",
      mistakes.map(({ path, message }) => `${placeOf(path)}: ${message}`),
    );
  if ("mistakes" in next) throw refused(next.mistakes);
  if (kept && isDeepStrictEqual(next.dataPackage, base)) return readKept(kept);
  const read = readWithRetired(next.dataPackage);
  if ("mistakes" in read) throw refused(read.mistakes);
  const retired = changesOf(base, next.dataPackage).filter(({ kind }) => kind === "retired");
  const notes = retired.map(({ path }) => `${path}: it is not in the file, so it is retired: hidden, and kept with its values`);
  if (isObject(dataPackage) && Array.isArray(dataPackage.roles) && dataPackage.roles.length > 0) notes.push(LEAVES_ROLES);
  return { dataPackage: next.dataPackage, collections: read.collections, version: (kept?.version ?? 0) + 1, notes };
}

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Makes ten letters and digits, 59 bits of chance: enough for the fields of one store. */
export function newId(): string {
  let id = "";
  while (id.length < 10) for (const byte of randomBytes(16)) if (byte < 248 && id.length < 10) id += LETTERS[byte % 62];
  return id;
}
