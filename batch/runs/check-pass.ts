// The first pass: the whole file read and checked before anything leaves, and the report of a run that ends with it. Stores nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import type { Outcomes } from "../../pipeline/model/outcomes.ts";
import { runCheck } from "../../pipeline/runs/run-upload.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, count, EXIT, type Exit, InvalidFile } from "../console/exit-codes.ts";
import { countRefused } from "../console/outcome-groups.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { planReading, type Reading } from "../formats/choose-reader.ts";
import type { Source } from "../formats/source-file.ts";
import { ErrorCodes } from "../reports/refusal-codes.ts";
import { type Facts, notesOf, problemsOf, type RunFacts, writeOutputs, writeWord } from "../reports/report-files.ts";
import type { Connection } from "./connection.ts";
import type { SendJob, Sent } from "./send-pass.ts";
import { openService, readCollections, signIn } from "./service.ts";

/** What every command is given. */
export interface PassContext {
  connection: Connection;
  progress: ProgressWriter;
  /** Aborts when the command is asked to stop. */
  signal: AbortSignal;
}

export interface Checked {
  source: Source;
  reading: Reading;
  check: CheckSummary;
  dictionary: unknown;
  job: SendJob;
  startedAt: number;
}

/** The first pass. Throws Ended, with rejects and report written, when more is wrong than the limit allows. */
export async function checkFile(
  source: Source,
  options: Options,
  { connection, progress, signal }: PassContext,
  needs: "read" | "write",
): Promise<Checked> {
  const startedAt = Date.now();
  const { token, dictionary } = await signIn(connection, needs);
  const { collection, reading, check } = await readWhole(source, readCollections(dictionary), options, { progress, signal });
  const { limit = 0 } = options;
  const rejected = check.rowsRead - check.ready;
  const service = openService(connection, collection, token, signal);
  const job = { source, collection, reading, service, rowsTotal: check.rowsRead, rejected, limit, progress, signal };
  const checked = { source, reading, check, dictionary, job, startedAt };
  if (limit === null || rejected <= limit) return checked;
  const [most] = check.groups;
  const first = most ? ` Most often: ${most.message}` : "";
  const sentence = `Nothing of ${source.name} was stored: ${rejected.toLocaleString("en")} of ${count(check.rowsRead, "record")} ${rejected === 1 ? "is" : "are"} wrong and --max-rejects allows ${limit.toLocaleString("en")}.${first}`;
  throw asThrown(await report(checked, options, { code: EXIT.nothing, sentence, isOfFile: true }));
}

/** Throws Ended; of a file that cannot be loaded as a whole a report says so. */
async function readWhole(
  source: Source,
  collections: readonly Collection[],
  options: Options,
  context: Pick<PassContext, "progress" | "signal">,
): Promise<{ collection: Collection; reading: Reading; check: CheckSummary }> {
  try {
    const planned = await planReading(source, collections, options);
    return { ...planned, check: await firstPass(source, planned.collection, planned.reading, context) };
  } catch (error) {
    throw error instanceof InvalidFile ? asThrown(await writeWord({ path: source.path, out: options.out }, error)) : error;
  }
}

/** A file whose refusal nobody can read beside it is not done with. */
function asThrown({ sentence, isOfFile }: RunFacts): CommandError {
  return isOfFile ? new InvalidFile(sentence) : new CommandError(EXIT.nothing, sentence);
}

async function firstPass(
  { file, name }: Source,
  collection: Collection,
  { plan, openRows }: Reading,
  { progress, signal }: Pick<PassContext, "progress" | "signal">,
): Promise<CheckSummary> {
  for await (const state of runCheck({ file, collection, plan, ...(openRows && { openRows }), signal })) {
    progress.state(state);
    if (state.step === "refused") throw new InvalidFile(`Nothing of ${name} was stored. ${state.title} ${state.detail}`);
    if (state.step === "checked") return state.check;
  }
  throw new CommandError(EXIT.nothing, `Stopped before anything of ${name} was sent. Nothing is stored.`);
}

/** Of a run that stored nothing: with what would have become of the records, when the service was asked. */
export async function report(
  { source, reading, check, job, startedAt }: Checked,
  options: Options,
  exit: Exit,
  sent?: Sent,
): Promise<RunFacts> {
  const rejects = job.rejected + (sent ? countRefused(sent.report.counts) : 0);
  const nothing: Outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: check.rowsRead };
  const facts: Facts = {
    file: source.path,
    bytes: source.file.size,
    collection: job.collection.name,
    mode: reading.plan.mode,
    run: null,
    startedAt: new Date(startedAt).toISOString(),
    seconds: (Date.now() - startedAt) / 1000,
    isDryRun: sent !== undefined,
    recordsRead: check.rowsRead,
    outcomes: sent?.report.counts ?? nothing,
    rejects,
    notes: [...reading.notes, ...notesOf(check)],
    problems: problemsOf(check),
  };
  const { file } = source;
  const words = sent?.words ?? new ErrorCodes();
  const wrong = rejects > 0 ? { file, collection: job.collection, reading, outcomeLog: sent?.outcomeLog, words } : undefined;
  const exitFor = (see: string) => ({ ...exit, sentence: exit.sentence + see });
  return writeOutputs({ path: source.path, out: options.out }, exitFor, facts, wrong);
}
