// All that automatic fixes could do about a cell. Needed only while a file is corrected.

import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { readForms } from "../../core/forms/readings.ts";
import { type AutoFixName, fixCell, plainFixesFor } from "../model/value-fixes.ts";

/**
 * Returns the fixes that help a failing cell, each with the value. Several forms: nobody can tell which of them is meant. `is1904`: the
 * cell is of a workbook that counts days from 1904.
 */
export function fixesOf(field: Field, cell: string, is1904 = false): { name: AutoFixName; value: Value | null }[] {
  const found: { name: AutoFixName; value: Value | null }[] = readForms(field, cell.trim(), undefined, is1904);
  for (const name of plainFixesFor(field.kind)) {
    const value = fixCell(name, field, cell);
    if (value !== undefined) found.push({ name, value });
  }
  return found;
}
