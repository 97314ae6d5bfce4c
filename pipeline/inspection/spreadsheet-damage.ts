// Finds what other programs did to cells: lost digits, numbers turned into dates, letters read in a wrong encoding.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { message, t, tCount, tNumber } from "../../core/i18n/translate.ts";
import type { ColumnRule } from "../model/column-rules.ts";

export interface DamageWatch {
  /** Reads the columns that hold text. */
  see(rows: readonly (readonly string[])[]): void;
  /** Reads the ids of a row that fails the check, because a damaged id fails it. */
  seeBad(cells: readonly string[]): void;
  /** Returns one sentence for each kind of damage in each column. */
  notes(): string[];
}

type Damage = "digits" | "date" | "error" | "narrow" | "misread" | "missing";

/** Holds what is found in one column, whatever its field. */
export interface ColumnWatch {
  at: number;
  found: Map<Damage, { count: number; example: string }>;
  /** Texts that stand for no value. */
  missing: Set<string>;
  /** Counts by width the cells of digits only, and those of them that begin with a zero. */
  digits: number[];
  zeros: number[];
  /** Holds by width the first cell of digits that does not begin with a zero. */
  short: Map<number, string>;
}

interface Watched extends ColumnWatch {
  field: Field;
}

export function watchColumn(at: number): ColumnWatch {
  return { at, found: new Map(), missing: new Set(), digits: counts(), zeros: counts(), short: new Map() };
}

/**
 * Watches columns of text, which loses zeros or turns into dates, and of whole numbers, which are ids and lose digits. Other kinds need
 * no watching: their check finds damage.
 */
export function watchDamage(collection: Collection, columns: readonly (string | null)[]): DamageWatch {
  const watched = columns.flatMap((name, at): Watched[] => {
    const field = collection.byName.get(name ?? "");
    return field && (KIND_TRAITS[field.kind].isText || KIND_TRAITS[field.kind].isWhole) ? [{ ...watchColumn(at), field }] : [];
  });
  const watchedTexts = watched.filter(({ field }) => KIND_TRAITS[field.kind].isText);
  let texts = watchedTexts;
  let rowsSeen = 0;
  const ids = watched.filter(({ field }) => KIND_TRAITS[field.kind].isWhole);
  return {
    see(rows) {
      for (const column of texts) seeColumn(column, rows);
      if (rowsSeen < QUIET_ROWS) for (const column of watchedTexts) seeMisread(column, rows);
      if (rowsSeen < QUIET_ROWS && rowsSeen + rows.length >= QUIET_ROWS) texts = texts.filter(hasFigures);
      rowsSeen += rows.length;
    },
    seeBad(cells) {
      for (const column of ids) seeColumn(column, [cells]);
    },
    notes: () => watched.flatMap(notesOf),
  };
}

/** A column with no digits in so many rows is watched no further, and no column for misread letters, because that saves time. */
const QUIET_ROWS = 20_000;

function hasFigures({ digits, found }: Watched): boolean {
  return found.size > 0 || digits.some((count) => count > 0);
}

const LONGEST = 32; // characters; a longer cell is no number

const counts = () => new Array<number>(LONGEST + 1).fill(0);

const [HASH, PARENTHESIS, MINUS] = [35, 40, 45];
const ZERO = 48;
const NINE = 57;

/** Runs for every cell of a file, column by column. Most need only their first character. */
export function seeColumn(column: ColumnWatch, rows: readonly (readonly string[])[]): void {
  const { at } = column;
  for (let i = 0; i < rows.length; i++) {
    const cell = (rows[i] as readonly string[])[at];
    if (!cell) continue;
    const first = cell.charCodeAt(0);
    if (first > NINE) {
      if (cell.length === 6 && cell.charCodeAt(3) === MINUS && MONTH_YEAR.test(cell)) add(column, "date", cell);
      else if (MISSING_FIRST.includes(cell[0] as string)) noteMissing(column, cell);
    } else if (first >= ZERO) seeDigits(column, cell);
    else if (first === HASH) noteHash(column, cell);
    else if (first === MINUS || first === PARENTHESIS) noteMissing(column, cell);
  }
}

/** Holds what programs write where a value lacks. “None”, “Null” and “Na” may be names, so as words they are none of these. */
const MISSING =
  /^(?:NULL|null|NaN|\\N|[-–—]{1,3}|[Nn](?:\/[AaVv]|\. ?[Aa]\.)|[(<](?:NULL|null|Null)[)>]|[Kk]\. ?[Aa]\.|[Kk]eine Angabe)\s*$/;
