import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { addedColumns, type ColumnRule } from "../../../pipeline/model/column-rules.ts";
import { createRowChange } from "../../../pipeline/reading/apply-column-rules.ts";

/**
 * Returns the inspection with headings and first rows as the rules make them. Columns that rules add count as matched. `isTried`: patterns
 * were tried in a worker, so the page may use them.
 */
export function changedTable(inspection: FileInspection, rules: readonly ColumnRule[] = [], isTried = false): FileInspection {
  if (rules.length === 0) return inspection;
  const { header, columns, samples } = inspection;
  const added = addedColumns(rules);
  const used = isTried ? rules : rules.filter((rule) => !(rule.do === "replace" && rule.isPattern));
  const change = createRowChange(used, inspection.dialect.isExact);
  const changed = samples.map((row) => {
    const cells = [...row];
    if (cells.length === header.length) change(cells);
    return cells;
  });
  return { ...inspection, header: [...header, ...added], columns: [...columns, ...added], samples: changed };
}
