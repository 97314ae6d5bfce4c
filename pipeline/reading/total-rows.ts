// Finds out whether a row holds totals of the rows above it.

import { type ColumnFacts, isFilled } from "./column-facts.ts";

const WORD =
  "(?:(?:grand|sub|net|overall|final)[ -]?totals?|totals?|sums?|(?:zwischen|gesamt|end|teil)?summen?|gesamt(?:betrag|anzahl|zahl|ergebnis|wert)?|insgesamt|ergebnis|total g[ée]n[ée]ral|sous[ -]total|somme|totale|subtotale|suma|totaal|razem|итого|всего|averages?|mean|durchschnitt|mittelwert)";
/** The word alone, or with a year, a number or brackets behind it. */
const LABEL = new RegExp(`^${WORD}(?:\\s*\\(.{0,30}\\))?\\s*[:=]?\\s*[\\d.,' ]*(?:\\s?[€$£%]|\\s[A-Z]{3})?\\s*[:=]?$`, "iu");
/** “Total customers: 12”. */
const COUNTED = new RegExp(`^(?:${WORD}|number of|anzahl|count)\\b.{0,40}[:=]\\s*[\\d.,']+$`, "iu");
/** The name of a group with the word: “North Total”, “Summe Nord”. A customer may be called so: its numbers decide. */
const OF_GROUP = new RegExp(`^${WORD}\\b.|.\\b${WORD}$`, "iu");
const PLAIN = /^(?:total|summe|gesamt|sum|suma|somme|totale|ergebnis|mean)$/i; // may be a name
const AMOUNT = /^[€$£]?\s?[-+(]?\d[\d.,' ]*\)?\s?(?:[%€$£]|\p{L}{1,12})?$/u;

const ANY_WORD = /tota|sum|som|gesamt|ergebnis|razem|итого|всего|average|mean|durchschnitt|mittelwert|anzahl|count|number of/i;

/** Is a quick test that nearly all rows fail. */
export function mayBeTotal(cells: readonly string[], facts: ColumnFacts): boolean {
  let at = 0;
  while (cells[at] === "") at++;
  const first = cells[at];
  if (first === undefined) return false;
  const code = first.charCodeAt(0);
  return code >= DIGIT_0 && code <= DIGIT_9 ? at > 0 && facts.isUsual(0) : ANY_WORD.test(first);
}

const [DIGIT_0, DIGIT_9] = [48, 57];

/** Goes by its first text, the cells that it lacks, and the sums. A customer called Total has other text, or as much as others. */
export function isTotal(cells: readonly string[], facts: ColumnFacts): boolean {
  const at = cells.findIndex(isFilled);
  const first = cells[at]?.trim().replace(/^\*+|\*+$/g, "") ?? "";
  if (first.length > 80) return false;
  const { missing, of } = facts.usual(cells);
  if (AMOUNT.test(first)) return missing > 0 && !isFilled(cells[0]) && facts.isUsual(0) && facts.rows > 2 && areSums(cells, facts);
  if (COUNTED.test(first)) return missing > 0 || cells.length === 1;
  const others = cells.slice(at + 1).filter(isFilled);
  const isLabel = LABEL.test(first);
  if (!isLabel && !OF_GROUP.test(first)) return false;
  if (!others.every((cell) => AMOUNT.test(cell.trim()))) return false;
  if (cells.some((cell, i) => i > at && isFilled(cell) && facts.isSum(i, cell))) return true;
  if (isLabel && isCount(cells, others, facts)) return true;
  if (facts.rows === 0) return isLabel && cells.some((cell) => !isFilled(cell)); // rows that were not stored, in a file of their own
  if (!isLabel || missing === 0) return false;
  return facts.isValues(at) || (at > 0 && facts.isUsual(0)) || 2 * missing > of || others.length === 0 || !PLAIN.test(first);
}

/** The only number is how many rows stand above. */
function isCount(cells: readonly string[], others: readonly string[], { rows }: ColumnFacts): boolean {
  return rows > 0 && others.length === 1 && others[0]?.trim() === String(rows) && !cells.every(isFilled);
}

/** Every number is the sum of its column. */
function areSums(cells: readonly string[], facts: ColumnFacts): boolean {
  return cells.every((cell, i) => !isFilled(cell) || facts.isSum(i, cell));
}