const MISSING_FIRST = "nNkK<\\–—";
const LONGEST_MISSING = 16; // characters

function noteMissing(column: ColumnWatch, cell: string): void {
  if (cell.length > LONGEST_MISSING || !MISSING.test(cell)) return;
  add(column, "missing", cell);
  column.missing.add(` ${cell.trim()}`.slice(1));
}

/** UTF-8 that was read as Windows-1252 and saved again: “Müller” has become “MÃ¼ller”. No language has these pairs. */
const MISREAD = /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[\u00a0-\u00bf]|â€[\u0090-\u009f™œ˜“”¦š]/;

function seeMisread(column: ColumnWatch, rows: readonly (readonly string[])[]): void {
  for (const cells of rows) {
    const cell = cells[column.at];
    if (cell && MISREAD.test(cell)) add(column, "misread", cell.slice(0, 40));
  }
}

function seeDigits(column: ColumnWatch, cell: string): void {
  if (cell.length > LONGEST) return;
  let end = 1;
  for (let code = cell.charCodeAt(end); code >= ZERO && code <= NINE; code = cell.charCodeAt(end)) end++;
  const width = cell.length;
  if (end < width) {
    if (end <= 2 && DAY_MONTH.test(cell)) add(column, "date", cell);
    else if (end === 1 && SCIENTIFIC.test(cell)) add(column, "digits", cell);
    return;
  }
  column.digits[width] = (column.digits[width] ?? 0) + 1;
  if (cell.charCodeAt(0) === ZERO && width > 1) column.zeros[width] = (column.zeros[width] ?? 0) + 1;
  else if (!column.short.has(width)) column.short.set(width, ` ${cell}`.slice(1)); // a copy, because a slice would keep its block of text in memory
}

// These are written as spreadsheets write them: 5.58E+12, 1-Mar and Mar-01, with the month names of common languages.
const MONTH =
  "(?:jan|janv|ene|gen|feb|febr|fév|févr|mar|mär|mrz|mrt|mars|apr|avr|abr|may|mai|mei|mag|maj|jun|juin|giu|jul|juil|lug|aug|août|ago|sep|sept|set|oct|okt|ott|out|nov|dec|dez|déc|dic)";
const DAY_MONTH = new RegExp(`^(?:\\d{1,2}-${MONTH}\\.?|\\d{1,2}\\. ?${MONTH}\\.?)$`, "i");
const MONTH_YEAR = new RegExp(`^${MONTH}-\\d{2}$`, "i");
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d{2,3}$/;
const ERRORS =
  /^#(?:REF|FORMULA|CALC|SPILL|NAME|VALUE|NULL|NUM|BEZUG|WERT|ZAHL|VALEUR|NOMBRE|VERW|WAARDE|GETAL|¡VALOR)[!?]$|^#(?:N\/A|NV|N\/B|NAME\?|NOM\?|DIV\/0!|DEEL\/0!)$/i;

/** `#REF!`, `#N/A` and the like, in the languages in which spreadsheets write them; also a formula without a result. */
export function isSpreadsheetError(cell: string): boolean {
  return cell.charCodeAt(0) === HASH && ERRORS.test(cell);
}

