// Sends what a run has not sent yet, then reports and records how it ended.

import { count } from "../../core/text/count.ts";
import { rowsOf } from "../../pipeline/containers/row-source.ts";
import type { OutcomeLog, Report } from "../../pipeline/model/outcomes.ts";
import { CommandError, EXIT, type Exit, stoppedBy, systemError } from "../console/exit-codes.ts";
import { countRefused, countStored, groupOutcomes } from "../console/outcome-groups.ts";
import { tryFolder } from "../reports/output-names.ts";
import { type RejectsPlace, type ReportedExit, writeOutputs } from "../reports/report-files.ts";
import type { RunJournal } from "./file-journal.ts";
import { describeParents } from "./new-parents.ts";
import { commandFor, loadRejects } from "./next-commands.ts";
import type { Runs, StoredRun } from "./run-registry.ts";
import { type SendJob, type Sent, sendRecords } from "./send-pass.ts";

interface RunStorage {
  runs: Runs;
  openJournal: () => Promise<RunJournal>;
  /** The folder for the report; undefined for the folder of the file. */
  out: string | undefined;
}

/** Stores the run before anything is sent. Throws CommandError. */
export async function continueRun(run: StoredRun, job: SendJob, { runs, openJournal, out }: RunStorage): Promise<Exit> {
  await tryFolder({ path: job.source.path, out }); // a folder that cannot be written is reported before anything is sent
  const resumeHint = `Continue with: ${commandFor("resume", run, runs.folder)}`;
  const journal = await openJournal();
  try {
    await putFirst(runs, run);
    const sent = await sendRecords(job, { uploadId: run.id, log: journal, errorCodes: journal.errorCodes });
    await journal.flush();
    const isDone = journal.unanswered === 0 && sent.report.counts.notSent === run.rejected + run.leftOut;
    const stop = stopOf(run, sent, { resumeHint, undo: commandFor("undo", run, runs.folder) });
    const isFinal = isDone || sent.isTooMany;
    // The report comes before the end of the run is stored: after a crash in between, resume writes it again.
    const exit: ReportedExit = isFinal ? await reportEnd(run, { job, sent, out }, isDone ? undefined : stop) : stop;
    const { exit: _, isUnreported: __, ...rest } = run;
    const end = isDone && { endedAt: run.endedAt ?? Date.now(), ...(exit.isUnwritten && { isUnreported: true }) };
    await runs.put({ ...rest, report: sent.report, ...end, ...(isFinal && !exit.isUnwritten && { exit: exit }) });
    if (!exit.isUnwritten) return exit;
    return {
      code: EXIT.stopped,
      sentence: `${exit.sentence} When that is fixed, write it with: ${commandFor("resume", run, runs.folder)}`,
    };
  } catch (error) {
    throw stoppedBy(error, resumeHint);
  } finally {
    await journal.close();
  }
}

/** Throws when the run cannot be stored; then nothing is sent. */
async function putFirst(runs: Runs, run: StoredRun): Promise<void> {
  await runs.put(run).catch((error) => {
    const why = systemError(error);
    throw why === undefined
      ? error
      : new CommandError(
          run.report ? EXIT.stopped : EXIT.nothing,
          `Nothing of ${run.fileName} was sent: ${runs.folder} cannot be written: ${why}.`,
        );
  });
}

/** `deleted`: how many of the updated records were deleted; undefined without an action in the layout. */
function endOf(run: StoredRun, { counts }: Report, deleted: number | undefined, see: RejectsPlace): Exit {
  const { fileName, rejected, leftOut, limit, collection } = run;
  const rowsTotal = run.rowsTotal - leftOut;
  const { created, updated, asBefore, refused: failed, inDoubt } = groupOutcomes(counts);
  const [carried, before] =
    deleted === undefined ? ["", "there already"] : ["carried out ", `as ${asBefore === 1 ? "it was" : "they were"} already`];
  const inCollection = (n: number) => `${n === 1 ? "is" : "are"} ${carried}in ${collection}`;
  const refused = rejected + failed;
  const figures = [figure(created, "created"), figure(updated - (deleted ?? 0), "updated"), figure(deleted ?? 0, "deleted")];
  const summary = [...figures, figure(asBefore, before), figure(leftOut, "more left out")].filter(Boolean).join(", ");
  if (refused + inDoubt === 0) {
    if (rowsTotal === 0) return { code: EXIT.stored, sentence: `${fileName} has no records. Nothing is left to do.` };
    const all = rowsTotal === 1 ? "The one record" : `All ${count(rowsTotal, "record")}`;
    return { code: EXIT.stored, sentence: `${all} of ${fileName} ${inCollection(rowsTotal)}: ${summary}.` };
  }
  if (countStored(counts) + inDoubt === 0) {
    const all = refused === 1 ? "its one record was" : `all ${count(refused, "record")} were`;
    const where = run.parts ? `is in ${collection}` : "was stored"; // of other collections there may be something
    return { code: EXIT.nothing, sentence: `Nothing of ${fileName} ${where}: ${all} refused.${see.where}`, isOfFile: true };
  }
  const beyond = limit !== null && refused > limit ? `, more than --max-rejects allows (${limit.toLocaleString("en")})` : "";
  const taken = countStored(counts);
  const stored = `${taken.toLocaleString("en")} of ${count(rowsTotal, "record")} of ${fileName} ${inCollection(taken)}${summary && ` (${summary})`}`;
  const doubt = inDoubt > 0 ? `, ${inDoubt.toLocaleString("en")} in doubt` : "";
  const sentence = `${stored}; ${refused.toLocaleString("en")} refused${beyond}${doubt}.${see.where}${inDoubt > 0 ? explainDoubt(inDoubt) : ""}`;
  return { code: EXIT.rejects, sentence, ...(refused > 0 && see.rejects !== undefined && { next: loadRejects(run, see.rejects) }) };
}

