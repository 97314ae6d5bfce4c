// The rules of a collection in a draft, which may have any shape until the review: read, and changed.

import { isObject } from "../../../core/dictionary/fields.ts";
import type { Package, PackageResource } from "../../../core/dictionary/packages.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { LANGUAGE_TAGS, LANGUAGES } from "../../../core/i18n/languages.ts";
import { currentCatalogue, SOURCE_LANGUAGE } from "../../../core/i18n/translate.ts";
import { changeResource, moved, withWords } from "./package-edits.ts";

/** Leaves out what a rule that was written by hand has in another shape. Its name, its expression and its sentence are then empty. */
export function rulesOf(resource: PackageResource): readonly Rule[] {
  return asWritten(resource).map(({ when, fields, translations, ...rule }) => ({
    ...rule,
    ...(typeof when === "string" && { when }),
    ...(Array.isArray(fields) && { fields: fields.filter((name) => typeof name === "string") }),
    ...(isObject(translations) && { translations: Object.fromEntries(Object.entries(translations).filter(([, words]) => hasText(words))) }),
    ...{ name: textOf(rule.name), must: textOf(rule.must), message: textOf(rule.message) },
  }));
}

function textOf(given: unknown): string {
  return typeof given === "string" ? given : "";
}

function hasText(words: unknown): boolean {
  return isObject(words) && typeof words.message === "string";
}

function asWritten({ rules }: PackageResource): readonly Rule[] {
  return Array.isArray(rules) ? (rules.filter(isObject) as unknown as Rule[]) : [];
}

function changeRules(all: Package, at: number, change: (rules: readonly Rule[]) => readonly Rule[]): Package {
  return changeResource(all, at, (resource) => {
    const rules = change(asWritten(resource));
    return withWords(resource, { rules: rules.length > 0 ? rules : undefined });
  });
}

/** Puts a rule in the place of the one with this name, or at the end. */
export function putRule(all: Package, at: number, name: string | undefined, rule: Rule): Package {
  return changeRules(all, at, (rules) =>
    rules.some((one) => isNamed(one, name)) ? rules.map((one) => (isNamed(one, name) ? rule : one)) : [...rules, rule],
  );
}

export function removeRule(all: Package, at: number, name: string): Package {
  return changeRules(all, at, (rules) => rules.filter((one) => !isNamed(one, name)));
}

/** A rule without a name is called "", as `rulesOf` has it. */
function isNamed(rule: Rule, name: string | undefined): boolean {
  return textOf(rule.name) === name;
}

export function moveRule(all: Package, at: number, from: number, to: number): Package {
  return changeRules(all, at, (rules) => moved(rules, from, to));
}

/** Returns the languages of the app besides that of the package itself. */
export function otherLanguages(): string[] {
  return LANGUAGE_TAGS.filter((tag) => tag !== SOURCE_LANGUAGE && LANGUAGES[tag].name);
}

export function messageOf({ message, translations }: Rule): string {
  return translations?.[currentCatalogue().language]?.message || message;
}

/** Returns the name of a language, in the reader's. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(currentCatalogue().language, { type: "language" }).of(tag) ?? tag;
}
