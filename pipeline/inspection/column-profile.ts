// Reports what stands in each column of a file, and what a rule would change, in one pass each and in bounded memory.

import { type RowSource, rowsOf } from "../containers/row-source.ts";
import type { Clock } from "../model/clock.ts";
import { addedColumns, type ColumnRule } from "../model/column-rules.ts";
import { createRowChange } from "../reading/apply-column-rules.ts";
import { findSpellings, type Spellings } from "./spellings.ts";
import { type ColumnFix, type ColumnWatch, fixesOf, seeColumn, watchColumn } from "./spreadsheet-damage.ts";

export interface ColumnProfile {
  /** Rows in which the cell is not empty. */
  filled: number;
  /** Different values that are not empty, without spaces around them. */
  distinct: number;
  /** There are more than `distinct`; the others were not counted. */
  hasMore: boolean;
  /** The commonest values, at most SHOWN, the commonest first. With `hasMore`: of the values that came first. */
  commonest: { text: string; rows: number }[];
  /** Measures the cells that are not empty, in code units; 0 and 0 when there are none. */
  shortest: number;
  longest: number;
  /** Counts the cells of 1, 2, … characters; the last one counts all that are as long or longer. */
  lengths: number[];
  /** Counts the cells of two parts with one comma between, such as “Smith, Jo”. */
  inTwo: number;
  /** Holds values that are most likely one in several spellings. Empty until the file is read to its end. */
  spellings: Spellings[];
  /** Holds what can be done about its cells if they are text. */
  fixes: ColumnFix[];
}

export interface Profiled {
  rowsRead: number;
  isDone: boolean;
  columns: ColumnProfile[];
}

const MOST_VALUES = 200_000; // of all columns together
const MOST_OF_COLUMN = 10_000;
const MOST_CHARS = 100; // of a value that is counted; longer ones count by their beginning and length
const SHOWN = 8;
const IN_TWO = /^[^,\d]*\p{L}[^,\d]*,[^,\d]*\p{L}[^,\d]*$/u;
const FEW_VALUES = 1_000;
const LENGTHS = 32;
const POST_EVERY = 200; // ms

/** Yields what was found so far, at most five times a second, and at the end. Throws FileError. */
export async function* profileColumns(source: RowSource, clock: Pick<Clock, "now">): AsyncGenerator<Profiled> {
  let columns: ColumnCounter[] | undefined;
  let rowsRead = 0;
  let postedAt = clock.now();
  for await (const { header, rows, malformed } of rowsOf(source)) {
    columns ??= header.map(
      (_, at) => new ColumnCounter(at, Math.max(10, Math.min(MOST_OF_COLUMN, Math.floor(MOST_VALUES / header.length)))),
    );
    const sound = rows.filter((_, i) => !malformed.has(i));
    for (const column of columns) column.add(sound);
    rowsRead += rows.length;
    if (clock.now() - postedAt < POST_EVERY) continue;
    postedAt = clock.now();
    yield { rowsRead, isDone: false, columns: columns.map((column) => column.profile()) };
  }
  yield { rowsRead, isDone: true, columns: columns?.map((column) => ({ ...column.profile(), spellings: column.spellings() })) ?? [] };
}

class ColumnCounter {
  readonly #watch: ColumnWatch;
  readonly #most: number;
  readonly #values = new Map<string, number>();
  readonly #lengths = new Array<number>(LENGTHS).fill(0);
  #filled = 0;
  #hasMore = false;
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;
  #inTwo = 0;

  constructor(at: number, most: number) {
    this.#watch = watchColumn(at);
    this.#most = most;
  }

  add(rows: readonly (readonly string[])[]): void {
    seeColumn(this.#watch, rows);
    for (const cells of rows) this.#count(cells[this.#watch.at] ?? "");
  }

  #count(cell: string): void {
    const text = cell.trim();
    const { length } = text;
    if (length === 0) return;
    this.#filled++;
    if (length < this.#shortest) this.#shortest = length;
    if (length > this.#longest) this.#longest = length;
    if (IN_TWO.test(text)) this.#inTwo++;
    const at = Math.min(length, LENGTHS) - 1;
    this.#lengths[at] = (this.#lengths[at] as number) + 1;
    const value = length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}… (${length})` : text;
    const before = this.#values.get(value);
    if (before !== undefined) this.#values.set(value, before + 1);
    // It is a clone, because a cell from the parser keeps its whole block of text in memory.
    else if (this.#values.size < this.#most) this.#values.set(structuredClone(value), 1);
    else this.#hasMore = true;
  }

  /** Columns in which nearly every row has a value of its own, such as ids, are not looked through. */
  spellings(): Spellings[] {
    const isOfIds = this.#values.size > FEW_VALUES && this.#values.size > this.#filled / 2;
    return isOfIds ? [] : findSpellings(new Map([...this.#values].filter(([text]) => text.length <= MOST_CHARS)));
  }

  profile(): ColumnProfile {
    const commonest = [...this.#values]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([text, rows]) => ({ text, rows }));
    return {
      ...{ filled: this.#filled, distinct: this.#values.size, hasMore: this.#hasMore, commonest, longest: this.#longest },
      shortest: this.#filled > 0 ? this.#shortest : 0,
      lengths: [...this.#lengths],
      inTwo: this.#inTwo,
      spellings: [],
      fixes: fixesOf(this.#watch),
    };
  }
}

export interface RulePreview {
  rowsRead: number;
  isDone: boolean;
  /** Rows that the rule changes, or in which it gives an added column a value. */
  hits: number;
  /** The first of them: the cells before, and after it. */
  examples: { before: string; after: string[] }[];
}

const EXAMPLES = 5;
const EXAMPLE_CHARS = 120;

/** Reports what `rule` does to the rows as the plan's rules make them. Yields after the first block, then at most five times a second. */
export async function* previewRule(source: RowSource, rule: ColumnRule, clock: Pick<Clock, "now">): AsyncGenerator<RulePreview> {
  const change = createRowChange([rule], source.plan.dialect.isExact);
  const added = addedColumns([rule]).length;
  const from = "column" in rule ? rule.column : "columns" in rule ? (rule.columns[0] ?? -1) : -1;
  const examples: RulePreview["examples"] = [];
  let [rowsRead, hits, postedAt] = [0, 0, Number.NEGATIVE_INFINITY];
  const shown = (cell = "") => structuredClone(cell.slice(0, EXAMPLE_CHARS));
  for await (const { header, rows, malformed } of rowsOf(source)) {
    for (const [i, cells] of rows.entries()) {
      if (cells.length !== header.length || malformed.has(i)) continue;
      const before = cells[from] ?? "";
      change(cells);
      const after = added > 0 ? cells.slice(-added) : [cells[from] ?? ""];
      const isHit = added > 0 ? after.some((cell) => cell !== "") : after[0] !== before;
      if (!isHit) continue;
      hits++;
      if (examples.length < EXAMPLES) examples.push({ before: shown(before), after: after.map(shown) });
    }
    rowsRead += rows.length;
    if (clock.now() - postedAt < POST_EVERY) continue;
    postedAt = clock.now();
    yield { rowsRead, isDone: false, hits, examples: [...examples] };
  }
  yield { rowsRead, isDone: true, hits, examples };
}
