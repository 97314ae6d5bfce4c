// Counts and sums the records of a list in groups. No digit of whole numbers and decimals is lost, on either engine.

import { AVERAGE_DECIMALS, type Measure, MOST_GROUPS, type Period } from "../../core/contract/summaries.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { MOST_DECIMALS, padDecimals, readDecimal } from "../../core/dictionary/decimals.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import type { ClockShift } from "../../core/forms/time-zones.ts";
import { type Cell, COLUMN_RULES, columnOf, type Engine, quoted, tableOf, toValue } from "./columns.ts";
import { type Condition, toConditions } from "./filter-sql.ts";
import { ask, type Script } from "./script/script.ts";
import type { Selection } from "./store.ts";

export interface SummaryGroup {
  /** A field, `createdAt` or `updatedAt`. */
  name: string;
  /** Is set for days and moments alone. */
  period?: Period;
}

export interface SummaryMeasure {
  of: Measure;
  /** A field, `createdAt` or `updatedAt`; empty with `count`. */
  name: string;
}

export interface SummaryQuery extends Selection {
  groups: readonly SummaryGroup[];
  measures: readonly SummaryMeasure[];
  /** Says when the clocks of the reader's time zone were changed, for groups of moments. Empty: UTC. */
  shifts: readonly ClockShift[];
}

/** Holds wire forms: sums and averages are texts with all their digits. Null: no record of the group has a value. */
export interface SummaryRow {
  group: readonly (Value | null)[];
  measured: readonly (Value | null)[];
}

export interface Summary {
  /** They come in no order. */
  groups: SummaryRow[];
  /** It is of all records together, but where `isPartial`. */
  total: readonly (Value | null)[];
  /** There are more groups than MOST_GROUPS; then only some are given. */
  isPartial: boolean;
}

/** Holds how an engine says what SQL has no common words for. */
export interface SummarySql {
  engine: Engine;
  /** Makes the condition that a record has these words. */
  search(collection: Collection, words: readonly string[]): Condition;
}

/** Reads what the list comes to. Statements end where the list's own would (StoreTooCostly). */
export function* summarize(collection: Collection, query: SummaryQuery, sql: SummarySql): Script<Summary> {
  const groups = query.groups.map((group) => groupSql(collection, group, query.shifts, sql.engine));
  const measures = query.measures.map((measure) => measureSql(collection, measure, sql.engine));
  const where = conditionOf(collection, query, sql);
  const source = sourceOf(collection, measures, where);
  const selected = [...groups, ...measures.flatMap(({ columns }) => columns)].join(", ");
  const at = groups.map((_, i) => i + 1).join(", ");
  const read = (cells: readonly unknown[]) => {
    const left = [...cells] as Cell[];
    return measures.map((one) => one.read(left.splice(0, one.columns.length)));
  };
  if (groups.length === 0) {
    const { rows } = yield* ask(`SELECT ${selected} FROM ${source}`, ...where.params);
    return { groups: [], total: read(rows[0] ?? []), isPartial: false };
  }
  const grouped = `SELECT ${selected} FROM ${source} GROUP BY ${at} LIMIT ${MOST_GROUPS + 1}`;
  const { rows } = yield* ask(grouped, ...where.params);
  const all = rows.slice(0, MOST_GROUPS).map((cells) => ({
    group: query.groups.map(({ name, period }, i) => valueIn(collection, name, (cells[i] ?? null) as Cell, period)),
    measured: read(cells.slice(groups.length)),
  }));
  const added = addedUp(
    measures,
    rows.map((cells) => cells.slice(groups.length) as Cell[]),
  );
  const isPartial = rows.length > MOST_GROUPS;
  if (added) return { groups: all, total: read(added), isPartial };
  const { rows: totals } = yield* ask(`SELECT ${measures.flatMap(({ columns }) => columns).join(", ")} FROM ${source}`, ...where.params);
  return { groups: all, total: read(totals[0] ?? []), isPartial };
}

