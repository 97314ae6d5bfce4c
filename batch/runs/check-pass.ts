// The first pass: checks the whole file before anything is sent, and reports when the run ends there.

import type { Client } from "../../client/http-client.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import type { CheckSummary, Findings } from "../../pipeline/checking/findings.ts";
import type { Outcomes } from "../../pipeline/model/outcomes.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import { runCheck } from "../../pipeline/runs/run-upload.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, InvalidFile } from "../console/exit-codes.ts";
import { countRefused } from "../console/outcome-groups.ts";
import { fileWords } from "../console/problem-words.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { planReading, type Reading } from "../files/choose-reader.ts";
import { describeWrong, viewRecords } from "../files/record-view.ts";
import type { Recipes } from "../files/service-recipes.ts";
import type { Source } from "../files/source-file.ts";
import { ErrorCodes } from "../reports/error-codes.ts";
import {
  notesOf,
  problemsOf,
  type RejectsPlace,
  type ReportedExit,
  type ReportFacts,
  writeFileErrorReport,
  writeOutputs,
} from "../reports/report-files.ts";
import type { Connection } from "./connection.ts";
import type { Decrypt } from "./decrypt-file.ts";
import { withNewParents } from "./new-parents.ts";
import { replaceItems } from "./replaced-items.ts";
import type { SendJob, Sent } from "./send-pass.ts";
import { createRecipeReader, openClient, openService, patient, readCollections, signIn, toCommandError } from "./service.ts";

/** Every command gets this. */
export interface CommandContext {
  connection: Connection;
  progress: ProgressWriter;
  /** Aborted when the command is asked to stop. */
  signal: AbortSignal;
  /** Reads, with --decrypt, the clear text of a file. */
  decrypt?: Decrypt;
  /** Returns epoch milliseconds, for what depends on the day. Tests give their own. */
  now(): number;
}

export interface CheckedFile {
  source: Source;
  reading: Reading;
  check: CheckSummary;
  /** Counts the valid records that name no key. */
  keyless: number;
  dictionary: unknown;
  job: SendJob;
  startedAt: number;
}

/** `run`: the id under which its records would be written. Throws CommandError when more records are wrong than the limit allows; rejects and report are written then. */
export async function checkFile(
  source: Source,
  options: Options,
  { connection, progress, signal }: CommandContext,
  needs: "read" | "write",
  run?: string,
): Promise<CheckedFile> {
  const startedAt = Date.now();
  const { token, by, dictionary } = await signIn(connection, needs);
  const collections = readCollections(dictionary, options.createParents);
  const {
    collection,
    reading: read,
    check,
    keyless,
  } = await readWhole(source, collections, options, {
    ...{ progress, signal },
    dryPostFor: (of) => openService(connection, of, token, signal).postDry,
    recipes: createRecipeReader(connection, token),
    client: patient(openClient(connection, token), signal),
    isRun: run !== undefined,
  }).catch((error) => {
    throw toCommandError(error, connection.url);
  });
  const { limit = 0 } = options;
  const { rowsRead: rowsTotal, leftOut } = check;
  const rejected = rowsTotal - check.ready - leftOut;
  const service = openService(connection, collection, token, signal, run);
  const reading = options.createParents ? await withNewParents({ source, collection, reading: read, service, progress, signal }) : read;
  const job = { source, collection, reading, service, by, rowsTotal, rejected, leftOut, limit, progress, signal };
  const checked = { source, reading, check, keyless, dictionary, job, startedAt };
  if (limit === null || rejected <= limit) return checked;
  const [most] = check.groups;
  const often = most && rejected > 1 ? ` Most often: ${fileWords(most, collection)}` : "";
  const first = `${await describeFirst(source, collection, reading)}${often}`;
  const sentence = `Nothing of ${source.name} was stored: ${rejected.toLocaleString("en")} of ${count(check.rowsRead, "record")}${options.part ? ` for ${collection.name}` : ""} ${rejected === 1 ? "is" : "are"} wrong and --max-rejects allows ${limit.toLocaleString("en")}.${first}`;
  const orStore = rejected < rowsTotal - leftOut ? `, or store the others with --max-rejects ${rejected}` : "";
  const next = `Correct the file and run this again${orStore}.`;
  throw asThrown(await report(checked, options, { code: EXIT.nothing, sentence, next, isOfFile: true }));
}

/** Names the first wrong record, with place, field and bytes, so that nobody has to open a report to know what kind of mistake it is. */
async function describeFirst(source: Source, collection: Collection, reading: Reading): Promise<string> {
  for await (const view of viewRecords(source, collection, reading, { most: 1, onlyWrong: true })) return ` First: ${describeWrong(view)}`;
  return "";
}

