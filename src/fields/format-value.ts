import { labelOf } from "../../core/dictionary/categories.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import { formatDate, formatDatetime, formatDecimal, formatNumber, formatTimeOfDay, formatYear } from "./format.ts";

export function formatValue(field: Field, value: Value | null): string {
  if (value === null) return "";
  if (field.labels) return labelOf(field, value);
  switch (field.kind) {
    case "string":
      return String(value);
    case "integer":
      return isKey(field) ? String(value) : formatNumber(Number(value));
    case "number":
      return formatNumber(Number(value));
    case "decimal":
      return formatDecimal(String(value), field.decimals ?? 0);
    case "boolean":
      return value ? t("Yes") : t("No");
    case "date":
      return formatDate(String(value));
    case "datetime":
      return formatDatetime(String(value));
    case "time":
      return formatTimeOfDay(String(value));
    case "year":
      return formatYear(Number(value));
  }
}

/** A number that identifies a record, this or another one, is written without thousands separators. */
export function isKey({ unique, reference }: Field): boolean {
  return unique || reference !== undefined;
}
