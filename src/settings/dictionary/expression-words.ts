// The words that may stand at a place of an expression: fields, their values, functions, and words of rules.

import { labelOf } from "../../../core/dictionary/categories.ts";
import { FUNCTIONS, typeOfField } from "../../../core/dictionary/expression-values.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { message, t } from "../../../core/i18n/translate.ts";

export interface OfferedWord {
  /** Takes the place of the word that is typed. */
  insert: string;
  /** Says what people call it. */
  title: string;
}

export interface Offer {
  /** Says where the word begins that is typed. */
  from: number;
  words: readonly OfferedWord[];
}

const MOST_OFFERED = 10;
const OF_ME = [
  { insert: "id", title: message("the number of whoever saves") },
  { insert: "name", title: message("the name of whoever saves") },
];
const OF_RULES: readonly OfferedWord[] = [
  { insert: "today", title: message("the day of today") },
  { insert: "old.", title: message("a field as it is stored") },
  { insert: "me.", title: message("whoever saves") },
];

/** Offers what may stand where the text ends at `caret`. `isAsked`: also where no word is begun. */
export function wordsAt(text: string, caret: number, fields: readonly Field[], isAsked = false): Offer {
  const before = text.slice(0, caret);
  const inText = /"([^"]*)$/.exec(before);
  if (inText && (before.match(/"/g)?.length ?? 0) % 2 === 1) return valuesAt(before, inText.index, inText[1] ?? "", fields);
  const [, owner, typed = ""] = /(?:([A-Za-z_]\w*)\s*\.\s*)?([A-Za-z_]\w*)?$/.exec(before) ?? [];
  const from = caret - typed.length;
  const isBegun = typed !== "" || owner !== undefined;
  if ((!isBegun && !isAsked) || /\d$/.test(before.slice(0, from))) return { from, words: [] };
  const all = owner === undefined ? [...fields.map(offered), ...functions(false), ...OF_RULES.map(translated)] : membersOf(owner, fields);
  const isNamed = ({ insert }: OfferedWord) => insert.toLowerCase().startsWith(typed.toLowerCase());
  const found = all.filter((word) => begins(word, typed));
  const words = [...found.filter(isNamed), ...found.filter((word) => !isNamed(word))].slice(0, MOST_OFFERED);
  return { from, words: words.length === 1 && words[0]?.insert === typed ? [] : words };
}

function offered({ name, title }: Field): OfferedWord {
  return { insert: name, title };
}

const translated = ({ insert, title }: OfferedWord): OfferedWord => ({ insert, title: t(title) });

function membersOf(owner: string, fields: readonly Field[]): OfferedWord[] {
  if (owner === "old") return fields.map(offered);
  return owner === "me" ? OF_ME.map(translated) : functions(true);
}

/** Lists those that stand behind a text and a point, or the others. */
function functions(ofText: boolean): OfferedWord[] {
  return Object.entries(FUNCTIONS).flatMap(([name, { usage }]) =>
    usage.startsWith("text.") === ofText ? { insert: `${name}(`, title: usage } : [],
  );
}

/** A word is found by its own beginning, and a field by the beginning of each word of its title. */
function begins({ insert, title }: OfferedWord, typed: string): boolean {
  const sought = typed.toLowerCase();
  return [insert, ...title.split(/[\s-]+/)].some((word) => word.toLowerCase().startsWith(sought));
}

/** Returns the values of a closed list, within the text with which its field is compared. */
function valuesAt(before: string, quote: number, typed: string, fields: readonly Field[]): Offer {
  const [, name] = /([A-Za-z_]\w*)\s*(?:[!=]=|in\s*\[[^\]]*)\s*$/.exec(before.slice(0, quote)) ?? [];
  const field = fields.find((one) => one.name === name);
  const values = (field?.enum ?? []).filter((value) => typeof value === "string");
  const words = values.map((value) => ({ insert: `${value}"`, title: field ? labelOf(field, value) : value }));
  return { from: quote + 1, words: words.filter((word) => begins(word, typed)).slice(0, MOST_OFFERED) };
}

/** Says how a value of a field is written in an expression; undefined for a text that is none. */
export function writtenValue(field: Field, text: string): string | undefined {
  const value = KIND_TRAITS[field.kind].fromText(text.trim());
  if (value === undefined) return undefined;
  const isPlain = ["number", "boolean"].includes(typeOfField(field));
  return isPlain ? String(value) : JSON.stringify(value);
}
