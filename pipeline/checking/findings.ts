// Collects what is wrong with a file until it is corrected: counts and groups of all rows, and the first rows themselves.

import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { titlesOf } from "../../core/dictionary/unique-keys.ts";
import { matchFields } from "../mapping/match-records.ts";
import { type AcceptedCode, type Corrections, fieldsWithValues, isWarning, type KeptRepeat, NO_CORRECTIONS } from "../model/corrections.ts";
import type { DecimalSigns, Malformed, Plan, RowProblem } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import type { StrayQuotes } from "../reading/stray-quotes.ts";
import { type CountValues, Groups, type ProblemGroup, REFUSED_GROUP, SHOWN_RANGES, titleOf, type ValueCounts } from "./problem-groups.ts";
import { groupKey } from "./validate-row.ts";

export interface CheckSummary {
  rowsRead: number;
  ready: number;
  leftOut: number;
  /** Rows of which rules warn, and that have no problems: they are ready once that is confirmed. */
  warned: number;
  /** Rows that all proposals together would correct. `isLeast`: there may be more, because the other problems of several rows may be those of one. */
  correctable: { rows: number; isLeast: boolean };
  /** Rows that name the record of an earlier row, in modes where the later row wins. */
  repeats: number;
  /** Says where they are: the first ranges, and how many rows come after those. */
  repeated: Pick<ProblemGroup, "ranges" | "more">;
  /** Rows that name no record and are the same as an earlier row: each would be one of its own. Where they are, as of `repeated`. */
  twins: Pick<ProblemGroup, "ranges" | "more"> & { rows: number };
  /** Rows left out because another row means the same record or is the same, and which one stays. */
  repeatsOut: { keep: KeptRepeat; rows: number } | undefined;
  /** The titles of what names a record. */
  matchedBy: string;
  /** Groups of rows that still have problems, the largest first. */
  groups: ProblemGroup[];
  /** Groups that the user left out, and automatic fixes that were chosen for columns of the file, each with its number of rows. */
  leftOutGroups: { field: string; code: string; message: string; rows: number }[];
  /** Rows that look like this, or of which these rules warn, are uploaded all the same. */
  accepted: readonly AcceptedCode[];
  /** Rows left out because the service would refuse them. */
  refusedOut: number;
  autoFixes: { field: string; title: string; name: AutoFixName; rows: number }[];
  /** Fields with rules for wrong values: how many rules, and how many rows they corrected. */
  valueFixes: { field: string; title: string; rules: number; rows: number }[];
  /** Rows that can be shown and edited, and rows with problems that are not stored for that. */
  listed: number;
  unlisted: number;
  /** Says what a spreadsheet did to the cells, in sentences. */
  damage: string[];
  /** Says what a person should know of the sheet, in sentences. */
  notes: readonly string[];
  /** Rows that quotation marks may have split or swallowed. */
  strayQuotes: StrayQuotes | undefined;
  seconds: number;
}

/** A row that can be shown. Its cells are as in the file. */
export interface ListedRow {
  /** Counts from 1 after the heading. */
  row: number;
  /** The physical line in the file. */
  line: number;
  cells: string[];
  /** The cells as the user edited them, if so, when the row was last counted. */
  counted?: readonly string[] | undefined;
  malformed: Malformed | undefined;
  verdict: Verdict;
  /** The groups it has been in, so that a corrected row stays where the user saw it. */
  seenIn: Set<string>;
  /** Says why the service would refuse it, from the preview. */
  rejection?: Rejection | undefined;
}

/** Says why the service would refuse a row. `field`: the one that is wrong; empty if it is the whole row. */
export interface Rejection {
  reason: string;
  field: string;
  /** Only these rules warn of it. */
  warnings?: Pick<ProblemDetail, "rule" | "detail">[];
  /** The code of the first problem, as that of a problem group. */
  code: string;
}

/** Names the groups in which a row of the preview is listed. */
export function groupsOfRejection(rejection: Rejection): string[] {
  const { warnings } = rejection;
  return warnings ? warnings.map(({ rule = "all" }) => `WARNING.${rule}`) : [REFUSED_GROUP, rejectionKey(rejection)];
}

/** Names the group of rows that the service would refuse for the same reason. */
export function rejectionKey({ field, code }: Pick<Rejection, "field" | "code">): string {
  return `${REFUSED_GROUP} ${groupKey({ field, code })}`;
}

/** The wrong values of one field in one group of problems. */
export interface FieldValues {
  group: string;
  field: string;
  values: ValueCounts;
}

export interface Verdict {
  problems: RowProblem[] | undefined;
  /** The plan's rules that changed a cell of the row, by their indexes (see `ValidateOptions.onFix`). */
  fixed: readonly number[];
  /** The key of the row, so that a later row with it is a duplicate. */
  key: number | undefined;
}

