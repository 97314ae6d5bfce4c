// Writes progress: one line redrawn on a terminal, a line now and then elsewhere, or JSON lines.

import { count } from "../../core/text/count.ts";
import type { Outcomes } from "../../pipeline/model/outcomes.ts";
import type { Progress, UploadState } from "../../pipeline/runs/upload-state.ts";
import { type Exit, exitLines } from "./exit-codes.ts";
import { countRefused } from "./outcome-groups.ts";
import { printable } from "./printable.ts";

export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string | Uint8Array): unknown;
}

export interface ProgressWriter {
  state(state: UploadState): void;
  /** Writes a line that stays on the screen. `facts`: the same for programs; undefined when an earlier line told them. */
  line(text: string, facts: Record<string, unknown> | undefined): void;
  ended(exit: Exit, facts?: Record<string, unknown>): void;
  /** A file of many begins: in a log its steps are only worth a line when it takes long. */
  begin(): void;
}

const PLAIN_EVERY = 10_000; // ms
const JSON_EVERY = 1_000; // ms

export function createProgressWriter(out: Screen, error: Screen, isJson: boolean, now = () => Date.now()): ProgressWriter {
  let isDrawn = false;
  let step = "";
  let lastAt = Number.NEGATIVE_INFINITY;
  let quietUntil = Number.NEGATIVE_INFINITY;
  const isLive = !isJson && out.isTTY === true;
  const json = (facts: Record<string, unknown>) =>
    out.write(`${printable(JSON.stringify({ at: new Date(now()).toISOString(), ...facts }))}\n`);
  const clearLine = () => {
    if (isDrawn) out.write("\r\u001b[K");
    isDrawn = false;
  };
  return {
    state(state) {
      const every = isLive ? 0 : isJson ? JSON_EVERY : PLAIN_EVERY;
      if (state.step === step && now() - lastAt < every) return;
      if (now() < quietUntil) return;
      if (!isJson && isUnknown(state)) return;
      [step, lastAt] = [state.step, now()];
      if (isJson) return void json(factsOf(state));
      const described = describe(state);
      if (described === undefined) return;
      const text = printable(described);
      if (!isLive) return void out.write(`${text}\n`);
      out.write(`\r${text.slice(0, Math.max(20, (out.columns ?? 80) - 1))}\u001b[K`);
      isDrawn = true;
    },
    begin() {
      if (!isLive && !isJson) quietUntil = now() + PLAIN_EVERY;
    },
    line(text, facts) {
      clearLine();
      if (isJson) void (facts && json(facts));
      else out.write(`${printable(text)}\n`);
    },
    ended(exit, facts) {
      clearLine();
      const lines = exitLines(exit);
      if (isJson) json({ step: "ended", exitCode: exit.code, sentence: lines.join("\n"), ...facts });
      error.write(lines.map((line) => `${printable(line)}\n`).join(""));
    },
  };
}

/** The names for programs that differ from those of the code. */
const JSON_NAMES = { autoFix: "remedy" };

/** Writes a state for programs. These names are an interface and must not change. Long lists are only in the report. */
function factsOf(state: UploadState): Record<string, unknown> {
  const { step } = state;
  switch (step) {
    case "columns":
    case "preparing":
      return { step };
    case "refused":
      return { step, title: state.title, detail: state.detail, [JSON_NAMES.autoFix]: state.autoFix };
    case "checking":
      return { step, rowsRead: state.rowsRead, bytesRead: state.bytesRead, bytesTotal: state.bytesTotal };
    case "checked":
      return { step, recordsRead: state.check.rowsRead, ready: state.check.ready };
    case "sending":
    case "undoing":
      return { step, counts: state.counts, ...progressFacts(state) };
    case "report":
      return { step, counts: state.report.counts };
    case "undone": {
      const { counts, already, obstacles, rowsTotal, ended, why } = state;
      return { step, counts, already, obstacles, rowsTotal, ended, why };
    }
  }
}

function progressFacts({ rowsTotal, rowsDone, rowsPerSecond, secondsLeft, waiting, isPaused }: Progress): Record<string, unknown> {
  return { rowsTotal, rowsDone, rowsPerSecond, secondsLeft, waiting: waiting && { why: waiting.why, until: waiting.until }, isPaused };
}

function describe(state: UploadState): string | undefined {
  switch (state.step) {
    case "checking":
      return `Checking: ${count(state.rowsRead, "record")}, ${percent(state.bytesRead, state.bytesTotal)} of the file.`;
    case "checked":
      return `Checked: ${count(state.check.rowsRead, "record")}, ${number(state.check.ready)} of them ready.`;
    case "sending":
      return `Sending: ${progressOf(state)}${refusedOf(state.counts)}`;
    case "undoing":
      return `Taking back: ${progressOf(state)}`;
    case "columns":
    case "refused":
    case "preparing":
    case "report":
    case "undone":
      return undefined;
  }
}

/** The size of a run comes with the first answer of the service. */
function isUnknown(state: UploadState): boolean {
  return state.step === "undoing" && state.rowsTotal === 0 && state.waiting === null;
}

function progressOf({ rowsDone, rowsTotal, rowsPerSecond, secondsLeft, waiting }: Progress): string {
  const left = secondsLeft === null ? "" : `, ${number(secondsLeft)} s left`;
  const done = `${number(rowsDone)} of ${count(rowsTotal, "record")} (${percent(rowsDone, rowsTotal)})`;
  return waiting ? `${done}. Waiting: ${waiting.why}` : `${done}, ${number(rowsPerSecond)} a second${left}.`;
}

function refusedOf(counts: Outcomes): string {
  const refused = countRefused(counts);
  return refused > 0 ? ` ${number(refused)} refused.` : "";
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((100 * part) / whole)}%`;
}

function number(n: number): string {
  return n.toLocaleString("en");
}
