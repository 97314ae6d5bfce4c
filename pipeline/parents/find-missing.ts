// Finds the parents that a file names and that are not there, and how many of its rows name each of them.

import type { Collection, FileParent } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { createRowValidator, loadForms } from "../checking/validate-row.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import type { Plan } from "../model/plan.ts";
import type { FindParents } from "../sending/responses.ts";

/** A column that names parents: by their key, or by another unique value. */
export interface ParentColumn extends FileParent {
  /** The field of the column. */
  field: Field;
  /** The name of the field that refers. */
  fills: string;
  /** The unique field of the parent whose values stand in the column. */
  by: Field;
}

export interface MissingParent {
  value: Value;
  rows: number;
}

/** The values of one column by which no record is there, by their texts, in the order of the file. */
export interface MissingParents {
  column: ParentColumn;
  values: Map<string, MissingParent>;
  /** Counts the values beyond those that are kept. */
  more: number;
}

export interface ParentSource extends RowSource {
  collection: Collection;
  plan: Plan;
  signal: AbortSignal;
}

/** Resolves to the texts that were found; undefined when it cannot be known, or the work is over. */
export type AskParents = (...asked: Parameters<FindParents>) => Promise<ReadonlySet<string> | undefined>;

const MOST_VALUES = 20_000; // of one column
const ASKED_AT_ONCE = 100; // values

/** Lists the columns that name parents. Without `Collection.parents` there are none. */
export function parentColumns(collection: Collection, { columns }: Pick<Plan, "columns">): ParentColumn[] {
  const { parents, lookups, byName } = collection;
  return columns.flatMap((name) => {
    const lookup = lookups.get(name ?? "");
    const field = byName.get(name ?? "");
    const parent = parents?.get(lookup?.fills ?? name ?? "");
    const by = lookup ? parent?.collection.byName.get(lookup.by) : parent?.collection.key;
    return field && parent && by ? [{ ...parent, field, fills: lookup?.fills ?? field.name, by }] : [];
  });
}

/** Calls `see` with each row that passes the check as a record, whatever was decided about parents that are missing. */
export async function eachRecord(
  { collection, plan, signal, ...source }: ParentSource,
  see: (record: Fields, cells: readonly string[], row: number) => Promise<void> | void,
): Promise<void> {
  const { parents: _, ...fixes } = plan.fixes ?? NO_CORRECTIONS;
  const undecided = { ...plan, fixes };
  const validateRow = createRowValidator(collection, undecided, {
    readForm: await loadForms(undecided, collection),
    onRepeat: () => false,
  });
  for await (const { rows, first, malformed, modes } of rowsOf({ ...source, plan })) {
    if (signal.aborted) return;
    for (let i = 0; i < rows.length; i++) {
      const record: Fields = {};
      const cells = rows[i] as string[];
      if (!validateRow(first + i, cells, malformed.get(i), record, modes?.[i])) await see(record, cells, first + i);
    }
  }
}

/** Reads the file once. Columns of which the service does not answer are left out. Memory grows with the values that are missing, not with the rows. */
export async function findMissingParents(source: ParentSource, ask: AskParents, most = MOST_VALUES): Promise<MissingParents[]> {
  const watches = parentColumns(source.collection, source.plan).map((column) => new MissingWatch(column, ask, source.signal, most));
  if (watches.length === 0) return [];
  await eachRecord(source, async (record) => {
    for (const watch of watches) {
      const value = record[watch.found.column.field.name] ?? null;
      if (value !== null) await watch.see(value);
    }
  });
  for (const watch of watches) await watch.ask();
  return source.signal.aborted ? [] : watches.filter(({ isKnown }) => isKnown).map(({ found }) => found);
}

/** Asks for each value once. */
class MissingWatch {
  readonly found: MissingParents;
  isKnown = true;
  readonly #ask: AskParents;
  readonly #signal: AbortSignal;
  readonly #most: number;
  /** Values that were asked for, or wait for it. Those that are not kept as missing are there, or beyond what is kept. */
  readonly #seen = new KeySet(true);
  #waiting = new Map<string, MissingParent>();

  constructor(column: ParentColumn, ask: AskParents, signal: AbortSignal, most: number) {
    this.#most = most;
    this.found = { column, values: new Map(), more: 0 };
    this.#ask = ask;
    this.#signal = signal;
  }

  async see(value: Value): Promise<void> {
    const text = String(value);
    if (!this.isKnown) return;
    const known = this.found.values.get(text) ?? this.#waiting.get(text);
    if (known) {
      known.rows++;
      return;
    }
    if (!this.#seen.add(hashOf(text))) return;
    this.#waiting.set(structuredClone(text), { value, rows: 1 }); // a clone, because a cell keeps its block of text
    if (this.#waiting.size >= ASKED_AT_ONCE) await this.ask();
  }

  async ask(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    if (waiting.size === 0 || !this.isKnown) return;
    const { column, values } = this.found;
    const asked = [...waiting.values()].map(({ value }) => value);
    const there = await this.#ask(column.collection, column.by, asked, this.#signal);
    if (!there) {
      this.isKnown = false;
      return;
    }
    for (const [text, missing] of waiting) {
      if (there.has(text)) continue;
      if (values.size < this.#most) values.set(text, missing);
      else this.found.more++;
    }
  }
}