const MAX_LISTED = 10_000; // rows
const MAX_LISTED_UNITS = 8_000_000; // UTF-16 units of their cells, and 8 for each cell
const LISTED_PER_GROUP = 100; // rows of every group, even when other groups have filled the list

export class Findings {
  rowsRead = 0;
  bytesRead = 0;
  /** Bytes that were unpacked; of a file that is not packed, those that were read. */
  unpacked = 0;
  readonly repeated = new RowSet();
  readonly twins = new RowSet();
  /** Rows without problems that name no key, when the file was checked as a whole. */
  keyless = 0;
  seconds = 0;
  damage: string[] = [];
  notes: readonly string[] = [];
  strayQuotes: StrayQuotes | undefined;
  readonly #collection: Collection;
  readonly #fixes: Corrections;
  readonly #matchBy: string | undefined;
  readonly #groups: Groups;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #listedRows = new Map<number, ListedRow>();
  readonly #fixed: number[];
  readonly #refusedOut: number;
  readonly #repeatsOut: number;
  #units = 0;
  #bad = 0;
  #leftOut = 0;
  #warned = 0;
  #listedBad = 0;
  #isSorted = true;

  /** `countValues`: what counts the wrong values of a group, for the correction. */
  constructor(collection: Collection, plan: Plan, countValues?: CountValues) {
    this.#collection = collection;
    this.#matchBy = plan.matchBy;
    this.#groups = new Groups(collection, plan, countValues);
    this.#columns = new Map(plan.columns.flatMap((name, i) => (name === null ? [] : [[name, i] as const])).reverse());
    this.#fixes = plan.fixes ?? NO_CORRECTIONS;
    this.#fixed = [...this.#fixes.autoFixes, ...fieldsWithValues(this.#fixes)].map(() => 0);
    this.#repeatsOut = plan.repeatsOut ? RowSet.of(Uint32Array.from(plan.repeatsOut)).size : 0;
    this.#refusedOut = this.#fixes.refused ? RowSet.of(this.#fixes.refused).size : 0;
  }

  /** Adds a row that has problems or was fixed. Other rows need no call. `cells`: as the user edited them. */
  note(row: number, verdict: Verdict, cells: readonly string[]): void {
    this.#count(row, verdict, 1, cells);
  }

