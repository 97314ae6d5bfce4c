// One row against the plan: a checked record by the dictionary's judge, or its problems. Refuses: rows of another width, torn quotation marks, what the dictionary refuses.

import { checkValue, type Fields, type Problem, type ProblemCode } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import { unguardFormula } from "../../dictionary/csv.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { Dialect } from "./dialect.ts";
import { missingFields, type UploadMode } from "./match.ts";

/** What the user decided about a file. */
export interface Plan {
  dialect: Dialect;
  columns: readonly (string | null)[];
  mode: UploadMode;
}

/** A problem of a record, or of the row as such: then `field` is empty. CELLS: too few or too many; QUOTES: marks that do not close. */
export type RowProblem = Omit<Problem, "code"> & { code: ProblemCode | "CELLS" | "QUOTES" };

/**
 * One row against the plan. Gives its problems, or undefined and then `into`, when given, holds the record.
 *
 * An empty cell is left out of the record: a new record has no value there, an existing one keeps the value it has. So a
 * file with gaps never wipes data, as with the importers of the large CRMs (blank cells do not overwrite); a value is cleared in the form.
 */
export type JudgeRow = (cells: readonly string[], torn: string | undefined, into: Fields | undefined) => RowProblem[] | undefined;

const APOSTROPHE = 39; // every cell is asked for it, so a call is saved

export function createJudge(collection: Collection, plan: Plan): JudgeRow {
  const width = plan.columns.length;
  const places: { at: number; field: Field; isText: boolean }[] = [];
  for (const field of collection.fields) {
    const at = plan.columns.indexOf(field.name);
    if (at !== -1) places.push({ at, field: fieldIn(plan.mode, collection, field), isText: field.kind === "string" });
  }
  const lacking = missingFields(collection, plan.columns, plan.mode).map(
    (field) => checkValue({ ...field, required: true }, null, "text") as Problem,
  );
  return (cells, torn, into) => {
    if (torn !== undefined) return [{ field: "", code: "QUOTES", message: torn }];
    if (cells.length !== width && !isOnlyPadded(cells, width)) return [wrongWidth(cells.length, width)];
    let problems: RowProblem[] | undefined = lacking.length > 0 ? [...lacking] : undefined;
    for (let i = 0; i < places.length; i++) {
      const { at, field, isText } = places[i] as (typeof places)[0];
      const cell = cells[at] as string;
      const judged = checkValue(field, isText && cell.charCodeAt(0) === APOSTROPHE ? unguardFormula(cell) : cell, "text");
      if (judged === null) continue;
      if (typeof judged === "object") problems = [...(problems ?? []), judged];
      else if (into) into[field.name] = judged;
    }
    return problems;
  };
}

/** What a mode asks of a field: an update needs the key, and only what is given of the rest. */
function fieldIn(mode: UploadMode, collection: Collection, field: Field): Field {
  return mode === "update" ? { ...field, required: field === collection.key } : field;
}

/** Spreadsheets end rows with delimiters too many; empty cells past the heading lose nothing. */
function isOnlyPadded(cells: readonly string[], width: number): boolean {
  return cells.length > width && cells.slice(width).every((cell) => cell.trim() === "");
}

function wrongWidth(cells: number, width: number): RowProblem {
  const message = `This row has ${cells} ${cells === 1 ? "cell" : "cells"}; the heading has ${width}.`;
  return { field: "", code: "CELLS", message };
}
