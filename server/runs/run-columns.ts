// Names the columns of a run's rows by the first names of their fields, so that a renaming changes nothing stored.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName, currentName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { lookupName } from "../../core/dictionary/lookup-name.ts";
import { maskOf } from "../../core/dictionary/masks.ts";
import type { HiddenFields, Unseen } from "../people/auth/access-tokens.ts";
import type { StoredRun, StoredRunRow } from "./store/runs.ts";

const OF_PARENT = "/"; // no name of a field has it

/** A field of the collection, or with `by` one of the parent to which it refers. */
interface ColumnField {
  field: Field;
  parent?: { collection: Collection; by: Field };
}

/** Returns the column of a field by one of its names, of today or of before; undefined where the caller knows none. */
export function columnOfName(collection: Collection, collections: readonly Collection[], name: string): string | undefined {
  const own = collection.byName.get(currentName(collection, name) ?? "");
  if (own) return columnName(own);
  const [as = "", ...rest] = name.split(".");
  const field = collection.references.find(({ reference }) => reference.as === as);
  const parent = field && collections.find((one) => one.name === field.reference.collection);
  const by = parent?.byName.get(currentName(parent, rest.join(".")) ?? "");
  return field && by && columnName(field) + OF_PARENT + columnName(by);
}

/** Returns the name of today; undefined for a column of a field that the caller does not know, or that is not there any more. */
export function nameOfColumn(collection: Collection, collections: readonly Collection[], column: string): string | undefined {
  const found = fieldOfColumn(collection, collections, column);
  if (!found?.parent) return found?.field.name;
  return lookupName(found.field.reference?.as ?? "", found.parent.by.name);
}

function fieldOfColumn(collection: Collection, collections: readonly Collection[], column: string): ColumnField | undefined {
  const [own, ofParent] = column.split(OF_PARENT);
  const field = collection.fields.find((one) => columnName(one) === own);
  if (!field || ofParent === undefined) return field && { field };
  const parent = collections.find((one) => one.name === field.reference?.collection);
  const by = parent?.fields.find((one) => columnName(one) === ofParent);
  return parent && by && { field, parent: { collection: parent, by } };
}

/** Says what somebody sees of a run. `hidesFields`: the rights of the caller hide fields, besides those that are retired for all. */
export interface RunReader {
  collection: Collection;
  collections: readonly Collection[];
  hidden: HiddenFields;
  hidesFields: boolean;
}

/** Says how a column is unseen; undefined where it is seen. A reference that is hidden hides the fields of its parent. */
function unseenColumn({ collection, collections, hidden }: RunReader, column: string): Unseen | undefined {
  const found = fieldOfColumn(collection, collections, column);
  if (!found) return "hidden";
  const own = hidden.get(collection.name)?.get(found.field.name);
  if (own || !found.parent) return own;
  return hidden.get(found.parent.collection.name)?.get(found.parent.by.name);
}

/**
 * Returns the row without what the caller may not know: hidden cells, masked ones as masks, and a reason that is about the whole row or asks
 * a rule, which may tell of either.
 */
export function presentRunRow(row: StoredRunRow, of: RunReader): StoredRunRow {
  const unseen = (column: string) => unseenColumn(of, column);
  const values: Record<string, string> = {};
  for (const [column, cell] of Object.entries(row.values)) {
    const how = unseen(column);
    if (how !== "hidden") values[column] = how ? (maskOf(cell || null, how === "maskedText") ?? "") : cell;
  }
  const fields = row.fields.filter((column) => !unseen(column));
  const isClear = fields.length > 0 && fields.length === row.fields.length && row.codes.every((code) => !ABOUT_OTHERS.test(code));
  return {
    ...row,
    values,
    fields,
    reason: !of.hidesFields || isClear ? row.reason : null,
    codes: of.hidesFields && !isClear ? [] : row.codes,
  };
}

/** Rules and conditions read other fields than the one at which they stand. */
const ABOUT_OTHERS = /^(?:RULE|WARNING|CONDITION|COMPUTED)/;

/** Returns the run without a sentence that may quote values, and without the fields of its meaning that the caller may not know. */
export function presentRun(run: StoredRun, of: RunReader): StoredRun {
  const { matchBy, ...meaning } = run.meaning;
  const isSeen = matchBy?.every((column) => !unseenColumn(of, column));
  const { why: _, ...report } = run.report ?? {};
  return {
    ...run,
    meaning: { ...meaning, ...(matchBy && isSeen && { matchBy }) },
    report: of.hidesFields && run.report ? (report as StoredRun["report"]) : run.report,
  };
}

/** Says of a column whether it is of a parent that the caller may not read, or of which they see some records only. */
type IsUnread = (column: string) => boolean;

/** Says which columns are of parents that may not be read; undefined where all may. */
export function unreadColumns(collection: Collection, mayRead: (parent: string) => boolean): IsUnread | undefined {
  const unread = collection.references.filter(({ reference }) => !mayRead(reference.collection)).map((field) => columnName(field));
  return unread.length === 0 ? undefined : (column) => unread.some((own) => column.startsWith(own + OF_PARENT));
}

/**
 * Returns the row without the cells of parents that may not be read, and without a reason that may quote one: it is about such a cell, about the
 * reference that was looked up by it, or about the whole row.
 */
export function withoutUnread(row: StoredRunRow, isUnread: IsUnread): StoredRunRow {
  const columns = [...Object.keys(row.values), ...row.fields].filter(isUnread);
  if (columns.length === 0) return row;
  const values = Object.fromEntries(Object.entries(row.values).filter(([column]) => !isUnread(column)));
  const fields = row.fields.filter((column) => !isUnread(column));
  const isFoundBy = fields.some((column) => columns.some((one) => one.startsWith(column + OF_PARENT)));
  const isClear = fields.length > 0 && fields.length === row.fields.length && !isFoundBy;
  return { ...row, values, fields, ...(!isClear && { reason: null, codes: [] }) };
}
