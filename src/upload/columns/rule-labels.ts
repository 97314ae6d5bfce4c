import { message, t } from "../../../core/i18n/translate.ts";
import type { ColumnRule, LetterCase } from "../../../pipeline/model/column-rules.ts";
import { count } from "../../values/format.ts";

/** Names what can be done with a column; the three letter cases are three of them. */
export type RuleChoice = Exclude<ColumnRule["do"], "case"> | LetterCase;

export const RULE_CHOICES: Record<RuleChoice, string> = {
  replace: message("Find and replace"),
  split: message("Split into several columns"),
  join: message("Join several columns into one"),
  constant: message("Add a column with one value"),
  fill: message("Fill empty cells from another column"),
  trim: message("Remove spaces at both ends"),
  upper: message("UPPER CASE"),
  lower: message("lower case"),
  title: message("Title Case"),
  digits: message("Keep digits only"),
  unite: message("Unite spellings of one value"),
};

/** Writes one sentence about a rule. `nameOf`: the heading of a column. */
export function ruleInWords(rule: ColumnRule, nameOf: (column: number) => string): string {
  switch (rule.do) {
    case "replace":
      return t("{column}: “{find}” becomes “{to}”", { column: nameOf(rule.column), find: rule.find, to: rule.to });
    case "case":
      return t("{column}: {what}", { column: nameOf(rule.column), what: t(RULE_CHOICES[rule.to]) });
    case "trim":
    case "digits":
      return t("{column}: {what}", { column: nameOf(rule.column), what: t(RULE_CHOICES[rule.do]) });
    case "unite": {
      const texts = rule.spellings.reduce((sum, { from }) => sum + from.length, 0);
      return t("{column}: {what}", {
        column: nameOf(rule.column),
        what: count(texts, "{n} spelling is united", "{n} spellings are united"),
      });
    }
    case "fill":
      return t("{column}: empty cells are filled from {from}", { column: nameOf(rule.column), from: nameOf(rule.from) });
    case "split":
      return t("{column} is split into {list}", { column: nameOf(rule.column), list: rule.into.join(", ") });
    case "join":
      return t("{list} are joined into {column}", { list: rule.columns.map(nameOf).join(", "), column: rule.into });
    case "constant":
      return t("{column} is “{value}” in every row", { column: rule.into, value: rule.value });
  }
}
