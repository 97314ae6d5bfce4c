// Names rows that look like no data: a heading again, units, totals, notes, another table. They are refused.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Malformed, Suspect } from "../model/plan.ts";
import { ColumnFacts, isFilled, isValue } from "./column-facts.ts";
import type { RowBlock } from "./csv-rows.ts";
import { countInside } from "./lines.ts";
import { isTotal, mayBeTotal } from "./total-rows.ts";

/**
 * Yields the same blocks, with suspect rows among the malformed ones. One block is held back, because notes stand at the end of a file.
 * Rows that are malformed already stay so.
 */
export async function* nameSuspects(blocks: AsyncIterable<RowBlock>): AsyncGenerator<RowBlock> {
  let watch: SuspectWatch | undefined;
  let held: RowBlock[] = []; // one with rows, and empty ones behind it
  for await (const block of blocks) {
    watch ??= new SuspectWatch(block.header);
    if (block.rows.length > 0) {
      yield* held;
      held = [];
    }
    held.push(watch.see(block));
  }
  const [last, ...empty] = held;
  if (last && watch) yield watch.seeEnd(last);
  yield* empty;
}

const NEXT_ROWS = 30; // below a row, by which it is compared
const HEADING_CHARS = 60;

class SuspectWatch {
  readonly #header: readonly string[];
  readonly #folded: readonly string[];
  readonly #headed: number;
  readonly #facts: ColumnFacts;
  /** The row before, and its line. */
  #before: readonly string[] | undefined;
  #line = 0;
  /** Only headings and units came so far. */
  #isTop = true;
  /** An empty line came, and since then only notes. */
  #isAfterGap = false;
  /** The line of the heading of another table. */
  #table: number | undefined;

  constructor(header: readonly string[]) {
    this.#header = header.map((heading) => heading.trim());
    this.#folded = header.map(folded);
    this.#headed = this.#header.filter(isFilled).length;
    this.#facts = new ColumnFacts(header.length);
  }

