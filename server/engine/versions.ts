// Keeps every version of the dictionary, the same on both engines. The newest is the one that all processes serve.

import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { ask, type Cell, type Script } from "./script/script.ts";
import { StoreOutdated } from "./store.ts";

/** A version as it is kept. Versions count from 1. */
export interface KeptVersion {
  version: number;
  /** The data package as JSON, with what is retired. */
  text: string;
}

/** The facts that are kept beside the data package of a version. Without `by` it came from a file. */
export interface VersionNote {
  by: Principal | null;
  comment: string;
}

export interface ListedVersion extends VersionNote {
  version: number;
  /** In ms since 1970. */
  at: number;
}

/** Another dictionary for the store. `base`: the version that it was made from. */
export interface NewVersion extends VersionNote {
  base: number;
  text: string;
}

/** The dictionary with which a store is opened. */
export interface ChosenDictionary {
  collections: readonly Collection[];
  /** The data package as JSON: it is kept as the next version where it differs from the newest. Without it none is kept. */
  text?: string;
  comment?: string;
}

/** Says with which dictionary a store is opened that keeps this one. It is called within the transaction of the start, perhaps again. */
export type ChooseDictionary = (kept: KeptVersion | undefined) => ChosenDictionary;

/** The dictionary of an opening. Collections alone are no version: none is kept. */
export type GivenDictionary = readonly Collection[] | ChooseDictionary;

export function chosenFrom(given: GivenDictionary, kept: KeptVersion | undefined): ChosenDictionary {
  return typeof given === "function" ? given(kept) : { collections: given };
}

/** No version has a greater number: both engines take it. */
export const LAST_VERSION = 2_147_483_647;

/** Returns undefined for a store that keeps none yet. */
export function* readNewest(): Script<KeptVersion | undefined> {
  const { rows } = yield* ask("SELECT version, package FROM dictionary_versions ORDER BY version DESC LIMIT 1");
  return rows.map(toKept)[0];
}

export function* readVersion(version: number): Script<KeptVersion | undefined> {
  const { rows } = yield* ask("SELECT version, package FROM dictionary_versions WHERE version = $1", version);
  return rows.map(toKept)[0];
}

/** Returns the newest version, if it is another one than `known`. */
export function* readOther(known: number): Script<KeptVersion | undefined> {
  const { rows } = yield* ask("SELECT max(version) FROM dictionary_versions");
  return Number(rows[0]?.[0] ?? 0) === known ? undefined : yield* readNewest();
}

/** Lists the versions below one, the newest first, without their data packages. */
export function* listVersions(below: number, limit: number): Script<ListedVersion[]> {
  const name = "coalesce(u.name, nullif(k.name, ''), v.by_id)";
  const sql = `SELECT v.version, v.at, v.comment, v.by_type, v.by_id, ${name} FROM dictionary_versions v
    LEFT JOIN users u ON v.by_type = 'user' AND u.id = v.by_id LEFT JOIN keys k ON v.by_type = 'key' AND k.id = v.by_id
    WHERE v.version < $1 ORDER BY v.version DESC LIMIT $2`;
  return (yield* ask(sql, below, limit)).rows.map(toListed);
}

function toListed([version, at, comment, type, id, name]: readonly Cell[]): ListedVersion {
  const by = type === null ? null : ({ type, id, name } as Principal);
  return { version: Number(version), at: Number(at), comment: String(comment), by };
}

/**
 * Keeps the next version, in the transaction that has brought the tables to it, and answers its number. Throws StoreOutdated where the
 * newest one is not `base`.
 */
export function* keepVersion({ base, text, by, comment }: NewVersion, now = Date.now()): Script<number> {
  const newest = yield* readNewest();
  if ((newest?.version ?? 0) !== base) throw new StoreOutdated();
  const sql = "INSERT INTO dictionary_versions (version, at, by_type, by_id, comment, package) VALUES ($1, $2, $3, $4, $5, $6)";
  yield* ask(sql, base + 1, now, by?.type ?? null, by?.id ?? null, comment, text);
  return base + 1;
}

/** Keeps what a start has chosen, if it is another dictionary. Writes nothing else: a start must succeed on a full disk. */
export function* keepChosen({ text, comment = "" }: ChosenDictionary, kept: KeptVersion | undefined): Script<void> {
  if (text !== undefined && text !== kept?.text) yield* keepVersion({ base: kept?.version ?? 0, text, by: null, comment });
}

function toKept([version, text]: readonly Cell[]): KeptVersion {
  return { version: Number(version), text: String(text) };
}

export const VERSION_SCRIPTS = { reads: { readVersion, readOther, listVersions }, writes: {} };
