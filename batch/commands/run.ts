// `run` and `validate`: check the whole file, then send it. A file that is being loaded or was loaded is refused.

import { join, resolve } from "node:path";
import { count } from "../../core/text/count.ts";
import type { Layout } from "../../layouts/layouts/layout.ts";
import { collectionsOf, selectDetail } from "../../layouts/layouts/select-detail.ts";
import type { UploadMode } from "../../pipeline/model/plan.ts";
import type { Fingerprint } from "../../pipeline/reading/fingerprint.ts";
import { isWhollyUndone, type RunSizes } from "../../pipeline/runs/undo-progress.ts";
import type { Options } from "../console/arguments.ts";
import { AlreadyLoaded, CommandError, EXIT, type Exit, type ExitCode } from "../console/exit-codes.ts";
import { groupOutcomes } from "../console/outcome-groups.ts";
import { fingerprintOf, openSource, type Source, stateFolder } from "../files/source-file.ts";
import { notesOf, problemsOf } from "../reports/report-files.ts";
import { type CheckedFile, type CommandContext, checkFile, report } from "../runs/check-pass.ts";
import { continueRun } from "../runs/continue-run.ts";
import { controlsOf, requireBusinessDate, requireNextSequence, takenBy } from "../runs/header-checks.ts";
import { Locked, withLock } from "../runs/lock-file.ts";
import { commandFor } from "../runs/next-commands.ts";
import { prepareFolder } from "../runs/own-files.ts";
import { digestOf, newRunId, openRuns, type Runs, type StoredRun } from "../runs/run-registry.ts";
import { rehearse, type SendJob, type Sent } from "../runs/send-pass.ts";
import { notKnown, readRunSizes, sizesOf } from "../runs/taken-back.ts";

/** Loads one run: the records of one collection. The caller has the lock of the file. Throws CommandError. */
export async function runFile(path: string, options: Options, context: CommandContext): Promise<Exit> {
  const source = await openSource(path, context.decrypt);
  const runs = openRuns(stateFolder(path, options.state));
  const fingerprint = options.fingerprint ?? (await fingerprintOf(source));
  const before = (await runs.of(fingerprint)).filter((run) => !isOfOtherDetails(run, options.part ?? options.collection));
  const id = options.id ?? newRunId(new Date());
  if (!options.dryRun) for (const one of before) if (one.begun && one.id !== id) await runs.forget(one.id); // this one takes its place
  const last = await rejectSecondLoad(
    source,
    runs,
    before.filter((run) => !run.begun),
    options,
    context,
  );
  await runs.tidy(Date.now());
  const checked = await checkFile(source, options, context, "write", id);
  const { check, job } = checked;
  const isFirst = !options.parts || options.part === options.parts[0]; // the header is that of the file, not of each collection
  if (isFirst) requireBusinessDate(source, checked, options, context.now());
  const gap = isFirst ? await requireNextSequence(source, runs, checked, options) : undefined;
  const reading = gap === undefined ? checked.reading : { ...checked.reading, losses: [...(checked.reading.losses ?? []), gap] };
  if (last) requireRepeatable(source, last, checked);
  if (options.dryRun || options.rehearse) {
    const sent = await rehearse(job);
    const exit = rehearsalExit(source, job, sent);
    if (options.dryRun || exit.code === EXIT.nothing) return report(checked, options, exit, sent);
  }
  const { heading, fileEncoding, separator, suspectRows, acknowledge, onDuplicate, createParents } = options;
  const run: StoredRun = {
    id,
    collection: job.collection.name,
    ...(options.parts && { parts: options.parts }),
    ...(options.layout !== undefined && { readBy: { layout: resolve(options.layout) } }),
    ...(options.recipe !== undefined && { readBy: { recipe: options.recipe } }),
    readWith: {
      ...{ heading, fileEncoding, separator, suspectRows },
      ...(acknowledge.length > 0 && { acknowledge }),
      ...(onDuplicate && { onDuplicate }),
      ...(createParents && { createParents }),
    },
    fileName: source.name,
    path: source.path,
    startedAt: Date.now(),
    plan: reading.plan,
    ...(reading.layout && { layout: reading.layout.text }),
    dictionary: checked.dictionary,
    rowsTotal: check.rowsRead,
    rejected: job.rejected,
    leftOut: job.leftOut,
    limit: job.limit,
    fingerprint,
    notes: [...reading.notes, ...notesOf(check)],
    ...(reading.losses && { losses: reading.losses }),
    ...(reading.header && { header: controlsOf(reading.header) }),
    problems: problemsOf(check, job.collection),
  };
  const openJournal = async () => {
    if (reading.items) await runs.putItems(id, reading.items);
    return runs.makeJournal(id);
  };
  return continueRun(run, job, { runs, openJournal, out: options.out });
}

