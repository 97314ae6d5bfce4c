// Header, trailer and record types of a delimited file, whose first column says what a record is.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import type { CutText } from "../layouts/character-sets.ts";
import { ControlTotals, readDecimal, type SummedCell } from "../layouts/control-totals.ts";
import { CONTROLS, type DelimitedLayout, type FixedLayout } from "../layouts/layout.ts";
import { type HeaderFacts, HeaderTrailerChecker, readHeader } from "./header-trailer.ts";
import { linesIn } from "./row-bytes.ts";
import { NO_BYTES, type RawRecord } from "./split-records.ts";

/** Returns the layout with each column as a place without a length, so that one checker reads both kinds. Undefined where all records are details. */
function asRecords({ collection, columns = [], detail, header, trailer, ignoredTypes }: DelimitedLayout): FixedLayout | undefined {
  if (!detail) return undefined;
  const at = <One extends { column: number }>({ column, ...rest }: One) => ({ ...rest, start: column, length: 0 });
  const controls = CONTROLS.flatMap((name) => (header?.[name] ? [[name, at(header[name])] as const] : []));
  const fields = columns.flatMap((name, i) => (name === null ? [] : [{ name, start: i + 1, length: 0 }]));
  return {
    ...{ kind: "fixed", collection, recordLength: 1, lineEnd: "none" },
    ...{ recordType: { start: 1, length: 0 }, detail: { type: detail.type, fields } },
    ...(header && { header: { type: header.type, ...Object.fromEntries(controls) } }),
    ...(trailer && {
      trailer: { type: trailer.type, ...(trailer.count && { count: at(trailer.count) }), totals: (trailer.totals ?? []).map(at) },
    }),
    ...(ignoredTypes && { ignoredTypes }),
  };
}

function cellsOf({ columns = [] }: DelimitedLayout, { byName }: Collection): SummedCell[] {
  return columns.flatMap((name, i) => {
    if (name === null) return [];
    const place = { from: i, to: i };
    const digits = (text: string) => (text === "" ? 0n : readDecimal(text));
    return { name, title: byName.get(name)?.title ?? name, place, cut: (cut: CutText) => cut(i, i) ?? "", digits };
  });
}

const cutCells =
  (cells: readonly string[]): CutText =>
  (from) =>
    cells[from]?.trim();

function recordAt({ lines, malformed }: RowBlock, i: number, cells: readonly string[]): RawRecord {
  const line = lines[i] as number;
  const wrong = malformed.get(i);
  const why = wrong === undefined ? undefined : `Line ${line}: ${typeof wrong === "string" ? wrong : wrong.message}`;
  return {
    ...{ bytes: NO_BYTES, number: line, offset: line, content: 0, wrong: why },
    get end() {
      return line + linesIn(cells); // only of a header, because to count the lines of each cell takes time
    },
  };
}

/**
 * Yields the same blocks with the detail records alone. Throws FileError for a wrong header, trailer or record type, at the latest after
 * the last row.
 */
export async function* detailsOnly(
  blocks: AsyncGenerator<RowBlock>,
  layout: DelimitedLayout,
  collection: Collection,
): AsyncGenerator<RowBlock> {
  const records = asRecords(layout);
  if (!records) return yield* blocks;
  const controls = new HeaderTrailerChecker(records, cellsOf(layout, collection));
  let first = 1;
  for await (const block of blocks) {
    const malformed = new Map<number, NonNullable<ReturnType<RowBlock["malformed"]["get"]>>>();
    const [rows, lines]: [string[][], number[]] = [[], []];
    for (const [i, cells] of block.rows.entries()) {
      if (!controls.addRecord(recordAt(block, i, cells), cutCells(cells))) continue;
      const wrong = block.malformed.get(i);
      if (wrong !== undefined) malformed.set(rows.length, wrong);
      rows.push(cells);
      lines.push(block.lines[i] as number);
    }
    yield { ...block, rows, lines, malformed, first };
    first += rows.length;
  }
  controls.close();
}

/** Returns undefined when the layout has no header. Throws FileError when the first record is no header. */
export async function firstHeader(blocks: AsyncGenerator<RowBlock>, layout: DelimitedLayout): Promise<HeaderFacts | undefined> {
  const records = asRecords(layout);
  if (!records?.header) return undefined;
  for await (const block of blocks) {
    const [cells] = block.rows;
    if (cells) return readHeader(recordAt(block, 0, cells), cutCells(cells), records);
  }
  return undefined;
}

/** Counts the records of a new file, and makes the cells of its trailer. */
export class DelimitedTotals {
  readonly #layout: DelimitedLayout;
  readonly #tally: ControlTotals | undefined;

  constructor(layout: DelimitedLayout, collection: Collection) {
    this.#layout = layout;
    const records = asRecords(layout);
    this.#tally = records && new ControlTotals(records, cellsOf(layout, collection));
    if (records?.header) this.#tally?.addOther();
  }

  /** A cell that is no number adds nothing to a total. */
  addDetail(cells: readonly string[]): void {
    this.#tally?.addDetail(cutCells(cells), this.#layout.detail?.type);
  }

  /** Returns undefined when the layout has no trailer. */
  trailer(): string[] | undefined {
    const { trailer } = this.#layout;
    if (!trailer || !this.#tally) return undefined;
    this.#tally.addOther();
    const { type, count, totals = [] } = trailer;
    const cells = Array<string>(Math.max(1, count?.column ?? 0, ...totals.map(({ column }) => column))).fill("");
    cells[0] = type;
    if (count) cells[count.column - 1] = String(count.of === "all" ? this.#tally.all : this.#tally.details);
    for (const { total, text } of this.#tally.totals()) cells[total.start - 1] = text;
    return cells;
  }
}
