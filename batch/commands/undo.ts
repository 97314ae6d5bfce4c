// `undo`: takes back what a run stored, except what changed since and what the file deleted.

import { OUTCOMES } from "../../pipeline/model/outcomes.ts";
import { undoUpload } from "../../pipeline/runs/undo.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { SentBatch, StoredUpload } from "../../pipeline/sending/journal.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, count, EXIT, type Exit, stoppedBy } from "../console/exit-codes.ts";
import { chooseCollection } from "../formats/choose-reader.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import type { RunJournal } from "../runs/file-journal.ts";
import { commandFor, statusCommand } from "../runs/next-commands.ts";
import type { Runs, StoredRun } from "../runs/run-registry.ts";
import { openService, readCollections, signIn } from "../runs/service.ts";
import { withFileLock } from "./run.ts";
import { findRuns } from "./status.ts";

/** `undo FILE|RUN`. Throws CommandError. */
export async function undoRun(target: string, options: Options, context: CommandContext): Promise<Exit> {
  const { runs, known } = await findRuns(target, options.state);
  const standing = known.filter(({ isUndone }) => !isUndone);
  const run = standing.find(({ isUndoing }) => isUndoing) ?? standing[0];
  if (!run) {
    const others = `To take back a run of another file, give its id. To list the ids: ${statusCommand(runs.folder)}`;
    throw new CommandError(EXIT.nothing, `${target}, as it is now, has no run that could be taken back. ${others}`);
  }
  return withFileLock(runs, run.fingerprint, run.fileName, async () => {
    const journal = await runs.journal(run.id);
    try {
      return await takeBack(run, journal, runs, context);
    } catch (error) {
      throw stoppedBy(error, `Continue with: ${commandFor("undo", run, runs.folder)}`);
    } finally {
      await journal.close();
    }
  });
}

async function takeBack(run: StoredRun, journal: RunJournal, runs: Runs, { connection, progress, signal }: CommandContext): Promise<Exit> {
  if (journal.unanswered > 0) {
    const first = commandFor("resume", run, runs.folder);
    throw new CommandError(EXIT.stopped, `Of some records of ${run.fileName} it is not known yet whether they are stored. First: ${first}`);
  }
  const { token } = await signIn(connection, "write");
  const collection = chooseCollection(readCollections(run.dictionary), run.collection);
  const service = openService(connection, collection, token, signal, run.id);
  const deleted = run.layout === undefined ? new Map<number, number>() : await journal.deletes();
  await runs.put({ ...run, isUndoing: true }); // before the first record is undone: from now on nothing of this run may be sent
  const upload: StoredUpload = { ...run, hasRows: true, undo: { ...journal.undo }, ...(run.report && { report: run.report }) };
  const job = { ...service, upload, journal: passingDeletes(journal, deleted), keyField: collection.key.name, signal };
  let last: UploadState | undefined;
  for await (const state of undoUpload(job)) {
    progress.state(state);
    last = state;
  }
  if (last?.step !== "undone") throw new Error("The undo ended without a word.");
  if (last.ended === "done" && journal.size === 0) {
    const { isUndoing: _, ...rest } = run;
    await runs.put({ ...rest, isUndone: true, endedAt: run.endedAt ?? Date.now() });
  }
  return undoExit(run, last, deleted.size, commandFor("undo", run, runs.folder));
}

/** Leaves out the rows of records that the file deleted. They stay deleted, with all earlier changes of the file. */
function passingDeletes(journal: RunJournal, deleted: ReadonlyMap<number, number>): Pick<RunJournal, "before" | "undone"> {
  return {
    undone: (...args) => journal.undone(...args),
    async before(id, row) {
      const sent = await journal.before(id, row);
      return sent && deleted.size > 0 ? withoutDeleted(sent, deleted) : sent;
    },
  };
}

function withoutDeleted({ result, ...sent }: SentBatch, deleted: ReadonlyMap<number, number>): SentBatch {
  if (!result) return sent;
  const updated = OUTCOMES.indexOf("updated");
  const ids = result.ids.map((id, at) => (result.outcomes[at] === updated && sent.first + at <= (deleted.get(id) ?? -1) ? 0 : id));
  return { ...sent, result: { ...result, ids } };
}

function undoExit(run: StoredRun, undone: Extract<UploadState, { step: "undone" }>, deleted: number, undoCommand: string): Exit {
  const { counts, ended, why } = undone;
  const { reversed, kept, failed } = counts;
  const summary = `${count(reversed, "record")} of ${run.fileName} taken back`;
  if (ended !== "done") {
    return {
      code: EXIT.stopped,
      sentence: `Stopped: ${summary}. ${why ?? "The command was asked to stop."} Continue with: ${undoCommand}`,
    };
  }
  if (kept + failed + deleted === 0) return { code: EXIT.stored, sentence: `${summary}; the store is as it was before.` };
  const left = [
    kept > 0 && `${count(kept, "record")} changed since and left alone`,
    failed > 0 && `${count(failed, "record")} could not be taken back`,
    deleted > 0 && `${count(deleted, "record")} deleted by the file, which stay deleted`,
  ];
  return { code: EXIT.rejects, sentence: `${summary}; ${left.filter(Boolean).join(", ")}.` };
}
