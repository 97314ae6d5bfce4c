// Holds what the API says of records that may be stored twice.

import type { Principal } from "./principals.ts";

/** The ways in which two values are compared. */
export const COMPARERS = ["exact", "name", "phone", "email", "letters", "date"] as const;
export type Comparer = (typeof COMPARERS)[number];

/** Says how two values are alike. "longer": one name has more words. "part": a part of the name is the same. "days": the dates are near. */
export const FOUND = ["same", "swapped", "letters", "days", "longer", "initials", "part", "different"] as const;
export type Found = (typeof FOUND)[number];

/** Says what one comparison has found. A record without a value is neither like nor unlike, and has no reason. */
export interface Reason {
  fields: readonly string[];
  as: Comparer;
  found: Found;
  /** Counts, with "letters", those that are wrong. */
  letters?: number;
}

/** Two records that are, or may be, the same; `a` is the smaller key. */
export interface DuplicatePair {
  a: number;
  b: number;
  level: "same" | "maybe";
  /** The points of all comparisons that the caller knows. */
  score: number;
  reasons: Reason[];
}

/** A stored record that is, or may be, the one that was asked about. */
export type SimilarRecord = Omit<DuplicatePair, "a" | "b"> & { id: number };

export interface DuplicatePage<Record> {
  pairs: DuplicatePair[];
  /** The records of the pairs, each once. */
  records: Record[];
  /** The cursor of the next page, if there may be one. */
  next: string | undefined;
  /** The part of the collection that has been looked through, from 0 to 1. */
  progress: number;
}

/** Two records that are not the same. It holds until what is compared of one of them changes. */
export interface DifferentPair {
  a: number;
  b: number;
  same: false;
  /** RFC 3339 UTC with ms. */
  at: string;
  by: Principal;
}

/** Leads to the work list. */
export function duplicatesPath(collection: string): string {
  return `/${collection}/duplicates`;
}

/** Finds what is like a record that is not stored. */
export function similarPath(collection: string): string {
  return `${duplicatesPath(collection)}/search`;
}

export function differentPath(collection: string, pair: string): string {
  return `${duplicatesPath(collection)}/${pair}`;
}