/** Returns the cells of all groups together, so that the records are not read again; undefined where a measure has to. */
function addedUp(measures: readonly MeasureSql[], rows: readonly (readonly Cell[])[]): Cell[] | undefined {
  if (measures.some(({ adders }) => !adders)) return undefined;
  return measures
    .flatMap(({ adders = [] }) => adders)
    .map((add, i) => {
      const [first = null, ...others] = rows.map((row) => row[i] ?? null).filter((cell) => cell !== null);
      return others.reduce<Cell>(add, first);
    });
}

/** Puts the cells of two groups together. */
type Adder = (one: Cell, other: Cell) => Cell;

const addNumbers: Adder = (one, other) => Number(one) + Number(other);
const addWhole: Adder = (one, other) => String(BigInt(String(one)) + BigInt(String(other)));

const addDecimals: Adder = (one, other) => {
  const parts = [one, other].map((cell) => String(cell).split("."));
  const decimals = Math.max(...parts.map(([, behind = ""]) => behind.length));
  const sum = parts.reduce((all, [whole = "0", behind = ""]) => all + BigInt(whole + behind.padEnd(decimals, "0")), 0n);
  return decimals === 0 ? String(sum) : decimalOf(sum, decimals);
};

/** Texts are in the byte order of UTF-8, as in both engines. */
function extreme(of: "min" | "max", isText: boolean): Adder {
  const order = (one: Cell, other: Cell) =>
    isText ? Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) : Number(one) - Number(other);
  return (one, other) => (order(one, other) < 0 === (of === "min") ? one : other);
}

function conditionOf(collection: Collection, { words, filters = [] }: Selection, sql: SummarySql): Condition {
  const parts = [
    ...(filters.length > 0 ? [toConditions(collection, filters)] : []),
    ...(words.length > 0 ? [sql.search(collection, words)] : []),
  ];
  let place = 0;
  const where = parts.map((one) => one.where.replaceAll("?", () => `$${++place}`)).join(" AND ");
  return { where: where && ` WHERE ${where}`, params: parts.flatMap(({ params }) => params) };
}

/** Selects beside the columns what several parts of a sum are cut from, so that it is made once for each record. */
function sourceOf(collection: Collection, measures: readonly MeasureSql[], { where }: Condition): string {
  const prepared = measures.flatMap((one) => one.prepared);
  const own = `${tableOf(collection)}${where}`;
  return prepared.length > 0 ? `(SELECT *, ${prepared.join(", ")} FROM ${own} LIMIT -1) AS found` : own; // without a limit SQLite would put them in place
}

/** Times that the service sets are stored as ms since 1970, and fields as COLUMN_RULES says. */
function columnNamed(collection: Collection, name: string): string {
  const field = collection.byName.get(name);
  return field ? columnOf(field) : quoted(name);
}

function valueIn(collection: Collection, name: string, cell: Cell, period?: Period): Value | null {
  if (cell === null || period) return cell;
  const field = collection.byName.get(name);
  if (!field) return new Date(Number(cell)).toISOString();
  return toValue(field.kind, COLUMN_RULES[field.kind].sqlite === "TEXT" ? cell : Number(cell));
}

function groupSql(collection: Collection, { name, period }: SummaryGroup, shifts: readonly ClockShift[], engine: Engine): string {
  const column = columnNamed(collection, name);
  if (!period) return column;
  const kind = collection.byName.get(name)?.kind;
  const day = kind && !KIND_TRAITS[kind].isMoment ? column : localDay(column, kind, shifts, engine);
  return PERIOD_SQL[period](day, engine);
}

