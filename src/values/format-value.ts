import { labelOf } from "../../core/dictionary/categories.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { itemsOf, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import { formatDate, formatDatetime, formatDecimal, formatNumber, formatTimeOfDay, formatYear } from "./format.ts";

export function formatValue(field: Field, value: Value | null): string {
  if (value === null) return "";
  if (field.labels) return labelOf(field, value);
  return WRITERS[field.kind](value, field);
}

/** Stands between several values for people, in a language with commas between numbers as well. */
const LIST_COMMA = ", ";

const WRITERS: Record<Kind, (value: Value, field: Field) => string> = {
  string: String,
  integer: (value, field) => (isKey(field) ? String(value) : formatNumber(Number(value))),
  number: (value) => formatNumber(Number(value)),
  decimal: (value, { decimals = 0, isBig }) => (isBig ? String(value) : formatDecimal(String(value), decimals)), // as other systems write their keys
  boolean: (value) => (value ? t("Yes") : t("No")),
  date: (value) => formatDate(String(value)),
  datetime: (value) => formatDatetime(String(value)),
  time: (value) => formatTimeOfDay(String(value)),
  year: (value) => formatYear(Number(value)),
  list: writeSeveral,
  files: writeSeveral,
  file: (value) => String(value).replace(/ \(\S+, \d+ bytes, sha256 \w+\)$/, ""), // its name
};

function writeSeveral(value: Value, { item }: Field): string {
  return itemsOf(value)
    .map((one) => (item ? formatValue(item, one) : String(one)))
    .join(LIST_COMMA);
}

/** A number that identifies a record, this or another one, is written without thousands separators. */
export function isKey({ unique, reference }: Field): boolean {
  return unique || reference !== undefined;
}
