// Declares the answer to a search over all collections.

import type { WireRecord } from "./records.ts";

/** Holds what was found in one collection. Only collections in which something was found, or whose search took too long, have one. */
export interface FoundIn {
  collection: string;
  /** The first ones are those whose key or number was typed. */
  records: WireRecord[];
  /** There are others. */
  more: boolean;
  /** The search that found them, where the one that was typed found nothing anywhere. */
  meant?: string;
  /** The records were found by this parent's words instead of their own: the name under which they have it. */
  parent?: string;
  /** Nobody knows what is there: looking took longer than a read may. */
  tookTooLong?: true;
}

export interface SearchAnswer {
  results: FoundIn[];
}

export const MOST_FOUND = 25; // records of a collection
