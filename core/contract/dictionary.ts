// The living dictionary on the wire: its versions, drafts of the next one, and what a draft does to what is stored.

import type { RoleConditions } from "./people.ts";
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
  /** The caller has changed its data package last. With DICTIONARY_APPROVAL somebody else applies it. */
  isOwn: boolean;
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
  /** Counts the stored records that break it. */
  violations?: number;
  /** Keys of a few of them. */
  examples?: readonly number[];
  /** Lists what names the collection or the field: at most MOST_NAMED_USES, those that everybody sees first. */
  uses?: readonly DictionaryUse[];
  /** Counts requests with a former name that is taken back. This and the next two are as FormerName has them. */
  requests?: number;
  lastUsedOn?: string;
  lastUsedBy?: Principal;
  /** These two are of a field that is computed: how many records are computed anew, and in how many of them a typed value gives way. */
  computes?: number;
  replaces?: number;
  /** Says what it does to stored records, where something is to be said. */
  detail?: string;
}

/**
 * Something that names a collection or a field. `name`: that of a view, recipe, layout, role or key, the host of a webhook, or the place of a field
 * that refers to a collection; empty for what somebody keeps for themselves.
 */
export interface DictionaryUse {
  type: "view" | "recipe" | "layout" | "role" | "webhook" | "key" | "reference";
  id: string;
  name: string;
}

export const MOST_NAMED_USES = 100;

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

/** A role that a data package brings, and what becomes of it: "kept" is the one of this name that is there already, as it is. */
export interface BroughtRole {
  name: string;
  scope: string;
  conditions?: RoleConditions;
  outcome: "made" | "kept" | "left out";
  /** Says why it is not made. */
  detail?: string;
}

export interface DictionaryImpact {
  changes: readonly DictionaryChange[];
  /** Is there where the draft brings some. */
  roles?: readonly BroughtRole[];
  /** False: it was not counted to the end, because that takes too long. */
  complete: boolean;
  /** With this cursor rules are counted on: the answer has them alone, with the records that follow. */
  next?: string;
}

export const FORMER_NAME_DAYS = 90;
export const MAX_DRAFTS = 100;
export const MAX_DRAFT_TITLE = 200; // characters
export const MAX_COMMENT = 1_000; // characters

export type ComputationState = "running" | "done";

/** A run that computes the values of a collection anew. "formulas": they are others since a version of the dictionary. "day": they read today. */
export interface Computation {
  collection: string;
  /** The names of the fields that are computed. */
  fields: readonly string[];
  reason: "formulas" | "day";
  /** By this run its changes stand in the history. */
  run: string;
  state: ComputationState;
  at: string;
  /** Records that were looked at, of how many, and in how many a value was another one. */
  seen: number;
  total: number;
  changed: number;
}

/** Orders that the stored values of a field become those of another kind. */
export interface ConversionOrder {
  /** Collection and field with a dot between, such as "customers.birthday". */
  field: string;
  /** Says what the field is to be: `type`, and perhaps `decimals`, `format`, `categories`, `constraints` and `example`. */
  to: Readonly<Record<string, unknown>>;
  /** The ways of writing that texts are read in, such as "date:d.m.y". Without it those that can mean one value only. */
  forms?: readonly string[];
  /** Text → what it means. */
  values?: Readonly<Record<string, string>>;
  /** True: it is only said what would become of the values. */
  dryRun?: boolean;
}

/** Says what would become of the values. Records are counted; examples have the key of one that has the value. */
export interface ConversionPreview {
  converted: number;
  left: number;
  empty: number;
  convertedExamples: readonly { id: number; from: unknown; to: unknown }[];
  leftExamples: readonly { id: number; from: unknown; count: number }[];
  /** The ways of writing in which there are texts that are not written as the new kind wants it. */
  forms: readonly { name: string; count: number }[];
  /** False: there are too many different values to count them all. */
  complete: boolean;
}

export type ConversionState = "running" | "done" | "cancelled" | "failed";

/** A run that converts the values of a field. `id` is also that of the run in the history. */
export interface Conversion {
  id: string;
  /** Collection and field, by the name that the field had then. */
  field: string;
  fromKind: string;
  toKind: string;
  state: ConversionState;
  by: Principal;
  at: string;
  /** Records that were looked at, out of `total`. */
  seen: number;
  total: number;
  converted: number;
  left: number;
  empty: number;
  /** Keys of the first records whose values were left. They stand in the retired field. */
  leftRecords: readonly number[];
  /** The conversion that this one takes back. */
  undoes: string | null;
  /** The conversion is done and can be taken back. */
  canUndo: boolean;
  /** Says why it failed. */
  detail: string;
}

/** A field or a collection that is hidden and keeps its values. */
export interface RetiredPart {
  id: string;
  kind: "field" | "collection";
  /** Collection, or collection and field with a dot between. */
  path: string;
  title: string;
  /** Records of the collection, or records that have a value in the field. */
  count: number;
  /** Says when and by whom it was retired; null where no version says so any more. */
  at: string | null;
  by: Principal | null;
  /** It is being emptied for good. */
  isEmptying: boolean;
}