/** `validate FILE`: only the first pass. Throws CommandError. */
export async function validateFile(path: string, options: Options, context: CommandContext): Promise<Exit> {
  const source = await openSource(path, context.decrypt);
  const checked = await checkFile(source, options, context, "read");
  requireBusinessDate(source, checked, options, context.now());
  const { rowsTotal, rejected } = checked.job;
  const sentence =
    rejected === 0
      ? `${source.name} can be stored: ${count(rowsTotal, "record")}, none refused. Nothing was stored.`
      : `${(rowsTotal - rejected).toLocaleString("en")} of ${count(rowsTotal, "record")} of ${source.name} can be stored; ${rejected.toLocaleString("en")} would be refused. Nothing was stored.`;
  const losses = (checked.reading.losses ?? []).map((loss) => ` ${loss}`).join("");
  return report(checked, options, { code: rejected === 0 ? EXIT.stored : EXIT.rejects, sentence: sentence + losses });
}

/** Two runs of one file at the same time would store it twice. `code`: when another process certainly works on it. */
export async function withFileLock<T>(
  runs: Runs,
  fingerprint: Fingerprint,
  name: string,
  work: () => Promise<T>,
  code: ExitCode = EXIT.notNeeded,
): Promise<T> {
  try {
    const locks = join(runs.folder, "locks"); // a folder of their own: a lock reads its whole folder, and that of the runs may be large
    await prepareFolder(locks);
    return await withLock(join(locks, `${digestOf(fingerprint)}.lock`), work);
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    throw new CommandError(error.isAlive ? code : EXIT.nothing, `${name} is being loaded already: ${error.message}`);
  }
}

function parseLayout(text: string): Layout {
  return JSON.parse(text.replace(/^\uFEFF/, "")) as Layout;
}

/** A file with several kinds of detail records has a run for each of their collections. */
function isOfOtherDetails({ layout, collection }: StoredRun, wanted: string | undefined): boolean {
  const known = layout === undefined ? undefined : parseLayout(layout);
  return known !== undefined && collectionsOf(known).length > 1 && collection !== (wanted ?? known.collection);
}

/** Its latest run, if the file is loaded once more because another was loaded after it. Throws CommandError when it is not loaded. */
async function rejectSecondLoad(
  { name, path }: Source,
  runs: Runs,
  before: readonly StoredRun[],
  { again, isOnce }: Pick<Options, "again" | "isOnce">,
  { connection, progress }: CommandContext,
): Promise<StoredRun | undefined> {
  const { folder } = runs;
  const standing = before.filter(({ isUndone }) => !isUndone);
  const undoing = standing.find(({ isUndoing }) => isUndoing);
  if (undoing) {
    const undoCommand = `Finish that with: ${commandFor("undo", undoing, folder)}`;
    throw new AlreadyLoaded(EXIT.stopped, `Run ${undoing.id} of ${name} is only partly taken back. ${undoCommand}`);
  }
  const letGo = async (run: StoredRun) => {
    await runs.put({ ...run, isUndone: true, endedAt: run.endedAt ?? Date.now() });
    const sentence = `Run ${run.id} of ${run.fileName} was taken back in the app or on another computer, so the file is loaded.`;
    progress.line(sentence, { step: "reading", sentence });
  };
  const open = standing.find(({ endedAt }) => endedAt === undefined);
  const openSizes = open && (await sizesOf(connection, open));
  if (open && openSizes && isWhollyUndone(openSizes)) await letGo(open);
  else if (open) {
    const as = open.path === path ? "" : ` as ${open.path}`;
    const begun = `${name} was begun${as} on ${dayOf(open.startedAt)} and is not finished (run ${open.id}).`;
    throw new AlreadyLoaded(EXIT.stopped, `${begun} Continue with: ${commandFor("resume", open, folder)}`);
  }
  if (again) return undefined;
  for (const ended of standing.filter((run) => run !== open)) {
    if (takenBy(ended) + (ended.report?.counts.inDoubt ?? 0) === 0) continue;
    if (!isOnce && didUpdate(ended) && (await isFollowed(ended, name, runs))) return ended;
    const known = await readRunSizes(connection, [ended]);
    const sizes = known instanceof Map ? known.get(ended.id) : undefined;
    if (!sizes || !isWhollyUndone(sizes)) {
      const loaded = `${wasLoaded(name, ended)}.`;
      const more = "unknown" in known ? ` ${notKnown(known.unknown)}` : partlyUndone(sizes, commandFor("undo", ended, folder));
      throw new AlreadyLoaded(EXIT.notNeeded, `${loaded} To load it once more, add --again.${more}`);
    }
    await letGo(ended);
  }
  return undefined;
}

