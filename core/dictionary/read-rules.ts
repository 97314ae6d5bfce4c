// Reads the rules of collections. Their expressions are texts here: `checkRules` compiles them, which the app need not do.

import type { Collection } from "./collections.ts";
import { isObject } from "./fields.ts";
import type { Rule } from "./rules.ts";

/** Sets the rules of each collection, in this language. What is no rule is passed over: dictionary.schema.json refuses it. */
export function addRules(dataPackage: unknown, collections: readonly Collection[], language: string): void {
  const { resources, timeZone } = dataPackage as { resources: readonly unknown[]; timeZone?: unknown };
  for (const resource of resources) {
    const { name, rules } = isObject(resource) ? resource : {};
    const own = collections.find((one) => one.name === name);
    if (!own || !Array.isArray(rules) || rules.length === 0) continue;
    own.rules = rules.flatMap((rule) => readRule(rule, language) ?? []);
    if (typeof timeZone === "string") own.timeZone = timeZone;
  }
}

function readRule(given: unknown, language: string): Rule | undefined {
  if (!isObject(given)) return undefined;
  const { name, when, must, severity = "error", message, fields = [], translations } = given;
  if (typeof name !== "string" || typeof must !== "string" || typeof message !== "string") return undefined;
  const words = isObject(translations) ? translations[language] : undefined;
  const translated = isObject(words) && typeof words.message === "string" ? words.message : message;
  return {
    name,
    ...(typeof when === "string" && { when }),
    must,
    severity: severity === "warning" ? "warning" : "error",
    message: translated,
    fields: Array.isArray(fields) ? fields.filter((one) => typeof one === "string") : [],
  };
}
