import type { Problem, ProblemCode } from "../../core/contract/problems.ts";
import type { OnDuplicate } from "../../core/contract/records.ts";
import type { ColumnRule } from "./column-rules.ts";
import type { Corrections } from "./corrections.ts";
import type { Dialect } from "./dialect.ts";

/** Says whether rows only create, only update, or do both. */
export type UploadMode = "create" | "update" | "upsert";

/** Says what to do with one row, in files that say it for each row. */
export type RowMode = UploadMode | "delete";

/** Maps fields to ".", "," or both. */
export type DecimalSigns = Readonly<Record<string, string>>;

/** Holds what the user decided about a file. */
export interface Plan {
  dialect: Dialect;
  /** Names a field for each column of the file, and then for each that the rules add. */
  columns: readonly (string | null)[];
  /** Says when the service was last asked what it would do, by its own clock. Later changes of others are not overwritten. */
  previewedAt?: string;
  /** Says what is done with whole columns while rows are read, before everything else. */
  rules?: readonly ColumnRule[];
  mode: UploadMode;
  /** The unique fields that say which record a row means, with commas between; left out: the key. */
  matchBy?: string | undefined;
  /** Says what becomes of a row whose record is stored already, by the comparisons of the dictionary; left out: nobody asks. */
  onDuplicate?: OnDuplicate | undefined;
  /** The name of the recipe that it began with. */
  recipe?: string;
  /** Holds what the user corrected at the check. */
  fixes?: Corrections;
  /** Fields of number whose points are asked: nothing in the file says whether `50.000` is fifty or fifty thousand. The check finds them. */
  unsurePoints?: readonly string[];
  /** The decimal signs of clear numbers in the file, by field: "," beside 0,50. The check finds them. */
  decimalSigns?: DecimalSigns;
  /** The problem code of rows that could not be split into cells for another reason than quotation marks. */
  malformed?: "RECORD";
  /**
   * Holds by field the rows whose value breaks a rule and stands in the stored record already, as the bits of a RowSet. The service says
   * so during the check.
   */
  asStored?: Readonly<Record<string, readonly number[]>>;
  /** The rows that `fixes.repeats` leaves out, as the bits of a RowSet. The check finds them. */
  repeatsOut?: readonly number[] | undefined;
  /** An update takes away the stored value where the cell is empty, instead of keeping it: the row is the whole record. */
  clears?: true | undefined;
}

/** Names what a row that looks like no data may be: a heading again, units, a total, a note, a row of another table. */
export const SUSPECT_CODES = ["HEADING", "UNITS", "TOTAL", "NOTE", "TABLE"] as const;
export type SuspectCode = (typeof SUSPECT_CODES)[number];

/** Names the rule that warns behind a point; `WARNING.all` stands for all of them. */
export type WarningCode = `WARNING.${string}`;

export interface Suspect {
  code: SuspectCode;
  message: string;
}

/** The row has bytes that are not of the encoding, or is no record. */
export interface Unreadable {
  code: "BYTES" | "RECORD";
  message: string;
}

/** Says why a row is refused before its cells are read: a sentence about its quotation marks or its record, its bytes, or what it may be. */
export type Malformed = string | Unreadable | Suspect;

/**
 * A problem of a record, or of a whole row: then `field` is empty. CELLS: too few or too many cells; QUOTES: a mark that is not
 * closed; BYTES: not of the encoding; RECORD: not as the layout says, or no JSON object; DUPLICATE: an earlier row has the key; DAMAGED: a spreadsheet rounded digits away;
 * RULE and WARNING with the name of a rule behind a point, or those of a field and of its condition: each is a group of its own; LEFT_OUT: the user left the row out; SuspectCode: the row looks like no data.
 */
export interface RowProblem extends Omit<Problem, "code"> {
  code:
    | ProblemCode
    | `RULE.${string}`
    | WarningCode
    | "CELLS"
    | "QUOTES"
    | "BYTES"
    | "RECORD"
    | "DUPLICATE"
    | "DAMAGED"
    | "AMBIGUOUS"
    | "LEFT_OUT"
    | SuspectCode;
  /** A rule for values leaves the row out. */
  isOut?: true;
}
