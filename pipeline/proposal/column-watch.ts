// Watches one column of a file for what its field may be, in bounded memory.

import { isProblem, validateValue } from "../../core/dictionary/validate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { isSpreadsheetError } from "../inspection/spreadsheet-damage.ts";
import type { Dialect } from "../model/dialect.ts";
import { KeySet } from "../model/key-set.ts";
import { fixCell } from "../model/value-fixes.ts";
import {
  bareField,
  clockReader,
  dateReader,
  formatReader,
  momentReader,
  NumberReader,
  type ValueReader,
  YesNoReader,
} from "./value-readers.ts";

const TEXT = bareField("string");
const LINES = bareField("string", { format: "multiline" });
const INTEGER = bareField("integer");
const MOST_CHARS = 100; // of a value that is remembered
const SAMPLES = 3;

export class ColumnWatch {
  readonly #dialect: Dialect;
  readonly #most: number;
  readonly #keys = new KeySet();
  readonly #readers: readonly ValueReader[];
  /** Each different value and how often it stands there, up to a bound. */
  readonly values = new Map<string, number>();
  hasMore = false;
  /** Cells with a value, and those of them that say that there is none, such as "n/a". */
  filled = 0;
  words = 0;
  /** Cells with an error of a spreadsheet; they have no value that anybody could store. */
  errors = 0;
  longest = 0; // characters
  hasLines = false;
  hasHidden = false;
  /** Every value so far is a whole number from 1, and none stands there twice. */
  isKey = true;
  readonly samples: string[] = [];
  readonly number: NumberReader;
  readonly yesNo = new YesNoReader();
  readonly date;
  readonly moment;
  readonly clock = clockReader();
  readonly email = formatReader("email");
  readonly uri = formatReader("uri", /^(?:https?:\/\/|www\.)/i);
  readonly phone = formatReader("phone");
  readonly international = formatReader("phone", /^\+/);

  /** `most`: of the different values that are remembered. `zone`: of times that say none. */
  constructor(dialect: Dialect, most: number, zone: string) {
    this.#dialect = dialect;
    this.#most = most;
    this.number = new NumberReader(dialect);
    this.date = dateReader(dialect.is1904 === true);
    this.moment = momentReader(zone, dialect.is1904 === true);
    this.#readers = [this.yesNo, this.date, this.moment, this.clock, this.number, this.email, this.uri, this.phone, this.international];
  }

  see(given: string): void {
    const cell = plainCell(given, this.#dialect.isExact).trim();
    if (cell === "") return;
    if (isSpreadsheetError(cell)) {
      this.errors++;
      return;
    }
    const text = this.#asText(cell);
    if (text === "") return;
    this.filled++;
    if (text.length > this.longest) this.longest = Math.max(this.longest, [...text].length); // code points are never more than units
    this.#remember(text);
    if (fixCell("empty", TEXT, cell) === null) {
      this.words++;
      this.isKey = false;
      return;
    }
    this.isKey &&= this.#isNewKey(validateValue(INTEGER, cell, "text"));
    for (const reader of this.#readers) reader.see(cell);
  }

  /** Cells whose value is not said to be none. */
  get meant(): number {
    return this.filled - this.words;
  }

  #isNewKey(key: unknown): boolean {
    return typeof key === "number" && key > 0 && this.#keys.add(key);
  }

  /** Returns the text as a field of text stores it. */
  #asText(cell: string): string {
    if (/[\r\n]/.test(cell)) this.hasLines = true;
    const field = /[\r\n]/.test(cell) ? LINES : TEXT;
    const value = validateValue(field, cell, "text");
    if (!isProblem(value)) return String(value ?? "");
    this.hasHidden = true;
    return String(fixCell("hidden", field, cell) ?? "");
  }

  #remember(text: string): void {
    if (this.samples.length < SAMPLES && !this.samples.includes(text)) this.samples.push(structuredClone(text.slice(0, MOST_CHARS)));
    const before = this.values.get(text);
    if (before !== undefined) this.values.set(text, before + 1);
    // It is a clone, because a cell from the parser keeps its whole block of text in memory.
    else if (this.values.size < this.#most && text.length <= MOST_CHARS) this.values.set(structuredClone(text), 1);
    else this.hasMore = true;
  }
}
