// The outcome of every row, stored compactly. The counts always add up to the rows read.

import type { BatchResult } from "../../core/contract/records.ts";
import { t } from "../../core/i18n/translate.ts";

/** Journals store an outcome as its place in this list: add new ones at the end. A row without an outcome yet is 0. */
export const OUTCOMES = ["notSent", "created", "updated", "unchanged", "skipped", "failed", "inDoubt"] as const;

/** failed: the service refused the row. inDoubt: it was sent, but no response came. notSent: it is certainly not stored. */
export type Outcome = (typeof OUTCOMES)[number];

const EFFECTS = {
  created: "stored",
  updated: "stored",
  unchanged: "none",
  skipped: "none",
  failed: "notStored",
  inDoubt: "notStored",
  notSent: "notStored",
} as const satisfies Record<Outcome, "stored" | "none" | "notStored">;

type OutcomeWith<Effect> = { [O in Outcome]: (typeof EFFECTS)[O] extends Effect ? O : never }[Outcome];
/** The upload changed what the service has. */
export type StoredOutcome = OutcomeWith<"stored">;
/** The service does not have, or may not have, what the row says. */
export type NotStoredOutcome = OutcomeWith<"notStored">;

export function isStored(outcome: Outcome): outcome is StoredOutcome {
  return EFFECTS[outcome] === "stored";
}

export function isNotStored(outcome: Outcome): outcome is NotStoredOutcome {
  return EFFECTS[outcome] === "notStored";
}

/** Rows that the upload stored. */
export function countStored(counts: Readonly<Outcomes>): number {
  return total(counts, isStored);
}

/** Rows that the service does not have, or may not have. */
export function countNotStored(counts: Readonly<Outcomes>): number {
  return total(counts, isNotStored);
}

