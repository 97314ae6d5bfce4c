// Merging records that stand for the same thing, and taking a merge apart again, as it travels.

import type { Principal } from "./principals.ts";
import type { WireRecord, WireValue } from "./records.ts";

/** One merge takes so many records together at most. */
export const MOST_MERGED = 10;

/** Says in `values` of a merge that is taken apart that the present value belongs to none of the records. */
export const NOBODY = "none";

/** The body of `POST /v1/{collection}/merges`. */
export interface MergeRequest {
  /** The key of the record that stays. */
  survivor: number;
  /** The keys of those that become part of it. */
  others: number[];
  /** The survivor gets these values. Fields that are left out stay as they are. */
  values?: Record<string, WireValue | null>;
  /** Key → the version that was looked at, of each of the records. */
  versions: Record<string, number>;
  /** Many merges that are made by one rule have this in common: their ids begin with it. */
  run?: string;
}

const RUN = /^\w{10,26}$/;

/** Says whether a text may name a run of merges. It is longer than the first part of any other id of a merge. */
export function isMergeRun(text: unknown): text is string {
  return typeof text === "string" && RUN.test(text);
}

/** Returns the run of which a merge is part; undefined for one that was made alone. */
export function runOfMerge(id: string): string | undefined {
  const [run = "", ...rest] = id.split("-");
  return rest.length > 0 && isMergeRun(run) ? run : undefined;
}

/** The answer to it. `moved`: collection → how many records refer to the survivor from now on. */
export interface MergeReply {
  id: string;
  record: WireRecord;
  moved: Record<string, number>;
}

/** A merge that can be taken apart. Its id says its run (`runOfMerge`). `others` are those that the reader may know of. */
export interface Merge {
  id: string;
  survivor: number;
  others: number[];
  at: string;
  by: Principal | null;
}

/** The answer to `GET /v1/{collection}/merges`, the latest first. */
export interface MergeList {
  merges: Merge[];
}

/** A field of the survivor that was changed after the merge. Whoever takes it apart says to which of the records the value of now belongs. */
export interface ChangedField {
  field: string;
  now: WireValue | null;
  /** Key → the value that the record had when it was merged. */
  before: Record<string, WireValue | null>;
}

/** The answer to `DELETE /v1/{collection}/merges/{id}`. `kept`: those that were changed since and stay with the survivor. */
export interface ApartReply {
  id: string;
  record: WireRecord;
  back: number[];
  moved: Record<string, number>;
  kept: Record<string, number>;
}
