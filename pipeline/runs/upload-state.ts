import type { LeftRecord, UndoCounts } from "../../core/contract/history.ts";
import type { SameFile } from "../../core/contract/runs.ts";
import type { CheckSummary } from "../checking/findings.ts";
import type { CorrectionState, Loss } from "../correction/correction-state.ts";
import type { FileInspection } from "../inspection/inspect-file.ts";
import type { ReadingFix } from "../model/file-error.ts";
import type { Outcomes, Report } from "../model/outcomes.ts";
import type { Waiting } from "../sending/scheduler.ts";
import type { Speed } from "../sending/throttle.ts";

export interface Progress extends Speed {
  rowsTotal: number;
  rowsDone: number;
  waiting: Waiting | null;
  isPaused: boolean;
}

/** Says what keeps an undo from taking records back: how many they are, and the first of them. */
export interface UndoObstacle extends Pick<LeftRecord, "code" | "field" | "detail"> {
  count: number;
  ids: number[];
}

export type UploadState =
  /**
   * `hasCorrections`: there are corrections from an earlier check. `loss`: what they would lose if the file were checked as it
   * is read now. `isKept`: the corrections are stored in the browser.
   */
  | { step: "columns"; inspection: FileInspection; hasCorrections?: boolean; isKept?: boolean; loss?: Loss }
  /** The file as a whole cannot be used: what is wrong, what to do, perhaps with one click. */
  | { step: "refused"; title: string; detail: string; autoFix?: ReadingFix | undefined }
  | { step: "checking"; rowsRead: number; bytesRead: number; bytesTotal: number }
  /** `corrections`: what the user corrected so far, and the preview. */
  | { step: "checked"; check: CheckSummary; corrections: CorrectionState; isKept?: boolean }
  /** The file is read once more, so that the upload can continue after a crash. */
  /** `sameFile`: others upload the same file, and the user is asked whether to go on all the same. */
  | { step: "preparing"; sameFile?: SameFile[] }
  | ({ step: "sending"; counts: Outcomes } & Progress)
  /** `canContinue`: it was stopped, and the rest can be sent later. */
  /** `isOnService`: the service has the report, for everybody who may read the collection. */
  | { step: "report"; report: Report; canContinue?: boolean; isOnService?: boolean }
  | ({ step: "undoing"; counts: UndoCounts } & Progress)
  /** Rows that were not reached can be undone later. `already`: of `counts.reversed`, those that were as before the undo began. */
  | {
      step: "undone";
      counts: UndoCounts;
      /** Counts the changes in other collections: the parents that it created. */
      others?: UndoCounts;
      already: number;
      obstacles: UndoObstacle[];
      rowsTotal: number;
      ended: Report["ended"];
      why?: string;
    };
