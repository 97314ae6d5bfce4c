// Proposes a collection for a file, in a worker of its own.

import { realClock } from "../../../pipeline/model/clock.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { FileError } from "../../../pipeline/model/file-error.ts";
import { type FileProposal, proposeFile } from "../../../pipeline/proposal/propose-file.ts";

export interface ProposeWork {
  file: File;
  /** Says how the user wants the file read. Anything not set is detected. */
  choices: Choices;
}

/** Says why the file cannot be read, with another way of reading it, if there is one. */
export interface Unreadable {
  title: string;
  detail: string;
  autoFix?: FileError["autoFix"];
}

export type Proposed = { is: "proposal"; proposal: FileProposal } | ({ is: "unreadable" } & Unreadable);

/** Posts what was found until the file is read. The page ends the worker when it wants no more. */
export async function propose({ file, choices }: ProposeWork, post: (proposed: Proposed) => void): Promise<void> {
  try {
    for await (const proposal of proposeFile(file, choices, realClock)) post({ is: "proposal", proposal });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { title, detail, autoFix } = error;
    post({ is: "unreadable", title, detail, autoFix });
  }
}
