// Checks what a layout says of records that are shorter than others: their format, trimming and variable tables.

import type { ReportMistake } from "../../../core/dictionary/fields.ts";
import { isFloat } from "../cobol-numbers.ts";
import type { FixedLayout, VariableTable } from "../layout.ts";
import { inOrder, itemAt, slides } from "../variable-table.ts";

export function checkLengths(layout: FixedLayout, report: ReportMistake): void {
  const { lineEnd, trimmed, recordFormat, recordLength, detail } = layout;
  const isShorter = trimmed || recordFormat !== undefined;
  if (lineEnd === "none" && trimmed && !recordFormat) report("/trimmed", "needs line ends: without them nothing says where a record ends");
  if (recordFormat && trimmed) report("/trimmed", "is not needed: a record of variable length says itself how long it is");
  if (recordFormat && lineEnd !== "none") report("/recordFormat", 'needs "lineEnd": "none": the length before a record says where it ends');
  const { minLength } = detail;
  if (minLength !== undefined && !isShorter)
    report("/detail/minLength", `is for "trimmed" and "recordFormat": all other records have ${recordLength} bytes`);
  if (minLength !== undefined && minLength > recordLength)
    report("/detail/minLength", `must be at most ${recordLength}, which is recordLength`);
  const tables = detail.occurs ?? [];
  for (const [i, table] of tables.entries()) {
    if (slides(table) && !isShorter)
      report(`/detail/occurs/${i}/slides`, 'must be false, unless records may be shorter ("recordFormat" or "trimmed")');
    checkTable(table, layout, `/detail/occurs/${i}`, report);
  }
}

function checkTable(table: VariableTable, layout: FixedLayout, path: string, report: ReportMistake): void {
  const { start, length, max, dependingOn } = table;
  const { recordLength, detail, recordType } = layout;
  const end = start + length * max - 1;
  if (end > recordLength) report(path, `ends at byte ${end} when it is full, but a record has ${recordLength}`);
  if (dependingOn.start + dependingOn.length > start) report(`${path}/dependingOn`, "must stand before the table");
  if (isFloat(dependingOn.usage)) report(`${path}/dependingOn/usage`, "must be of whole numbers");
  if (recordType && recordType.start + recordType.length > start) report(path, "must stand behind the record type");
  const sorted = inOrder(detail.occurs);
  const before = sorted[sorted.indexOf(table) - 1];
  if (before && before.start + before.length * before.max > start)
    report(path, `begins at byte ${start}, within the table from byte ${before.start} on`);
  for (const [i, field] of detail.fields.entries()) {
    const [from, last] = [(field.start ?? 0) - 1, (field.start ?? 0) + (field.length ?? 0) - 2];
    if (field.start === undefined || field.length === undefined || itemAt(table, from) === itemAt(table, last)) continue;
    report(`/detail/fields/${i}`, `${field.name} is not within one item of the table from byte ${start} on: an item has ${length} bytes`);
  }
}
