// What a run stored is taken back, but for what someone has changed since and what the file deleted. Never goes on to store.

import { OUTCOMES } from "../../pipeline/model/outcomes.ts";
import { undoUpload } from "../../pipeline/runs/undo.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { SentBatch, StoredUpload } from "../../pipeline/sending/journal.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, count, EXIT, type Exit, stoppedBy } from "../console/exit-codes.ts";
import { chooseCollection } from "../formats/choose-reader.ts";
import type { PassContext } from "../runs/check-pass.ts";
import type { RunJournal } from "../runs/file-journal.ts";
import { commandFor, statusCommand } from "../runs/next-commands.ts";
import type { Runs, StoredRun } from "../runs/run-registry.ts";
import { openService, readCollections, signIn } from "../runs/service.ts";
import { alone } from "./run.ts";
import { findRuns } from "./status.ts";

/** `undo FILE|RUN`. Throws Ended. */
export async function undoRun(target: string, options: Options, context: PassContext): Promise<Exit> {
  const { runs, known } = await findRuns(target, options.state);
  const standing = known.filter(({ isUndone }) => !isUndone);
  const run = standing.find(({ isUndoing }) => isUndoing) ?? standing[0];
  if (!run) {
    const others = `Runs of other files are taken back by their ids; they are told by: ${statusCommand(runs.folder)}`;
    throw new CommandError(EXIT.nothing, `${target}, as it is now, has no run that could be taken back. ${others}`);
  }
  return alone(runs, run.fingerprint, run.fileName, async () => {
    const journal = await runs.journal(run.id);
    try {
      return await takeBack(run, journal, runs, context);
    } catch (error) {
      throw stoppedBy(error, `Go on with: ${commandFor("undo", run, runs.folder)}`);
    } finally {
      await journal.close();
    }
  });
}

async function takeBack(run: StoredRun, journal: RunJournal, runs: Runs, { connection, progress, signal }: PassContext): Promise<Exit> {
  if (journal.unsettled > 0) {
    const first = commandFor("resume", run, runs.folder);
    throw new CommandError(EXIT.stopped, `Of some records of ${run.fileName} it is not known yet whether they are stored. First: ${first}`);
  }
  const { token } = await signIn(connection, "write");
  const collection = chooseCollection(readCollections(run.dictionary), run.collection);
  const service = openService(connection, collection, token, signal);
  const deleted = run.layout === undefined ? new Map<number, number>() : await journal.deletes();
  await runs.put({ ...run, isUndoing: true }); // before the first record is taken back: from now on nothing of it may be sent
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
  return undoneAs(run, last, deleted.size, commandFor("undo", run, runs.folder));
}

/** Without the rows of records that the file itself deleted: what it deleted stays deleted, and what it changed before goes with it. */
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

function undoneAs(run: StoredRun, undone: Extract<UploadState, { step: "undone" }>, deleted: number, goOn: string): Exit {
  const { counts, ended, why } = undone;
  const { reversed, kept, failed } = counts;
  const so = `${count(reversed, "record")} of ${run.fileName} taken back`;
  if (ended !== "done") {
    return { code: EXIT.stopped, sentence: `Stopped: ${so}. ${why ?? "The command was asked to stop."} Go on with: ${goOn}` };
  }
  if (kept + failed + deleted === 0) return { code: EXIT.stored, sentence: `${so}; the store is as it was before.` };
  const left = [
    kept > 0 && `${count(kept, "record")} changed since and left alone`,
    failed > 0 && `${count(failed, "record")} could not be taken back`,
    deleted > 0 && `${count(deleted, "record")} deleted by the file, which stay deleted`,
  ];
  return { code: EXIT.rejects, sentence: `${so}; ${left.filter(Boolean).join(", ")}.` };
}
