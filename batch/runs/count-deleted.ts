// How many of a file's deletes were done, found by reading what each record means once more. Judges nothing.

import type { OutcomeLog } from "../../pipeline/model/outcomes.ts";
import { rowsOf } from "../../pipeline/reading/row-source.ts";
import type { SendJob } from "./send-pass.ts";

/** An outcome says only that a record was changed. */
export async function countDeleted({ source, reading }: Pick<SendJob, "source" | "reading">, outcomeLog: OutcomeLog): Promise<number> {
  let deleted = 0;
  for await (const { modes, first } of rowsOf({ file: source.file, ...reading })) {
    for (const [i, mode] of modes?.entries() ?? []) if (mode === "delete" && outcomeLog.outcomeOf(first + i) === "updated") deleted++;
  }
  return deleted;
}
