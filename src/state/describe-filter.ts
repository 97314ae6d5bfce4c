// Filters in words. Judges nothing and draws nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type FilterOperator, readValueList } from "../../core/dictionary/filters.ts";
import { KINDS, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { type Filter, fieldOf } from "./list-url.ts";

type Words = Record<FilterOperator, string>;

const PLAIN: Words = {
  eq: message("is {value}"),
  prefix: message("starts with {value}"),
  gte: message("from {value}"),
  lte: message("up to {value}"),
  in: message("is one of {value}"),
};
const AMOUNT: Words = { ...PLAIN, gte: message("at least {value}"), lte: message("at most {value}") };
const TIME: Words = { ...PLAIN, lte: message("until {value}") };

const WORDS: Record<Kind, Words> = { string: PLAIN, integer: AMOUNT, number: AMOUNT, boolean: PLAIN, date: TIME, datetime: TIME };

/** "starts with": as a choice, without a value. */
export function operatorLabel(field: Field, operator: FilterOperator): string {
  return t(WORDS[field.kind][operator], { value: "" }).trim();
}

/** How a list writes a value. */
type WriteValue = (field: Field, value: Value) => string;

/** "Account ID", "starts with 00". */
export function describeFilter(
  collection: Collection,
  { name, operator, text }: Filter,
  write: WriteValue,
): { title: string; condition: string } {
  const field = fieldOf(collection, name);
  if (!field) return { title: name, condition: text };
  if (text === "") return { title: field.title, condition: t("is empty") };
  const values = operator === "in" ? (readValueList(text) ?? [text]) : [text];
  return {
    title: field.title,
    condition: t(WORDS[field.kind][operator], { value: values.map((value) => valueWords(field, value, write)).join(", ") }),
  };
}

/** What an address says of a value, as the list writes it. */
function valueWords(field: Field, text: string, write: WriteValue): string {
  const value = KINDS[field.kind].fromText(text);
  return value === undefined ? text : write(field, value);
}
