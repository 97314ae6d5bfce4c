// The filters of the activity page as its address, and as what the service is asked for.

import { OPERATIONS, SOURCE_TYPES } from "../../core/contract/history.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { ActivityQuery } from "../service/history.ts";

/** The parameters of the address, which the service knows under the same names. */
export interface ActivityState {
  by?: string | undefined;
  source?: string | undefined;
  operation?: string | undefined;
  collection?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** One upload or batch run, or one write: each of its changes is listed. */
  run?: string | undefined;
  write?: string | undefined;
  /** The exports, in place of the changes. */
  show?: "exports" | undefined;
  /** The place at which the page begins; undefined: with the newest. */
  before?: string | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns what the address says, without what means nothing. */
export function parseActivityUrl(search: Readonly<Record<string, string | undefined>>, collections: readonly Collection[]): ActivityState {
  const among = (name: string, known: readonly string[]) => known.find((one) => one === search[name]);
  const like = (name: string, pattern: RegExp) => (pattern.test(search[name] ?? "") ? search[name] : undefined);
  return {
    by: like("by", /^.{1,64}$/),
    source: among("source", SOURCE_TYPES),
    operation: among("operation", OPERATIONS),
    collection: among(
      "collection",
      collections.map(({ name }) => name),
    ),
    from: like("from", DAY),
    to: like("to", DAY),
    run: like("run", /^[\w-]{1,64}$/),
    write: like("write", /^[1-9]\d{0,8}$/),
    show: search.show === "exports" ? "exports" : undefined,
    before: like("before", /^[\d.a-f]{1,60}$/),
  };
}

export function isFiltered({ before: _, show: _s, ...filters }: ActivityState): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The chart's days know no operation, and no single write. */
export function daysOf({ by, source, collection, from, to, run }: ActivityState): ActivityQuery {
  return { by, source, collection, from, to, run };
}

/** Exports know no operation, no source and no run. */
export function exportsOf({ by, collection, from, to, before }: ActivityState): ActivityQuery {
  return { by, collection, from, to, before };
}
