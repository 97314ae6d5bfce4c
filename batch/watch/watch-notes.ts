// Notes that one watch leaves to the next one of the same state folder.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemError } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { readOwnFile, replaceFile } from "../runs/own-files.ts";
import type { RecentMove } from "./growth.ts";

export interface WatchNotes {
  /** Epoch milliseconds of the note. */
  at: number;
  moved: RecentMove[];
  /** Maps the pattern of a rule to the latest time, in epoch milliseconds, at which the operator was told that its file is late. */
  late: Record<string, number>;
}

const NAME = "watch.notes";

/** Without a note, or with one that cannot be read, nothing is known, which is said: a growth stays unseen, or a late file is named twice. */
export async function readNotes(state: string, progress: Pick<ProgressWriter, "line">): Promise<WatchNotes> {
  const nothing = { at: Date.now(), moved: [], late: {} };
  const path = join(state, NAME);
  if (!existsSync(path)) return nothing;
  try {
    return { ...nothing, ...(JSON.parse(await readOwnFile(path)) as Partial<WatchNotes>) };
  } catch (error) {
    const why = error instanceof SyntaxError ? "it is damaged" : systemError(error);
    if (why === undefined) throw error;
    note(`The note of the watch before in ${path} cannot be read: ${why}. ${UNKNOWN}`, progress);
    return nothing;
  }
}

/** On a full disk the note of before stays, which is said. */
export async function writeNotes(state: string, notes: WatchNotes, progress: Pick<ProgressWriter, "line">): Promise<void> {
  try {
    await replaceFile(state, NAME, JSON.stringify(notes));
  } catch (error) {
    const why = systemError(error);
    if (why === undefined) throw error;
    note(`The note for the next watch cannot be written to ${join(state, NAME)}: ${why}. ${UNKNOWN}`, progress);
  }
}

const UNKNOWN = "So a file that grew after it was taken may stay unnoticed, and a late file may be named twice.";

function note(sentence: string, progress: Pick<ProgressWriter, "line">): void {
  progress.line(sentence, { step: "notes", sentence });
}
