// `resume`: continues a run that stopped midway, with the file it began with.

import { count } from "../../core/text/count.ts";
import { howItDiffers } from "../../pipeline/reading/fingerprint.ts";
import { isWhollyUndone } from "../../pipeline/runs/undo-progress.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit } from "../console/exit-codes.ts";
import { planAgain } from "../files/choose-reader.ts";
import { fingerprintOf, openSource, type Source } from "../files/source-file.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { continueRun } from "../runs/continue-run.ts";
import { type Found, findRuns } from "../runs/find-runs.ts";
import { commandFor, formatCommand } from "../runs/next-commands.ts";
import { readItemPlan } from "../runs/replaced-items.ts";
import type { Runs, StoredRun } from "../runs/run-registry.ts";
import { openService, readCollections, signIn } from "../runs/service.ts";
import { sizesOf } from "../runs/taken-back.ts";
import { withFileLock } from "./run.ts";
import { joined, partsLeft, runAll, runParts } from "./run-all.ts";

/** `resume FILE|RUN`. Throws CommandError. */
export async function resumeRun(target: string, options: Options, context: CommandContext): Promise<Exit> {
  const found = await findRuns(target, options.state, context.decrypt);
  const { runs, known, path } = found;
  const undoing = known.find(({ isUndoing, isUndone }) => isUndoing && !isUndone);
  if (undoing) {
    const undoCommand = commandFor("undo", undoing, runs.folder);
    throw new CommandError(
      EXIT.stopped,
      `Run ${undoing.id} of ${undoing.fileName} is only partly taken back and cannot be resumed. Finish that with: ${undoCommand}`,
    );
  }
  const stopped = known.find((one) => canResume(one) && !one.begun);
  const [last] = known;
  const begun = known.find((one) => one.begun);
  if (!stopped && begun) return beginAgain(begun, path ?? begun.path, runs, options, context);
  const rest = partsLeft(known);
  if (!stopped && last && rest.length > 0) return loadRest(path ?? last.path, last, rest, { runs, options, context });
  if (!stopped && last) return { code: EXIT.stored, sentence: `Run ${last.id} of ${last.fileName} has ended. Nothing is left to do.` };
  if (!stopped) throw await nothingToResume(target, found, context);
  const source = await openSource(path ?? stopped.path, context.decrypt);
  await requireSameFile(stopped, source, runs);
  const exit = await withFileLock(runs, stopped.fingerprint, source.name, async () => {
    const { connection, progress, signal } = context;
    const run = await stillStopped(stopped, runs);
    await requireStanding(run, runs, context);
    const { token, by } = await signIn(connection, "write");
    const { collection, reading: known } = await planAgain(
      source,
      readCollections(run.dictionary, run.plan.fixes?.parents !== undefined),
      run,
    );
    const items = run.plan.clears && (await orUndo(run, runs, runs.items));
    const reading = items ? readItemPlan(known, collection, items) : known;
    const limit = options.limit === undefined ? run.limit : options.limit;
    const service = openService(connection, collection, token, signal, run.id);
    const { rowsTotal, rejected, leftOut } = run;
    const job = { source, collection, reading, service, by, rowsTotal, rejected, leftOut, limit, progress, signal };
    const { exit: _, ...begun } = run;
    return continueRun({ ...begun, limit, path: source.path }, job, {
      runs,
      openJournal: () => orUndo(run, runs, runs.journal),
      out: options.out,
    });
  });
  const isOver = exit.code === EXIT.stored || exit.code === EXIT.rejects;
  return isOver && rest.length > 0 ? joined([exit, await loadRest(source.path, stopped, rest, { runs, options, context })]) : exit;
}

/** Loads the file from the start: a run that ended in its first pass has sent nothing. */
async function beginAgain(run: StoredRun, path: string, { folder }: Runs, options: Options, context: CommandContext): Promise<Exit> {
  const source = await openSource(path, context.decrypt);
  const fingerprint = await fingerprintOf(source);
  const difference = howItDiffers(run.fingerprint, fingerprint);
  if (difference) {
    const begin = formatCommand(["run", path]);
    const sentence = `${source.name} is not the file that run ${run.id} began with, and nothing of that was sent. ${difference} To load it as it is: ${begin}`;
    throw new CommandError(EXIT.nothing, sentence);
  }
  const limit = options.limit === undefined ? run.begun?.limit : options.limit;
  return runAll(path, { ...options, ...run.begun, limit, state: folder, id: run.id, fingerprint }, context);
}

