// Opens workbooks and archives: what tables they hold, and the rows of one of them.

import { t } from "../../core/i18n/translate.ts";
import type { Dialect } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { readSlice } from "../reading/text-blocks.ts";
import { type Archive, openArchive, openGzip, readPackedCsv, unpackWorkbook } from "./archive.ts";
import { listOdsSheets, OPEN_DOCUMENT, readOdsRows } from "./ods-rows.ts";
import { SheetNotes } from "./sheet-notes.ts";
import { type SheetRow, sheetBlocks } from "./sheet-rows.ts";
import { passwordRefused } from "./unpack.ts";
import { rejectOldWorkbook, rejectOtherOfficeFiles } from "./wrong-containers.ts";
import { readXlsxRows } from "./xlsx-rows.ts";
import { openXlsx, type XlsxWorkbook } from "./xlsx-workbook.ts";
import { scanPart } from "./xml-parts.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Its days are counted from 1904. */
  is1904?: boolean;
  /** The first rows that are not blank. */
  rows: SheetRow[];
  /** Holds what was noted while they were read: all there is to note, if the sheet is small. */
  notes: readonly string[];
}

export type Container = { kind: "workbook"; sheets: Sheet[] } | ({ kind: "archive" } & Archive);

const FIRST_ROWS = 200;
const MOST_SHEETS = 60; // whose first rows are read
const MOST_PIECES = 512; // of a sheet in which the first rows are looked for; it may have none
const SMALL_SHEET = 4 * 1024 * 1024; // unpacked bytes; it is read to its end, where the merged cells are

/** Throws FileError, also for a file that is neither. */
export async function openContainer(file: Blob): Promise<Container> {
  const start = await readSlice(file, 0, 8);
  if (start[0] === 0xd0) throw await rejectOldWorkbook(file);
  if (start[0] === 0x1f) return { kind: "archive", ...openGzip(file) };
  const opened = await openZip(file);
  if (opened.is === "archive") return { kind: "archive", ...openArchive(file, opened.entries) };
  const sheets = opened.is === "ods" ? await odsSheets(file, opened.content) : await xlsxSheets(file, opened.workbook);
  if (sheets.length === 0) throw new FileError(t("This workbook has no sheet with cells."), t("Choose another file."));
  return { kind: "workbook", sheets };
}

/** Yields the rows of the table that the dialect names. The same ones under the same numbers, however often. Throws FileError. */
export async function* readContainer(file: Blob, { sheet, entry, ...dialect }: Dialect): AsyncGenerator<RowBlock> {
  if (sheet === undefined) return yield* readPackedCsv(file, dialect, entry ?? "");
  if (entry === undefined) return yield* readSheet(file, sheet, dialect.headingLine);
  const workbook = await unpackWorkbook(file, entry);
  for await (const block of readSheet(workbook, sheet, dialect.headingLine))
    yield { ...block, bytesRead: Math.round((file.size * block.bytesRead) / workbook.size) };
}

async function* readSheet(file: Blob, name: string, headingLine: number): AsyncGenerator<RowBlock> {
  const opened = await openZip(file);
  const notes = new SheetNotes();
  const sentences = () => notes.sentences();
  if (opened.is === "ods") return yield* sheetBlocks(readOdsRows(file, opened.content, name, notes), headingLine, sentences);
  const sheet = opened.is === "xlsx" ? opened.workbook.sheets.find((sheet) => sheet.name === name) : undefined;
  if (!sheet || opened.is !== "xlsx") throw new FileError(t("This workbook has no sheet “{name}”.", { name }), t("Choose another sheet."));
  yield* sheetBlocks(readXlsxRows(file, opened.workbook, sheet, notes), headingLine, sentences);
}

type OpenedZip =
  | { is: "xlsx"; workbook: XlsxWorkbook }
  | { is: "ods"; content: ZipEntry }
  | { is: "archive"; entries: readonly ZipEntry[] };

/** A file is read several times, and the texts of its cells are needed each time. They go with the file. */
const OPENED = new WeakMap<Blob, Promise<OpenedZip>>();

function openZip(file: Blob): Promise<OpenedZip> {
  const known = OPENED.get(file);
  if (known) return known;
  const opened = readZip(file);
  OPENED.set(file, opened);
  opened.catch(() => OPENED.delete(file));
  return opened;
}

async function readZip(file: Blob): Promise<OpenedZip> {
  const entries = await readZipDirectory(file);
  rejectOtherOfficeFiles(entries);
  if (entries.some(({ name }) => name.toLowerCase() === "[content_types].xml"))
    return { is: "xlsx", workbook: await openXlsx(file, entries) };
  const content = entries.find(({ name }) => name === "content.xml");
  const manifest = entries.find(({ name }) => name === "META-INF/manifest.xml");
  if (!content || !manifest) return { is: "archive", entries };
  await readManifest(file, manifest);
  return { is: "ods", content };
}

/** Throws FileError for a password, and for a document that is no spreadsheet. */
async function readManifest(file: Blob, manifest: ZipEntry): Promise<void> {
  let isEncrypted = false;
  let type = "";
  await scanPart(file, manifest, OPEN_DOCUMENT, {
    open(name, attributes) {
      if (name === "encryption-data") isEncrypted = true;
      if (name === "file-entry" && type === "") type = attributes;
    },
    close() {},
    text() {},
  });
  if (isEncrypted) throw passwordRefused();
  if (type.includes("opendocument") && !type.includes("spreadsheet")) {
    throw new FileError(t("This file is an OpenDocument file without sheets."), t("Choose a spreadsheet or a CSV file."));
  }
}

async function xlsxSheets(file: Blob, workbook: XlsxWorkbook): Promise<Sheet[]> {
  const sheets: Sheet[] = [];
  for (const sheet of workbook.sheets) {
    const notes = new SheetNotes();
    const rows: SheetRow[] = [];
    if (sheets.length < MOST_SHEETS) {
      let pieces = 0;
      for await (const piece of readXlsxRows(file, workbook, sheet, notes)) {
        for (const row of piece.rows) if (row.cells.length > 0 && rows.length < FIRST_ROWS) rows.push(row);
        if ((rows.length === FIRST_ROWS && sheet.entry.size > SMALL_SHEET) || ++pieces === MOST_PIECES) break;
      }
    }
    sheets.push({ name: sheet.name, isHidden: sheet.isHidden, is1904: workbook.is1904, rows, notes: notes.sentences() });
  }
  return sheets;
}

async function odsSheets(file: Blob, content: ZipEntry): Promise<Sheet[]> {
  const sheets = await listOdsSheets(file, content, FIRST_ROWS);
  return sheets.map(({ notes, ...sheet }) => ({ ...sheet, notes: notes.sentences() }));
}
