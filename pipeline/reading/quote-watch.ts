// Counts the rows whose quotation marks look wrong, and what another way to read the marks would make of them.

import type { RowDialect } from "../model/dialect.ts";
import type { QuoteFix, StrayQuotes } from "./stray-quotes.ts";
import { areRows, countFixed, RowProfile } from "./swallowed-rows.ts";

export class QuoteWatch {
  /** Counts the cells of the heading. */
  width = 0;
  readonly #dialect: RowDialect;
  readonly #profile = new RowProfile();
  readonly #fixes: QuoteFix[] = [
    { quote: "backslash", rows: 0, into: 0 },
    { quote: "lines", rows: 0, into: 0 },
  ];
  #first: Pick<StrayQuotes, "line" | "through"> | undefined;
  #rows = 0;
  #hasLineBreaks = false; // in cells that are right, which a reading by lines would cut

  constructor(dialect: RowDialect) {
    this.#dialect = dialect;
  }

  /** Learns from a row that is right and on one line. */
  learn(cells: readonly string[]): void {
    this.#profile.learn(cells);
  }

  /** Looks at a row that the parser reported, or one on several lines: its lines as in the file, and the number of the first. */
  see(lines: readonly string[], line: number, isWrong: boolean): void {
    const { width } = this;
    const { delimiter, quote } = this.#dialect;
    if (!isWrong && !areRows(lines, delimiter, width, this.#profile)) {
      this.#hasLineBreaks = true;
      return;
    }
    this.#first ??= { line, through: line + lines.length - 1 };
    this.#rows++;
    for (const fix of this.#fixes) {
      const into = quote === '"' ? countFixed(lines, fix.quote, { delimiter, width }) : undefined;
      if (into === undefined) continue;
      fix.rows++;
      fix.into += into;
    }
  }

  get found(): StrayQuotes | undefined {
    if (!this.#first) return undefined;
    const fix = this.#fixes.find((one) => one.rows > 0 && (one.quote === "backslash" || !this.#hasLineBreaks));
    return { ...this.#first, rows: this.#rows, ...(fix && { fix: { ...fix } }) };
  }
}
