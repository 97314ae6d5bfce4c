// Reads a file that the service was sent, checks it, and stores its rows, as an upload in the browser does.

import { openAsBlob } from "node:fs";
import { ApiError, ENGLISH } from "../../client/errors.ts";
import { type Client, createClient } from "../../client/http-client.ts";
import type { ImportCalls, ImportEnd, ImportOptions, ImportOrder, ImportProblem } from "../../core/contract/imports.ts";
import { MOST_IMPORT_PROBLEMS } from "../../core/contract/imports.ts";
import { RECIPES_PATH } from "../../core/contract/paths.ts";
import type { Recipe, RecipeInfo } from "../../core/contract/recipes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import type { CheckSummary } from "../../pipeline/checking/findings.ts";
import { type Delimiter, ENCODINGS, type Encoding, isDelimiter } from "../../pipeline/model/dialect.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { OutcomeLog, type Report } from "../../pipeline/model/outcomes.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import { findRowsNotStored } from "../../pipeline/runs/rows-not-stored.ts";
import { beginOnService, describeRun, nameOfBytes, reportToService } from "../../pipeline/runs/run-on-service.ts";
import { runCheck, runUpload } from "../../pipeline/runs/run-upload.ts";
import { type BatchLog, FORGETFUL_LOG } from "../../pipeline/sending/journal.ts";
import { classifyResponse, type NoReply, type Refused } from "../../pipeline/sending/responses.ts";
import { createUploadService, type UploadService } from "../../pipeline/sending/upload-service.ts";
import { CommandError } from "../console/exit-codes.ts";
import { planReading, type ReadingOptions } from "../files/choose-reader.ts";
import type { Source } from "../files/source-file.ts";
import { notesOf, problemsOf } from "../reports/report-files.ts";
import { fromLine, type StoredLine, toLine } from "../runs/journal-lines.ts";
import { patient, readCollections, readDictionary } from "../runs/service.ts";

/** Holds what is kept of an import before its first row is sent, so that it goes on with the same batches. */
interface Begun {
  plan: Plan;
  rowsTotal: number;
  notes: string[];
  problems: ImportProblem[];
}

const ENDED = "Whoever began this import may not store records here any more. Nothing more was stored.";

/** Ends an import for a reason that another try would not change. The message is a sentence. */
class Stopped extends Error {
  readonly problems: ImportProblem[];
  readonly notes: string[];
  readonly rowsTotal: number | null;

  constructor(why: string, { problems = [], notes = [], rowsTotal }: Partial<Begun> = {}) {
    super(why);
    [this.problems, this.notes, this.rowsTotal] = [problems, notes, rowsTotal ?? null];
  }
}

/** Rejects where another try may go better: the service cannot be reached, or another process has the import. */
export async function runImport(order: ImportOrder, calls: ImportCalls, signal: AbortSignal): Promise<ImportEnd> {
  const from = performance.now();
  try {
    return await readAndSend(order, calls, signal);
  } catch (error) {
    const stopped = asStopped(error, signal);
    const { message: why, problems, notes, rowsTotal } = stopped;
    const state = signal.aborted ? ("cancelled" as const) : ("stopped" as const);
    const seconds = (performance.now() - from) / 1_000;
    return { state, why: state === "cancelled" ? null : why, problems, notes, counts: null, rowsTotal, seconds, isReported: false };
  }
}

/** Throws what another try may change. */
function asStopped(error: unknown, { aborted }: AbortSignal): Stopped {
  if (error instanceof Stopped) return error;
  if (aborted) return new Stopped("");
  if (error instanceof FileError) return new Stopped(error.message);
  if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return new Stopped(error.status === 403 ? error.message : ENDED);
  if (error instanceof CommandError) return new Stopped([inParameters(error.sentence), ...error.details].join(" "));
  throw error;
}

/** Names the parameters of the API in sentences of the command, whose options have the same names. */
export function inParameters(sentence: string): string {
  return sentence
    .replace(/, or describe the file with --layout\b/, "")
    .replace(/ or --suspect-rows\b/, "")
    .replace(/ Describe it with --layout\b[^.]*\./, "")
    .replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

async function readAndSend(order: ImportOrder, calls: ImportCalls, signal: AbortSignal): Promise<ImportEnd> {
  const { baseUrl, token, fileName, path, options } = order;
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401)) };
  const client = patient(createClient({ baseUrl, session, messages: ENGLISH }), signal);
  const collections = readCollections(await readDictionary(client));
  const collection = collections.find(({ name }) => name === order.collection);
  if (!collection) throw new Stopped(ENDED);
  const source: Source = { path: fileName, name: fileName, file: new File([await openAsBlob(path)], fileName) };
  const service = serviceFor(order, collection);
  if (options.dryRun) {
    const begun = await checkWhole(source, collection, { client, service, options, signal, calls, collections });
    return rehearse({ source, collection, begun, service, calls, signal });
  }
  const begun: Begun = order.begun
    ? JSON.parse(order.begun)
    : await checkWhole(source, collection, { client, service, options, signal, calls, collections });
  if (!order.begun) await calls.begin(JSON.stringify(begun));
  return send({ source, collection, begun, service, calls, signal }, order.id);
}

