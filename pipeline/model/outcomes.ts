// What became of every row, compactly, and the sum of it, which always equals the rows read. Refuses: nothing.

import type { BatchResult } from "../../core/contract/records.ts";
import { t } from "../../core/i18n/translate.ts";

/** What became of a row. failed: the service refused it. inDoubt: it was sent and nobody knows. notSent: it certainly is not stored. */
export type Outcome = "created" | "updated" | "unchanged" | "skipped" | "failed" | "inDoubt" | "notSent";

/** Told once for every row. Without a reason the end of the upload is the reason. `result` is the service's own word on the row. */
export type RecordOutcome = (row: number, line: number, outcome: Outcome, reason?: string, result?: BatchResult) => void;

export type Outcomes = Record<Outcome, number>;

export interface NotStoredRow {
  row: number;
  line: number;
  outcome: "failed" | "inDoubt" | "notSent";
  reason: string;
}

export interface Report {
  counts: Outcomes;
  rowsRead: number;
  /** Of work: pauses, and what lay between two runs, are not counted. */
  seconds: number;
  hasPaused?: boolean;
  ended: "done" | "cancelled" | "stopped";
  /** A sentence, when stopped. */
  why?: string;
  /** Of the stored rows those that no undo takes back: without an answer of the service it is not known what they were before. */
  lasting?: Pick<Outcomes, "created" | "updated">;
  /** The first 100 in the order of the file. */
  notStored: NotStoredRow[];
}

/** The place in this list is the byte a row is kept as, also in the journal; a row nobody has spoken of is 0. */
export const OUTCOMES: readonly Outcome[] = ["notSent", "created", "updated", "unchanged", "skipped", "failed", "inDoubt"];
const SHOWN_ROWS = 100;
const MAX_REASONS = 65_535; // different ones; what comes later is told in general words
const GENERAL_REASON = 1; // its place in the list of reasons

type Shown = Omit<NotStoredRow, "reason"> & { reason: string | undefined };

/** One byte a row, and two more once the service has given reasons. */
export class OutcomeLog {
  readonly counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Outcomes;
  /** Rows that were settled. */
  recorded = 0;
  /** Why rows that nobody has spoken of are not stored; set at the end. */
  rest = t("The upload ended before this row was sent.");
  readonly #lasting = { created: 0, updated: 0 };
  readonly #notStored: Shown[] = [];
  readonly #reasons: string[] = ["", t("The service refused this row.")];
  readonly #numbers = new Map<string, number>();
  #outcomes = new Uint8Array(1024);
  #reasonOf: Uint16Array | undefined;

  /** Once for each row. A row settled as "notSent" without a reason shares the reason of the rest. */
  recordOutcome(row: number, line: number, outcome: Outcome, reason?: string, canUndo = true): void {
    if (row >= this.#outcomes.length) this.#grow(row);
    this.#outcomes[row] = OUTCOMES.indexOf(outcome);
    this.counts[outcome]++;
    this.recorded++;
    if (!canUndo && (outcome === "created" || outcome === "updated")) this.#lasting[outcome]++;
    if (outcome !== "failed" && outcome !== "inDoubt" && outcome !== "notSent") return;
    this.#show({ row, line, outcome, reason });
    // Why a row failed the check is found again by checking it again; a million such reasons need no memory.
    if (outcome !== "notSent" && reason !== undefined) this.#keepReason(row, reason);
  }

  /** The first rows not stored are all known up to this row. */
  get showsEnough(): boolean {
    return this.#notStored.length >= SHOWN_ROWS;
  }

  outcomeOf(row: number): Outcome {
    return OUTCOMES[this.#outcomes[row] ?? 0] as Outcome;
  }

  /** What the service or the network had against the row; undefined when it was not sent. */
  reasonOf(row: number): string | undefined {
    return this.#reasons[this.#reasonOf?.[row] ?? 0] || undefined;
  }

  /** The rows that nobody has settled count as not sent, so that the sum is `rowsRead` also after a cancel in the middle. */
  close(rowsRead: number, end: Omit<Report, "counts" | "rowsRead" | "lasting" | "notStored">): Report {
    this.counts.notSent += rowsRead - this.recorded;
    this.recorded = rowsRead;
    if (end.ended === "cancelled") this.rest = t("Not sent: the upload was cancelled.");
    if (end.ended === "stopped") this.rest = `${t("Not sent: the upload was stopped.")} ${end.why}`;
    const notStored = this.#notStored.map((row) => ({ ...row, reason: row.reason ?? this.rest }));
    const { created, updated } = this.#lasting;
    return { ...end, rowsRead, counts: { ...this.counts }, ...(created + updated > 0 && { lasting: { created, updated } }), notStored };
  }

  /** Batches end in any order; the list keeps the lowest row numbers. */
  #show(shown: Shown): void {
    const list = this.#notStored;
    const last = list.at(-1);
    if (list.length === SHOWN_ROWS && last && last.row < shown.row) return;
    const at = last && last.row > shown.row ? list.findIndex(({ row }) => row > shown.row) : list.length;
    list.splice(at, 0, shown);
    if (list.length > SHOWN_ROWS) list.pop();
  }

  #keepReason(row: number, reason: string): void {
    let number = this.#numbers.get(reason);
    if (number === undefined) {
      number = this.#reasons.length < MAX_REASONS ? this.#reasons.push(reason) - 1 : GENERAL_REASON;
      if (number !== GENERAL_REASON) this.#numbers.set(reason, number);
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
