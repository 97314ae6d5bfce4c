// Notes that one watch leaves to the next one of the same state folder.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemError } from "../console/exit-codes.ts";
import { readOwnFile, replaceFile } from "../runs/own-files.ts";
import type { RecentMove } from "./growth.ts";

export interface WatchNotes {
  /** Epoch milliseconds of the note. */
  at: number;
  moved: RecentMove[];
  /** By the pattern of a rule: the latest time, in epoch milliseconds, at which the operator was told that its file is late. */
  late: Record<string, number>;
}

const NAME = "watch.notes";

/** Without a note, or with one that cannot be read, nothing is known: then a growth stays unseen, or a late file is named twice. */
export async function readNotes(state: string): Promise<WatchNotes> {
  const nothing = { at: Date.now(), moved: [], late: {} };
  const path = join(state, NAME);
  if (!existsSync(path)) return nothing;
  try {
    return { ...nothing, ...(JSON.parse(await readOwnFile(path)) as Partial<WatchNotes>) };
  } catch (error) {
    if (error instanceof SyntaxError || systemError(error) !== undefined) return nothing;
    throw error;
  }
}

/** On a full disk the note of before stays. */
export async function writeNotes(state: string, notes: WatchNotes): Promise<void> {
  try {
    await replaceFile(state, NAME, JSON.stringify(notes));
  } catch (error) {
    if (systemError(error) === undefined) throw error;
  }
}
