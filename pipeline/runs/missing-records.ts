// Compares what is stored with a whole file: which records no row of it means.

import { MOST_LOOKUP_VALUES, type ValueHolder } from "../../core/contract/lookup.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { createRowValidator, loadForms } from "../checking/validate-row.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import { createIdentity, matchFields } from "../mapping/match-records.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import { type Plan, type RowProblem, SUSPECT_CODES } from "../model/plan.ts";

/**
 * Says what the rows of a file name. "indirect": no column is the field itself, or the caller sees a part of it, so that stored records cannot be
 * compared. "nameless": the row in this line says of no record that it is meant, so that nobody knows which ones the file lacks.
 */
export type NamedRecords =
  | { status: "named"; names: KeySet }
  | { status: "indirect"; field: Field }
  | { status: "nameless"; line: number }
  | { status: "empty" };

/** Holds a file with the whole plan by which its rows are read. */
export type PlannedFile = Omit<RowSource, "plan"> & { plan: Plan };

/** Reads the file once more. A row that was refused or left out stands for a record all the same, where it names one. Throws FileError. */
export async function namesInFile(source: PlannedFile, collection: Collection, signal?: AbortSignal): Promise<NamedRecords> {
  const { columns, matchBy } = source.plan;
  const field = matchFields(collection, matchBy).find(({ name, masked }) => masked || !columns.includes(name));
  if (field) return { status: "indirect", field };
  const names = new KeySet(matchBy !== undefined);
  let isEmpty = true;
  let named: number | undefined;
  const readForm = await loadForms(source.plan, collection);
  const isRepeated = (key: number) => {
    named = key;
    return false;
  };
  const plan: Plan = { ...source.plan, mode: "update" };
  const { similar = {} } = plan.fixes ?? NO_CORRECTIONS;
  const nameRow = createRowValidator(collection, withAllRows(plan), { readForm, isRepeated });
  const checkRow = createRowValidator(collection, plan, { readForm });
  const places = matchFields(collection, matchBy).map(({ name }) => columns.indexOf(name));
  for await (const { rows, lines, first, malformed } of rowsOf({ ...source, plan })) {
    signal?.throwIfAborted();
    for (const [i, cells] of rows.entries()) {
      isEmpty = false;
      named = undefined;
      const row = first + i;
      nameRow(row, cells, malformed.get(i), undefined);
      if (named !== undefined) names.add(named);
      const like = similar[row];
      if (typeof like === "object" && like !== null && matchBy === undefined) names.add(like.id);
      // It is left out because it is a stored record: nobody knows which one.
      const isNameless =
        like === null || (named === undefined && !isNoRecord(checkRow(row, cells, malformed.get(i), undefined), cells, places));
      if (isNameless) return { status: "nameless", line: lines[i] ?? row };
    }
  }
  return isEmpty ? { status: "empty" } : { status: "named", names };
}

/** Acts as if no row were left out: each stands for the record that it names, though nothing of it was sent. */
function withAllRows({ repeatsOut: _, ...plan }: Plan): Plan {
  const { edits, autoFixes, accepted, values = [], parents = [] } = plan.fixes ?? NO_CORRECTIONS;
  const kept = { values: values.filter(({ to }) => to !== null), parents: parents.filter(({ to }) => to !== null) };
  return { ...plan, fixes: { edits, autoFixes, ...(accepted && { accepted }), ...kept, leftOut: [], leftOutGroups: [] } };
}

const SHAPES: readonly string[] = ["CELLS", "QUOTES", "BYTES", "RECORD"]; // whose cells may stand in other columns

/** Is true of a row that was left out and is no record's: a total or a note, or one in which every cell is empty that could name a record. */
function isNoRecord(problems: readonly RowProblem[] | undefined, cells: readonly string[], places: readonly number[]): boolean {
  const codes = (problems ?? []).map(({ code }) => code as string);
  if (!codes.includes("LEFT_OUT")) return false;
  if (codes.some((code) => (SUSPECT_CODES as readonly string[]).includes(code))) return true;
  return !codes.some((code) => SHAPES.includes(code)) && places.every((at) => (cells[at] ?? "").trim() === "");
}

/** Says of a stored record whether a row means it. "unnamed": it lacks a value by which rows name records, so that no row could. */
export type CompareRecord = (record: WireRecord) => "named" | "missing" | "unnamed";