/** Throws CommandError, and writes a report when the file as a whole cannot be loaded. */
async function readWhole(
  source: Source,
  collections: readonly Collection[],
  options: Options,
  {
    client,
    isRun,
    dryPostFor,
    ...context
  }: Pick<CommandContext, "progress" | "signal"> & {
    recipes: Recipes;
    client: Client;
    isRun: boolean;
    dryPostFor(collection: Collection): PostBatch;
  },
): Promise<{ collection: Collection; reading: Reading } & Pick<CheckedFile, "check" | "keyless">> {
  try {
    const planned = await planReading(source, collections, options, context.recipes);
    const most = mostOf(options);
    requireSmall(source.name, most, 0, source.file.size);
    const { collection } = planned;
    const { signal } = context;
    const reading = replaceItems(planned.reading, collection, collections, { client, signal, isRun });
    const { plan, ...found } = await firstPass(source, collection, reading, { ...context, most, dryPost: dryPostFor(collection) });
    return { collection, reading: { ...reading, plan }, ...found };
  } catch (error) {
    throw error instanceof InvalidFile ? asThrown(await writeFileErrorReport({ path: source.path, out: options.out }, error)) : error;
  }
}

/** Without a report the file does not count as handled, so that a watcher does not move it away. */
function asThrown({ sentence, next, isOfFile }: ReportedExit): CommandError {
  return isOfFile ? new InvalidFile(sentence, next) : new CommandError(EXIT.nothing, sentence, [], next);
}

async function firstPass(
  { file, name }: Source,
  collection: Collection,
  { plan: given, openRows }: Reading,
  { progress, most, ...asked }: Pick<CommandContext, "progress" | "signal"> & { most: Most; dryPost: PostBatch },
): Promise<{ plan: Plan } & Pick<CheckedFile, "check" | "keyless">> {
  let plan = given;
  let keyless = 0;
  const onFound = (findings: Findings, checked: Plan) => {
    plan = checked;
    keyless = findings.keyless;
  };
  const onRead = ({ rowsRead, unpacked }: Findings) => requireSmall(name, most, rowsRead, unpacked);
  for await (const state of runCheck({ file, collection, plan, ...(openRows && { openRows }), ...asked, onFound, onRead })) {
    progress.state(state);
    if (state.step === "refused") throw new InvalidFile(`Nothing of ${name} was stored. ${state.title} ${state.detail}`);
    if (state.step === "checked") return { check: state.check, keyless, plan };
  }
  throw new CommandError(EXIT.nothing, `Stopped before anything of ${name} was sent. Nothing is stored.`);
}

/** The most rows, and the most bytes that they are unpacked. */
interface Most {
  rows: number;
  bytes: number;
}

function mostOf({ maxRows, maxBytes }: Pick<Options, "maxRows" | "maxBytes">): Most {
  return { rows: maxRows ?? Number.POSITIVE_INFINITY, bytes: maxBytes ?? Number.POSITIVE_INFINITY };
}

/** Throws InvalidFile, before anything of the file was sent. */
function requireSmall(name: string, most: Most, rows: number, bytes: number): void {
  const over =
    rows > most.rows ? `${count(most.rows, "row")}, which --max-rows` : `${count(most.bytes, "byte")} unpacked, which --max-bytes`;
  if (rows > most.rows || bytes > most.bytes)
    throw new InvalidFile(`Nothing of ${name} was stored: it has more than ${over} allows. Divide the file, or allow more.`);
}

/** Reports a run that stored nothing. `sent`: the outcomes of a rehearsal. */
export async function report(
  { source, reading, check, job, startedAt }: CheckedFile,
  options: Options,
  exit: Exit,
  sent?: Sent,
): Promise<ReportedExit> {
  const rejects = job.rejected + (sent ? countRefused(sent.report.counts) : 0);
  const errorCodes = sent?.errorCodes ?? new ErrorCodes();
  const nothing: Outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: check.rowsRead };
  const facts: ReportFacts = {
    file: source.path,
    bytes: source.file.size,
    collection: job.collection.name,
    mode: reading.plan.mode,
    run: null,
    by: job.by,
    startedAt: new Date(startedAt).toISOString(),
    seconds: (Date.now() - startedAt) / 1000,
    isDryRun: sent !== undefined,
    recordsRead: check.rowsRead,
    outcomes: sent?.report.counts ?? nothing,
    ...(errorCodes.similar > 0 && { similar: errorCodes.similar }),
    ...(check.leftOut > 0 && { leftOut: check.leftOut }),
    rejects,
    notes: [...reading.notes, ...notesOf(check)],
    problems: problemsOf(check, job.collection),
  };
  const { file } = source;
  const wrong = rejects > 0 ? { file, collection: job.collection, reading, outcomeLog: sent?.outcomeLog, errorCodes } : undefined;
  const exitFor = ({ where }: RejectsPlace) => ({ ...exit, sentence: exit.sentence + where });
  return writeOutputs({ path: source.path, out: options.out }, exitFor, facts, wrong);
}
