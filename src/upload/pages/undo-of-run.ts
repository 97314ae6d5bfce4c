import type { UndoCounts } from "../../../core/contract/history.ts";
import { countStored, type Outcomes } from "../../../pipeline/model/outcomes.ts";

/**
 * Says what the service knows of an undo, wherever it was begun; undefined where nothing was taken back. Of an upload that is on this
 * computer, its own counts say more.
 */
export function undoOf(counts: Outcomes | null, takenBack: number | undefined): UndoCounts | undefined {
  return counts && takenBack ? { reversed: Math.min(takenBack, countStored(counts)), kept: 0, failed: 0 } : undefined;
}
