// The numbers that new records get, from counters that the transaction of a write holds.

import { fromNumber, restarts, toNumber } from "../../core/dictionary/auto-number.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import { columnOf, tableOf } from "./columns.ts";
import type { OpWithId, Stamp } from "./decide.ts";
import { toCondition } from "./filter-sql.ts";
import type { RelationSql } from "./find-relations.ts";
import type { Known } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import type { Batch } from "./store.ts";

/** The counters of a collection while a batch is decided. */
export interface Numbers {
  /** Returns the op with the next numbers, where it brings none. They are given once `keep` has the record. */
  withNumbers<Op extends OpWithId>(op: Op): Op;
  keep(record: Readonly<Record<string, unknown>>): void;
  /** Returns the counters that go on elsewhere now. */
  moved(): readonly { name: string; next: number }[];
}

interface Counter {
  name: string;
  field: Field & { autoNumber: string };
  read: number;
  next: number;
}

interface Decided {
  ops: readonly OpWithId[];
  known: Pick<Known, "records">;
  stamp: Stamp;
}

/**
 * Reads and holds the counters that the batch may need: nobody else gives a number of them until the transaction ends. Undefined where it makes
 * no record.
 */
export function* readNumbers(batch: Batch, { ops, known, stamp }: Decided, sql: RelationSql): Script<Numbers | undefined> {
  const { collection, dryRun = false } = batch;
  const fields = collection.fields.filter((field): field is Counter["field"] => field.autoNumber !== undefined);
  const isNew = ({ verb, id }: OpWithId) => (verb === "post" || verb === "put") && !known.records.has(id);
  const made = fields.length > 0 ? ops.filter((op) => isNew(op) || batch.isRestore) : [];
  if (made.length === 0) return undefined;
  const year = dayIn(collection.timeZone ?? "UTC", Date.parse(stamp.at)).slice(0, 4);
  const counters: Counter[] = [];
  for (const field of fields) {
    const name = [collection.name, columnName(field), ...(restarts(field.autoNumber) ? [year] : [])].join(" ");
    if (!dryRun) yield* ask("INSERT INTO sequences (collection, next) VALUES ($1, 0) ON CONFLICT (collection) DO NOTHING", name);
    const { rows } = yield* ask(`SELECT next FROM sequences WHERE collection = $1${dryRun ? "" : sql.lock}`, name);
    const read = Number(rows[0]?.[0] ?? 0);
    const isFree = read > 0 && !(yield* isTaken(collection, field, { year, from: read, count: made.length }));
    counters.push({ name, field, read, next: isFree ? read : Math.max(read, (yield* highest(collection, field, year)) + 1) });
  }
  return numbersWith(counters, year);
}

function numbersWith(counters: readonly Counter[], year: string): Numbers {
  return {
    withNumbers(op) {
      if (op.verb === "delete") return op;
      const lacking = counters.filter(({ field }) => (op.given[field.name] ?? null) === null);
      const given = lacking.map(({ field, next }) => [field.name, toNumber(field.autoNumber, year, next)] as const);
      return { ...op, given: { ...op.given, ...Object.fromEntries(given) } };
    },
    keep(record) {
      for (const counter of counters) {
        const n = fromNumber(counter.field.autoNumber, year, String(record[counter.field.name] ?? ""));
        if (n !== undefined && n >= counter.next) counter.next = n + 1;
      }
    },
    moved: () => counters.filter(({ read, next }) => next !== read),
  };
}

/** Runs in the transaction that has read them. */
export function* keepNumbers(numbers: Numbers): Script<void> {
  for (const { name, next } of numbers.moved()) yield* ask("UPDATE sequences SET next = $1 WHERE collection = $2", next, name);
}

const MOST_PLACES = 500;

/** Says whether a record has one of the next numbers: the field may have had other values while it was not numbered. */
function* isTaken(
  collection: Collection,
  field: Counter["field"],
  { year, from, count }: { year: string; from: number; count: number },
): Script<boolean> {
  for (let at = 0; at < count; at += MOST_PLACES) {
    const values = Array.from({ length: Math.min(MOST_PLACES, count - at) }, (_, i) => toNumber(field.autoNumber, year, from + at + i));
    const { where, params } = toCondition(collection, { name: field.name, operator: "in", values });
    let place = 0;
    const numbered = where.replace(/\?/g, () => `$${++place}`);
    const { rows } = yield* ask(`SELECT 1 FROM ${tableOf(collection)} WHERE ${numbered} LIMIT 1`, ...params);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Reads the highest number of this year that a record has. It looks at every record, once for each counter. */
function* highest(collection: Collection, field: Counter["field"], year: string): Script<number> {
  const [before = ""] = field.autoNumber.replace("{yyyy}", year).split("{");
  const begins = `substr(${columnOf(field)}, 1, ${[...before].length}) = $1`;
  const { rows } = yield* ask(`SELECT ${columnOf(field)} FROM ${tableOf(collection)} WHERE ${begins}`, before);
  return rows.reduce((most, [value]) => Math.max(most, fromNumber(field.autoNumber, year, String(value)) ?? 0), 0);
}
