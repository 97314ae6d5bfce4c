// Empties a retired field or collection, in small steps between which others write: values, history and stored answers.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type Emptying, putEmptying } from "../dictionary/store/emptyings.ts";
import { caseColumn, columnOf, isFolded, quoted, sortColumn, tableOf } from "../engine/columns.ts";
import { exceptionNamesOf } from "../engine/exceptions.ts";
import { renewAll } from "../engine/renew-words.ts";
import { ask, type Script } from "../engine/script/script.ts";
import { forgetQueries } from "../history/store/export-log.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import { forgetImportWords } from "../imports/store/imports.ts";
import { forgetRunRows } from "../runs/store/runs.ts";
import { leaveForEraser } from "./erase-record.ts";
import { redactFields } from "./stored-answers.ts";

const RECORDS = 500; // of one step
const CHANGES = 500; // of one step, or those of one write

/** Takes one step, in a transaction of its own. False when nothing is left to do, or it is emptied no more. `collection`: with what is retired. */
export function* emptyStep(collection: Collection, { id }: Pick<Emptying, "id">): Script<boolean> {
  yield* ask("UPDATE settings SET value = value WHERE name = $1", `emptying ${id}`); // several processes take turns
  const stored = (yield* ask("SELECT value FROM settings WHERE name = $1", `emptying ${id}`)).rows[0]?.[0];
  if (!(stored instanceof Uint8Array)) return false;
  const emptying = JSON.parse(Buffer.from(stored).toString()) as Emptying;
  const { phase: now, column } = emptying;
  if (now === "done") return false;
  const field = collection.fields.find((one) => columnName(one) === column);
  const place = yield* emptySome(collection, field, now, emptying.place);
  const phase = place === undefined ? NEXT[now] : now;
  if (phase === "done") yield* endAll(collection, emptying);
  yield* putEmptying({ ...emptying, phase, place: place ?? "" });
  return true;
}

const NEXT = { records: "history", history: "deletions", deletions: "answers", answers: "done" } as const;

/** Answers the place after which to go on; undefined at the end of the phase. */
function emptySome(collection: Collection, field: Field | undefined, phase: keyof typeof NEXT, place: string): Script<string | undefined> {
  switch (phase) {
    case "records":
      return emptyRecords(collection, field, place);
    case "history":
      return emptyHistory(collection, field, place);
    case "deletions":
      return emptyDeletions(collection, field);
    case "answers":
      return redactFields(collection, field ? [field] : collection.fields.filter((one) => one !== collection.key), place);
  }
}

function* emptyRecords(collection: Collection, field: Field | undefined, place: string): Script<string | undefined> {
  const [table, key] = [tableOf(collection), columnOf(collection.key)];
  const from = place === "" ? Number.MIN_SAFE_INTEGER : Number(place);
  const { rows } = yield* ask(`SELECT ${key} FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${RECORDS}`, from);
  const last = rows.at(-1)?.[0];
  if (last === undefined) return undefined;
  const range = `WHERE ${key} > $1 AND ${key} <= $2`;
  if (!field) yield* ask(`DELETE FROM ${table} ${range}`, from, Number(last));
  else {
    const sorted = `${isFolded(field) ? `, ${sortColumn(field)} = ''` : ""}${field.caseless ? `, ${caseColumn(columnName(field))} = NULL` : ""}`;
    yield* ask(`UPDATE ${table} SET ${columnOf(field)} = NULL${sorted} ${range} AND ${columnOf(field)} IS NOT NULL`, from, Number(last));
  }
  return rows.length < RECORDS ? undefined : String(last);
}

function* emptyHistory({ name }: Collection, field: Field | undefined, place: string): Script<string | undefined> {
  const sql = "SELECT number, size FROM writes WHERE collection = $1 AND number > $2 ORDER BY number LIMIT 100";
  const { rows } = yield* ask(sql, name, Number(place));
  const writes: number[] = [];
  let size = 0;
  for (const [number, own] of rows) {
    size += Number(own);
    if (writes.length > 0 && size > CHANGES) break;
    writes.push(Number(number));
  }
  if (writes.length === 0) return undefined;
  const [numbers, places] = [padded(writes), placesFor(writes, 1)];
  if (!field) {
    yield* ask(`DELETE FROM history WHERE write IN (${places})`, ...numbers);
    yield* ask(`DELETE FROM writes WHERE number IN (${places})`, ...numbers);
    return String(writes.at(-1));
  }
  const column = columnName(field);
  const found = yield* ask(`SELECT write, id, changes FROM history WHERE changes IS NOT NULL AND write IN (${places})`, ...numbers);
  for (const [write, id, changes] of found.rows) {
    if (!String(changes).includes(`${JSON.stringify(column)}:`)) continue;
    const { [column]: _, ...others } = JSON.parse(String(changes)) as Record<string, unknown>;
    yield* ask("UPDATE history SET changes = $3 WHERE write = $1 AND id = $2", Number(write), Number(id), JSON.stringify(others));
  }
  return String(writes.at(-1));
}

function* emptyDeletions({ name }: Collection, field: Field | undefined): Script<string | undefined> {
  if (yield* forgetRunRows()) return "more"; // rows that were not stored may have its values
  yield* forgetImportWords();
  if (field) return undefined; // what a deletion kept stands in the history
  const ids = `SELECT id FROM tombstones WHERE collection = $1 ORDER BY id LIMIT ${RECORDS}`;
  const { count } = yield* ask(`DELETE FROM tombstones WHERE collection = $1 AND id IN (${ids})`, name);
  return count < RECORDS ? undefined : "more";
}

/** What is searched by it goes, too: the words of the records, and those that exports were searched by. */
function* endAll(collection: Collection, { column }: Emptying): Script<void> {
  yield* forgetQueries();
  if (column === null) {
    for (const table of OF_COLLECTION) yield* ask(`DELETE FROM ${quoted(table)} WHERE collection = $1`, collection.name);
  } else {
    for (const rule of exceptionNamesOf(column))
      yield* ask("DELETE FROM exceptions WHERE collection = $1 AND rule = $2", collection.name, rule);
    yield* emptyMergedValues(collection, column);
    yield* renewAll(collection);
  }
  yield* leaveForEraser(collection);
}

const OF_COLLECTION = [
  ...["exceptions", "violation_counts", "match_keys", "match_records", "duplicate_pairs", "different_records"],
  ...["merged_values", "sequences"],
];

/** The values of fields that are unique together go with each of them. */
function* emptyMergedValues({ name }: Collection, column: string): Script<void> {
  const { rows } = yield* ask("SELECT DISTINCT field FROM merged_values WHERE collection = $1", name);
  for (const [field] of rows)
    if (String(field).split(",").includes(column))
      yield* ask("DELETE FROM merged_values WHERE collection = $1 AND field = $2", name, String(field));
}
