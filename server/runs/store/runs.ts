// Stores reports of uploads and batch runs with the rows that were not stored. Both engines use the same statements.

import type { Principal } from "../../../core/contract/principals.ts";
import {
  AT_ONCE_MS,
  MOST_RUNS,
  MOST_RUNS_WITH_ROWS,
  RUN_OUTCOMES,
  type RunCounts,
  type RunMeaning,
  type RunReport,
  type RunRow,
  type RunState,
} from "../../../core/contract/runs.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";

/** Times in ms since 1970. Fields stand by the names of their columns, those of a parent behind the reference: `customer/accountNumber`. */
export interface StoredRun {
  id: string;
  collection: string;
  fileName: string;
  file: string;
  recipe: string | null;
  meaning: RunMeaning;
  begunAt: number;
  by: Principal | null;
  state: RunState;
  round: number;
  upload: string;
  roundAt: number;
  roundBy: Principal | null;
  report: StoredReport | null;
  reportedAt: number | null;
  /** Counts the rows that are kept. */
  kept: number;
  /** An erasure has removed the rows. */
  isForgotten: boolean;
  /** Counts the changes of its collection that were taken back since. */
  takenBack: number;
}

export interface StoredReport extends Pick<RunReport, "counts" | "rowsRead" | "seconds" | "why"> {
  /** Holds, with a round above 0, the counts before it, and how many of the rows that it sends again had which outcome. */
  before?: { counts: RunCounts; taken: Partial<RunCounts> };
}

/** `round`: in which it got its outcome. */
export interface StoredRunRow extends RunRow {
  round: number;
}

export interface RunFilter {
  collections: readonly string[];
  /** Names those of the collections in which the reader is shown their own runs alone, because they see some records only. */
  ownOf?: readonly string[];
  reader: Pick<Principal, "type" | "id">;
}

/** Stands after a run, in descending order of time. */
export interface RunPlace {
  at: number;
  id: string;
}

export interface GivenRun extends Pick<StoredRun, "id" | "collection" | "fileName" | "file" | "recipe" | "meaning" | "round" | "upload"> {
  by: Pick<Principal, "type" | "id">;
  now: number;
  report?: RunReport | undefined;
}

/**
 * Says why nothing was written. busy: somebody sends its rows just now. changed: they were sent again since, or another upload did it.
 * sum: the counts of the report are not those of the rows that this round sends again.
 */
export type NotPut = "busy" | "changed" | "sum" | "missing";

const ROWS_TOGETHER = 500;
const FORGOTTEN_AT_ONCE = 20; // runs
const SWEPT_AT_ONCE = 200; // runs
const MOST_SAME = 5;

const nameOf = (user: string, key: string, id: string) => `coalesce(${user}.name, nullif(${key}.name, ''), ${id})`;
const COLUMNS = `t.id, t.collection, t.file_name, t.file, t.recipe, t.meaning, t.begun_at, t.by_type, t.by_id, ${nameOf("bu", "bk", "t.by_id")},
  t.state, t.round, t.upload, t.round_at, t.round_type, t.round_by, ${nameOf("ru", "rk", "t.round_by")}, t.report, t.reported_at, t.kept, t.forgotten,
  (SELECT sum(w.size) FROM writes w WHERE w.run = t.id AND w.source = 'undo' AND w.collection = t.collection)`;
const FROM = `FROM runs t
  LEFT JOIN users bu ON t.by_type = 'user' AND bu.id = t.by_id LEFT JOIN keys bk ON t.by_type = 'key' AND bk.id = t.by_id
  LEFT JOIN users ru ON t.round_type = 'user' AND ru.id = t.round_by LEFT JOIN keys rk ON t.round_type = 'key' AND rk.id = t.round_by`;

