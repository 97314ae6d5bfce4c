// Says what can be asked of the history: the same scripts on both engines.

import type { Runnable } from "../../engine/script/script.ts";
import { countChanges, findPrincipal, listActivity, listChanges } from "./activity.ts";
import { listDeletions, listEntries, readGone, readOrigins } from "./reads.ts";
import { hasOperation, listRunEntries, sizeOfRun, summarizeRun } from "./runs.ts";

export const HISTORY_READS = {
  listEntries,
  listDeletions,
  readGone,
  readOrigins,
  listActivity,
  listChanges,
  findPrincipal,
  countChanges,
  listRunEntries,
  sizeOfRun,
  hasOperation,
  summarizeRun,
};
export type HistoryReads = Runnable<typeof HISTORY_READS>;
