// Says in words what a change of the dictionary is.

import type { DictionaryChange } from "../../../core/contract/dictionary.ts";
import { CONDITIONALS } from "../../../core/contract/problems.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import type { Package } from "../../../core/dictionary/packages.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { message, t, tCount } from "../../../core/i18n/translate.ts";
import { titleOf } from "./package-edits.ts";
import { messageOf } from "./rule-edits.ts";

const WORDS: Readonly<Record<string, string>> = {
  renamed: message("{place}: is named {to} instead of {from}. The old name goes on working."),
  retired: message("{place}: is retired. It is hidden, and what is stored is kept."),
  revived: message("{place}: is brought back."),
  withdrawn: message("{place}: its former name {from} stops working in requests and files"),
  reinstated: message("{place}: its former name {to} works again"),
  text: message("{place}: other words for people"),
  appearance: message("{place}: another look"),
  order: message("{place}: another order"),
  loosened: message("{place}: {what} is less strict"),
  narrowed: message("{place}: {what} is stricter"),
  required: message("{place}: becomes required"),
  unique: message("{place}: becomes unique"),
  reference: message("{place}: refers to {to}"),
  converted: message("{place}: becomes {to} instead of {from}"),
  computed: message("{place}: {what}"),
  other: message("{place}: something else changes"),
};

const RULES: Readonly<Record<string, string>> = {
  required: message("Required"),
  unique: message("Unique"),
  caseless: message("Unique whatever the case"),
  uniqueKeys: message("Unique together"),
  minLength: message("Fewest characters"),
  maxLength: message("Most characters"),
  minimum: message("Least value"),
  maximum: message("Greatest value"),
  pattern: message("Pattern"),
  enum: message("Values"),
  categories: message("Values"),
  format: message("Kind"),
  decimals: message("Digits behind the point"),
  reference: message("Reference"),
  where: message("Fields that agree with the parent"),
  computed: message("Formula"),
  autoNumber: message("Automatic number"),
  accept: message("Types of files"),
  maxSize: message("Largest file"),
};

/** The words of a field that are about other fields. */
const CONDITIONS: Readonly<Record<string, string>> = {
  visibleIf: message("Asked for only where"),
  requiredIf: message("Needed where"),
  choicesIf: message("Only some values where"),
  default: message("A new record begins with"),
  sticky: message("The form begins with what the same person stored last"),
};

/** `all`: the package after the change. */
export function changeSentence({ kind, path, from, to }: DictionaryChange, all: Package): string {
  if (path === "timeZone") return t("“Today” in rules begins and ends as in {zone}", { zone: String(to ?? "UTC") });
  const place = placeOf(path, all);
  if (kind === "added") return path.includes(".") ? t("{place}: new field", { place }) : t("{place}: new collection", { place });
  if (isObject(to) && Array.isArray(to.uniqueKeys)) return describeKeys(kind, path, to.uniqueKeys, all);
  if ([from, to].some((one) => isObject(one) && Object.hasOwn(one, "match")))
    return t("{place}: duplicates are found in another way", { place });
  const [known, wanted] = [ruleIn(from), ruleIn(to)];
  if (wanted && !known) return t("{place}: new rule: {rule}", { place, rule: messageOf(wanted) });
  if (known && !wanted) return t("{place}: without the rule: {rule}", { place, rule: messageOf(known) });
  if (wanted && kind === "narrowed") return t("{place}: a rule asks for something else: {rule}", { place, rule: messageOf(wanted) });
  if (wanted && kind === "loosened") return t("{place}: a rule only warns from now on: {rule}", { place, rule: messageOf(wanted) });
  if (kind === "unique" && isObject(to) && to.caseless) return t("{place}: becomes unique whatever the case of its letters", { place });
  const rule =
    typeof to === "object" && to !== null ? Object.keys(to)[0] : typeof from === "object" && from !== null ? Object.keys(from)[0] : "";
  const condition = CONDITIONS[rule ?? ""];
  if (condition && rule) return t("{place}: {what} ({from} → {to})", { place, what: t(condition), ...sides(from, to, rule) });
  const words = RULES[rule ?? ""];
  const named = words ? t(words) : (rule ?? "");
  const values = sides(from, to, rule ?? "");
  const hasValues = Object.values(values).some((one) => one !== NONE) && !["required", "unique"].includes(rule ?? "");
  const what = hasValues ? t("{rule} ({from} → {to})", { rule: named, ...values }) : named;
  return t(WORDS[kind] ?? WORDS.other ?? "", { place, what, from: String(from), to: String(to) });
}

/** Names the fields that are unique together after the change. */
function describeKeys(kind: string, path: string, keys: readonly (readonly string[])[], all: Package): string {
  const place = placeOf(path, all);
  if (kind !== "unique") return t("{place}: {what} is less strict", { place, what: t("Unique together") });
  const fields = all.resources.find(({ name }) => name === path)?.schema.fields ?? [];
  const titleIn = (name: string) => titleOf(fields.find((one) => one.name === name) ?? { name });
  return t("{place}: {list} become unique together", { place, list: keys.map((key) => key.map(titleIn).join(" + ")).join(", ") });
}

/** Returns the rule that one side of a change has; undefined where it is about something else. */
export function ruleIn(side: unknown): Rule | undefined {
  return isObject(side) && isObject(side.rule) ? (side.rule as unknown as Rule) : undefined;
}

/** Says whether a change is about a condition that records can break. */
export function isOfCondition({ to }: DictionaryChange): boolean {
  return isObject(to) && CONDITIONALS.some((word) => word in to);
}

const NONE = "–";

function sides(from: unknown, to: unknown, rule: string): { from: string; to: string } {
  return { from: textIn(from, rule), to: textIn(to, rule) };
}

/** Of lists, which are too long for a line, it says how long they are. */
function textIn(given: unknown, rule: string): string {
  const value = isObject(given) ? given[rule] : undefined;
  if (value === true) return t("yes");
  if (rule === "choicesIf" && Array.isArray(value)) return tCount(value.length, "{n} list", "{n} lists");
  return (typeof value === "string" || typeof value === "number") && value !== "" ? String(value) : NONE;
}

export function placeOf(path: string, all: Package): string {
  const [collection, name] = path.split(".");
  const resource = all.resources.find((one) => one.name === collection);
  if (!resource) return path;
  const field = resource.schema.fields.find((one) => one.name === name);
  return field ? `${titleOf(resource)} › ${titleOf(field)}` : titleOf(resource);
}