function toRun(cells: readonly Cell[]): StoredRun {
  const [id, collection, fileName, file, recipe, meaning, begunAt, byType, byId, byName, ...rest] = cells;
  const [state, round, upload, roundAt, roundType, roundId, roundName, report, reportedAt, kept, forgotten, takenBack] = rest;
  return {
    ...({ id, collection, fileName, file, recipe, state, upload } as Pick<StoredRun, "id" | "fileName" | "file" | "recipe" | "upload">),
    ...({ collection, state } as Pick<StoredRun, "collection" | "state">),
    meaning: JSON.parse(String(meaning)) as RunMeaning,
    begunAt: Number(begunAt),
    by: { type: byType, id: byId, name: byName } as Principal,
    round: Number(round),
    roundAt: Number(roundAt),
    roundBy: { type: roundType, id: roundId, name: roundName } as Principal,
    report: report === null ? null : (JSON.parse(String(report)) as StoredReport),
    reportedAt: reportedAt === null ? null : Number(reportedAt),
    kept: Number(kept),
    isForgotten: Number(forgotten) === 1,
    takenBack: Number(takenBack),
  };
}

/** Lists runs, the newest first. */
function* listRuns({ collections, ownOf = [], reader }: RunFilter, before: RunPlace, limit: number): Script<StoredRun[]> {
  if (collections.length === 0) return [];
  const values: Cell[] = [before.at, before.id, limit];
  const place = (value: Cell) => `$${values.push(value)}`;
  const among = `t.collection IN (${collections.map(place).join(", ")})`;
  const isOwn = () =>
    `AND (t.collection NOT IN (${ownOf.map(place).join(", ")}) OR (t.by_type = ${place(reader.type)} AND t.by_id = ${place(reader.id)}))`;
  const sql = `SELECT ${COLUMNS} ${FROM} WHERE (t.begun_at < $1 OR (t.begun_at = $1 AND t.id < $2)) AND ${among} ${ownOf.length > 0 ? isOwn() : ""}
    ORDER BY t.begun_at DESC, t.id DESC LIMIT $3`;
  return (yield* ask(sql, ...values)).rows.map(toRun);
}

/** `_reader`: as for listRuns. */
function* readRun(id: string, _reader: RunFilter["reader"]): Script<StoredRun | undefined> {
  return yield* findRun(id);
}

function* findRun(id: string): Script<StoredRun | undefined> {
  const { rows } = yield* ask(`SELECT ${COLUMNS} ${FROM} WHERE t.id = $1`, id);
  return rows[0] && toRun(rows[0]);
}

/** Lists some of the rows that were not stored, in the order of the file: those after a row. */
function* listRunRows({ id }: Pick<StoredRun, "id" | "collection">, after: number): Script<StoredRunRow[]> {
  const sql = "SELECT rows FROM run_rows WHERE run = $1 AND first > $2 ORDER BY first LIMIT 1";
  const { rows } = yield* ask(sql, id, after);
  return rows[0] ? (JSON.parse(String(rows[0][0])) as StoredRunRow[]) : [];
}

/**
 * Finds runs with the same file in the collection: those that others make or have made since, and those that are being made elsewhere by the same
 * person. `since`: what did nothing after it is left out.
 */
function* findSameFile(
  given: Pick<GivenRun, "id" | "collection" | "file" | "by">,
  now: number,
): Script<(StoredRun & { lastAt: number })[]> {
  if (given.file === "") return [];
  const lastWrite = "(SELECT max(w.at) FROM writes w WHERE w.run = t.id)";
  const sql = `SELECT ${COLUMNS}, ${lastWrite} ${FROM} WHERE t.file = $1 AND t.collection = $2 AND t.id <> $3 ORDER BY t.begun_at DESC LIMIT 50`;
  const { rows } = yield* ask(sql, given.file, given.collection, given.id);
  return rows
    .map((cells) => {
      const run = toRun(cells);
      return { ...run, lastAt: Math.max(run.begunAt, run.roundAt, run.reportedAt ?? 0, Number(cells.at(-1))) };
    })
    .filter(({ lastAt, state, by, report }) => {
      const isOwn = by?.type === given.by.type && by.id === given.by.id;
      const hasStored = report !== null && report.counts.created + report.counts.updated > 0;
      return lastAt > now - AT_ONCE_MS && (state === "running" || (!isOwn && hasStored));
    })
    .slice(0, MOST_SAME);
}