/** Loaded once more, records that are only created would be stored twice, and so would those without a key. Throws CommandError. */
function requireRepeatable({ name }: Source, last: StoredRun, checked: CheckedFile): void {
  if (isRepeatable(checked)) return;
  const { keyless } = checked;
  const doesUpdate = updates(checked.reading.plan.mode, checked.reading.layout?.is);
  const records = keyless === 1 ? "1 of its records has no key and" : `${keyless.toLocaleString("en")} of its records have no key and`;
  const why = `${doesUpdate ? records : "Its records"} would be created once more.`;
  throw new AlreadyLoaded(
    EXIT.nothing,
    `${wasLoaded(name, last)}, and another file after it. ${why} To load it all the same, add --again.`,
  );
}

/** Loaded twice, the file changes nothing the second time: each record has its key, and none is only created. */
export function isRepeatable({ reading, keyless }: CheckedFile): boolean {
  return updates(reading.plan.mode, reading.layout?.is) && (keyless === 0 || isOfItems(reading.layout?.is));
}

/**
 * Says whether another file was loaded into the collection since this run ended, so that the service may no longer have what this file says.
 * Where each file has a name of its own, one that comes under its old name is an old one that was sent again: it must not undo the newer.
 */
async function isFollowed({ collection, fingerprint, fileName, endedAt = 0 }: StoredRun, name: string, runs: Runs): Promise<boolean> {
  const own = digestOf(fingerprint);
  const isLater = (run: StoredRun) =>
    !run.isUndone && (run.endedAt ?? 0) > endedAt && takenBy(run) > 0 && (name !== fileName || run.fileName === name);
  const others = await runs.list((run) => run.collection === collection && run.digest !== own);
  return others.some(isLater);
}

function didUpdate({ plan, layout, collection }: StoredRun): boolean {
  return updates(plan.mode, layout === undefined ? undefined : selectDetail(parseLayout(layout), collection));
}

/** Says whether records that are there may be changed: by the mode, or by the actions of the layout. */
function updates(mode: UploadMode, layout: Layout | undefined): boolean {
  return mode !== "create" || layout?.action !== undefined;
}

/** Items that come again replace those that are stored, with a key or without. */
function isOfItems(layout: Layout | undefined): boolean {
  return layout?.kind === "fixed" && layout.detail.table !== undefined;
}

function wasLoaded(name: string, run: StoredRun): string {
  const inDoubt = run.report?.counts.inDoubt ?? 0;
  const records = count(takenBy(run), "record") + (inDoubt > 0 ? `, ${inDoubt.toLocaleString("en")} in doubt` : "");
  return `${name} was loaded on ${dayOf(run.startedAt)} as ${run.fileName} (run ${run.id}, ${records})`;
}

function partlyUndone(sizes: RunSizes | undefined, undoCommand: string): string {
  if (!sizes || sizes.undone === 0) return "";
  const [undone, made] = [sizes.undone.toLocaleString("en"), count(sizes.made, "change")];
  return ` Of its ${made} ${undone} were taken back in the app or on another computer. To take back the others: ${undoCommand}`;
}

function dayOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function rehearsalExit({ name }: Source, { reading, rejected, rowsTotal, limit }: SendJob, { report }: Sent): Exit {
  const { counts, ended, why } = report;
  const groups = groupOutcomes(counts);
  const refused = rejected + groups.refused;
  if (ended === "cancelled") throw new CommandError(EXIT.nothing, `Nothing of ${name} was stored. The command was asked to stop.`);
  if (ended !== "done")
    throw new CommandError(
      EXIT.unreached,
      `Nothing of ${name} was stored. ${why ?? "The service cannot be reached."}`,
      [],
      "Run this again.",
    );
  const would = `${groups.created.toLocaleString("en")} would be created, ${groups.updated.toLocaleString("en")} updated, ${groups.asBefore.toLocaleString("en")} are there already, ${refused.toLocaleString("en")} would be refused.`;
  if (limit !== null && refused > limit) {
    const allowed = `--max-rejects allows ${limit.toLocaleString("en")}`;
    const sentence = `Nothing of ${name} was stored: of ${count(rowsTotal, "record")} ${would} ${allowed}.`;
    return { code: EXIT.nothing, sentence, isOfFile: true };
  }
  return {
    code: refused > 0 ? EXIT.rejects : EXIT.stored,
    sentence: [`Nothing of ${name} was stored, as asked: of ${count(rowsTotal, "record")} ${would}`, ...(reading.losses ?? [])].join(" "),
  };
}
