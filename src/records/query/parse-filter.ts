import type { Field } from "../../../core/dictionary/fields.ts";
import {
  type FilterOperator,
  MAX_FILTER_VALUES,
  ME,
  readValueList,
  takesSeveral,
  withoutRules,
  writeValueList,
} from "../../../core/dictionary/filters.ts";
import { liesOnDays, readRelativeTime } from "../../../core/dictionary/relative-times.ts";
import { isProblem, validateValue, valueOfLabel } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { problemMessage, textToValidate, withoutHidden } from "../../values/field-text.ts";
import { separatorOf } from "../../values/typed-numbers.ts";
import { isTyped } from "../../values/typed-values.ts";

/** Says whether a filter's value is a part of a text, which stays as it is typed: "example.com" stands in a web address. */
export function takesPart(operator: string): boolean {
  return ["prefix", "suffix", "contains", "notContains"].includes(operator);
}

/** Converts typed text to a filter's text for the address, or says what is wrong. Several values are separated by separatorOf(). */
export function parseFilter(given: Field, operator: FilterOperator, typed: string): { text: string } | { wrong: string } {
  const field = given.item ?? given; // of several values one is asked for
  if (liesOnDays(field.kind) && readRelativeTime(typed.trim())) return { text: typed.trim() };
  const isList = takesSeveral(operator);
  const isPart = takesPart(operator);
  const texts = isList ? typedList(field, typed) : [(isPart ? withoutHidden(field, typed) : textToValidate(field, typed)).trim()];
  if (texts.length === 0 || texts[0] === "") return { wrong: t("Enter a value for {title}.", { title: field.title }) };
  if (texts.length > MAX_FILTER_VALUES) return { wrong: t("A filter can have at most {most} values.", { most: MAX_FILTER_VALUES }) };
  for (const [i, typed] of texts.entries()) {
    const text = valueOfLabel(field, typed);
    texts[i] = text;
    const { people, labels } = field;
    const isWhom = people && labels && text !== ME; // nobody else is found than somebody whom the app knows
    const validated = validateValue({ ...withoutRules(field), ...(isWhom && { people, labels }) }, text, "text");
    if (isProblem(validated)) return { wrong: problemMessage(field, validated, text) };
  }
  return { text: isList ? writeValueList(texts) : (texts[0] ?? "") };
}

function typedList(field: Field, typed: string): string[] {
  const parts = separatorOf(field) === ";" ? typed.split(";") : (readValueList(typed) ?? [typed]);
  const texts = parts.map((part) => part.trim()).filter(Boolean);
  return isTyped(field) ? texts.map((text) => textToValidate(field, text)) : texts;
}