/** Begins a run or a round, or takes its report. The same request again changes nothing. */
function* putRun(given: GivenRun): Script<StoredRun | NotPut> {
  yield* lockByName("runs"); // of two people at once the later one waits
  const before = yield* findRun(given.id);
  if (!before && given.round > 0) return "missing";
  const refused = before ? yield* goOn(before, given) : yield* addRun(given);
  if (refused) return refused;
  const begun = yield* findRun(given.id);
  if (!begun) return "missing";
  const isEnded = begun.state === "done" || begun.state === "cancelled"; // its report comes again
  const wrong = given.report && !isEnded ? yield* takeReport(begun, given, given.report) : undefined;
  return wrong ?? (yield* findRun(given.id)) ?? "missing";
}

function* addRun({ id, collection, fileName, file, recipe, meaning, by, upload, now }: GivenRun): Script<undefined> {
  const sql = `INSERT INTO runs (id, collection, file_name, file, recipe, meaning, begun_at, by_type, by_id, state, round, upload, round_at,
    round_type, round_by, report, reported_at, kept, forgotten)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', 0, $10, $7, $8, $9, NULL, NULL, 0, 0)`;
  yield* ask(sql, id, collection, fileName, file, recipe, JSON.stringify(meaning), now, by.type, by.id, upload);
  const oldest = "SELECT begun_at FROM runs WHERE by_id = $1 ORDER BY begun_at DESC LIMIT 1 OFFSET $2";
  const [last] = (yield* ask(oldest, by.id, MOST_RUNS)).rows;
  if (last?.[0] === undefined) return;
  const gone = (yield* ask("SELECT id FROM runs WHERE by_id = $1 AND begun_at <= $2", by.id, last[0])).rows;
  for (const [one] of gone) yield* deleteRun(String(one));
}

/** The run is there already: it goes on, or its rows not stored are sent again. */
function* goOn(before: StoredRun, { collection, round, upload, by, now, report }: GivenRun): Script<NotPut | undefined> {
  if (before.collection !== collection) return "changed";
  const isSame = round === before.round && upload === before.upload;
  // What stands in its place names the run, which others read, too. Keys may take turns, as the services of a nightly file do.
  if (isSame && round === 0 && before.by?.type === "user" && before.by.id !== by.id) return "changed";
  if (isSame && (report || before.state === "running")) return undefined;
  if (isSame && before.state === "stopped") return void (yield* ask("UPDATE runs SET state = 'running' WHERE id = $1", before.id));
  if (isSame || report) return "changed";
  if (before.state === "running") return "busy";
  if (round !== before.round + 1) return "changed";
  if (before.kept === 0 || !before.report) return "changed";
  const taken: Partial<RunCounts> = {};
  for (const { outcome } of (yield* allRows(before.id)).filter(isTaken)) taken[outcome] = 1 + (taken[outcome] ?? 0);
  const { counts } = before.report;
  const text = JSON.stringify({ ...before.report, before: { counts, taken } } satisfies StoredReport);
  const sql = `UPDATE runs SET state = 'running', round = $2, upload = $3, round_at = $4, round_type = $5, round_by = $6, report = $7 WHERE id = $1`;
  yield* ask(sql, before.id, round, upload, now, by.type, by.id, text);
  return undefined;
}

/** Nobody knows whether a row in doubt is stored, so that it is not sent again under another key. */
function isTaken({ outcome }: Pick<RunRow, "outcome">): boolean {
  return outcome !== "inDoubt";
}

