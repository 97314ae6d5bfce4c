import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type FilterOperator, ME, readValueList, takesSeveral } from "../../../core/dictionary/filters.ts";
import { KIND_TRAITS, type KindFamily, type Value } from "../../../core/dictionary/kinds.ts";
import { liesOnDays } from "../../../core/dictionary/relative-times.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { separatorOf } from "../../values/typed-numbers.ts";
import { type Bounds, periodOf, relativeWords } from "./filter-bounds.ts";
import { filteredField } from "./list-url.ts";

type OperatorLabels = Record<FilterOperator, string>;

const TEXT_LABELS: OperatorLabels = {
  eq: message("is {value}"),
  ne: message("is not {value}"),
  prefix: message("starts with {value}"),
  suffix: message("ends with {value}"),
  contains: message("contains {value}"),
  notContains: message("does not contain {value}"),
  gte: message("from {value}"),
  gt: message("after {value}"),
  lte: message("up to {value}"),
  lt: message("before {value}"),
  in: message("is one of {value}"),
  notIn: message("is none of {value}"),
  has: message("has {value}"),
  hasAny: message("has one of {value}"),
  hasAll: message("has all of {value}"),
  null: message("has a value"),
};
const NUMBER_LABELS: OperatorLabels = {
  ...TEXT_LABELS,
  gte: message("at least {value}"),
  gt: message("more than {value}"),
  lte: message("at most {value}"),
  lt: message("less than {value}"),
};
const TIME_LABELS: OperatorLabels = { ...TEXT_LABELS, lte: message("until {value}") };

const OPERATOR_LABELS: Record<KindFamily, OperatorLabels> = {
  text: TEXT_LABELS,
  amount: NUMBER_LABELS,
  time: TIME_LABELS,
  yesNo: TEXT_LABELS,
  list: TEXT_LABELS,
};

function labelOf({ kind }: Field, operator: FilterOperator): string {
  return OPERATOR_LABELS[KIND_TRAITS[kind].family][operator];
}

/** Returns the operator without a value: "starts with". */
export function operatorLabel(field: Field, operator: FilterOperator): string {
  return t(labelOf(field, operator), { value: "" }).trim();
}

/** Formats a value as the list does. */
type WriteValue = (field: Field, value: Value) => string;

/** Returns the condition that a field has no value. Of yes and no, that is a third answer. */
export function emptyLabel({ kind }: Field): string {
  return KIND_TRAITS[kind].choices ? t("is unknown") : t("is empty");
}

/** @example { title: "Account ID", condition: "starts with 00" } */
export function describeFilter(collection: Collection, bounds: Bounds, write: WriteValue): { title: string; condition: string } {
  const [{ name, operator, text }, upper] = bounds;
  const field = filteredField(collection, name);
  if (!field) return { title: name, condition: text };
  if (upper) {
    const [from, to] = [valueLabel(field, text, write), valueLabel(field, upper.text, write)];
    return { title: field.title, condition: periodOf(bounds)?.words() ?? t("between {from} and {to}", { from, to }) };
  }
  const hasNone = operator === "null" ? text === "true" : text === "" && operator !== "ne";
  if (hasNone) return { title: field.title, condition: emptyLabel(field) };
  if (operator === "null" || text === "") return { title: field.title, condition: t("has a value") };
  const values = takesSeveral(operator) ? (readValueList(text) ?? [text]) : [text];
  return {
    title: field.title,
    condition: t(labelOf(field, operator), {
      value: values.map((value) => valueLabel(field, value, write)).join(`${separatorOf(field.item ?? field)} `),
    }),
  };
}

function valueLabel(given: Field, text: string, write: WriteValue): string {
  const field = given.item ?? given;
  const relative = liesOnDays(field.kind) ? relativeWords(text) : undefined;
  if (relative !== undefined) return relative;
  if (text === ME) return t("me");
  const value = KIND_TRAITS[field.kind].fromText(text);
  return value === undefined ? text : write(field, value);
}
