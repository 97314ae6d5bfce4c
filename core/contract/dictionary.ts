// The living dictionary on the wire: its versions, drafts of the next one, and what a draft does to what is stored.

import type { Principal } from "./principals.ts";

/** A version of the data dictionary. `by`: null for one that came from a file. Times in RFC 3339. */
export interface DictionaryVersion {
  version: number;
  at: string;
  by: Principal | null;
  comment: string;
}

/** A change of the dictionary that somebody prepares. All who may shape the dictionary share it. */
export interface DictionaryDraft {
  id: string;
  title: string;
  comment: string;
  /** The version from which it was made. */
  base: number;
  createdBy: Principal;
  createdAt: string;
  updatedAt: string;
}

/** A draft with its data package, in which everything that the base has keeps its `id`. */
export interface WholeDraft extends DictionaryDraft {
  package: unknown;
}

/** "at once": nothing stored is concerned. "stands": what breaks it stays as it is, and is counted. "refused": it cannot be applied. */
export type ChangeEffect = "at once" | "stands" | "refused";

/** One change of a draft. `path`: a collection, or collection and field with a dot between. */
export interface DictionaryChange {
  kind: string;
  path: string;
  from?: unknown;
  to?: unknown;
  effect: ChangeEffect;
  /** How many stored records break it. */
  violations?: number;
  /** Keys of a few of them. */
  examples?: readonly number[];
  /** These three are of a former name that is taken back, as FormerName has them. */
  uses?: number;
  lastUsedOn?: string;
  lastUsedBy?: Principal;
  /** Says what it does to stored records, where something is to be said. */
  detail?: string;
}

/** A name that a field had before. `field`: its name of today. What counts are requests, within FORMER_NAME_DAYS. */
export interface FormerName {
  collection: string;
  field: string;
  name: string;
  uses: number;
  /** The day of the last use, and who used it then; null where nobody did. */
  lastUsedOn: string | null;
  lastUsedBy: Principal | null;
}

export interface DictionaryImpact {
  changes: readonly DictionaryChange[];
  /** False: it was not counted to the end, because that takes too long. */
  complete: boolean;
}

export const FORMER_NAME_DAYS = 90;
export const MAX_DRAFTS = 100;
export const MAX_DRAFT_TITLE = 200; // characters
export const MAX_COMMENT = 1_000; // characters
