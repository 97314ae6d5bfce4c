import { type Broken, isConstraint } from "../../../core/contract/violations.ts";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { formatNumber } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";

/** Reads a rule of an address; undefined for one that the collection does not have. */
export function ruleIn({ byName, rules }: Collection, { quality = "", rule, field }: QualitySearch): Broken | undefined {
  if (field === undefined || !byName.has(field)) return undefined;
  if (quality === "rule") return rules?.some(({ name }) => name === rule) ? { rule: rule as string, field } : undefined;
  return isConstraint(quality) ? { constraint: quality, field } : undefined;
}

/** The parameters of an address. */
export type QualitySearch = Readonly<Partial<Record<"quality" | "rule" | "field" | "cursor" | "exceptions", string>>>;

export function searchOf({ constraint, rule, field }: Broken): Record<string, string> {
  return rule === undefined ? { quality: constraint, field } : { quality: "rule", rule, field };
}

/** Says what is wrong with the records that break the rule. */
export function describeRule({ byName, rules = [] }: Collection, { constraint, rule, field: name }: Broken): string {
  if (rule !== undefined) return ruleMessage({ rules }, rules.find((one) => one.name === rule)?.message ?? rule);
  const field = byName.get(name) as Field;
  const { title } = field;
  switch (constraint) {
    case "required":
      return t("{title} is missing", { title });
    case "minLength":
      return t("{title} is shorter than {n} characters", { title, n: formatNumber(field.minLength ?? 0) });
    case "maxLength":
      return t("{title} is longer than {n} characters", { title, n: formatNumber(field.maxLength ?? 0) });
    case "minimum":
      return t("{title} is below {bound}", { title, bound: formatValue(field, field.minimum ?? null) });
    case "maximum":
      return t("{title} is above {bound}", { title, bound: formatValue(field, field.maximum ?? null) });
    case "pattern":
    case "format":
      return t("{title} does not have the form it needs", { title });
    case "decimals":
      return t("{title} has more than {n} digits behind the point", { title, n: formatNumber(field.decimals ?? 0) });
    case "requiredIf":
      return t("{title} is missing where it is needed", { title });
    case "choicesIf":
    case "foreignKey":
      return t("{title} does not fit the other values", { title });
    case "enum":
      return t("{title} is none of the values of today", { title });
    case "characters":
      return t("{title} has more than one line", { title });
  }
}
