// Rows that another computer did not store, as a file that can be corrected and sent again into the same run.

import type { Run, RunRow } from "../../core/contract/runs.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { BOM, csvLine, guardFormula } from "../../core/text/csv.ts";
import { REASON_HEADING, ROW_HEADING } from "../mapping/match-columns.ts";
import type { Plan } from "../model/plan.ts";
import type { SentAgain } from "../sending/journal.ts";

export interface RowsToSend {
  file: File;
  /** Says what a row means, and which field each column fills. */
  plan: Omit<Plan, "dialect">;
  again: SentAgain;
}

/** Rows in doubt stay out: they may be stored, and another key would not know it. Undefined when none is left. */
export function rowsAsFile({ id, fileName, round, meaning }: Run, rows: readonly RunRow[], collection: Collection): RowsToSend | undefined {
  const sent = rows.filter(({ outcome }) => outcome !== "inDoubt");
  if (sent.length === 0) return undefined;
  const names = [...new Set(sent.flatMap(({ values }) => Object.keys(values)))].filter((name) => collection.byName.has(name));
  const titles = names.map((name) => collection.byName.get(name)?.title ?? name);
  const headings = titles.map((title, i) => (titles.indexOf(title) === titles.lastIndexOf(title) ? title : (names[i] as string)));
  const lines = [
    csvLine([t(REASON_HEADING), t(ROW_HEADING), ...headings]),
    ...sent.map(({ reason, row, values }) =>
      csvLine([reason ?? "", String(row), ...names.map((name) => values[name] ?? "")].map((cell) => guardFormula(cell))),
    ),
  ];
  const { mode, matchBy, clears } = meaning;
  return {
    file: new File([BOM, ...lines], fileName.replace(/(\.[^.]*)?$/, ".csv"), { type: "text/csv" }),
    plan: { columns: [null, null, ...names], mode, ...(matchBy && { matchBy: matchBy.join(",") }), ...(clears && { clears: true }) },
    again: { run: id, round: round + 1, fileName, rows: sent.map(({ row }) => row) },
  };
}
