import type { Problem, ProblemCode } from "../../core/contract/problems.ts";
import type { Corrections } from "./corrections.ts";
import type { Dialect } from "./dialect.ts";

/** create only · update only · create or update */
export type UploadMode = "create" | "update" | "upsert";

/** What one row means, where a file says it of each. */
export type RowMode = UploadMode | "delete";

/** What the user decided about a file. */
export interface Plan {
  dialect: Dialect;
  columns: readonly (string | null)[];
  mode: UploadMode;
  /** What was mended at the check. */
  fixes?: Corrections;
  /** How a row is called that could not be cut into cells, where no quotation marks are to blame. */
  malformed?: "RECORD";
}

/**
 * A problem of a record, or of the row as such: then `field` is empty. CELLS: too few or too many; QUOTES: marks that do
 * not close; RECORD: not as its layout says; DUPLICATE: an earlier row has the key; DAMAGED: digits that a spreadsheet rounded away; LEFT_OUT: the user's wish.
 */
export interface RowProblem extends Omit<Problem, "code"> {
  code: ProblemCode | "CELLS" | "QUOTES" | "RECORD" | "DUPLICATE" | "DAMAGED" | "LEFT_OUT";
  /** The remedies that would mend the cell, as bits; only when asked for. */
  autoFixes?: number;
}
