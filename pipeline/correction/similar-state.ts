// Says what the page sees of rows that look like stored records, as plain data.

import type { SimilarRecord } from "../../core/contract/duplicates.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { SimilarChoice, SimilarTarget } from "../model/corrections.ts";

/** A stored record that a row looks like, with what is compared of it and its name. */
export interface FoundSimilar extends SimilarRecord, SimilarTarget {
  record: Fields;
}

export interface SimilarRow {
  row: number;
  /** Holds what is compared of the row, and its name. */
  record: Fields;
  /** The most alike first. */
  found: readonly FoundSimilar[];
  /** The decision; undefined too where the record that the row was to change was changed since. */
  to: SimilarChoice | undefined;
  isOutdated: boolean;
  /** The row that changes the record, by the key of each that another row changes. */
  taken: Readonly<Record<number, number>>;
}

/** Says how far the rows are compared, how many look like stored records, and what was decided about them. */
export interface SimilarState {
  /** "none": nobody asked. "stopped": not all rows were compared. */
  is: "none" | "comparing" | "done" | "stopped";
  rowsDone: number;
  rowsTotal: number;
  /** Says in a sentence why it stopped; undefined where the user stopped it. */
  why?: string | undefined;
  /** The service no longer accepts the token. */
  isSignedOut?: boolean;
  /** The part of the stored records that the service has looked through, from 0 to 1: others are not found yet. */
  progress: number;
  /** Rows that the service would refuse, so that they are not compared. */
  refused: number;
  rows: number;
  /** Counts those of these that are the same as a stored record, and not just perhaps. */
  same: number;
  ranges: readonly (readonly [from: number, to: number])[];
  /** Rows without a decision. */
  open: number;
  /** Rows that are to change a record which was changed since: the service would refuse them. */
  outdated: number;
  /** Rows of both that "update all" is about: they are the same as one record alone, which no other row changes. */
  clear: number;
  updated: number;
  added: number;
  leftOut: number;
}

export const NOT_COMPARED: SimilarState = {
  ...{ is: "none", rowsDone: 0, rowsTotal: 0, progress: 1, refused: 0, rows: 0, same: 0, ranges: [] },
  ...{ open: 0, outdated: 0, clear: 0, updated: 0, added: 0, leftOut: 0 },
};

/** A decision for these rows, or for all about which none was made; `to` undefined takes decisions back, "update" is for those that are clear. */
export type SimilarAct =
  | { do: "similar"; choices: readonly { row: number; to: SimilarChoice | undefined }[] }
  | { do: "allSimilar"; to: "update" | "new" | null | undefined };
