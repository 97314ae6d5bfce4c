// Asks the service which runs were taken back in the app or on another computer.

import { type RunSizes, runSizes } from "../../pipeline/runs/undo-progress.ts";
import { CommandError } from "../console/exit-codes.ts";
import type { Connection } from "./connection.ts";
import type { StoredRun } from "./run-registry.ts";
import { readRunParts, signIn } from "./service.ts";

/** Reads the sizes of each run by its id, as the service's history says; or why it could not be asked. */
export async function readRunSizes(
  connection: Connection,
  runs: readonly Pick<StoredRun, "id" | "collection">[],
): Promise<Map<string, RunSizes> | { unknown: string }> {
  const sizes = new Map<string, RunSizes>();
  if (runs.length === 0) return sizes;
  try {
    const { token } = await signIn(connection, "read");
    for (const { id, collection } of runs) sizes.set(id, runSizes(await readRunParts(connection, token, id), collection));
  } catch (error) {
    if (error instanceof CommandError) return { unknown: error.sentence };
    throw error;
  }
  return sizes;
}

/** Reads the sizes of a run that has not ended. Undefined when the service cannot be asked: what follows says why. */
export async function sizesOf(connection: Connection, run: Pick<StoredRun, "id" | "collection">): Promise<RunSizes | undefined> {
  const known = await readRunSizes(connection, [run]);
  return known instanceof Map ? known.get(run.id) : undefined;
}

/** Returns a sentence for the operator. `why`: a sentence. */
export function notKnown(why: string, subject = "it was"): string {
  return `It is not known whether ${subject} taken back in the app or on another computer: ${why}`;
}
