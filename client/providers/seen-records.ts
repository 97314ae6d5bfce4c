// Holds what data providers have given of each record, so that a change names the version that its user has seen.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { FieldValues } from "../write-records.ts";
import type { WithId } from "./list-range.ts";

/** A record as its user saw it, or its version alone. */
export type Seen = Readonly<Record<string, unknown>>;

/** Holds what a change is sent with: only what differs from what its user has seen, and the version that they have seen. */
export interface SeenChange {
  version: number;
  changed: FieldValues;
}

const MOST_RECORDS = 10_000; // that are remembered
const MOST_VERSIONS = 5; // of each

export function createSeenRecords() {
  const given = new Map<string, WithId[]>();
  const nameOf = ({ name }: Collection, id: string | number) => `${name}/${Number(id)}`;
  const versionsOf = (collection: Collection, id: string | number): readonly WithId[] => given.get(nameOf(collection, id)) ?? [];
  return {
    /** The versions of a record that were given, the newest first. */
    versionsOf,
    /** After a write of this user's own, nothing older is what they see. */
    give(collection: Collection, record: WithId, isOwnWrite = false): WithId {
      const older = isOwnWrite ? [] : versionsOf(collection, record.id).filter(({ version }) => version !== record.version);
      given.delete(nameOf(collection, record.id)); // so that it stands last
      given.set(nameOf(collection, record.id), [record, ...older].sort((a, b) => b.version - a.version).slice(0, MOST_VERSIONS));
      const [oldest] = given.keys();
      if (given.size > MOST_RECORDS && oldest !== undefined) given.delete(oldest);
      return record;
    },
  };
}

/** Returns the version that a form keeps among its values, or that its page gives, alone: the values are not what was seen. */
export function seenVersion(given: unknown): Seen | undefined {
  const { version } = (given ?? {}) as { version?: unknown };
  return typeof version === "number" ? { version } : undefined;
}

/** Returns the fields of the dictionary that `values` has. */
export function fieldsOf(collection: Collection, values: object): FieldValues {
  const next = values as Record<string, unknown>;
  const sent = collection.fields.filter(({ name }) => next[name] !== undefined);
  return Object.fromEntries(sent.map(({ name }) => [name, next[name] as FieldValues[string]]));
}

/** Returns those without the key whose values differ from those in `before`. Inputs have texts, and an empty one where there is no value. */
export function changesOf(collection: Collection, values: object, before: object): FieldValues {
  const old = before as Record<string, unknown>;
  const own = Object.entries(fieldsOf(collection, values)).filter(
    ([name, value]) => name !== collection.key.name && (!(name in old) || !isSame(value, old[name])),
  );
  return Object.fromEntries(own);
}

/** Lists are the same where all their values are: their text has no end between `a,b` and `a`, `b`. */
function isSame(one: unknown, other: unknown): boolean {
  const areLists = Array.isArray(one) && Array.isArray(other);
  return areLists ? JSON.stringify(one) === JSON.stringify(other) : String(one ?? "") === String(other ?? "");
}

/**
 * Returns the version that a form was filled with, of those that were given, the newest first: a list may have got a newer one since. It is
 * the one from which the values differ least. Where all differ in the same fields, the newest will do, unless somebody else has changed
 * just these meanwhile: then the oldest, which the service refuses.
 */
export function bestBase(collection: Collection, values: object, versions: readonly WithId[]): WithId | undefined {
  const [newest] = versions;
  if (newest === undefined) return undefined;
  const names = (version: WithId) => Object.keys(changesOf(collection, values, version));
  const least = Math.min(...versions.map((version) => names(version).length));
  const near = versions.filter((version) => names(version).length === least);
  const isChangedByOthers = near.some((version) => names(newest).some((name) => !isSame(version[name], newest[name])));
  return near.includes(newest) && !isChangedByOthers ? newest : near.at(-1);
}