  /** Says whether there is room to show this row. Call it after `note`. */
  hasRoomFor(verdict: Verdict): boolean {
    if (this.#units > MAX_LISTED_UNITS) return false;
    if (this.#listedRows.size < MAX_LISTED && isBad(verdict)) return true;
    for (const problem of verdict.problems ?? []) {
      if (problem.code !== "LEFT_OUT" && this.#groups.of(problem).listed < LISTED_PER_GROUP) return true;
    }
    return false;
  }

  keep(listed: ListedRow): void {
    if (!this.#listedRows.has(listed.row)) {
      for (const cell of listed.cells) this.#units += 8 + cell.length;
      if (isBad(listed.verdict)) this.#listedBad++;
      this.#isSorted = false;
    }
    this.#listedRows.set(listed.row, listed);
    for (const problem of listed.verdict.problems ?? []) {
      if (problem.code === "LEFT_OUT") continue;
      this.#groups.of(problem).listed++;
      listed.seenIn.add(groupKey(problem));
    }
  }

  /** The row was validated again after a correction. `cells`: as the user edited them. */
  replace(row: number, verdict: Verdict, cells: readonly string[]): void {
    const listed = this.#listedRows.get(row);
    if (!listed) return;
    this.#listedBad += Number(isBad(verdict)) - Number(isBad(listed.verdict));
    this.#count(row, listed.verdict, -1, listed.counted ?? listed.cells);
    this.#count(row, verdict, 1, cells);
    listed.counted = cells;
    listed.verdict = verdict;
    for (const problem of verdict.problems ?? []) if (problem.code !== "LEFT_OUT") listed.seenIn.add(groupKey(problem));
  }

  /** Notes a valid row that the service would refuse. */
  reject(rejection: Rejection, { row, line, cells, malformed }: Pick<ListedRow, "row" | "line" | "cells" | "malformed">): void {
    const verdict = { problems: undefined, fixed: [], key: undefined };
    const listed = this.#listedRows.get(row) ?? { row, line, cells, malformed, verdict, seenIn: new Set<string>() };
    listed.rejection = rejection;
    for (const group of groupsOfRejection(rejection)) listed.seenIn.add(group);
    this.keep(listed);
  }

  get(row: number): ListedRow | undefined {
    return this.#listedRows.get(row);
  }

  /** Returns the keys of the listed rows that an earlier row has. */
  repeatedKeys(): Set<number> {
    const keys = new Set<number>();
    for (const { verdict } of this.#listedRows.values()) {
      if (verdict.key !== undefined && verdict.problems?.some(({ code }) => code === "DUPLICATE")) keys.add(verdict.key);
    }
    return keys;
  }

  /** Lists rows in the order of the file. */
  list(group?: string): ListedRow[] {
    let rows = [...this.#listedRows.values()];
    if (!this.#isSorted) {
      rows.sort((a, b) => a.row - b.row);
      this.#listedRows.clear();
      for (const listed of rows) this.#listedRows.set(listed.row, listed);
      this.#isSorted = true;
    }
    if (group !== undefined) rows = rows.filter(({ seenIn }) => seenIn.has(group));
    return rows;
  }

  summary(): CheckSummary {
    const leftOut = new Set(this.#fixes.leftOutGroups.map(groupKey));
    const groups = this.#groups.show();
    return {
      rowsRead: this.rowsRead,
      ready: this.rowsRead - this.#bad - this.#leftOut,
      leftOut: this.#leftOut,
      warned: this.#warned,
      correctable: correctableOf(groups, this.#bad),
      repeats: this.repeated.size,
      repeated: this.repeated.ranges(SHOWN_RANGES),
      twins: { ...this.twins.ranges(SHOWN_RANGES), rows: this.twins.size },
      repeatsOut: this.#fixes.repeats && { keep: this.#fixes.repeats, rows: this.#repeatsOut },
      matchedBy: titlesOf(matchFields(this.#collection, this.#matchBy)),
      groups,
      leftOutGroups: this.#groups
        .values()
        .filter((group) => group.leftOut > 0 && leftOut.has(groupKey(group)))
        .map(({ field, code, message, leftOut: rows }) => ({ field, code, message, rows })),
      accepted: this.#fixes.accepted ?? [],
      refusedOut: this.#refusedOut,
      // A recipe has rules for columns that this file may lack.
      autoFixes: this.#fixes.autoFixes.flatMap(({ field, name }, i) => {
        if (!this.#columns.has(field)) return [];
        return { field, title: titleOf(this.#collection, field), name, rows: this.#fixed[i] ?? 0 };
      }),
      valueFixes: fieldsWithValues(this.#fixes).flatMap((field, i) => {
        if (!this.#columns.has(field)) return [];
        const rules = this.#fixes.values?.filter((rule) => rule.field === field).length ?? 0;
        const rows = this.#fixed[this.#fixes.autoFixes.length + i] ?? 0;
        return { field, title: titleOf(this.#collection, field), rules, rows };
      }),
      listed: this.#listedRows.size,
      unlisted: this.#bad - this.#listedBad,
      damage: this.damage,
      notes: this.notes,
      strayQuotes: this.strayQuotes,
      seconds: this.seconds,
    };
  }

  /** Returns the wrong values of a group, as far as they were counted. */
  valuesOf(group: string): ValueCounts | undefined {
    return this.fieldValues().find((one) => one.group === group)?.values;
  }

  /** Says what the whole file says about the decimal signs of its columns. */
  learnSigns(signs: DecimalSigns = {}): void {
    this.#groups.signs = signs;
  }

  /** Returns the wrong values of all groups in which they are counted. */
  fieldValues(): FieldValues[] {
    return this.#groups.values().flatMap((one) => (one.values ? { group: groupKey(one), field: one.field, values: one.values } : []));
  }

  #count(row: number, { problems, fixed }: Verdict, by: 1 | -1, cells: readonly string[]): void {
    for (const i of fixed) this.#fixed[i] = (this.#fixed[i] ?? 0) + by;
    if (!problems) return;
    const isOut = problems[0]?.code === "LEFT_OUT";
    if (isOut) this.#leftOut += by;
    else this.#bad += by;
    if (problems.every(({ code }) => isWarning(code))) this.#warned += by;
    for (const problem of problems) {
      if (problem.code === "LEFT_OUT") continue;
      const at = this.#columns.get(problem.field);
      if (isOut) this.#groups.of(problem).leftOut += by;
      else this.#groups.count(row, problem, by, at === undefined ? undefined : cells[at]);
    }
  }
}

/** Counts, without looking at any row again, the rows with problems, but for as many as no proposal helps. */
function correctableOf(groups: readonly ProblemGroup[], bad: number): CheckSummary["correctable"] {
  const left = groups.map(({ count, values }) => count - (values?.corrected ?? 0)).filter((rows) => rows > 0);
  return { rows: Math.max(0, bad - left.reduce((sum, rows) => sum + rows, 0)), isLeast: left.length > 1 };
}

function isBad({ problems }: Verdict): boolean {
  return problems !== undefined && problems[0]?.code !== "LEFT_OUT";
}
