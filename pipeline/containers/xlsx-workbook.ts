// Opens a workbook of Excel (ECMA-376): its sheets, number formats and shared texts.

import { t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { type NumberFormat, numberFormat } from "./number-format.ts";
import { SharedTexts } from "./shared-texts.ts";
import { CellText, MOST_CELL_TEXT, MOST_SHEETS } from "./sheet-rows.ts";
import { readXml, scanPart, tooManyParts, workbookTooLarge } from "./xml-parts.ts";
import { readAttribute, type Vocabulary, type XmlHandler, XmlScanner } from "./xml-scanner.ts";
import { damagedFile, OPEN_AGAIN, type ZipEntry } from "./zip-directory.ts";

/** Both forms of the standard: transitional, which Excel writes, and strict. `rPh` is a phonetic reading, which is no part of a text. */
export const SPREADSHEET_ML: Vocabulary = {
  prefixes: {
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "",
    "http://schemas.openxmlformats.org/package/2006/relationships": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc", // of two ways to write something, `Fallback` is for readers of the standard
  },
  skips: new Set(["extLst", "rPh", "Choice"]),
};

export interface SheetName {
  name: string;
  isHidden: boolean;
}

export interface XlsxSheet extends SheetName {
  entry: ZipEntry;
}

export interface XlsxWorkbook {
  sheets: XlsxSheet[];
  /** Dates count from 1904 instead of 1900. */
  is1904: boolean;
  /** The number format of each cell style. */
  formats: NumberFormat[];
  texts: SharedTexts;
}

/** Throws FileError for what is no such workbook, a password, and texts that are too many for the memory. */
export async function openXlsx(file: Blob, entries: readonly ZipEntry[]): Promise<XlsxWorkbook> {
  const byPath = new Map([...entries].reverse().map((entry) => [pathKey(entry.name), entry])); // reversed: of two the first counts
  const find = (path: string) => byPath.get(pathKey(path));
  const root = find("_rels/.rels");
  const main = root && (await readRelations(file, root, "")).find(({ type }) => type.endsWith("/officeDocument"))?.target;
  const workbook = find(main ?? "xl/workbook.xml") ?? find("xl/workbook.xml");
  if (!workbook) throw damagedFile();
  const folder = workbook.name.slice(0, workbook.name.lastIndexOf("/") + 1);
  const relations = find(`${folder}_rels/${workbook.name.slice(folder.length)}.rels`);
  const parts = relations ? await readRelations(file, relations, folder) : [];
  const read = <T>(part: Relation | undefined, as: (entry: ZipEntry) => T): T | undefined => {
    const entry = part && find(part.target);
    if (part && !entry) throw missingPart(part.target);
    return entry && as(entry);
  };
  const partOf = (type: string) => parts.find((part) => part.type.endsWith(`/${type}`));
  const { listed, is1904 } = await readWorkbook(file, workbook);
  const partsById = new Map(parts.map((part) => [part.id, part]));
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    const part = partsById.get(id);
    partsById.delete(id); // a second sheet of the same part would be the same rows again
    const isSheet = part?.type.endsWith("/worksheet"); // others are charts
    return (isSheet && read(part, (entry) => [{ ...sheet, entry }])) || [];
  });
  return {
    sheets,
    is1904,
    formats: (await read(partOf("styles"), (entry) => readFormats(file, entry))) ?? [],
    texts: (await read(partOf("sharedStrings"), (entry) => readTexts(file, entry))) ?? new SharedTexts(),
  };
}

/** Parts are found whatever the case of their names, and written as they are or as addresses (`sheet%201.xml`). */
function pathKey(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase(); // a percent sign that is one
  }
}

function missingPart(path: string): FileError {
  return new FileError(t("This workbook is damaged: its part “{path}” is missing.", { path }), t(OPEN_AGAIN));
}

const MOST_STYLES = 65_536; // Excel has 65,490

interface Relation {
  id: string;
  type: string;
  target: string;
}

async function readRelations(file: Blob, entry: ZipEntry, folder: string): Promise<Relation[]> {
  const found: Relation[] = [];
  await scanPart(file, entry, SPREADSHEET_ML, {
    open(name, attributes) {
      if (name !== "Relationship") return;
      const target = (readAttribute(attributes, "Target") ?? "").replaceAll("\\", "/");
      if (found.length === MOST_SHEETS) throw tooManyParts();
      found.push({
        id: readAttribute(attributes, "Id") ?? "",
        type: readAttribute(attributes, "Type") ?? "",
        target: resolvePath(target.startsWith("/") ? target : folder + target),
      });
    },
    close() {},
    text() {},
  });
  return found;
}

function resolvePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

async function readWorkbook(file: Blob, entry: ZipEntry): Promise<{ listed: (SheetName & { id: string })[]; is1904: boolean }> {
  const listed: (SheetName & { id: string })[] = [];
  let is1904 = false;
  await scanPart(file, entry, SPREADSHEET_ML, {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = /^(1|true|on)$/.test(readAttribute(attributes, "date1904") ?? "");
      if (name !== "sheet") return;
      const isHidden = /^(hidden|veryHidden)$/.test(readAttribute(attributes, "state") ?? "");
      if (listed.length === MOST_SHEETS) throw tooManyParts();
      listed.push({ name: readAttribute(attributes, "name") ?? "", isHidden, id: readAttribute(attributes, "r:id") ?? "" });
    },
    close() {},
    text() {},
  });
  return { listed, is1904 };
}

async function readFormats(file: Blob, entry: ZipEntry): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const known = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let inCells = false;
  await scanPart(file, entry, SPREADSHEET_ML, {
    open(name, attributes, isEmpty) {
      if (name === "numFmt") codes.set(Number(readAttribute(attributes, "numFmtId")), readAttribute(attributes, "formatCode") ?? "");
      else if (name === "cellXfs") inCells = !isEmpty;
      else if (name === "xf" && inCells) {
        const id = Number(readAttribute(attributes, "numFmtId") ?? 0);
        if (formats.length === MOST_STYLES) throw tooManyParts();
        const format = known.get(id) ?? numberFormat(id, codes.get(id));
        known.set(id, format);
        formats.push(format);
      }
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
    text() {},
  });
  return formats;
}

async function readTexts(file: Blob, entry: ZipEntry): Promise<SharedTexts> {
  const texts = new SharedTexts();
  const scanner = new XmlScanner(textHandler(texts), SPREADSHEET_ML);
  for await (const { text } of readXml(file, entry)) {
    scanner.push(text);
    if (texts.length > SharedTexts.MOST) throw workbookTooLarge(SharedTexts.MOST);
  }
  scanner.end();
  return texts;
}

/** Joins the runs of each `si` element. */
function textHandler(texts: SharedTexts): XmlHandler {
  const whole = new CellText(LONGEST_ESCAPE);
  let isText = false;
  return {
    open(name, _attributes, isEmpty) {
      if (name === "si") whole.begin();
      else if (name === "t") isText = !isEmpty;
    },
    close(name) {
      if (name === "t") isText = false;
      else if (name === "si") {
        const text = decodeEscapes(whole.text);
        if (whole.isTooLong || text.length > MOST_CELL_TEXT) texts.addTooLong();
        else texts.add(text);
      }
    },
    text(text) {
      if (isText) whole.add(text);
    },
  };
}

/** UTF-16 units of what Excel writes for a character that XML cannot hold. */
export const LONGEST_ESCAPE = "_x000D_".length;

/** `_x000D_` is how Excel writes a character that XML cannot hold; `_x005F_` is the underline of a text that looks like that. */
export function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
