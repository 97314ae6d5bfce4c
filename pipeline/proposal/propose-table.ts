// Reads a whole file once and proposes a field for each of its columns, in bounded memory.

import { freeName, nameFrom } from "../../core/dictionary/name-from-title.ts";
import { isFieldName, isKeyName } from "../../core/dictionary/reserved-names.ts";
import { t } from "../../core/i18n/translate.ts";
import { bareName } from "../../core/text/similarity.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import { isOurHeading } from "../mapping/match-columns.ts";
import type { Clock } from "../model/clock.ts";
import { wrongShape } from "../reading/row-shape.ts";
import { ColumnWatch } from "./column-watch.ts";
import { type FieldProposal, namesAYear, proposeField } from "./propose-field.ts";

export interface ColumnProposal extends FieldProposal {
  heading: string;
  name: string;
  title: string;
  /** Says whether it becomes a field. A column without a value does not. */
  isIncluded: boolean;
  /** Its values can be the keys of the records. */
  isKey: boolean;
  /** It names a record, alone or with others. */
  isLabel: boolean;
  samples: readonly string[];
}

export interface TableProposal {
  rowsRead: number;
  /** Rows that look like no data or could not be read, such as totals: nothing was concluded from them. */
  rowsPassed: number;
  isDone: boolean;
  columns: readonly ColumnProposal[];
}

const MOST_VALUES = 400_000; // of all columns together
const MOST_OF_COLUMN = 50_000;
const POST_EVERY = 200; // ms

/** Yields how far it is, at most five times a second, and what it found at the end. Throws FileError. */
export async function* proposeTable(source: RowSource, clock: Pick<Clock, "now">, zone = ownZone()): AsyncGenerator<TableProposal> {
  const { dialect } = source.plan;
  let watches: ColumnWatch[] = [];
  let headings: readonly string[] = [];
  let [rowsRead, rowsPassed, postedAt] = [0, 0, clock.now()];
  for await (const { header, rows, malformed } of rowsOf(source)) {
    if (headings !== header && watches.length === 0) {
      headings = header;
      const most = Math.max(100, Math.min(MOST_OF_COLUMN, Math.floor(MOST_VALUES / header.length)));
      watches = header.map(() => new ColumnWatch(dialect, most, zone));
    }
    for (const [i, cells] of rows.entries()) {
      const isPassed = wrongShape(cells, { malformed: malformed.get(i), width: headings.length, padding: dialect.padding }) !== undefined;
      if (isPassed) rowsPassed++;
      else for (const [at, watch] of watches.entries()) watch.see(cells[at] ?? "");
    }
    rowsRead += rows.length;
    if (clock.now() - postedAt < POST_EVERY) continue;
    postedAt = clock.now();
    yield { rowsRead, rowsPassed, isDone: false, columns: [] };
  }
  yield { rowsRead, rowsPassed, isDone: true, columns: proposeColumns(headings, watches, rowsRead - rowsPassed) };
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const LONGEST_TITLE = 200; // characters

function proposeColumns(headings: readonly string[], watches: readonly ColumnWatch[], rows: number): ColumnProposal[] {
  const names = new NameGiver();
  const keyAt = findKey(headings, watches, rows);
  const columns = watches.map((watch, at) => {
    const heading = (headings[at] ?? "").trim();
    const field = proposeField(heading, watch, rows);
    const isKey = at === keyAt;
    const title = heading.replace(/\s+/g, " ").replace(/\p{C}/gu, "").slice(0, LONGEST_TITLE);
    const words = names.give(title === "" ? t("Column {n}", { n: at + 1 }) : title, isKey);
    const isIncluded = watch.filled > 0 && !isOurHeading(heading);
    const keyWords = isKey ? [t("It is the key: a whole number in every row, and none twice.")] : [];
    return {
      ...{ ...field, ...words, heading, isIncluded, isKey, isLabel: false, samples: watch.samples },
      ...(isKey && { isUnique: true, isRequired: false }),
      evidence: [...field.evidence.filter((one) => !isKey || one !== t("No value stands there twice.")), ...keyWords],
    };
  });
  const label = findLabel(columns);
  return columns.map((column, at) =>
    label.includes(at) ? { ...column, isLabel: true, evidence: [...column.evidence, t("It names a record.")] } : column,
  );
}

/** Returns the name for a title. Names that the service keeps for itself get a word behind them. */
export function allowedName(title: string, isKey: boolean): string {
  const name = nameFrom(title);
  return (isKey ? isKeyName(name) : isFieldName(name)) ? name : `${name}Value`;
}

/** Gives each column a title and a name that no other column has, in the spelling of files, people and requests. */
class NameGiver {
  readonly #names: string[] = [];
  readonly #bare = new Set<string>();

  give(heading: string, isKey: boolean): { title: string; name: string } {
    let name = freeName(allowedName(heading, isKey), this.#names);
    let title = heading;
    for (let n = 2; this.#bare.has(bareName(title)) || this.#bare.has(bareName(name)); n++) {
      title = `${heading} (${n})`;
      name = freeName(nameFrom(title), this.#names);
    }
    this.#names.push(name);
    this.#bare.add(bareName(name));
    if (bareName(title) !== "") this.#bare.add(bareName(title));
    return { title, name };
  }
}

/** A house number is none. */
const KEY =
  /^(?:id|no|nr|num|number|nummer|key)\.?$|(?:^|[ _-])id$|[a-z]ID$|(?:customer|kunden?|article|artikel|item|member|mitglieds?|order|auftrags?|bestell|invoice|rechnungs?|employee|personal|case|vorgangs|object)[ _-]?(?:no\.?|nr\.?|number|nummer|id)$/i;
const FEWEST_KEYS = 2; // rows; a single one tells nothing

/** Finds a column of whole numbers that is never empty, and in which none stands twice: by its heading, or because it stands first. */
function findKey(headings: readonly string[], watches: readonly ColumnWatch[], rows: number): number {
  const isKey = (at: number) => {
    const { isKey, filled, number } = watches[at] as ColumnWatch;
    return isKey && filled === rows && rows >= FEWEST_KEYS && number.forms()?.length === 0;
  };
  const named = headings.findIndex((heading, at) => KEY.test(heading.trim()) && isKey(at));
  const isFirst = named === -1 && watches.length > 0 && isKey(0) && !namesAYear(headings[0] ?? "");
  return isFirst ? 0 : named;
}

const FIRST_NAME = /^(?:first|given|fore)[- _]?names?$|^vornamen?$|^rufname$/i;
const LAST_NAME = /^(?:last|family|sur)[- _]?names?$|^(?:nach|familien)namen?$/i;
const NAME =
  /(?:^|[^\p{L}])(?:name|title|titel|company|firma|subject|betreff|bezeichnung|designation|description|beschreibung)(?:$|[^\p{L}])|bezeichnung$|name$/iu;

/** Finds the columns that name a record: first and last name, a column that is called so, or the first text in which most values differ. */
function findLabel(columns: readonly ColumnProposal[]): number[] {
  const isText = ({ sort, isIncluded }: ColumnProposal) => isIncluded && (sort === "text" || sort === "email");
  const find = (test: (column: ColumnProposal) => boolean) => columns.findIndex((column) => isText(column) && test(column));
  const [first, last] = [find(({ heading }) => FIRST_NAME.test(heading)), find(({ heading }) => LAST_NAME.test(heading))];
  if (last !== -1) return first === -1 ? [last] : [first, last];
  const named = find(({ heading }) => NAME.test(heading));
  const any = named === -1 ? find(() => true) : named;
  return any === -1 ? [] : [any];
}
