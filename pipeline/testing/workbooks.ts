// For tests: workbooks and archives, written by hand so that each part can be odd.

import { gzipSync, strToU8, type Zippable, zipSync } from "fflate";

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`;
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const PACKAGE_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OPEN_DOCUMENT = ["office", "style", "table", "text", "manifest"].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const CALC_EXTENSIONS = `xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"`;

/** `xml`: what is within `<worksheet>`. */
export interface WrittenSheet {
  name: string;
  xml: string;
  state?: "hidden" | "veryHidden";
}

export interface WrittenParts {
  /** Holds what is within `<sst>`. */
  strings?: string;
  /** Formats of the cell styles 1, 2, 3 …; style 0 is General. */
  formats?: readonly string[];
  is1904?: boolean;
}

export function xlsxFile(sheets: readonly WrittenSheet[], { strings, formats = [], is1904 }: WrittenParts = {}, name = "book.xlsx"): File {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": CONTENT_TYPES,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE_RELATIONS}">${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${is1904 ? '<workbookPr date1904="1"/>' : ""}<sheets>${sheets
      .map(
        (sheet, i) => `<sheet name="${sheet.name}" sheetId="${i + 1}" r:id="rId${i + 1}"${sheet.state ? ` state="${sheet.state}"` : ""}/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE_RELATIONS}">${sheets.map((_, i) => relation(`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`)).join("")}${relation("rId90", "styles", "styles.xml")}${strings === undefined ? "" : relation("rId91", "sharedStrings", "/xl/sharedStrings.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts>${formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escapeXml(code)}"/>`).join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join("")}</cellXfs></styleSheet>`,
  };
  if (strings !== undefined) parts["xl/sharedStrings.xml"] = `<sst xmlns="${MAIN}">${strings}</sst>`;
  for (const [i, { xml }] of sheets.entries())
    parts[`xl/worksheets/sheet${i + 1}.xml`] = `<?xml version="1.0"?><worksheet xmlns="${MAIN}" xmlns:x="${MAIN}">${xml}</worksheet>`;
  return zipFile(parts, name);
}

/** Rows of texts, as inline texts. */
export function rowsXml(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (text === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`);
  return `<sheetData>${rows.map((cells, i) => `<row r="${i + 1}">${cells.map(cell).join("")}</row>`).join("")}</sheetData>`;
}

/** `tables`: what is within `<office:spreadsheet>`. */
export function odsFile(tables: string, { styles = "", manifest = "" } = {}, name = "book.ods"): File {
  const type = "application/vnd.oasis.opendocument.spreadsheet";
  return zipFile(
    {
      mimetype: type,
      "content.xml": `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${OPEN_DOCUMENT.join(" ")} ${CALC_EXTENSIONS}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      "META-INF/manifest.xml": `<manifest:manifest ${OPEN_DOCUMENT.join(" ")}><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>${manifest}</manifest:manifest>`,
    },
    name,
  );
}

export function odsTable(rows: readonly (readonly string[])[], name = "Sheet1"): string {
  const cell = (text: string) =>
    text === ""
      ? "<table:table-cell/>"
      : `<table:table-cell office:value-type="string"><text:p>${escapeXml(text).replace(/ {2,}/g, (spaces) => ` <text:s text:c="${spaces.length - 1}"/>`)}</text:p></table:table-cell>`;
  return `<table:table table:name="${name}">${rows.map((cells) => `<table:table-row>${cells.map(cell).join("")}</table:table-row>`).join("")}</table:table>`;
}

export function zipFile(parts: Readonly<Record<string, string | Uint8Array>>, name = "rows.zip"): File {
  const files: Zippable = {};
  for (const [path, content] of Object.entries(parts)) files[path] = typeof content === "string" ? strToU8(content) : content;
  return new File([zipSync(files)], name);
}

export function gzipFile(content: string | Uint8Array, name = "rows.csv.gz"): File {
  return new File([gzipSync(typeof content === "string" ? strToU8(content) : content)], name);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
