import type { CheckSummary } from "../checking/findings.ts";
import type { CorrectionState, Loss } from "../correction/correction-state.ts";
import type { FileInspection } from "../inspection/inspect-file.ts";
import type { ReadingFix } from "../model/file-error.ts";
import type { Outcomes, Report } from "../model/outcomes.ts";
import type { UndoCounts } from "../sending/journal.ts";
import type { Waiting } from "../sending/scheduler.ts";
import type { Speed } from "../sending/throttle.ts";

export interface Progress extends Speed {
  rowsTotal: number;
  rowsDone: number;
  waiting: Waiting | null;
  isPaused: boolean;
}

export type UploadState =
  /** `hasMended`: it was checked and mended before. `loss`: what would go of that, if it were checked as it is read now. */
  | { step: "columns"; inspection: FileInspection; hasCorrections?: boolean; loss?: Loss }
  /** The file as a whole: what is wrong, what to do, perhaps with one click. */
  | { step: "refused"; title: string; detail: string; autoFix?: ReadingFix | undefined }
  | { step: "checking"; rowsRead: number; bytesRead: number; bytesTotal: number }
  /** `mending`: what the user did about it so far, and what the service would say. */
  | { step: "checked"; check: CheckSummary; corrections: CorrectionState }
  /** The file is read once more, so that the upload can go on after a crash. */
  | { step: "preparing" }
  | ({ step: "sending"; counts: Outcomes } & Progress)
  /** `goesOn`: it was stopped, and what is left can be sent later. */
  | { step: "report"; report: Report; goesOn?: boolean }
  | ({ step: "undoing"; counts: UndoCounts } & Progress)
  /** What was not reached can be undone later. `lasting`: rows that were stored and are no part of it. */
  | { step: "undone"; counts: UndoCounts; rowsTotal: number; lasting: number; ended: Report["ended"]; why?: string };
