// The problems of a file in groups of one field and one code.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { RowProblem } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { AUTO_FIXES, type AutoFixName, FIX_GROUP_BITS } from "../model/value-fixes.ts";
import { groupKey } from "./validate-row.ts";

/** An automatic fix that would help rows of a group. */
export interface Offer {
  name: AutoFixName;
  rows: number;
}

export interface ProblemGroup {
  field: string;
  title: string;
  code: string;
  message: string;
  count: number;
  /** Row numbers, from–to; the first 12 ranges. */
  ranges: [from: number, to: number][];
  /** Rows beyond those ranges. */
  more: number;
  offers: Offer[];
}

export interface Group {
  field: string;
  code: string;
  message: string;
  rows: RowSet;
  leftOut: number;
  /** Rows that each automatic fix would help, and rows that any fix of a group of fixes would help. */
  fixes: number[];
  fixGroups: number[];
  listed: number;
}

const SHOWN_RANGES = 12;

export class Groups {
  readonly #all = new Map<string, Group>();
  #latest: Group | undefined;

  of(problem: RowProblem): Group {
    // The latest group is tried first: a wholly wrong column needs the same one a million times.
    const { field, code } = problem;
    if (this.#latest?.code === code && this.#latest.field === field) return this.#latest;
    const key = groupKey(problem);
    let group = this.#all.get(key);
    if (!group) {
      const zeros = { fixes: AUTO_FIXES.map(() => 0), fixGroups: FIX_GROUP_BITS.map(() => 0) };
      group = { field, code, message: wordsFor(problem), rows: new RowSet(), leftOut: 0, listed: 0, ...zeros };
      this.#all.set(key, group);
    }
    this.#latest = group;
    return group;
  }

  /** A row of the group was added (1) or removed (−1). */
  count(row: number, problem: RowProblem, by: 1 | -1): void {
    const group = this.of(problem);
    if (by === 1) group.rows.add(row);
    else group.rows.delete(row);
    const { fixes, fixGroups } = group;
    for (let i = 0, left = problem.autoFixes ?? 0; left !== 0; i++, left >>>= 1) if (left & 1) fixes[i] = (fixes[i] ?? 0) + by;
    if (!problem.autoFixes) return;
    for (const [i, bits] of FIX_GROUP_BITS.entries()) if (problem.autoFixes & bits) fixGroups[i] = (fixGroups[i] ?? 0) + by;
  }

  /** Groups that have rows, the largest first. Of equal ones, the first in the file. */
  show(collection: Collection): ProblemGroup[] {
    return [...this.#all.values()]
      .filter(({ rows }) => rows.size > 0)
      .map((group) => showGroup(group, titleOf(collection, group.field)))
      .sort(largestFirst);
  }

  values(): Group[] {
    return [...this.#all.values()];
  }
}

export function titleOf(collection: Collection, field: string): string {
  return collection.byName.get(field)?.title ?? t("The row");
}

function showGroup({ field, code, message, rows, fixes, fixGroups }: Group, title: string): ProblemGroup {
  const offers = AUTO_FIXES.flatMap(({ name }, i): Offer[] => {
    const at = FIX_GROUP_BITS.findIndex((bits) => (bits & (1 << i)) !== 0);
    const isOffered = (fixes[i] ?? 0) > 0 && (at === -1 || fixes[i] === fixGroups[at]);
    return isOffered ? [{ name, rows: fixes[i] as number }] : [];
  });
  return { field, title, code, message, count: rows.size, ...rows.ranges(SHOWN_RANGES), offers };
}

function largestFirst(a: ProblemGroup, b: ProblemGroup): number {
  const [first, other] = [a.ranges[0]?.[0] ?? 0, b.ranges[0]?.[0] ?? 0];
  return b.count - a.count || first - other || (groupKey(a) < groupKey(b) ? -1 : 1);
}

/** The message without what is true of one row only ("this has 231"). */
function wordsFor({ code, message }: RowProblem): string {
  if (code === "CELLS") return t("The row has more or fewer cells than the heading.");
  if (code === "QUOTES") return t("A quotation mark is not closed, or not doubled within quoted text.");
  if (code === "RECORD") return t("The record does not match its layout.");
  return code === "TOO_LONG" || code === "TOO_SHORT" ? message.replace(/; [^;]*$/, ".") : message;
}
/** The group of rows that the service would refuse. */

export const REFUSED_GROUP = "refused";
