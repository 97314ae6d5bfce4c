// Counts the deletes of a file that were carried out. Reads the file once more.

import { rowsOf } from "../../pipeline/containers/row-source.ts";
import type { OutcomeLog } from "../../pipeline/model/outcomes.ts";
import type { SendJob } from "./send-pass.ts";

/** The outcome of a delete is “updated”, so that the file is read again for what each record means. */
export async function countDeleted({ source, reading }: Pick<SendJob, "source" | "reading">, outcomeLog: OutcomeLog): Promise<number> {
  let deleted = 0;
  for await (const { modes, first } of rowsOf({ file: source.file, ...reading })) {
    for (const [i, mode] of modes?.entries() ?? []) if (mode === "delete" && outcomeLog.outcomeOf(first + i) === "updated") deleted++;
  }
  return deleted;
}