function* takeReport(run: StoredRun, { now }: GivenRun, report: RunReport): Script<NotPut | undefined> {
  const { state, counts, rowsRead, seconds, why } = report;
  const { before } = run.report ?? {};
  const ended: StoredReport = { counts, rowsRead, seconds, ...(why !== undefined && { why }) };
  let rows: StoredRunRow[] = report.rows.map((row) => ({ ...row, round: run.round }));
  if (run.round > 0) {
    if (!before || !run.report) return "sum";
    const taken = RUN_OUTCOMES.reduce((sum, outcome) => sum + (before.taken[outcome] ?? 0), 0);
    if (rowsRead !== taken) return "sum";
    const sum = RUN_OUTCOMES.map((one) => [one, before.counts[one] - (before.taken[one] ?? 0) + counts[one]] as const);
    Object.assign(ended, { counts: Object.fromEntries(sum), rowsRead: run.report.rowsRead, seconds: run.report.seconds, before });
    const known = yield* allRows(run.id);
    const lines = new Map(known.map(({ row, line }) => [row, line]));
    const others = known.filter((row) => row.round < run.round && !isTaken(row));
    rows = [...others, ...rows.map((row) => ({ ...row, line: lines.get(row.row) ?? row.line }))].sort((a, b) => a.row - b.row);
  }
  if (run.isForgotten) rows = []; // they may have the values that were erased
  yield* ask("DELETE FROM run_rows WHERE run = $1", run.id);
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) {
    const some = rows.slice(at, at + ROWS_TOGETHER);
    yield* ask("INSERT INTO run_rows (run, first, rows) VALUES ($1, $2, $3)", run.id, some[0]?.row ?? 0, JSON.stringify(some));
  }
  const sql = "UPDATE runs SET state = $2, report = $3, reported_at = $4, kept = $5 WHERE id = $1";
  yield* ask(sql, run.id, state, JSON.stringify(ended), now, rows.length);
  yield* forgetOldRows(run.by?.id ?? "");
  return undefined;
}

function* allRows(run: string): Script<StoredRunRow[]> {
  const { rows } = yield* ask("SELECT rows FROM run_rows WHERE run = $1 ORDER BY first", run);
  return rows.flatMap(([text]) => JSON.parse(String(text)) as StoredRunRow[]);
}

/** Keeps the rows of one person's latest runs, so that nobody fills the store with them. */
function* forgetOldRows(by: string): Script<void> {
  const old = "SELECT id FROM runs WHERE by_id = $1 AND kept > 0 ORDER BY begun_at DESC, id DESC LIMIT 1000 OFFSET $2";
  for (const [id] of (yield* ask(old, by, MOST_RUNS_WITH_ROWS)).rows) {
    yield* ask("DELETE FROM run_rows WHERE run = $1", String(id));
    yield* ask("UPDATE runs SET kept = 0 WHERE id = $1", String(id));
  }
}

function* deleteRun(id: string): Script<void> {
  yield* ask("DELETE FROM run_rows WHERE run = $1", id);
  yield* ask("DELETE FROM runs WHERE id = $1", id);
}

/** Takes one small step of forgetting the runs of before a time. It is false when nothing is left to do. */
function* sweepRuns(before: number): Script<boolean> {
  const old = `SELECT id FROM runs WHERE coalesce(reported_at, round_at) < $1 ORDER BY begun_at LIMIT ${SWEPT_AT_ONCE}`;
  const { rows } = yield* ask(old, before);
  for (const [id] of rows) yield* deleteRun(String(id));
  return rows.length === SWEPT_AT_ONCE;
}

/**
 * Takes one step that serves an erasure: nobody can tell in which rows the record's values stand, so all rows are forgotten, and sentences that
 * may quote one. False when nothing is left to do.
 */
export function* forgetRunRows(): Script<boolean> {
  const hasWhy = `report LIKE '%"why":%'`; // within a text a quotation mark has a backslash before it
  const { rows } = yield* ask(`SELECT id, report FROM runs WHERE kept > 0 OR ${hasWhy} LIMIT ${FORGOTTEN_AT_ONCE}`);
  const sql = "UPDATE runs SET kept = 0, forgotten = CASE WHEN kept > 0 THEN 1 ELSE forgotten END, report = $2 WHERE id = $1";
  for (const [id, text] of rows) {
    const { why: _, ...report } = JSON.parse(String(text)) as StoredReport;
    yield* ask("DELETE FROM run_rows WHERE run = $1", String(id));
    yield* ask(sql, String(id), JSON.stringify(report));
  }
  return rows.length === FORGOTTEN_AT_ONCE;
}

export const RUN_SCRIPTS = { reads: { listRuns, readRun, listRunRows, findSameFile }, writes: { putRun, sweepRuns } };