/** A token that holds no more is told as a right that is lost: no other token comes. */
function serviceFor({ id, baseUrl, token }: ImportOrder, collection: Collection): UploadService {
  const service = createUploadService(baseUrl, collection, token, () => undefined, { source: `upload; run=${id}`, messages: ENGLISH });
  const lost = <A extends { kind: string }>(answer: A | Refused | NoReply): A | Refused | NoReply => {
    const isRefused = (given: typeof answer): given is Refused => given.kind === "refused";
    if (!isRefused(answer) || (answer.status !== 401 && answer.status !== 404)) return answer;
    return { ...answer, status: 403, detail: ENDED };
  };
  return {
    ...service,
    postBatch: async (...given) => lost(await service.postBatch(...given)),
    postDry: async (...given) => lost(await service.postDry(...given)),
    readBack: async (...given) => lost(await service.readBack(...given)),
    queryKeyHours: async (...given) => lost(await service.queryKeyHours(...given)),
    putRun: async (...given) => lost(await service.putRun(...given)),
  };
}

interface Checking {
  client: Client;
  service: UploadService;
  collections: readonly Collection[];
  options: ImportOptions;
  signal: AbortSignal;
  calls: ImportCalls;
}

/** Throws Stopped where nothing can be stored, or where more rows are wrong than may be. */
async function checkWhole(source: Source, collection: Collection, checking: Checking): Promise<Begun> {
  const { client, service, collections, options, signal, calls } = checking;
  const recipes = {
    list: async () => ((await client.request("GET", RECIPES_PATH)).json as { recipes: RecipeInfo[] }).recipes,
    read: async (id: string) => (await client.request("GET", `${RECIPES_PATH}/${id}`)).json as Recipe,
  };
  const { reading } = await planReading(source, collections, readingOptions(options, collection), recipes);
  if (reading.openRows) throw new Stopped("A recipe with a layout is read by the command alone: use intake-batch run for this file.");
  let plan = reading.plan;
  let check: CheckSummary | undefined;
  const onFound = (_: unknown, checked: Plan) => {
    plan = checked;
  };
  for await (const state of runCheck({ file: source.file, collection, plan, signal, dryPost: service.postDry, onFound })) {
    if (state.step === "checking") await calls.progress({ rowsTotal: null, rowsDone: 0, counts: null });
    if (state.step === "refused") throw new Stopped(`${state.title} ${state.detail}`);
    if (state.step === "checked") check = state.check;
  }
  if (!check) throw new Stopped("");
  const problems = problemsOf(check, collection).map(({ records: rows, ...problem }) => ({ ...problem, rows }));
  const notes = [...reading.notes, ...(reading.losses ?? []), ...notesOf(check)].map(inParameters);
  const begun = { plan, rowsTotal: check.rowsRead, notes, problems: problems.slice(0, MOST_IMPORT_PROBLEMS) };
  const rejected = check.rowsRead - check.ready - check.leftOut;
  const { maxRejects } = options;
  if (maxRejects === undefined || rejected <= maxRejects || options.dryRun) return begun;
  const wrong = `${rejected.toLocaleString("en")} of ${count(check.rowsRead, "row")} ${rejected === 1 ? "is" : "are"} wrong`;
  throw new Stopped(`Nothing was stored: ${wrong}, and maxRejects allows ${maxRejects.toLocaleString("en")}.`, begun);
}

function readingOptions(options: ImportOptions, { name: collection, rules = [] }: Collection): ReadingOptions {
  const { recipe, mode = "create", matchBy, sheet, entry, heading, encoding, separator, acknowledge = [], onDuplicate } = options;
  const fileEncoding = ENCODINGS.find((one) => one.toLowerCase() === encoding?.toLowerCase());
  if (encoding !== undefined && !fileEncoding) throw new Stopped(`encoding must be one of ${ENCODINGS.join(", ")}.`);
  if (separator !== undefined && !isDelimiter(separator)) throw new Stopped("separator must have one to eight characters.");
  const read: { fileEncoding: Encoding | undefined; separator: Delimiter | undefined } = { fileEncoding, separator };
  const warnings = rules.filter(({ severity }) => severity === "warning").map(({ name }) => name);
  const confirmed = acknowledge === "all" ? warnings : acknowledge;
  return {
    ...{ collection, layout: undefined, recipe, mode, matchBy, sheet, entry, heading, onDuplicate },
    ...read,
    acknowledge: confirmed,
  };
}

