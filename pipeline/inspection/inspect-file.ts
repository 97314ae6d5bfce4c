// Finds what the page shows of a file before its check: dialect, heading, first rows, a proposed field a column.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { isContainer } from "../containers/load-containers.ts";
import { createNameCounter, freeFields, isUnnamed, matchHeader } from "../mapping/match-columns.ts";
import { matchParents } from "../mapping/match-parents.ts";
import { proposeMatch } from "../mapping/match-records.ts";
import type { RememberedMapping } from "../mapping/remembered-mapping.ts";
import { type Recalled, recallFrom } from "../mapping/remembered-mapping.ts";
import type { Choices, Dialect } from "../model/dialect.ts";
import { FileError, loadFailed } from "../model/file-error.ts";
import { parseTable } from "../reading/json-lines.ts";
import type { StrayQuotes } from "../reading/stray-quotes.ts";
import { readSlice, readText } from "../reading/text-blocks.ts";
import { type Detected, detectDialect } from "./detect-dialect.ts";
import type { CountNames } from "./detect-header.ts";
import type { ContainerFacts } from "./inspect-container.ts";
import { watchDamage } from "./spreadsheet-damage.ts";

export interface FileInspection {
  fileName: string;
  fileSize: number; // bytes
  dialect: Dialect;
  /** Says how the encoding is known. Continues "Read as UTF-8, because …". */
  why: string;
  firstLines: Detected["firstLines"];
  header: string[];
  /** The proposed field name for each column of the file; null: none. */
  columns: (string | null)[];
  /** The fields that columns without a match may be by what stands in them; see `proposeByContent`. */
  byContent?: readonly (readonly string[])[];
  /** Rows are matched by these fields, as `Plan.matchBy` has them: as last time, or as the columns can be matched. */
  matchBy?: string | undefined;
  /** The earlier mapping that the proposal comes from, if any. */
  recalled: Recalled | undefined;
  /** The first rows, at most five. */
  samples: string[][];
  /** The first cells with letters beyond ASCII. If they read well, the encoding is right. */
  foreign: string[];
  /** Says what a spreadsheet did to the first rows, in sentences. */
  damage: string[];
  strayQuotes: StrayQuotes | undefined;
  /** Other encodings in which the file reads as well. A person must choose, a command refuses. */
  plausible: Detected["plausible"];
  /** Holds the tables of a workbook or an archive. */
  container?: ContainerFacts | undefined;
}

const SAMPLES = 5;
const FOREIGN = 6;
const INSPECTED_BYTES = 64 * 1024;

/** Reads only the first rows. Throws FileError, also for a file without rows. */
export async function inspectFile(
  file: File,
  collection: Collection,
  choices: Choices = {},
  remembered: readonly RememberedMapping[] = [],
): Promise<FileInspection> {
  const start = await readStart(file, choices, createNameCounter(collection));
  const { dialect, why, plausible, firstLines, header, rows, strayQuotes, container } = start;
  const recalled = recallFrom(remembered, collection, header);
  const columns = recalled?.columns.slice(0, header.length) ?? matchParents(collection, header, matchHeader(collection, header));
  const damage = watchDamage(collection, columns);
  damage.see(rows);
  for (const cells of rows) damage.seeBad(cells);
  return {
    fileName: file.name,
    fileSize: file.size,
    dialect,
    why,
    plausible,
    firstLines,
    header,
    columns,
    matchBy: proposeMatch(collection, recalled?.columns ?? columns, recalled?.meaning?.matchBy),
    byContent: await fieldsOfUnnamed(collection, { header, rows, dialect }, columns),
    recalled,
    samples: rows.slice(0, SAMPLES),
    foreign: foreignOf([header, ...rows]),
    damage: damage.notes(),
    strayQuotes,
    container,
  };
}

/** Few files have such columns, so what reads their cells is loaded then. Without it nothing is proposed. */
async function fieldsOfUnnamed(
  collection: Collection,
  { header, rows, dialect }: { header: readonly string[]; rows: readonly (readonly string[])[]; dialect: Dialect },
  columns: readonly (string | null)[],
): Promise<string[][]> {
  const unnamed = header.map((heading, i) => columns[i] === null && isUnnamed(collection, heading));
  if (!unnamed.includes(true) || freeFields(collection, columns).length === 0) return [];
  const content = await import("../mapping/match-content.ts").catch(() => undefined);
  return unnamed.map((isUnnamed, i) => (isUnnamed && content ? content.fieldsByContent(collection, rows, i, dialect.isExact) : []));
}

interface Start extends Detected, Pick<FileInspection, "header" | "strayQuotes" | "container"> {
  rows: string[][];
}

/** A small file that Excel and LibreOffice keep beside an open one. It holds who has it open, and no rows. */
const LOCK_FILE = /^(?:~\$|\.~lock\.)/;

async function readStart(file: File, choices: Choices, countNames: CountNames): Promise<Start> {
  if (LOCK_FILE.test(file.name)) {
    const title = t("This file only says that somebody has a workbook open.");
    throw new FileError(title, t("Choose the workbook itself: the same name without what stands before it, such as “~$”."));
  }
  if (!isContainer(await readSlice(file, 0, 4))) return readTable(file, choices, countNames);
  const { inspectContainer } = await import("./inspect-container.ts").catch(loadFailed);
  const start = await inspectContainer(file, choices, countNames);
  const { container } = start;
  if ("sheet" in start) return { ...requireRows(start.sheet), why: "", plausible: [], strayQuotes: undefined, container };
  const table = await readTable(start.table, choices, countNames);
  return { ...table, dialect: { ...table.dialect, entry: start.entry }, container };
}

async function readTable(file: File, choices: Choices, countNames: CountNames): Promise<Start> {
  const detected = await detectDialect(file, choices, countNames);
  return { ...detected, ...(await firstRows(file, detected.dialect)) };
}

async function firstRows(
  file: File,
  dialect: Dialect,
): Promise<{ header: string[]; rows: string[][]; strayQuotes: StrayQuotes | undefined }> {
  let header: readonly string[] = [];
  let strayQuotes: StrayQuotes | undefined;
  const rows: string[][] = [];
  for await (const block of parseTable(readText(file, dialect, INSPECTED_BYTES), dialect)) {
    header = block.header;
    strayQuotes = block.strayQuotes;
    rows.push(...block.rows);
    if (rows.length >= SAMPLES) break;
  }
  return { ...requireRows({ header: [...header], rows }), strayQuotes };
}

/** Throws FileError for a table without rows. */
function requireRows<T extends { header: readonly string[]; rows: string[][] }>(table: T): T {
  const { header, rows } = table;
  if (rows.length > 0) return table;
  if (header.length === 0) throw new FileError(t("There is nothing below the line you chose."), t("Choose another line as the heading."));
  throw new FileError(t("This file has a heading but no rows."), t("Add rows below the heading, or choose another file."));
}

function foreignOf(rows: readonly (readonly string[])[]): string[] {
  const found = new Set<string>();
  for (const cells of rows) {
    for (const cell of cells) {
      if (cell.length <= 60 && /[^\0-\x7f]/.test(cell)) found.add(cell.trim());
      if (found.size === FOREIGN) return [...found];
    }
  }
  return [...found];
}