function withParents(exit: Exit, { parents = [] }: Report): Exit {
  return { ...exit, sentence: [exit.sentence, ...parents.flatMap(describeParents)].join(" ") };
}

function withLosses(exit: Exit, { losses = [] }: StoredRun): Exit {
  return { ...exit, sentence: [exit.sentence, ...losses].join(" ") };
}

function explainDoubt(n: number): string {
  const [records, it] = n === 1 ? ["The record", "it"] : ["The records", "them"];
  return ` ${records} in doubt may or may not be stored; the list names ${it} with the code IN_DOUBT. Look for ${it} in the service before you load ${it} again.`;
}

function stopOf(run: StoredRun, { report, isTooMany }: Sent, { resumeHint, undo }: { resumeHint: string; undo: string }): Exit {
  const { counts, why } = report;
  const taken = countStored(counts);
  const progress = `${taken.toLocaleString("en")} of ${count(run.rowsTotal, "record")} of ${run.fileName} ${taken === 1 ? "is" : "are"} stored.`;
  if (!isTooMany)
    return { code: EXIT.stopped, sentence: `Stopped: ${progress} ${why ?? "The command was asked to stop."}`, next: resumeHint };
  const n = run.rejected + countRefused(counts);
  const refused = `${n.toLocaleString("en")} ${n === 1 ? "was" : "were"} refused, more than --max-rejects allows`;
  const sentence = `Stopped: ${progress} ${refused}. ${resumeHint} --max-rejects none, or take it back with: ${undo}`;
  return { code: EXIT.stopped, isOfFile: true, sentence };
}

function figure(n: number, word: string): string {
  return n > 0 ? `${n.toLocaleString("en")} ${word}` : "";
}

/** `stop`: set when the run stopped midway. */
async function reportEnd(
  run: StoredRun,
  { job, sent, out }: { job: SendJob; sent: Sent; out: string | undefined },
  stop: Exit | undefined,
): Promise<ReportedExit> {
  const { source, collection, reading } = job;
  const { counts, seconds } = sent.report;
  const rejects = run.rejected + countRefused(counts);
  const deleted = (reading.layout?.is.action || reading.items) && (await countDeleted(job, sent.outcomeLog));
  const facts = {
    file: source.path,
    bytes: source.file.size,
    collection: collection.name,
    mode: reading.plan.mode,
    run: run.id,
    by: job.by,
    startedAt: new Date(run.startedAt).toISOString(),
    seconds,
    isDryRun: false,
    recordsRead: run.rowsTotal,
    outcomes: counts,
    ...(deleted !== undefined && { deleted }),
    ...(sent.errorCodes.similar > 0 && { similar: sent.errorCodes.similar }),
    ...(run.leftOut && { leftOut: run.leftOut }),
    ...(sent.report.parents && { parents: sent.report.parents }),
    rejects,
    notes: run.notes,
    problems: run.problems,
  };
  const wrong = { file: source.file, collection, reading, outcomeLog: sent.outcomeLog, errorCodes: sent.errorCodes };
  const exitFor = (see: RejectsPlace) => stop ?? withLosses(withParents(endOf(run, sent.report, deleted, see), sent.report), run);
  return writeOutputs({ path: source.path, out }, exitFor, facts, rejects + counts.inDoubt > 0 ? wrong : undefined);
}

/** The outcome of a delete is “updated”, so that the file is read again for what each record means. */
async function countDeleted({ source, reading }: Pick<SendJob, "source" | "reading">, outcomeLog: OutcomeLog): Promise<number> {
  let deleted = 0;
  for await (const { modes, first } of rowsOf({ file: source.file, ...reading })) {
    for (const [i, mode] of modes?.entries() ?? []) if (mode === "delete" && outcomeLog.outcomeOf(first + i) === "updated") deleted++;
  }
  return deleted;
}
