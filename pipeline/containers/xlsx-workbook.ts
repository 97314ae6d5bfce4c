// Opens a workbook of Excel (ECMA-376): its sheets, number formats and shared texts.

import { type NumberFormat, numberFormat } from "./number-format.ts";
import { SharedTexts } from "./shared-texts.ts";
import { CellText, MOST_CELL_TEXT, MOST_SHEETS } from "./sheet-rows.ts";
import { readXml, scanPart, tooManyParts, workbookTooLarge } from "./xml-parts.ts";
import { readAttribute, type XmlHandler, XmlScanner } from "./xml-scanner.ts";
import { damagedFile, type ZipEntry } from "./zip-directory.ts";

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
  const byPath = new Map([...entries].reverse().map((entry) => [entry.name.toLowerCase(), entry])); // reversed: of two the first counts
  const find = (path: string) => byPath.get(path.toLowerCase());
  const root = find("_rels/.rels");
  const main = root && (await readRelations(file, root, "")).find(({ type }) => type.endsWith("/officeDocument"))?.target;
  const workbook = find(main ?? "xl/workbook.xml") ?? find("xl/workbook.xml");
  if (!workbook) throw damagedFile();
  const folder = workbook.name.slice(0, workbook.name.lastIndexOf("/") + 1);
  const relations = find(`${folder}_rels/${workbook.name.slice(folder.length)}.rels`);
  const parts = relations ? await readRelations(file, relations, folder) : [];
  const partOf = (type: string) => find(parts.find((part) => part.type.endsWith(`/${type}`))?.target ?? "");
  const { listed, is1904 } = await readWorkbook(file, workbook);
  const partsById = new Map(parts.map((part) => [part.id, part]));
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    const part = partsById.get(id);
    partsById.delete(id); // a second sheet of the same part would be the same rows again
    const entry = part?.type.endsWith("/worksheet") ? find(part.target) : undefined; // others are charts
    return entry ? [{ ...sheet, entry }] : [];
  });
  const styles = partOf("styles");
  const strings = partOf("sharedStrings");
  return {
    sheets,
    is1904,
    formats: styles ? await readFormats(file, styles) : [],
    texts: strings ? await readTexts(file, strings) : new SharedTexts(),
  };
}

const MOST_STYLES = 65_536; // Excel has 65,490

interface Relation {
  id: string;
  type: string;
  target: string;
}

async function readRelations(file: Blob, entry: ZipEntry, folder: string): Promise<Relation[]> {
  const found: Relation[] = [];
  await scanPart(file, entry, {
    open(name, attributes) {
      if (name !== "Relationship") return;
      const target = readAttribute(attributes, "Target") ?? "";
      if (found.length === MOST_SHEETS) throw tooManyParts();
      found.push({
        id: readAttribute(attributes, "Id") ?? "",
        type: readAttribute(attributes, "Type") ?? "",
        target: target.startsWith("/") ? target.slice(1) : resolvePath(folder + target),
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
  await scanPart(file, entry, {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = /^(1|true|on)$/.test(readAttribute(attributes, "date1904") ?? "");
      if (name !== "sheet") return;
      const isHidden = /^(hidden|veryHidden)$/.test(readAttribute(attributes, "state") ?? "");
      if (listed.length === MOST_SHEETS) throw tooManyParts();
      listed.push({ name: readAttribute(attributes, "name") ?? "", isHidden, id: readAttribute(attributes, "id") ?? "" });
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
  await scanPart(file, entry, {
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
  const scanner = new XmlScanner(textHandler(texts));
  for await (const { text } of readXml(file, entry)) {
    scanner.push(text);
    if (texts.length > SharedTexts.MOST) throw workbookTooLarge(SharedTexts.MOST);
  }
  scanner.end();
  return texts;
}

/** Joins the runs of each `si` element. Phonetic readings (`rPh`) are no part of the text. */
function textHandler(texts: SharedTexts): XmlHandler {
  const whole = new CellText(LONGEST_ESCAPE);
  let isText = false;
  let isPhonetic = false;
  return {
    open(name, _attributes, isEmpty) {
      if (name === "si") whole.begin();
      else if (name === "rPh") isPhonetic = !isEmpty;
      else if (name === "t") isText = !isEmpty && !isPhonetic;
    },
    close(name) {
      if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
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
