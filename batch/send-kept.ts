// A run that is in the journal, from where it stands to its end or its next stop, and what is said of it then. Reads no arguments.

import { basename } from "node:path";
import type { Report } from "../src/upload/report.ts";
import { countDeleted } from "./count-deleted.ts";
import { count, Ended, type Ending, EXIT, systemTrouble } from "./ending.ts";
import type { RunJournal } from "./journal.ts";
import { freeNames, type OutputNames, writeOutputs } from "./outputs.ts";
import type { KeptRun, Runs } from "./runs.ts";
import { type SendJob, type Sent, sendRecords, takenOf } from "./send.ts";

/** Notes the run down before anything leaves. Throws Ended, or the error of this program that stopped it. */
export async function sendKept(
  run: KeptRun,
  job: SendJob,
  { runs, openJournal, out }: { runs: Runs; openJournal: () => Promise<RunJournal>; out: string | undefined },
): Promise<Ending> {
  const names = await freeNames(job.source.path, out); // before anything is sent: a folder that takes no report is told now
  const journal = await openJournal();
  try {
    await putFirst(runs, run);
    const sent = await sendRecords(job, { uploadId: run.id, log: journal, words: journal.words });
    await journal.flush();
    const isDone = journal.unsettled === 0 && sent.report.counts.notSent === run.rejected;
    const ending = isDone ? endOf(run, sent.report, names) : stopOf(run, sent, job);
    if (isDone || sent.isTooMany) await writeReport(run, { job, sent, ending, names }); // before the end is noted: a crash between comes here again
    const { ending: _, ...rest } = run;
    const isFinal = isDone || sent.isTooMany;
    await runs.put({ ...rest, report: sent.report, ...(isDone && { endedAt: Date.now() }), ...(isFinal && { ending }) });
    return ending;
  } finally {
    await journal.close();
  }
}

/** Without it nothing is sent. */
async function putFirst(runs: Runs, run: KeptRun): Promise<void> {
  await runs.put(run).catch((error) => {
    const why = systemTrouble(error);
    throw why === undefined
      ? error
      : new Ended(
          run.report ? EXIT.stopped : EXIT.nothing,
          `Nothing of ${run.fileName} was sent: ${runs.folder} cannot be written: ${why}.`,
        );
  });
}

function endOf({ fileName, rejected, rowsTotal, limit, collection }: KeptRun, { counts }: Report, names: OutputNames): Ending {
  const { created, updated, unchanged, skipped, failed, inDoubt } = counts;
  const refused = rejected + failed;
  const said = [figure(created, "created"), figure(updated, "updated"), figure(unchanged + skipped, "there already")].filter(Boolean);
  if (refused + inDoubt === 0) {
    if (rowsTotal === 0) return { code: EXIT.stored, sentence: `${fileName} has no records. Nothing is left to do.` };
    return { code: EXIT.stored, sentence: `All ${count(rowsTotal, "record")} of ${fileName} are in ${collection}: ${said.join(", ")}.` };
  }
  const doubt = inDoubt > 0 ? ` Of ${count(inDoubt, "record")} nobody knows: look them up.` : "";
  const see = `See ${basename(names.list)}.`;
  if (takenOf(counts) + inDoubt === 0) {
    return { code: EXIT.nothing, sentence: `Nothing of ${fileName} was stored: all ${count(refused, "record")} were refused. ${see}` };
  }
  const beyond = limit !== null && refused > limit ? `, more than --max-rejects allows (${limit.toLocaleString("en")})` : "";
  const sentence = `${takenOf(counts).toLocaleString("en")} of ${count(rowsTotal, "record")} of ${fileName} are in ${collection} (${said.join(", ")}); ${refused.toLocaleString("en")} refused${beyond}.${doubt} ${see}`;
  return { code: EXIT.rejects, sentence };
}

function stopOf(run: KeptRun, { report, isTooMany }: Sent, { source }: SendJob): Ending {
  const { counts, why } = report;
  const so = `${takenOf(counts).toLocaleString("en")} of ${count(run.rowsTotal, "record")} of ${run.fileName} are stored.`;
  const goOn = `Go on with: npm run batch -- resume ${source.path}`;
  if (!isTooMany) return { code: EXIT.stopped, sentence: `Stopped: ${so} ${why ?? "The command was asked to stop."} ${goOn}` };
  const refused = `${(run.rejected + counts.failed).toLocaleString("en")} were refused, more than --max-rejects allows`;
  return {
    code: EXIT.stopped,
    isTooMany,
    sentence: `Stopped: ${so} ${refused}. ${goOn} --max-rejects none, or take it back with undo ${run.id}`,
  };
}

function figure(n: number, word: string): string {
  return n > 0 ? `${n.toLocaleString("en")} ${word}` : "";
}

async function writeReport(
  run: KeptRun,
  { job, sent, ending, names }: { job: SendJob; sent: Sent; ending: Ending; names: OutputNames },
): Promise<void> {
  const { source, collection, reading } = job;
  const { counts, seconds } = sent.report;
  const rejects = run.rejected + counts.failed;
  const report = {
    file: source.path,
    bytes: source.file.size,
    collection: collection.name,
    mode: reading.plan.mode,
    run: run.id,
    startedAt: new Date(run.startedAt).toISOString(),
    seconds,
    isDryRun: false,
    exitCode: ending.code,
    sentence: ending.sentence,
    recordsRead: run.rowsTotal,
    outcomes: counts,
    ...(reading.layout?.is.action && { deleted: await countDeleted(job, sent.book) }),
    rejects,
    notes: run.notes,
    problems: run.problems,
  };
  const wrong = { file: source.file, collection, reading, book: sent.book, words: sent.words };
  await writeOutputs(names, report, rejects + counts.inDoubt > 0 ? wrong : undefined);
}