/** `names`: of namesInFile. Those that a record has are added to `met`. */
export function comparedWith(names: KeySet, collection: Collection, matchBy: string | undefined, met = metNames(matchBy)): CompareRecord {
  const nameOf = createNaming(collection, matchBy);
  return (record) => {
    const name = nameOf(record as Fields);
    if (name === undefined) return "unnamed";
    if (!names.has(name)) return "missing";
    met.add(name);
    return "named";
  };
}

/** Holds names that were met: keys, or hashes of other values. */
export function metNames(matchBy: string | undefined): KeySet {
  return new KeySet(matchBy !== undefined);
}

/** Returns the number by which a record, or a row, is known. */
function createNaming(collection: Collection, matchBy: string | undefined): (record: Fields) => number | undefined {
  const identityOf = createIdentity(collection, matchBy);
  return (record) => {
    const identity = identityOf(record);
    return identity === undefined || typeof identity === "number" ? identity : hashOf(String(identity));
  };
}

/** Asks the service which records have these values, or are what records with them were merged into. */
export type LookUpNames = (field: string, values: readonly unknown[]) => Promise<readonly ValueHolder[]>;

/**
 * Finds the records that rows name by what a merge took away, a key or a unique value: they have none of it, and are not missing for all that.
 * `met`: the names that were met among stored records, which are not looked up. Reads the file once.
 */
export async function mergedInFile(
  source: PlannedFile,
  collection: Collection,
  met: KeySet,
  lookUp: LookUpNames,
  signal?: AbortSignal,
): Promise<Set<number>> {
  const { matchBy, fixes } = source.plan;
  const fields = matchFields(collection, matchBy);
  const nameOf = createNaming(collection, matchBy);
  const plan = withAllRows({ ...source.plan, mode: "update" });
  const nameRow = createRowValidator(collection, plan, { readForm: await loadForms(source.plan, collection), isRepeated: () => false });
  const into = new Set<number>();
  let open: unknown[] = [];
  const ask = async () => {
    const found = open.length > 0 ? await lookUp(matchBy ?? collection.key.name, open) : [];
    for (const { id, mergedFrom } of found) if (mergedFrom !== undefined) into.add(id);
    open = [];
  };
  const see = async (name: number | undefined, values: readonly unknown[]) => {
    if (name === undefined || met.has(name)) return;
    met.add(name); // each is looked up once
    open.push(structuredClone(values.length === 1 ? values[0] : values)); // a cell keeps its block of text
    if (open.length === MOST_LOOKUP_VALUES) await ask();
  };
  for await (const { rows, first, malformed } of rowsOf(source)) {
    signal?.throwIfAborted();
    for (const [i, cells] of rows.entries()) {
      const record: Fields = {};
      nameRow(first + i, cells, malformed.get(i), record);
      const values = fields.map((field) => record[field.name]);
      await see(nameOf(record), values);
      const like = fixes?.similar?.[first + i];
      if (typeof like === "object" && like !== null && matchBy === undefined) await see(like.id, [like.id]);
    }
  }
  await ask();
  return into;
}

/** Lists records that the service has and the file has not, at most so many; `unnamed`: how many no row could name. */
export interface MissingRecords {
  ids: number[];
  /** There are more than are listed. */
  isMore: boolean;
  unnamed: number;
}

/** `pages`: all stored records, with their keys and what rows are matched by. */
export async function findMissing(
  pages: AsyncIterable<WireRecord[]>,
  compare: CompareRecord,
  key: string,
  most: number,
): Promise<MissingRecords> {
  const found: MissingRecords = { ids: [], isMore: false, unnamed: 0 };
  for await (const page of pages)
    for (const record of page) {
      const state = compare(record);
      if (state === "unnamed") found.unnamed++;
      if (state !== "missing") continue;
      if (found.ids.length < most) found.ids.push(record[key] as number);
      else found.isMore = true; // and it goes on, because `compare` has to meet all records
    }
  return found;
}

/** Returns the query of a list that has each record with nothing but what it is compared by. */
export function comparedQuery(collection: Collection, matchBy: string | undefined): Record<string, string> {
  const names = new Set([collection.key.name, "version", ...matchFields(collection, matchBy).map(({ name }) => name)]);
  return { fields: [...names].join(), sort: collection.key.name };
}
