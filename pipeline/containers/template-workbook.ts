// Makes the workbook that people fill in: headings, drop-downs, rules for what is typed, notes, and a sheet with examples.

import { strToU8, zipSync } from "fflate";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { KIND_TRAITS, textOfValue } from "../../core/dictionary/kinds.ts";
import { sampleTexts } from "../../core/dictionary/sample-texts.ts";
import { t } from "../../core/i18n/translate.ts";
import { columnName } from "./sheet-notes.ts";
import { MOST_ROWS } from "./sheet-rows.ts";
import { cellText, escapeText, HEAD, MAIN, sheetName, workbookParts } from "./write-xlsx.ts";

const EXAMPLES = 3; // rows
const MOST_PROMPT = 255; // characters that Excel shows beside a cell
const MOST_TITLE = 32;

/** The headings are the names of the fields, which an upload reads in every language. */
export function templateWorkbook(collection: Collection): Uint8Array<ArrayBuffer> {
  const fields = collection.fields.filter((field) => !isPassedOver(field) && !field.readOnly);
  const lists = fields.map(choicesOf);
  const heading = fields.map(({ name }) => name);
  // They stand field by field in lines, so that nobody takes the sheet for one with records.
  const examples = fields.map((field) => [field.name, field.title, ...numbers(EXAMPLES).map((row) => sampleTexts(field, row)[0] ?? "")]);
  const longest = Math.max(0, ...lists.map((list) => list?.length ?? 0));
  const values = numbers(longest).map((row) => lists.map((list) => list?.[row] ?? ""));
  const valuesName = sheetName(t("Values"));
  const rules = fields.map((field, at) => {
    const list = lists[at];
    const range = list && `'${valuesName.replaceAll("'", "''")}'!$${columnName(at)}$1:$${columnName(at)}$${list.length}`;
    return validationOf(field, at, range);
  });
  const isText = fields.map(({ kind }) => KIND_TRAITS[kind].isText === true);
  const sheets = [
    sheetOf([heading], isText, `<dataValidations count="${rules.length}">${rules.join("")}</dataValidations>`),
    sheetOf(examples, examples[0]?.map(() => true) ?? []),
    ...(longest > 0 ? [sheetOf(values, isText)] : []),
  ];
  const names = [sheetName(collection.title), sheetName(t("Examples")), valuesName].slice(0, sheets.length);
  const parts = [...sheets.map((xml, i) => [`xl/worksheets/sheet${i + 1}.xml`, xml] as const), ...Object.entries(workbookParts(names))];
  return zipSync(Object.fromEntries(parts.map(([path, xml]) => [path, strToU8(HEAD + xml)])));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** Returns the texts of a closed list, or of a kind with few values; undefined for others. */
function choicesOf({ kind, enum: values }: Field): string[] | undefined {
  const { choices } = KIND_TRAITS[kind];
  return values?.map((value) => textOfValue({ kind }, value)) ?? (choices && Object.keys(choices));
}

/** A whole column of cells in the format “Text” keeps zeros in front. */
function sheetOf(rows: readonly (readonly string[])[], isText: readonly boolean[], rules = ""): string {
  const columns = isText.map((is, i) => `<col min="${i + 1}" max="${i + 1}" width="18" customWidth="1"${is ? ' style="1"' : ""}/>`);
  const data = rows.map((cells, i) => {
    const written = cells.map((cell, at) => (cell === "" ? "" : cellText(`${columnName(at)}${i + 1}`, cell)));
    return `<row r="${i + 1}">${written.join("")}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><cols>${columns.join("")}</cols><sheetData>${data.join("")}</sheetData>${rules}</worksheet>`;
}

/** Writes the rule of a column: what may be typed, and the note that stands beside the cell. A list stands in a sheet of its own, at `range`. */
function validationOf(field: Field, at: number, range: string | undefined): string {
  const { title, description, example, required } = field;
  const place = `${columnName(at)}2:${columnName(at)}${MOST_ROWS}`;
  const shown = [description, required && t("Required."), example && t("Example: {example}", { example })].filter(Boolean).join(" ");
  const note = `showInputMessage="1" promptTitle="${attribute(title.slice(0, MOST_TITLE))}" prompt="${attribute(shown.slice(0, MOST_PROMPT))}"`;
  const rule = range === undefined ? ruleOf(field) : { words: 'type="list"', formulas: [range] };
  const formulas = rule.formulas.map((formula, i) => `<formula${i + 1}>${escapeText(formula)}</formula${i + 1}>`).join("");
  const error = rule.words === "" ? "" : ' showErrorMessage="1"';
  return `<dataValidation ${rule.words} allowBlank="${required ? 0 : 1}"${error} ${note} sqref="${place}">${formulas}</dataValidation>`;
}

function ruleOf({ kind, minimum, maximum, minLength = 0, maxLength }: Field): { words: string; formulas: string[] } {
  const { isWhole, hasDecimals, isText, isAmount } = KIND_TRAITS[kind];
  if ((isWhole || hasDecimals) && isAmount !== undefined) {
    const [least, most] = [String(minimum ?? -MOST_NUMBER), String(maximum ?? MOST_NUMBER)];
    return { words: `type="${isWhole ? "whole" : "decimal"}" operator="between"`, formulas: [least, most] };
  }
  if (isText && maxLength !== undefined)
    return { words: 'type="textLength" operator="between"', formulas: [String(minLength), String(maxLength)] };
  return { words: "", formulas: [] };
}

const MOST_NUMBER = 999_999_999_999_999; // the digits that a spreadsheet keeps

function attribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}
