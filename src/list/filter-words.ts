// Filters in words. Judges nothing and draws nothing.

import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import { type FilterOperator, readValueList } from "../../dictionary/filters.ts";
import { KINDS, type Kind } from "../../dictionary/kinds.ts";
import { formatDate, formatDatetime } from "../ui/format.ts";
import { type Filter, fieldOf } from "./address.ts";

type Words = Record<FilterOperator, string>;

const PLAIN: Words = { eq: "is", prefix: "starts with", gte: "from", lte: "up to", in: "is one of" };
const AMOUNT: Words = { ...PLAIN, gte: "at least", lte: "at most" };
const TIME: Words = { ...PLAIN, gte: "from", lte: "until" };

const WORDS: Record<Kind, Words> = { string: PLAIN, integer: AMOUNT, number: AMOUNT, boolean: PLAIN, date: TIME, datetime: TIME };

export function operatorWords(field: Field, operator: FilterOperator): string {
  return WORDS[field.kind][operator];
}

/** "Account ID", "starts with 00". */
export function filterWords(collection: Collection, { name, operator, text }: Filter): { title: string; says: string } {
  const field = fieldOf(collection, name);
  if (!field) return { title: name, says: text };
  if (text === "") return { title: field.title, says: "is empty" };
  const values = operator === "in" ? (readValueList(text) ?? [text]) : [text];
  return { title: field.title, says: `${operatorWords(field, operator)} ${values.map((value) => valueWords(field, value)).join(", ")}` };
}

/** What an address says of a value, as people write it. */
function valueWords(field: Field, text: string): string {
  const value = KINDS[field.kind].fromText(text);
  if (value === undefined) return text;
  if (field.kind === "boolean") return value ? "Yes" : "No";
  if (field.kind === "date") return formatDate(String(value));
  return field.kind === "datetime" ? formatDatetime(String(value)) : text;
}