/** Without its journal, or its plan of items, other records could be sent under the same keys, or some stored twice. Throws CommandError. */
async function orUndo<T>(run: StoredRun, runs: Runs, read: (id: string) => Promise<T>): Promise<T> {
  try {
    return await read(run.id);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const undo = commandFor("undo", run, runs.folder);
    throw new CommandError(
      error.code,
      `${error.sentence} The run cannot go on without it. Restore it from a backup, or take back what is stored with: ${undo}`,
    );
  }
}

/** Loads the other collections of its layout, of which nothing was begun. Throws CommandError. */
async function loadRest(
  path: string,
  run: StoredRun,
  parts: readonly string[],
  { runs, options, context }: { runs: Runs; options: Options; context: CommandContext },
): Promise<Exit> {
  const { plan, limit, readBy, fingerprint } = run;
  const source = await openSource(path, context.decrypt);
  await requireSameFile(run, source, runs);
  const more = { ...readBy, mode: plan.mode, parts: run.parts ?? parts, limit: options.limit === undefined ? limit : options.limit };
  const all = { ...options, ...more, fingerprint, state: runs.folder };
  return withFileLock(runs, fingerprint, source.name, () => runParts(path, all, context, parts));
}

function canResume({ endedAt, isUndone, isUnreported }: StoredRun): boolean {
  return !isUndone && (endedAt === undefined || isUnreported === true);
}

/** Says why there is nothing to resume for a file without a run. It may have been changed since its run. */
async function nothingToResume(target: string, { namesakes, path, runs }: Found, { decrypt }: CommandContext): Promise<CommandError> {
  const open = namesakes.find((one) => canResume(one) && !one.begun);
  if (path !== undefined && open) await requireSameFile(open, await openSource(path, decrypt), runs);
  const begin = formatCommand(["run", path ?? target]);
  return new CommandError(EXIT.notNeeded, `${target} has no run that stopped midway, so nothing is left to resume. To load it: ${begin}`);
}

/** Reads the run anew, under the lock: another process may have gone on with it, or taken it back, before. Throws CommandError. */
async function stillStopped({ id, fileName }: StoredRun, runs: Runs): Promise<StoredRun> {
  const now = await runs.get(id);
  if (now && canResume(now) && !now.isUndoing) return now;
  throw new CommandError(
    EXIT.notNeeded,
    `Another process has gone on with run ${id} of ${fileName} in the meantime, so nothing was done here.`,
  );
}

/** Refuses the rest of a run that was taken back, which would be stored alone. Throws CommandError. */
async function requireStanding(run: StoredRun, runs: Runs, { connection }: CommandContext): Promise<void> {
  if (run.endedAt !== undefined) return; // only its report is left to write
  const sizes = await sizesOf(connection, run);
  if (!sizes || sizes.undone === 0) return;
  if (isWhollyUndone(sizes)) {
    await runs.put({ ...run, isUndone: true, endedAt: Date.now() });
    const why = `Run ${run.id} of ${run.fileName} was taken back in the app or on another computer, so it is not continued.`;
    throw new CommandError(EXIT.nothing, `${why} The whole file can be loaded again with run.`);
  }
  const part = `${sizes.undone.toLocaleString("en")} of its ${count(sizes.made, "change")} were taken back in the app or on another computer`;
  const undo = commandFor("undo", run, runs.folder);
  throw new CommandError(EXIT.stopped, `Run ${run.id} of ${run.fileName} cannot be resumed: ${part}. To take back the others: ${undo}`);
}

/** Throws CommandError. */
async function requireSameFile(run: StoredRun, source: Source, { folder }: Runs): Promise<void> {
  const difference = howItDiffers(run.fingerprint, await fingerprintOf(source));
  if (!difference) return;
  const undo = commandFor("undo", run, folder);
  throw new CommandError(
    EXIT.nothing,
    `${source.name} is not the file that run ${run.id} began with. ${difference} Put it back as it was, or take back what is stored with: ${undo}`,
  );
}
