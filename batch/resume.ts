// Runs that are known: one that stopped goes on, one that stored is taken back, all are listed. Begins none.

import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { howItDiffers } from "../src/upload/fingerprint.ts";
import type { KeptUpload } from "../src/upload/journal.ts";
import type { UploadState } from "../src/upload/run.ts";
import { undoUpload } from "../src/upload/undo.ts";
import type { Options } from "./arguments.ts";
import { count, Ended, type Ending, EXIT } from "./ending.ts";
import type { Around } from "./first-pass.ts";
import { chooseCollection, planAgain } from "./reading.ts";
import { alone } from "./run.ts";
import { type KeptRun, openRuns, type Runs, STATE_FOLDER } from "./runs.ts";
import { takenOf } from "./send.ts";
import { sendKept } from "./send-kept.ts";
import { openService, readCollections, signIn } from "./service.ts";
import { fingerprintOf, openSource, stateFolder } from "./source.ts";

/** `resume FILE|RUN`. Throws Ended. */
export async function resumeRun(target: string, options: Options, around: Around): Promise<Ending> {
  const { runs, known, path } = await find(target, options.state);
  const run = known.find(({ endedAt, isUndone }) => endedAt === undefined && !isUndone);
  if (!run) {
    const [last] = known;
    if (last) return { code: EXIT.stored, sentence: `Run ${last.id} of ${last.fileName} has ended. Nothing is left to do.` };
    throw new Ended(EXIT.nothing, `${target} has no run that could go on. Begin one with: npm run batch -- run ${target}`);
  }
  const source = await openSource(path ?? run.path);
  const difference = howItDiffers(run.fingerprint, await fingerprintOf(source));
  if (difference) {
    throw new Ended(
      EXIT.nothing,
      `${source.name} is not the file that run ${run.id} began with. ${difference} Put it back as it was, or take back what is stored with: npm run batch -- undo ${run.id}`,
    );
  }
  return alone(runs, run.fingerprint, source.name, async () => {
    const { connection, teller, signal } = around;
    const { token } = await signIn(connection, "write");
    const { collection, reading } = await planAgain(source, readCollections(run.dictionary), run);
    const limit = options.limit === undefined ? run.limit : options.limit;
    const service = openService(connection, collection, token, signal);
    const { rowsTotal, rejected } = run;
    const job = { source, collection, reading, service, rowsTotal, rejected, limit, teller, signal };
    const { ending: _, ...begun } = run;
    return sendKept({ ...begun, limit, path: source.path }, job, { runs, openJournal: () => runs.journal(run.id), out: options.out });
  });
}

/** `undo FILE|RUN`. What someone has changed since stays as it is. Throws Ended. */
export async function undoRun(target: string, options: Options, { connection, teller, signal }: Around): Promise<Ending> {
  const { runs, known } = await find(target, options.state);
  const run = known.find(({ isUndone }) => !isUndone);
  if (!run) throw new Ended(EXIT.nothing, `${target} has no run that could be taken back.`);
  return alone(runs, run.fingerprint, run.fileName, async () => {
    const journal = await runs.journal(run.id);
    try {
      if (journal.unsettled > 0) {
        throw new Ended(
          EXIT.stopped,
          `Of some records of ${run.fileName} it is not known yet whether they are stored. First: npm run batch -- resume ${run.id}`,
        );
      }
      const { token } = await signIn(connection, "write");
      const collection = chooseCollection(readCollections(run.dictionary), run.collection);
      const service = openService(connection, collection, token, signal);
      const upload: KeptUpload = { ...run, hasRows: true, undo: { ...journal.undo }, ...(run.report && { report: run.report }) };
      let last: UploadState | undefined;
      for await (const state of undoUpload({ ...service, upload, journal, keyField: collection.key.name, signal })) {
        teller.state(state);
        last = state;
      }
      if (last?.step !== "undone") throw new Error("The undo ended without a word.");
      if (last.ended === "done" && journal.size === 0) await runs.put({ ...run, isUndone: true, endedAt: run.endedAt ?? Date.now() });
      return undoneAs(run, last);
    } finally {
      await journal.close();
    }
  });
}

function undoneAs(run: KeptRun, { counts, ended, why }: Extract<UploadState, { step: "undone" }>): Ending {
  const { reversed, kept, failed } = counts;
  const so = `${count(reversed, "record")} of ${run.fileName} taken back`;
  if (ended !== "done") {
    return {
      code: EXIT.stopped,
      sentence: `Stopped: ${so}. ${why ?? "The command was asked to stop."} Go on with: npm run batch -- undo ${run.id}`,
    };
  }
  if (kept + failed === 0) return { code: EXIT.stored, sentence: `${so}; the store is as it was before.` };
  const left = [
    kept > 0 && `${count(kept, "record")} changed since and left alone`,
    failed > 0 && `${count(failed, "record")} could not be taken back`,
  ];
  return { code: EXIT.rejects, sentence: `${so}; ${left.filter(Boolean).join(", ")}.` };
}

/** `status [FILE]`: one line a run, the latest first. */
export async function listRuns(target: string | undefined, options: Options): Promise<{ run: KeptRun; words: string }[]> {
  const { known } =
    target === undefined ? { known: await openRuns(resolve(options.state ?? STATE_FOLDER)).list() } : await find(target, options.state);
  return known.map((run) => ({ run, words: wordsFor(run) }));
}

function wordsFor(run: KeptRun): string {
  const { id, fileName, collection, plan, rowsTotal, report, endedAt, isUndone, startedAt } = run;
  const taken = report ? takenOf(report.counts) : undefined;
  const is = isUndone ? "taken back" : endedAt === undefined ? "NOT FINISHED" : "ended";
  const stored = taken === undefined ? "" : `, ${taken.toLocaleString("en")} stored`;
  const at = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${at}  ${id}  ${fileName}  ${collection}, ${plan.mode}: ${count(rowsTotal, "record")}${stored}; ${is}`;
}

/** The runs of a file or of a run's id, the latest first; `path` when a file was named. */
async function find(target: string, state: string | undefined): Promise<{ runs: Runs; known: KeptRun[]; path?: string }> {
  const isFile = await stat(target).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    const runs = openRuns(resolve(state ?? STATE_FOLDER));
    const known = (await runs.list()).filter(({ id }) => id === target);
    if (known.length > 0) return { runs, known };
    throw new Ended(EXIT.nothing, `There is no file and no run ${target}. The runs in ${runs.folder} are told by: npm run batch -- status`);
  }
  const runs = openRuns(stateFolder(target, state));
  const all = await runs.list();
  const path = resolve(target);
  const alike = await runs.of(await fingerprintOf(await openSource(target)));
  return { runs, known: alike.length > 0 ? alike : all.filter(({ fileName }) => fileName === basename(target)), path };
}