function noteHash(column: ColumnWatch, cell: string): void {
  if (/^#{4,}$/.test(cell)) add(column, "narrow", cell.slice(0, 12));
  else if (ERRORS.test(cell)) add(column, "error", cell);
}

function add({ found }: ColumnWatch, damage: Damage, example: string): void {
  const known = found.get(damage);
  if (known) known.count++;
  else found.set(damage, { count: 1, example: ` ${example}`.slice(1) });
}

const TEXT_EXPORT = message("Ask for an export with this column as text.");
/** Says it for one cell and for several, and says what to do. */
const WORDS: Record<Damage, [one: string, other: string, whatToDo: string]> = {
  digits: [
    message("{title}: {cells} was shortened by a spreadsheet; the other digits are lost."),
    message("{title}: {cells} were shortened by a spreadsheet; the other digits are lost."),
    TEXT_EXPORT,
  ],
  date: [
    message("{title}: {cells} was turned into a date by a spreadsheet; the original is lost."),
    message("{title}: {cells} were turned into dates by a spreadsheet; the originals are lost."),
    TEXT_EXPORT,
  ],
  error: [
    message("{title}: {cells} is a spreadsheet error; the value is not in this file."),
    message("{title}: {cells} are spreadsheet errors; the values are not in this file."),
    message("Correct the formula there and export again."),
  ],
  misread: [
    message("{title}: {cells} was read in a wrong encoding by another program and saved that way."),
    message("{title}: {cells} were read in a wrong encoding by another program and saved that way."),
    message("Ask for a new export from the program that the file comes from."),
  ],
  missing: [
    message("{title}: {cells} says that there is no value, and is read as a text."),
    message("{title}: {cells} say that there is no value, and are read as texts."),
    message("The step “Columns” of an upload can empty such cells."),
  ],
  narrow: [
    message("{title}: {cells} comes from a column that was too narrow; the value is not in this file."),
    message("{title}: {cells} come from a column that was too narrow; the values are not in this file."),
    message("Widen it there and export again."),
  ],
};

function cellsLike(n: number, example: string): string {
  return n === 1 ? t("“{name}”", { name: example }) : t("{n} cells such as “{example}”", { n: tNumber(n), example });
}

function notesOf(column: Watched): string[] {
  const { field, found } = column;
  const notes = [...found].map(([damage, { count, example }]) => {
    const [one, other, autoFix] = WORDS[damage];
    return `${t(count === 1 ? one : other, { title: field.title, cells: cellsLike(count, example) })} ${t(autoFix)}`;
  });
  const lost = KIND_TRAITS[field.kind].isText ? noteZeros(column) : undefined;
  return lost ? [...notes, lost] : notes;
}

const LEAST_PADDED = 0.01; // of the numbers of a column; fewer do not say how the others were written

/** Cells that have probably lost zeros: shorter ones in a column whose others are padded with zeros to one width. */
function lostZeros({ digits, zeros, short }: ColumnWatch): { lost: number; width: number; example: string } | undefined {
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const padded = sum(zeros);
  const width = zeros.findIndex((count) => count > 0 && count >= 0.9 * padded);
  if (width < 2 || padded < Math.max(2, LEAST_PADDED * sum(digits))) return undefined;
  let lost = 0;
  for (let i = 1; i < width; i++) lost += (digits[i] ?? 0) - (zeros[i] ?? 0);
  return lost === 0 ? undefined : { lost, width, example: [...short].find(([length]) => length < width)?.[1] ?? "" };
}

function noteZeros({ field, ...column }: Watched): string | undefined {
  const found = lostZeros(column);
  if (!found) return undefined;
  const { lost, width, example } = found;
  const sentence = tCount(
    lost,
    "{title}: {cells} has fewer digits than the others, which are padded with zeros to {width}; a spreadsheet may have removed zeros.",
    "{title}: {cells} have fewer digits than the others, which are padded with zeros to {width}; a spreadsheet may have removed zeros.",
    { title: field.title, cells: cellsLike(lost, example), width },
  );
  return `${sentence} ${t(TEXT_EXPORT)} ${t("The step “Columns” of an upload can put the zeros back.")}`;
}

/** Holds what can be done about cells of a column of text, all at once. `example` is one of `rows`, and becomes `to`. */
export interface ColumnFix {
  rules: ColumnRule[];
  rows: number;
  example: string;
  to: string;
}

/** Empties cells that say that there is no value, and fills up cells that have lost zeros. Each pattern fits those cells alone. */
export function fixesOf(column: ColumnWatch): ColumnFix[] {
  const replace = (find: string, to: string): ColumnRule => ({
    ...{ do: "replace", column: column.at, find, to, isPattern: true, ignoresCase: false },
  });
  const fixes: ColumnFix[] = [];
  const missing = column.found.get("missing");
  if (missing) {
    const texts = [...column.missing].map((text) => text.replace(/[\\().|/]/g, "\\$&")).join("|");
    fixes.push({ rules: [replace(`^(?:${texts})\\s*$`, "")], rows: missing.count, example: missing.example, to: "" });
  }
  const zeros = lostZeros(column);
  if (zeros) {
    const { lost, width, example } = zeros;
    const rules = column.digits.flatMap((count, n) =>
      n > 0 && n < width && count > 0 ? [replace(`^[1-9]\\d{${n - 1}}$`, `${"0".repeat(width - n)}$&`)] : [],
    );
    fixes.push({ rules, rows: lost, example, to: example.padStart(width, "0") });
  }
  return fixes;
}
