// Serves runs: who uploads reports, and whoever reads the collection sees what became of the rows.

import type { FastifyRequest } from "fastify";
import { API_ROOT, RUNS_PATH, runReportPath, runRowsPath } from "../../core/contract/paths.ts";
import type { PutRun, Run, RunMeaning, RunReport, RunRow } from "../../core/contract/runs.ts";
import { isRunId } from "../../core/contract/runs.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, oneOfWords } from "../http/json-schemas.ts";
import { clampedCount, countUpTo, oneOf, readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { mayWrite } from "../saved/kind.ts";
import { BODY, BODY_BYTES, readRun } from "./read-run.ts";
import { columnOfName, nameOfColumn, unreadColumns, withoutUnread } from "./run-columns.ts";
import type { RunPlace, StoredRun, StoredRunRow } from "./store/runs.ts";

const MOST_LINES = 200; // on a page
const DEFAULT_LINES = 50;
const MOST_ROW = 999_999_999;
const NEWEST: RunPlace = { at: Number.MAX_SAFE_INTEGER, id: "" };
const MISSING = "There is no run with this id, or its report is no longer kept.";

/** `collections` and `store` are given as the caller may know them, and `all` are those of the store, with what is retired. */
interface Parts {
  collections: readonly Collection[];
  all: readonly Collection[];
  store: Store;
}

/** Makes the routes. */
export function runRoutes(parts: Parts): Route[] {
  return [
    { url: API_ROOT + RUNS_PATH, GET: listHandler(parts) },
    { url: API_ROOT + runReportPath(":id"), GET: readHandler(parts), PUT: putHandler(parts) },
    { url: API_ROOT + runRowsPath(":id"), GET: rowsHandler(parts) },
  ];
}

function listHandler({ collections, store }: Parts): RouteHandler {
  const names = oneOf(...collections.map(({ name }) => name));
  const words = { expects: "a collection that you may read, by its name", meaning: "Only the runs of this collection." };
  const parameters = { collection: { ...names, ...words }, before: text(90), limit: clampedCount(MOST_LINES) };
  return {
    scope: "signed-in",
    compresses: true,
    doc: {
      id: "list_runs",
      summary: "Uploads and batch runs of all collections that the caller reads, newest first",
      parameters,
      responses: { 200: object({ runs: listOf(named("IntakeRun")), next: nullable({ type: "string" }) }) },
    },
    async handle(request, { scope, principal }) {
      const given = readParameters<{ collection: string; before: string; limit: number }>(request.query, parameters);
      const { collection, before, limit = DEFAULT_LINES } = given;
      const readable = collections.map(({ name }) => name).filter((name) => allows(scope, `${name}:read`));
      const filter = { collections: readable.filter((name) => collection === undefined || name === collection), reader: principal };
      const place = before === undefined ? NEWEST : placeOf(before);
      const found = await store.runs.listRuns(filter, place, limit + 1);
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      const runs = shown.flatMap((run) => toWire(run, collections) ?? []);
      return jsonAnswer(200, { runs, next: last ? `${last.begunAt}.${last.id}` : null }, NO_STORE);
    },
  };
}

function readHandler(parts: Parts): RouteHandler {
  return {
    scope: "signed-in",
    doc: {
      id: "read_run",
      summary: "What became of the rows of an upload or a batch run: who made it, when, and the counts",
      responses: { 200: named("IntakeRun") },
      errors: [404],
    },
    async handle(request, session) {
      const { run, collection } = await runOf(parts, request, session);
      return jsonAnswer(200, { ...onWire(run, collection, parts.collections) }, NO_STORE);
    },
  };
}

function rowsHandler(parts: Parts): RouteHandler {
  const parameters = { after: { ...countUpTo(MOST_ROW), meaning: "Rows behind this one, by its number in the file." } };
  return {
    scope: "signed-in",
    compresses: true,
    doc: {
      id: "list_run_rows",
      summary: "The rows that a run did not store, with their values and reasons, in the order of the file",
      parameters,
      responses: { 200: object({ rows: listOf(named("IntakeRunRow")), next: nullable({ type: "integer", minimum: 1 }) }) },
      errors: [404],
    },
    async handle(request, session) {
      const { after = 0 } = readParameters<{ after: number }>(request.query, parameters);
      const { run, collection } = await runOf(parts, request, session);
      const found = await parts.store.runs.listRunRows(run, after);
      const isUnread = unreadBy(session, collection);
      const rows = isUnread ? found.map((row) => withoutUnread(row, isUnread)) : found;
      return jsonAnswer(
        200,
        { rows: rows.map((row) => rowOnWire(row, collection, parts.collections)), next: rows.at(-1)?.row ?? null },
        NO_STORE,
      );
    },
  };
}

function putHandler(parts: Parts): RouteHandler {
  const { collections, all, store } = parts;
  const names = collections.map(({ name }) => name);
  return {
    scope: "signed-in",
    acceptedTypes: [JSON_TYPE],
    acceptsGzip: true,
    bodyLimit: BODY_BYTES,
    doc: {
      id: "put_run",
      summary: "Begins an upload or a batch run, or takes its report. Whoever sends the rows not stored again begins the next round of it",
      body: { ...object({ collection: oneOfWords(names), ...BODY.all }, ["collection", ...BODY.required]), additionalProperties: false },
      responses: { 200: object({ run: named("IntakeRun"), sameFile: listOf(named("IntakeSameFile")) }) },
      errors: [404, 409, 422],
    },
    async handle(request, session) {
      const id = idOf(request);
      if (id === "") throw httpErrors.notFound(MISSING);
      const given = readRun(request.body, collections);
      const { scope, principal, narrowed } = session;
      if (!mayWrite(scope, given.collection)) throw httpErrors.insufficientScope(`${given.collection}:create`);
      if (given.round > 0 && (narrowed?.hidesFields || narrowed?.rows))
        throw httpErrors.forbiddenByRoles("Whoever sends rows again must see all of them, and your roles hide fields or records.");
      const { report, recipe = null, meaning, ...run } = given;
      const collection = collections.find(({ name }) => name === given.collection) as Collection;
      const isUnread = given.round > 0 ? unreadBy(session, collection) : undefined;
      if (isUnread && (await someRow(store, { id, collection: collection.name }, (columns) => columns.some(isUnread))))
        throw httpErrors.forbiddenByRoles(
          "Whoever sends rows again must see all of them, and these have fields of a parent that you may not read.",
        );
      // A field that is retired while a run goes on costs nobody its report. Of one that is hidden from them nobody learns that it was.
      const known = narrowed?.hidesFields ? collections : all;
      const whole = known.find(({ name }) => name === given.collection) as Collection;
      const stored = {
        ...{ ...run, id, recipe, by: principal, now: Date.now() },
        meaning: meaningIn(meaning, whole, known),
        report: report && reportIn(report, whole, known),
      };
      const mayRead = allows(scope, `${given.collection}:read`);
      const same = report || !mayRead ? [] : await store.runs.findSameFile(stored, stored.now);
      const put = await store.runs.putRun(stored);
      if (put === "missing") throw httpErrors.notFound(MISSING);
      if (put === "busy") throw httpErrors.runBusy();
      if (put === "changed") throw httpErrors.runChanged();
      if (put === "sum") throw httpErrors.validation([{ pointer: "/report/counts", code: "FORM", detail: SUM }]);
      const answer: PutRun = {
        run: onWire(put, collection, collections),
        sameFile: same.map(({ id, by, lastAt, state }) => ({ id, by, at: timeOf(lastAt), state })),
      };
      return jsonAnswer(200, { ...answer }, NO_STORE);
    },
  };
}

function unreadBy({ scope }: Session, collection: Collection) {
  return unreadColumns(collection, (parent) => allows(scope, `${parent}:read`));
}

/** Is true where some row that is kept of the run has such columns. */
async function someRow({ runs }: Store, run: Pick<StoredRun, "id" | "collection">, is: (columns: string[]) => boolean): Promise<boolean> {
  for (let after = 0; ; ) {
    const rows = await runs.listRunRows(run, after);
    const last = rows.at(-1);
    if (!last || rows.some((row) => is(Object.keys(row.values)))) return last !== undefined;
    after = last.row;
  }
}

const SUM = "rowsRead must be the number of rows that this round sends again: those that are kept and not in doubt.";

function idOf({ params }: FastifyRequest): string {
  const { id } = params as { id: string };
  return isRunId(id) ? id : "";
}

/** Throws NOT_FOUND, also for a run of a collection that the caller does not read. */
async function runOf(
  { collections, store }: Parts,
  request: FastifyRequest,
  { scope, principal }: Session,
): Promise<{ run: StoredRun; collection: Collection }> {
  const run = await store.runs.readRun(idOf(request), principal);
  const collection = collections.find(({ name }) => name === run?.collection);
  if (!run || !collection || !allows(scope, `${collection.name}:read`)) throw httpErrors.notFound(MISSING);
  return { run, collection };
}

function toWire(run: StoredRun, collections: readonly Collection[]): Run | undefined {
  const collection = collections.find(({ name }) => name === run.collection);
  return collection && onWire(run, collection, collections);
}

function onWire(run: StoredRun, collection: Collection, collections: readonly Collection[]): Run {
  const { meaning, report, reportedAt } = run;
  const { matchBy, ...others } = meaning;
  const names = matchBy?.map((column) => nameOfColumn(collection, collections, column)).filter((name) => name !== undefined);
  return {
    id: run.id,
    collection: run.collection,
    fileName: run.fileName,
    file: run.file,
    recipe: run.recipe,
    meaning: { ...others, ...(names && names.length > 0 && { matchBy: names }) },
    by: run.by,
    begunAt: timeOf(run.begunAt),
    state: run.state,
    round: run.round,
    roundBy: run.roundBy,
    roundAt: timeOf(run.roundAt),
    counts: report?.counts ?? null,
    rowsRead: report?.rowsRead ?? null,
    seconds: report?.seconds ?? null,
    why: report?.why ?? null,
    reportedAt: reportedAt === null ? null : timeOf(reportedAt),
    keptRows: run.kept,
    isForgotten: run.isForgotten,
    takenBack: run.takenBack,
  };
}

function rowOnWire({ round: _, ...row }: StoredRunRow, collection: Collection, collections: readonly Collection[]): RunRow {
  const nameOf = (column: string) => nameOfColumn(collection, collections, column);
  const values = Object.entries(row.values).flatMap(([column, cell]): [string, string][] => {
    const name = nameOf(column);
    return name === undefined ? [] : [[name, cell]];
  });
  return { ...row, fields: row.fields.flatMap((column) => nameOf(column) ?? []), values: Object.fromEntries(values) };
}

function meaningIn({ matchBy, ...meaning }: RunMeaning, collection: Collection, collections: readonly Collection[]): RunMeaning {
  return { ...meaning, ...(matchBy && { matchBy: matchBy.map((name) => columnOf(name, collection, collections, "/meaning/matchBy")) }) };
}

function reportIn(report: RunReport, collection: Collection, collections: readonly Collection[]): RunReport {
  const columns = new Map<string, string>(); // the same for each row
  const columnIn = (name: string) => {
    const column = columns.get(name) ?? columnOf(name, collection, collections, "/report/rows");
    columns.set(name, column);
    return column;
  };
  const rows = report.rows.map((row) => ({
    ...row,
    fields: row.fields.map(columnIn),
    values: Object.fromEntries(Object.entries(row.values).map(([name, cell]) => [columnIn(name), cell])),
  }));
  return { ...report, rows };
}

function columnOf(name: string, collection: Collection, collections: readonly Collection[], pointer: string): string {
  const column = columnOfName(collection, collections, name);
  if (column !== undefined) return column;
  throw httpErrors.validation([{ pointer, code: "UNKNOWN_FIELD", detail: "A row or its reason names a field that there is not." }]);
}

function placeOf(cursor: string): RunPlace {
  const { at, id } = /^(?<at>\d{1,16})\.(?<id>[\w-]{1,64})$/.exec(cursor)?.groups ?? {};
  if (at === undefined || id === undefined) throw httpErrors.badCursor("before");
  return { at: Number(at), id };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
