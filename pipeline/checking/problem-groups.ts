// The problems of a file in groups of one field and one code.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { isWarning } from "../model/corrections.ts";
import type { DecimalSigns, Plan, RowProblem, UploadMode } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import { fieldIn, groupKey } from "./validate-row.ts";

/** A way to correct rows of a group. Several choices: the same cells may be read in each of these ways, so the user is asked. */
export interface Offer {
  choices: {
    name: AutoFixName;
    /** Holds what the example becomes, null for no value. */
    becomes: Value | null;
  }[];
  rows: number;
  /** The first cell. */
  example: string;
}

/** Counts the wrong values of one group. Rows are added (1) and removed (−1). */
export interface ValueCounts {
  count(text: string, by: 1 | -1): void;
  offers(): Offer[];
  /** Lists the commonest first. */
  list(): WrongValue[];
  /** Lists the values whose proposal no offer makes. */
  proposals(): WrongValue[];
  summary(): ValuesSummary;
}

export interface WrongValue {
  text: string;
  rows: number;
  proposal: Proposal | undefined;
}

/** Says what a value would become: as last time, by an automatic fix, or as the most similar allowed value. null: its rows are left out. */
export interface Proposal {
  to: string | null;
  why: "remembered" | "fix" | "similar";
}

export interface ValuesSummary {
  distinct: number;
  /** Rows whose values are beyond the number that is counted one by one, or too long for it. */
  unlisted: number;
  /** Values that have a proposal of their own, and their rows; the commonest of them. */
  proposed: number;
  proposedRows: number;
  proposals: WrongValue[];
  /** Rows whose value all proposals together would correct, offers that leave no doubt among them. */
  corrected: number;
}

/** `signs`: the decimal signs of the clear numbers in the field's column, as far as they are known when it is called. */
export type CountValues = (field: Field, code: string, signs: () => string) => ValueCounts;

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
  /** Is undefined for problems of the row, and where nobody counted. */
  values: ValuesSummary | undefined;
}

export interface Group {
  field: string;
  code: string;
  message: string;
  rows: RowSet;
  leftOut: number;
  listed: number;
  values: ValueCounts | undefined;
}

export const SHOWN_RANGES = 12;

export class Groups {
  readonly #all = new Map<string, Group>();
  readonly #collection: Collection;
  readonly #mode: UploadMode;
  readonly #matchBy: string | undefined;
  readonly #countValues: CountValues | undefined;
  readonly #isExact: boolean | undefined;
  #latest: Group | undefined;
  /** The end of the file says them. */
  signs: DecimalSigns;

  constructor(collection: Collection, { mode, matchBy, dialect, decimalSigns = {} }: Plan, countValues: CountValues | undefined) {
    this.#collection = collection;
    this.#mode = mode;
    this.#matchBy = matchBy;
    this.#isExact = dialect.isExact;
    this.#countValues = countValues;
    this.signs = decimalSigns;
  }

  of(problem: RowProblem): Group {
    // The latest group is tried first: a wholly wrong column needs the same one a million times.
    const { field, code } = problem;
    if (this.#latest?.code === code && this.#latest.field === field) return this.#latest;
    const key = groupKey(problem);
    let group = this.#all.get(key);
    if (!group) {
      const known = this.#collection.byName.get(field);
      const isCounted = known && code !== "DUPLICATE" && !code.startsWith("RULE.") && !isWarning(code); // a rule looks at other values, too
      const signs = () => this.signs[field] ?? "";
      const values = isCounted ? this.#countValues?.(fieldIn(this.#mode, this.#collection, known, this.#matchBy), code, signs) : undefined;
      group = {
        field,
        code,
        message: wordsFor(problem, titleOf(this.#collection, field)),
        rows: new RowSet(),
        leftOut: 0,
        listed: 0,
        values,
      };
      this.#all.set(key, group);
    }
    this.#latest = group;
    return group;
  }

  /** A row of the group was added (1) or removed (−1). `cell`: undefined when the field has no column. */
  count(row: number, problem: RowProblem, by: 1 | -1, cell: string | undefined): void {
    const group = this.of(problem);
    if (by === 1) group.rows.add(row);
    else group.rows.delete(row);
    if (cell !== undefined) group.values?.count(plainCell(cell, this.#isExact).trim(), by);
  }

  /** Groups that have rows, the largest first. Of equal ones, the first in the file. */
  show(): ProblemGroup[] {
    return [...this.#all.values()]
      .filter(({ rows }) => rows.size > 0)
      .map((group) => showGroup(group, titleOf(this.#collection, group.field)))
      .sort(largestFirst);
  }

  values(): Group[] {
    return [...this.#all.values()];
  }
}

export function titleOf(collection: Collection, field: string): string {
  return collection.byName.get(field)?.title ?? t("The row");
}

function showGroup({ field, code, message, rows, values }: Group, title: string): ProblemGroup {
  const ranges = rows.ranges(SHOWN_RANGES);
  return { field, title, code, message, count: rows.size, ...ranges, offers: values?.offers() ?? [], values: values?.summary() };
}

function largestFirst(a: ProblemGroup, b: ProblemGroup): number {
  const [first, other] = [a.ranges[0]?.[0] ?? 0, b.ranges[0]?.[0] ?? 0];
  return b.count - a.count || first - other || (groupKey(a) < groupKey(b) ? -1 : 1);
}

/** Returns the message without what is true of one row only ("this has 231"). */
function wordsFor({ code, message }: RowProblem, title: string): string {
  if (code.endsWith(".choicesIf")) return t("{title} does not fit the other values of the row.", { title });
  if (code === "CELLS") return t("The row has more or fewer cells than the heading.");
  if (code === "QUOTES") return t("A quotation mark is not closed, not doubled within quoted text, or lacks a separator beside it.");
  if (code === "RECORD") return t("The record cannot be read.");
  return code === "TOO_LONG" || code === "TOO_SHORT" ? message.replace(/; [^;]*$/, ".") : message;
}
/** The group of rows that the service would refuse. */

export const REFUSED_GROUP = "refused";