interface Sending {
  source: Source;
  collection: Collection;
  begun: Begun;
  service: UploadService;
  calls: ImportCalls;
  signal: AbortSignal;
}

/** Asks the service what would become of the rows. Nothing is stored, not even an idempotency key. */
async function rehearse(sending: Sending): Promise<ImportEnd> {
  const { service } = sending;
  const { report, outcomeLog } = await upload(sending, { postBatch: service.postDry, uploadId: "rehearsal", log: FORGETFUL_LOG });
  return { ...endOf(sending, report, outcomeLog), isReported: false };
}

async function send(sending: Sending, id: string): Promise<ImportEnd> {
  const { source, collection, begun, service, calls, signal } = sending;
  const { plan } = begun;
  const { file, name: fileName } = source;
  const sent = { collection: collection.name, plan, file: await nameOfBytes(file) };
  const described = describeRun({ id, fileName, recipe: plan.recipe }, sent);
  const telling = { putRun: service.putRun, signIn: () => Promise.resolve() };
  const answer = await beginOnService(described, telling, { isNeeded: false, signal });
  const others = "sameFile" in answer ? answer.sameFile : [];
  const notes = others.map((one) => `The same file is in run ${one.id} of ${one.by?.name ?? "somebody"}.`);
  const log: BatchLog = {
    async from(row) {
      const entry = await calls.fromRow(row);
      return entry === undefined ? undefined : fromLine(JSON.parse(entry) as StoredLine);
    },
    keep: (batch) => calls.keepBatch(batch.first, JSON.stringify(toLine(batch))),
  };
  const { report, outcomeLog } = await upload(sending, { postBatch: service.postBatch, uploadId: id, log });
  const rows = await findRowsNotStored({ file, collection, plan, outcomeLog });
  const order = { report, rows, canContinue: false, signal: new AbortController().signal };
  const isReported = await reportToService(described, telling, order);
  const end = endOf(sending, report, outcomeLog);
  return { ...end, notes: [...end.notes, ...notes], isReported };
}

/** Throws where the service could not be reached for long: another try goes on then. */
async function upload(
  { source, collection, begun, service, calls, signal }: Sending,
  { postBatch, uploadId, log }: Pick<UploadService, "postBatch"> & { uploadId: string; log: BatchLog },
): Promise<{ report: Report; outcomeLog: OutcomeLog }> {
  const { plan, rowsTotal } = begun;
  const outcomeLog = new OutcomeLog();
  let isReached = true;
  const post: typeof postBatch = async (...batch) => {
    const answer = await postBatch(...batch);
    isReached = classifyResponse(answer) !== "again";
    return answer;
  };
  const job = { ...service, postBatch: post, file: source.file, collection, plan, uploadId, rowsTotal, log, outcomeLog, signal };
  for await (const state of runUpload({ ...job, signIn: () => Promise.resolve() })) {
    if (state.step === "sending") await calls.progress({ rowsTotal, rowsDone: state.rowsDone, counts: state.counts });
    if (state.step !== "report") continue;
    if (state.report.ended === "stopped" && !isReached) throw new Error(state.report.why);
    return { report: state.report, outcomeLog };
  }
  throw new Error("The upload ended without a report.");
}

function endOf({ begun }: Sending, { ended, counts, rowsRead, seconds, why }: Report, log: OutcomeLog): Omit<ImportEnd, "isReported"> {
  const problems = [...begun.problems, ...refusedIn(log, rowsRead)].sort((a, b) => b.rows - a.rows);
  const result = { problems: problems.slice(0, MOST_IMPORT_PROBLEMS), notes: begun.notes, counts, rowsTotal: rowsRead, seconds };
  return { state: ended, why: why ?? null, ...result };
}

/** Groups the rows that the service has refused by its reasons. */
function refusedIn(log: OutcomeLog, rowsRead: number): ImportProblem[] {
  const groups = new Map<string, ImportProblem>();
  if (log.counts.failed === 0) return [];
  for (let row = 1; row <= rowsRead; row++) {
    const message = log.outcomeOf(row) === "failed" ? log.reasonOf(row) : undefined;
    if (message === undefined) continue;
    const { field = "", code = "REFUSED" } = log.problemsOf(row)?.[0] ?? {};
    const known = groups.get(message) ?? { field, code, message, rows: 0 };
    groups.set(message, { ...known, ...(known.code === "REFUSED" && { field, code }), rows: known.rows + 1 });
  }
  return [...groups.values()];
}
