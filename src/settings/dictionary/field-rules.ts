import { labelOf } from "../../../core/dictionary/categories.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, textOfValue, type Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { formatValue } from "../../values/format-value.ts";

export function rulesOf(collection: Collection, field: Field): string[] {
  const { minLength = 0, maxLength } = field;
  const { visibleIf, choicesIf = [], default: initial } = field;
  const rules = [field.required ? t("required") : needOf(field)];
  if (visibleIf !== undefined) rules.push(t("asked for where {condition}", { condition: visibleIf }));
  if (field === collection.key) rules.push(t("assigned by the service if empty"));
  if (field.unique) rules.push(field.caseless ? t("unique whatever the case") : t("unique"));
  if (minLength > 1) rules.push(t("at least {n} characters", { n: minLength }));
  if (maxLength !== undefined) rules.push(t("up to {n} characters", { n: maxLength }));
  if (field !== collection.key && !field.reference) rules.push(...boundsOf(field));
  if (field.decimals !== undefined) rules.push(t("exact, with at most {n} digits behind the point", { n: field.decimals }));
  if (field.pattern) rules.push(t("has the form {pattern}", { pattern: field.pattern.source.slice(4, -2) })); // without ^(?: and )$
  for (const { own } of field.reference?.where ?? [])
    rules.push(t("has the same {field}", { field: collection.byName.get(own)?.title ?? own }));
  const listed = (values: readonly Value[]) => values.map((value) => inFiles(field, value)).join(", ");
  if (field.enum) rules.push(t("one of {values}", { values: listed(field.enum) }));
  for (const { when, values } of choicesIf) rules.push(t("one of {values} where {condition}", { values: listed(values), condition: when }));
  if (initial !== undefined) rules.push(t("begins with {value}", { value: initial }));
  return rules;
}

function needOf({ requiredIf }: Field): string {
  if (requiredIf === undefined) return t("optional");
  return requiredIf === "true" ? t("required where it is asked for") : t("required where {condition}", { condition: requiredIf });
}

/** Lists what may stand in a file: the value, and its label. */
function inFiles(field: Field, value: Value): string {
  const label = labelOf(field, value);
  return label === String(value) ? label : t("{value} ({label})", { value: String(value), label });
}

function boundsOf(field: Field): string[] {
  const { kind, minimum, maximum } = field;
  const { isTime } = KIND_TRAITS[kind];
  const amount = (value: Value) => (isTime ? textOfValue(field, value) : formatValue(field, value));
  const bounds: string[] = [];
  if (minimum !== undefined) bounds.push(isTime ? t("{n} or later", { n: amount(minimum) }) : t("{n} or more", { n: amount(minimum) }));
  if (maximum !== undefined) bounds.push(isTime ? t("{n} or earlier", { n: amount(maximum) }) : t("{n} or less", { n: amount(maximum) }));
  return bounds;
}