  see(block: RowBlock): RowBlock {
    const { rows, lines, malformed } = block;
    let named: Map<number, Malformed> | undefined;
    for (let i = 0; i < rows.length; i++) {
      const cells = rows[i] as string[];
      const line = lines[i] as number;
      if (this.#before && line !== this.#line + 1 && line > this.#line + countInside(this.#before) + 1) this.#isAfterGap = true;
      this.#before = cells;
      this.#line = line;
      if (malformed.has(i)) continue;
      const suspect = this.#suspectOf(cells, line, rows, i);
      if (suspect) {
        named ??= new Map(malformed);
        named.set(i, suspect);
        continue;
      }
      this.#isTop = false;
      this.#isAfterGap = false;
      this.#facts.learn(cells);
    }
    return named ? { ...block, malformed: named } : block;
  }

  /** Names, in the last block, the notes at its end. */
  seeEnd(block: RowBlock): RowBlock {
    const { rows, malformed } = block;
    const notes: number[] = [];
    for (let i = rows.length - 1; i > 0; i--) {
      if (malformed.has(i)) continue;
      const cells = rows[i] as string[];
      const isCut = cells.length < this.#header.length && !cells[0]?.trim().includes(" "); // perhaps a row whose end is lost
      if (!isAlone(cells) || isCut) break;
      notes.push(i);
    }
    if (notes.length === 0 || !this.#facts.areMostlyWider(notes.length)) return block;
    return { ...block, malformed: new Map([...malformed, ...notes.map((i) => [i, note()] as const)]) };
  }

  #suspectOf(cells: readonly string[], line: number, rows: readonly string[][], at: number): Suspect | undefined {
    if (this.#isHeading(cells)) {
      const isSecond = this.#isTop;
      this.#table = undefined;
      return isSecond ? secondHeading() : { code: "HEADING", message: t("The row repeats the heading.") };
    }
    if (this.#table !== undefined) return otherTable(this.#table);
    if (mayBeTotal(cells, this.#facts) && isTotal(cells, this.#facts)) {
      this.#facts.endPart();
      return { code: "TOTAL", message: t("The row looks like a total.") };
    }
    if (this.#isTop) return this.#belowHeading(cells, rows.slice(at + 1, at + 1 + NEXT_ROWS));
    if (this.#isAfterGap && this.#beginsTable(cells)) {
      this.#table = line;
      return otherTable(line);
    }
    const isNote = cells[0] !== "" && this.#facts.isSparse(cells) && this.#isNote(cells);
    return isNote && (this.#isAfterGap || NOTE_BEGINS.test(cells[0]?.trim() ?? "")) ? note() : undefined;
  }

  /** At least two cells and half of them are as in the heading; further down exactly so. */
  #isHeading(cells: readonly string[]): boolean {
    const header = this.#header;
    if (header.length === 1) return cells.length === 1 && cells[0] === header[0];
    if (!this.#isTop && !mayBeSame(cells[0], header[0]) && !mayBeSame(cells[1], header[1])) return false;
    let same = 0;
    for (let i = 0; i < header.length; i++) {
      const cell = cells[i]?.trim();
      if (cell && (cell === header[i] || (this.#folded[i] !== "" && folded(cell) === this.#folded[i]))) same++;
    }
    return same >= 2 && 2 * same >= this.#headed;
  }

  /** Words above numbers: units, or other names of the columns. */
  #belowHeading(cells: readonly string[], below: readonly (readonly string[])[]): Suspect | undefined {
    if (cells.length > this.#header.length) return undefined;
    let [contrasts, numeric, filled, shorts] = [0, 0, 0, 0];
    for (let i = 0; i < this.#header.length; i++) {
      const cell = cells[i]?.trim() ?? "";
      const isNumeric = isValueColumn(below, i);
      if (isNumeric) numeric++;
      if (cell === "") continue;
      filled++;
      if (isUnit(cell) || cell === "-" || cell === "–") shorts++;
      if (!isNumeric) continue;
      if (isValue(cell) || MISSING.test(cell) || (HAS_DIGIT.test(cell) && !isUnit(cell))) return undefined;
      contrasts++;
    }
    const areUnits = filled > 0 && shorts === filled && cells.some((cell) => isUnit(cell.trim()));
    if (areUnits && below.length > 0 && contrasts > 0) return units();
    if (areUnits && this.#hasEmpty(cells, below) && cells.every((cell) => cell.length !== 1)) return units();
    if (contrasts === 0 || below.length === 0) return undefined;
    if (filled === contrasts && numeric < this.#header.length && this.#hasEmpty(cells, below) && cells.every(isShort)) {
      return units();
    }
    const isNamed = filled >= this.#headed && contrasts === numeric && (contrasts >= 2 || 2 * contrasts >= this.#header.length);
    return isNamed && areNames(cells) && !isSeenBelow(cells, below) ? secondHeading() : undefined;
  }

  #hasEmpty(cells: readonly string[], below: readonly (readonly string[])[]): boolean {
    return this.#header.some((_, i) => !isFilled(cells[i]) && below.every((row) => isFilled(row[i])));
  }

  /** Names without digits, where the rows above have numbers. */
  #beginsTable(cells: readonly string[]): boolean {
    const named = cells.filter(isFilled);
    if (named.length < 2 || cells.slice(0, named.length).some((cell) => !isFilled(cell)) || !areNames(named)) return false;
    return cells.some((cell, i) => isFilled(cell) && this.#facts.isValues(i)) || this.#facts.lacksMany(cells);
  }

  /** Is true of text in the first cell alone, where other rows have more. */
  #isNote(cells: readonly string[]): boolean {
    const isShort = isAlone(cells) || (NOTE_BEGINS.test(cells[0]?.trim() ?? "") && cells.filter(isFilled).length === 2);
    return isShort && this.#header.length > 1 && this.#facts.isSparse(cells);
  }
}

function note(): Suspect {
  return { code: "NOTE", message: t("The row looks like a note: only its first cell has text.") };
}

function units(): Suspect {
  return { code: "UNITS", message: t("The row looks like units below the heading.") };
}

function secondHeading(): Suspect {
  return { code: "HEADING", message: t("The row looks like a second heading.") };
}

function otherTable(line: number): Suspect {
  return { code: "TABLE", message: t("The row belongs to another table, which begins on line {line}.", { line: tNumber(line) }) };
}

const HAS_DIGIT = /\d/;
const HAS_LETTER = /\p{L}/u;
const MISSING = /^(?:n\/?a|none|null|nil|unknown|missing|k\.?\s?a\.?|keine?|unbekannt|leer|tbd|\?+|x+|-+)$/i;
const NOTE_BEGINS =
  /^(?:source|sources|quellen?|notes?|hinweise?|anmerkungen?|bemerkung|stand|fu(?:ß|ss)note|footnote|legende?|copyright|generated|created (?:on|by|at)|exported|printed|erstellt|exportiert|gedruckt|end of (?:file|report|list)|ende der|page \d|seite \d)\b|^(?:©|\*|†|\(c\) )/i;
const UNIT =
  /^(?:[[(<{].{1,20}[\])>}]|%|‰|°[cfk]?|[€$£¥]|eur|usd|gbp|chf|jpy|euro?s?|teur|[kmµdc]?m[²³23]?|[kmµ]?g|t|to|lbs?|oz|ft|in|inch|yd|mi|[kmcdhµ]?l|[mµn]?s|sec|min|h|hrs?|d|days?|tage?|wk|months?|monate?|years?|jahre?|k?w|k?wh|mwh|k?v|m?a|hz|[kmg]hz|[kmgt]i?b|k?j|k?cal|k?pa|bar|psi|n|nm|km\/h|m\/s|mph|[a-zµ]{1,4}\/[a-z²³0-9]{1,4}|pcs\.?|pc|stk\.?|st(?:ü|ue)ck|units?|text|string|varchar(?:\(\d+\))?|integer|int|number|numeric|decimal|float|boolean|date|datetime)$/i;

/** Is a quick test that nearly all cells fail. */
function mayBeSame(cell: string | undefined, heading: string | undefined): boolean {
  if (!cell || !heading || Math.abs(cell.length - heading.length) > 3) return false;
  return cell === heading || (cell.charCodeAt(0) | 32) === (heading.charCodeAt(0) | 32); // 32: in capitals or not
}

/** Is true of text in the first cell, and in no other. */
function isAlone(cells: readonly string[]): boolean {
  return HAS_LETTER.test(cells[0] ?? "") && !cells.some((cell, i) => i > 0 && isFilled(cell));
}

function isUnit(cell: string): boolean {
  return UNIT.test(cell);
}

function isShort(cell: string): boolean {
  return cell.length <= 12;
}

/** Is true of different texts without digits, none of them long. */
function areNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter(isFilled);
  return (
    new Set(names).size === names.length &&
    names.every(
      (name) =>
        name.length <= HEADING_CHARS && HAS_LETTER.test(name) && !HAS_DIGIT.test(name) && !MISSING.test(name) && !name.includes("@"),
    )
  );
}

function isValueColumn(below: readonly (readonly string[])[], column: number): boolean {
  let filled = 0;
  for (const cells of below) {
    const cell = cells[column];
    if (!cell) continue;
    if (!isValue(cell)) return false;
    filled++;
  }
  return 2 * filled >= below.length; // also of a file without other rows, such as one of rows that were not stored
}

function isSeenBelow(cells: readonly string[], below: readonly (readonly string[])[]): boolean {
  return cells.some((cell, i) => isFilled(cell) && below.some((row) => row[i] === cell));
}

/** A heading may be written with spaces, marks and other letters: “Object ID” and “objectId”. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