/** Writes the day of a moment where the clocks are shifted so, as YYYY-MM-DD. `kind`: undefined for ms since 1970. */
function localDay(column: string, kind: Kind | undefined, shifts: readonly ClockShift[], engine: Engine): string {
  if (!kind) {
    const seconds = `(${column} / 1000 + ${shiftSql(column, shifts, ({ from }) => String(from))})`;
    return engine === "sqlite"
      ? `strftime('%Y-%m-%d', ${seconds}, 'unixepoch')`
      : `to_char(timestamp '1970-01-01' + ${seconds} * interval '1 second', 'YYYY-MM-DD')`;
  }
  const plain = `substr(${column}, 1, 10)`;
  if (shifts.length === 0) return plain;
  const by = shiftSql(column, shifts, ({ from }) => `'${new Date(from).toISOString()}'`);
  if (engine === "sqlite") return `strftime('%Y-%m-%d', ${column}, (${by}) || ' seconds')`;
  // SQL has no year 0, and the clocks of then are nobody's.
  return `CASE WHEN ${column} < '0002' THEN ${plain} ELSE to_char(${column}::timestamp + (${by}) * interval '1 second', 'YYYY-MM-DD') END`;
}

/** Writes by how many seconds the clocks are ahead of UTC at a moment: a tree of comparisons, because a zone has hundreds of changes. */
function shiftSql(column: string, shifts: readonly ClockShift[], from: (shift: ClockShift) => string): string {
  const [first] = shifts;
  if (!first) return "0";
  if (shifts.length === 1) return String(first.ahead / 1_000);
  const half = shifts.length >> 1;
  const later = shifts.slice(half);
  const [low, high] = [shifts.slice(0, half), later].map((part) => shiftSql(column, part, from));
  return `CASE WHEN ${column} < ${from(later[0] as ClockShift)} THEN ${low} ELSE ${high} END`;
}

const PERIOD_SQL: Record<Period, (day: string, engine: Engine) => string> = {
  day: (day) => day,
  week(day, engine) {
    const monday =
      engine === "sqlite" ? `date(${day}, '-6 days', 'weekday 1')` : `to_char(date_trunc('week', (${day})::timestamp), 'YYYY-MM-DD')`;
    return `CASE WHEN ${day} < '0001-01-08' THEN ${day} ELSE ${monday} END`; // PostgreSQL has no year 0
  },
  month: (day) => `substr(${day}, 1, 7)`,
  quarter: (day) => `substr(${day}, 1, 4) || '-Q' || ((CAST(substr(${day}, 6, 2) AS integer) + 2) / 3)`,
  year: (day) => `substr(${day}, 1, 4)`,
};

interface MeasureSql {
  /** One for each column; undefined where the groups do not say what all records together come to. */
  adders?: readonly Adder[] | undefined;
  /** Columns of the inner select. */
  prepared: readonly string[];
  columns: readonly string[];
  read(cells: readonly Cell[]): Value | null;
}

function measureSql(collection: Collection, { of, name }: SummaryMeasure, engine: Engine): MeasureSql {
  const column = name === "" ? "*" : columnNamed(collection, name);
  const field = collection.byName.get(name);
  switch (of) {
    case "count":
      return { prepared: [], columns: ["count(*)"], adders: [addNumbers], read: ([cell]) => Number(cell) };
    case "distinct":
      return { prepared: [], columns: [`count(DISTINCT ${column})`], read: ([cell]) => Number(cell) };
    case "min":
    case "max":
      return {
        prepared: [],
        columns: [`${of}(${column})`],
        adders: [extreme(of, isTextColumn(field))],
        read: ([cell = null]) => valueIn(collection, name, cell),
      };
    case "sum": {
      const sum = sumSql(field as Field, engine);
      const decimals = field?.decimals ?? 0;
      return { ...sum, read: (cells) => padded(sum.read(cells), decimals) };
    }
    case "avg": {
      const sum = sumSql(field as Field, engine);
      return {
        ...sum,
        columns: [...sum.columns, `count(${column})`],
        adders: sum.adders && [...sum.adders, addNumbers],
        read(cells) {
          const total = sum.read(cells);
          return total === null ? null : divided(total, BigInt(Number(cells.at(-1))));
        },
      };
    }
  }
}

/** The times that the service sets are numbers. */
function isTextColumn(field: Field | undefined): boolean {
  return field !== undefined && COLUMN_RULES[field.kind].sqlite === "TEXT";
}

function padded(sum: string | null, decimals: number): string | null {
  return sum === null ? null : padDecimals(sum, decimals);
}

