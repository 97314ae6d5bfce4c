// Reads the closed list of a field of a Table Schema, with the labels of its values.

import { fold } from "../text/fold.ts";
import type { Categories } from "./categories.ts";
import { isObject, type ReportMistake } from "./fields.ts";
import { KIND_TRAITS, type Kind, type Value } from "./kinds.ts";

/**
 * Reads values, or objects of a value, its label and `translations` such as { "de": { "label": "Teilzeit" } }. Undefined where the
 * field has none, or a mistake. No label may mean two values.
 */
export function readCategories(input: unknown, kind: Kind, language: string, path: string, report: ReportMistake): Categories | undefined {
  if (input === undefined) return undefined;
  if (!KIND_TRAITS[kind].hasCategories) return report(path, "are for fields of type string or integer");
  if (!Array.isArray(input) || input.length === 0) return report(path, "must be a list of values, or of { value, label }");
  const values: Value[] = [];
  const labels = new Map<string, string>();
  const byLabel = new Map<string, string>();
  const allLabels = new Map<string, string[]>();
  const meanings = new Map<string, string>(); // folded label or value → value
  let isWrong = false;
  const wrong = (at: number, text: string) => {
    isWrong = true;
    report(`${path}/${at}`, text);
  };
  for (const [i, item] of input.entries()) {
    const read = readCategory(item, kind);
    if (!read) wrong(i, `must be a value of type ${kind}, or { "value": …, "label": "…", "translations": { "de": { "label": "…" } } }`);
    else {
      const { value, label, translated } = read;
      const text = String(value);
      if (values.includes(value)) wrong(i, `a second category has the value ${text}`);
      values.push(value);
      labels.set(text, translated.get(language) ?? label);
      allLabels.set(text, [label, ...translated.values()]);
      for (const name of [label, ...translated.values()]) byLabel.set(fold(name), text);
      for (const name of new Set([text, label, ...translated.values()].map(fold))) {
        const other = meanings.get(name);
        if (other !== undefined) wrong(i, `"${name}" is a value or label of ${other} already`);
        meanings.set(name, text);
      }
    }
  }
  return isWrong ? undefined : { enum: values, labels, byLabel, allLabels };
}

function readCategory(item: unknown, kind: Kind): { value: Value; label: string; translated: Map<string, string> } | undefined {
  const { value: given, label, translations = {} } = isObject(item) ? item : { value: item };
  const value = KIND_TRAITS[kind].fromJson(given);
  if (value === undefined || value === "" || !isObject(translations)) return undefined;
  const translated = Object.entries(translations).map(
    ([language, words]) => [language, isObject(words) ? words.label : undefined] as const,
  );
  const isText = (name: unknown): name is string => typeof name === "string" && name.trim() === name && name !== "";
  if (!isText(label ?? "x") || !translated.every(([, name]) => isText(name))) return undefined;
  return { value, label: (label as string | undefined) ?? String(value), translated: new Map(translated as [string, string][]) };
}
