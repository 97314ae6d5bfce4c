// Keeps what the rows so far have in each column: whether it is filled, whether it holds numbers, and their sum.

const LEARNED_ROWS = 1000; // further rows change only the sums
const USUAL = 0.9; // of the rows
const MOST_SUMS = 8; // columns

interface Sum {
  column: number;
  all: number;
  /** Holds what `all` was at the last total. */
  before: number;
}

export class ColumnFacts {
  rows = 0;
  #partFrom = 0;
  readonly #filled: number[];
  readonly #values: number[];
  #sums: Sum[];

  constructor(width: number) {
    this.#filled = Array.from({ length: width }, () => 0);
    this.#values = Array.from({ length: width }, () => 0);
    this.#sums = Array.from({ length: width }, (_, column) => ({ column, all: 0, before: 0 }));
  }

  learn(cells: readonly string[]): void {
    this.rows++;
    this.#add(cells);
    if (this.rows > LEARNED_ROWS) return;
    for (let i = 0; i < this.#filled.length; i++) {
      const cell = cells[i];
      if (!isFilled(cell)) continue;
      (this.#filled[i] as number)++;
      if (isValue(cell)) (this.#values[i] as number)++;
    }
    if (this.rows === LEARNED_ROWS) this.#sums = this.#sums.slice(0, MOST_SUMS);
  }

  /** Is called after a total: the next one may be of the rows below it. */
  endPart(): void {
    this.#partFrom = this.rows;
    for (const sum of this.#sums) sum.before = sum.all;
  }

  /** Nearly every row has text in it. */
  isUsual(column: number): boolean {
    return this.rows > 0 && (this.#filled[column] as number) >= USUAL * Math.min(this.rows, LEARNED_ROWS);
  }

  /** Nearly every row has text behind the first column, apart from these last ones, which have none. */
  areMostlyWider(last: number): boolean {
    const rows = Math.min(this.rows - last, LEARNED_ROWS);
    return rows > 0 && this.#filled.some((filled, column) => column > 0 && filled >= USUAL * rows);
  }

  /** Nearly all its texts are numbers or dates. */
  isValues(column: number): boolean {
    return this.isUsual(column) && (this.#values[column] as number) >= USUAL * (this.#filled[column] as number);
  }

  /** Counts the empty cells of columns that nearly all rows fill, and these columns. */
  usual(cells: readonly string[]): { missing: number; of: number } {
    let [missing, of] = [0, 0];
    for (let i = 0; i < this.#filled.length; i++) {
      if (!this.isUsual(i)) continue;
      of++;
      if (!isFilled(cells[i])) missing++;
    }
    return { missing, of };
  }

  isSparse(cells: readonly string[]): boolean {
    return (!isFilled(cells[1]) || !isFilled(cells.at(-1))) && this.usual(cells).missing > 0;
  }

  lacksMany(cells: readonly string[]): boolean {
    const { missing, of } = this.usual(cells);
    return 2 * missing >= of && of > 1;
  }

  /** The cell is the sum, or the mean, of the column: of all rows, or of those since the last total. */
  isSum(column: number, cell: string | undefined): boolean {
    const sum = this.#sums.find((one) => one.column === column);
    const value = cell === undefined ? undefined : numberOf(cell);
    if (!sum || value === undefined || value === 0) return false;
    const part = sum.all - sum.before;
    const isPart = this.rows - this.#partFrom > 1 && (isNear(value, part) || isNear(value, part / (this.rows - this.#partFrom)));
    return isPart || (this.rows > 1 && (isNear(value, sum.all) || isNear(value, sum.all / this.rows)));
  }

  #add(cells: readonly string[]): void {
    const sums = this.#sums;
    for (let i = 0; i < sums.length; i++) {
      const sum = sums[i] as Sum;
      const cell = cells[sum.column];
      if (!cell) continue;
      const value = numberOf(cell);
      if (value !== undefined) sum.all += value;
      else sums.splice(i--, 1); // a column with other text has no sum
    }
  }
}

export function isFilled(cell: string | undefined): cell is string {
  return cell !== undefined && cell !== "" && cell.trim() !== "";
}

const VALUE = /^\s*[+-]?[€$£]?\s?\d[\d.,:/' T+Z-]*\s?[€$£%]?\s*$/; // a number, an amount, a date

export function isValue(cell: string): boolean {
  return VALUE.test(cell);
}

function isNear(value: number, sum: number): boolean {
  return Math.abs(value - sum) <= 0.001 * Math.abs(sum);
}

/** Returns undefined for what is no number. The last of several marks is the decimal one. */
function numberOf(cell: string): number | undefined {
  const plain = Number(cell);
  if (!Number.isNaN(plain)) return plain;
  const bare = /^\s*[€$£]?\s?([+-]?\d[\d.,' ]*)\s?(?:[€$£%]|EUR|USD)?\s*$/.exec(cell)?.[1]?.replace(/[' ]/g, "");
  if (bare === undefined) return undefined;
  const decimal = bare.lastIndexOf(",") > bare.lastIndexOf(".") ? "," : ".";
  const isGrouped = decimal === "," && /^[+-]?\d{1,3}(,\d{3}){2,}$/.test(bare);
  const value = Number(isGrouped ? bare.replaceAll(",", "") : bare.replaceAll(decimal === "," ? "." : ",", "").replace(",", "."));
  return Number.isNaN(value) ? undefined : value;
}
