import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type FilterOperator, readValueList } from "../../core/dictionary/filters.ts";
import { KINDS, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { separatorOf } from "../fields/typed-numbers.ts";
import { type Filter, fieldOf } from "./list-url.ts";

type OperatorLabels = Record<FilterOperator, string>;

const TEXT_LABELS: OperatorLabels = {
  eq: message("is {value}"),
  prefix: message("starts with {value}"),
  gte: message("from {value}"),
  lte: message("up to {value}"),
  in: message("is one of {value}"),
};
const NUMBER_LABELS: OperatorLabels = { ...TEXT_LABELS, gte: message("at least {value}"), lte: message("at most {value}") };
const TIME_LABELS: OperatorLabels = { ...TEXT_LABELS, lte: message("until {value}") };

const OPERATOR_LABELS: Record<Kind, OperatorLabels> = {
  string: TEXT_LABELS,
  integer: NUMBER_LABELS,
  number: NUMBER_LABELS,
  decimal: NUMBER_LABELS,
  boolean: TEXT_LABELS,
  date: TIME_LABELS,
  datetime: TIME_LABELS,
};

/** The operator without a value: "starts with". */
export function operatorLabel(field: Field, operator: FilterOperator): string {
  return t(OPERATOR_LABELS[field.kind][operator], { value: "" }).trim();
}

/** Formats a value as the list does. */
type WriteValue = (field: Field, value: Value) => string;

/** The condition that a field has no value. Of yes and no, that is a third answer. */
export function emptyLabel({ kind }: Field): string {
  return kind === "boolean" ? t("is unknown") : t("is empty");
}

/** @example { title: "Account ID", condition: "starts with 00" } */
export function describeFilter(
  collection: Collection,
  { name, operator, text }: Filter,
  write: WriteValue,
): { title: string; condition: string } {
  const field = fieldOf(collection, name);
  if (!field) return { title: name, condition: text };
  if (text === "") return { title: field.title, condition: emptyLabel(field) };
  const values = operator === "in" ? (readValueList(text) ?? [text]) : [text];
  return {
    title: field.title,
    condition: t(OPERATOR_LABELS[field.kind][operator], {
      value: values.map((value) => valueLabel(field, value, write)).join(`${separatorOf(field)} `),
    }),
  };
}

function valueLabel(field: Field, text: string, write: WriteValue): string {
  const value = KINDS[field.kind].fromText(text);
  return value === undefined ? text : write(field, value);
}