/** A sum as a text with all its digits. */
interface SumSql extends MeasureSql {
  read(cells: readonly Cell[]): string | null;
}

function sumSql(field: Field, engine: Engine): SumSql {
  const column = columnOf(field);
  const isText = COLUMN_RULES[field.kind].sqlite === "TEXT";
  if (engine === "postgres") {
    // A double is cast with the 15 digits that it always keeps.
    const number = isText ? COLUMN_RULES[field.kind].reported.postgres(column) : `${column}::numeric`;
    return { prepared: [], columns: [`sum(${number})::text`], adders: [addDecimals], read: ([cell = null]) => exact(cell) };
  }
  if (COLUMN_RULES[field.kind].sqlite === "REAL")
    return {
      prepared: [],
      columns: [`sum(${column})`],
      read: ([cell = null]) => (cell === null ? null : exact(Number(cell).toPrecision(15))),
    };
  if (!isText) {
    const columns = [`${column} / ${CUT}`, `${column} % ${CUT}`].map(summed);
    return {
      prepared: [],
      columns,
      adders: columns.map(() => addWhole),
      read: ([high = null, low = null]) => (low === null ? null : String(joined([high, low]))),
    };
  }
  // SQLite's sums of whole numbers end at 63 bits, so that decimals are cut into parts of nine digits, of which each is summed.
  const [sign, text] = [quoted(`${field.name}$sign`), quoted(`${field.name}$text`)];
  const readable = COLUMN_RULES[field.kind].reported.sqlite(column);
  const prepared = [
    `CASE WHEN ${column} LIKE '%~' THEN -1 ELSE 1 END AS ${sign}`,
    `CASE WHEN ${column} LIKE '%~' THEN substr(${readable}, 2) ELSE ${readable} END AS ${text}`,
  ];
  const whole = `substr('${"0".repeat(WHOLE)}' || substr(${text}, 1, instr(${text} || '.', '.') - 1), -${WHOLE})`;
  const parts = [
    ...[1, 10, 19].map((from) => `substr(${whole}, ${from}, 9)`),
    `substr(substr(${text}, instr(${text} || '.', '.') + 1) || '${"0".repeat(MOST_DECIMALS)}', 1, ${MOST_DECIMALS})`,
  ];
  const columns = parts.map((part) => summed(`${sign} * CAST(${part} AS INTEGER)`));
  return {
    prepared,
    columns,
    adders: columns.map(() => addWhole),
    read([high = null, middle = null, low = null, behind = null]) {
      if (low === null) return null;
      return decimalOf(joined([high, middle, low]) * 10n ** BigInt(MOST_DECIMALS) + BigInt(String(behind)), MOST_DECIMALS);
    },
  };
}

const CUT = 1_000_000_000;
const WHOLE = 27; // digits before the point, which has 26 at most

/** Sums to a text: JavaScript's numbers end before SQLite's. */
function summed(part: string): string {
  return `CAST(sum(${part}) AS TEXT)`;
}

/** Puts the sums of parts of nine digits together, the highest first. */
function joined(parts: readonly Cell[]): bigint {
  return parts.reduce<bigint>((sum, part) => sum * BigInt(CUT) + BigInt(String(part)), 0n);
}

function exact(cell: Cell): string | null {
  return cell === null ? null : (readDecimal(String(cell)) ?? String(cell));
}

function decimalOf(scaled: bigint, decimals: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, "0");
  const [whole, behind] = [digits.slice(0, -decimals), digits.slice(-decimals).replace(/0+$/, "")];
  return `${scaled < 0n ? "-" : ""}${whole}${behind && `.${behind}`}`;
}

/** Rounds half away from zero, as people do. */
function divided(sum: string, count: bigint): string {
  const [whole = "0", behind = ""] = sum.split(".");
  const scale = AVERAGE_DECIMALS + 1;
  const scaled = BigInt(whole + behind.padEnd(scale, "0").slice(0, scale));
  const tenths = scaled / count;
  const rounded = (tenths + (tenths < 0n ? -5n : 5n)) / 10n;
  return decimalOf(rounded, AVERAGE_DECIMALS);
}