function total(counts: Readonly<Outcomes>, isCounted: (outcome: Outcome) => boolean): number {
  return OUTCOMES.filter(isCounted).reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** Is called once for each row. Without a `reason` the way the upload ended is the reason. `result` is the service's result for the row. */
export type RecordOutcome = (row: number, line: number, outcome: Outcome, reason?: string, result?: BatchResult) => void;

export type Outcomes = Record<Outcome, number>;

export interface NotStoredRow {
  row: number;
  line: number;
  outcome: NotStoredOutcome;
  reason: string;
  /** The cells of the row by field, and the fields that the reason is about. They are shown, and not kept in the journal. */
  values?: Readonly<Record<string, string>>;
  fields?: readonly string[];
}

export interface Report {
  counts: Outcomes;
  rowsRead: number;
  /** Working time, without pauses and without the time between two runs. */
  seconds: number;
  hasPaused?: boolean;
  ended: "done" | "cancelled" | "stopped";
  /** A sentence, when stopped. */
  why?: string;
  /** The first 100 in the order of the file. */
  notStored: NotStoredRow[];
  /** Says what became of the parents that were created before the rows; left out where there were none. */
  parents?: ParentsReport[];
}

/** Says what became of the parents that one column of a file names and that were not there. */
export interface ParentsReport {
  /** The name of their collection. */
  collection: string;
  created: number;
  /** Somebody else had created them meanwhile. */
  there: number;
  failed: number;
  /** The first of those that failed, each with its reason. */
  reasons: { text: string; reason: string }[];
}

const SHOWN_ROWS = 100;
const MAX_REASONS = 65_535; // different ones; later rows get the general reason
const GENERAL_REASON = 1; // its index in the list of reasons

type Shown = Pick<NotStoredRow, "row" | "line" | "outcome"> & { reason: string | undefined };

/** Says what a reason of the service is about. */
export interface ReasonAbout {
  field: string;
  code: string;
}

/** Needs one byte for each row, and two more once the service has given a reason. */
export class OutcomeLog {
  readonly counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Outcomes;
  /** Rows that have an outcome. */
  recorded = 0;
  /** Says why rows without an outcome are not stored; set at the end. */
  rest = t("The upload ended before this row was sent.");
  readonly #notStored: Shown[] = [];
  readonly #reasons: string[] = ["", t("The service refused this row.")];
  readonly #numbers = new Map<string, number>();
  /** Holds them by the number of a reason. */
  readonly #abouts = new Map<number, readonly ReasonAbout[]>();
  #outcomes = new Uint8Array(1024);
  #reasonOf: Uint16Array | undefined;

  /** Call it once for each row. A "notSent" row without a reason shares the reason of the rest. */
  recordOutcome(row: number, line: number, outcome: Outcome, reason?: string, result?: Pick<BatchResult, "problem">): void {
    if (row >= this.#outcomes.length) this.#grow(row);
    this.#outcomes[row] = OUTCOMES.indexOf(outcome);
    this.counts[outcome]++;
    this.recorded++;
    if (!isNotStored(outcome)) return;
    this.#show({ row, line, outcome, reason });
    // The reason of a row that failed the check is not stored: checking it again gives it, and a million reasons need no memory.
    if (outcome !== "notSent" && reason !== undefined) this.#storeReason(row, reason, result);
  }

  /** The list of rows not stored is full. */
  get showsEnough(): boolean {
    return this.#notStored.length >= SHOWN_ROWS;
  }

  outcomeOf(row: number): Outcome {
    return OUTCOMES[this.#outcomes[row] ?? 0] as Outcome;
  }

  /** Says why the service or the network failed to store the row; undefined when it was not sent. */
  reasonOf(row: number): string | undefined {
    return this.#reasons[this.#reasonOf?.[row] ?? 0] || undefined;
  }

  /** Says what the service's reason for the row is about; undefined where it has not said so. */
  problemsOf(row: number): readonly ReasonAbout[] | undefined {
    return this.#abouts.get(this.#reasonOf?.[row] ?? 0);
  }

  /** Rows without an outcome count as not sent, so that the counts add up to `rowsRead` also after a cancel. */
  close(rowsRead: number, end: Omit<Report, "counts" | "rowsRead" | "notStored">): Report {
    this.counts.notSent += rowsRead - this.recorded;
    this.recorded = rowsRead;
    if (end.ended === "cancelled") this.rest = t("Not sent: the upload was cancelled.");
    if (end.ended === "stopped") this.rest = `${t("Not sent: the upload was stopped.")} ${end.why}`;
    const notStored = this.#notStored.map((row) => ({ ...row, reason: row.reason ?? this.rest }));
    return { ...end, rowsRead, counts: { ...this.counts }, notStored };
  }

  /** Batches end in any order; the list holds the lowest row numbers. */
  #show(shown: Shown): void {
    const list = this.#notStored;
    const last = list.at(-1);
    if (list.length === SHOWN_ROWS && last && last.row < shown.row) return;
    const at = last && last.row > shown.row ? list.findIndex(({ row }) => row > shown.row) : list.length;
    list.splice(at, 0, shown);
    if (list.length > SHOWN_ROWS) list.pop();
  }

  #storeReason(row: number, reason: string, result: Pick<BatchResult, "problem"> | undefined): void {
    let number = this.#numbers.get(reason);
    if (number === undefined) {
      number = this.#reasons.length < MAX_REASONS ? this.#reasons.push(reason) - 1 : GENERAL_REASON;
      if (number !== GENERAL_REASON) this.#numbers.set(reason, number);
      const { code = "", errors = [] } = result?.problem ?? {};
      if (number !== GENERAL_REASON && errors.length > 0)
        this.#abouts.set(
          number,
          errors.map((error) => ({ field: error.pointer?.split("/").at(-1) ?? "", code: error.code ?? code })),
        );
    }
    this.#reasonOf ??= new Uint16Array(this.#outcomes.length);
    this.#reasonOf[row] = number;
  }

  #grow(row: number): void {
    const outcomes = new Uint8Array(2 * row);
    outcomes.set(this.#outcomes);
    this.#outcomes = outcomes;
    if (!this.#reasonOf) return;
    const reasons = new Uint16Array(2 * row);
    reasons.set(this.#reasonOf);
    this.#reasonOf = reasons;
  }
}
