// The shapes of rules that staff know, and how each is written as an expression and as a sentence.

import { labelOf } from "../../../core/dictionary/categories.ts";
import { typeOfField } from "../../../core/dictionary/expression-values.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import type { Rule } from "../../../core/dictionary/rule.ts";
import { message, t, tNumber } from "../../../core/i18n/translate.ts";
import { writtenValue } from "./expression-words.ts";

/** Holds what a shape asks for. `amount` and `value` are texts as the dictionary writes values. */
export interface ShapeParts {
  first?: string;
  second?: string;
  amount?: string;
  /** The rule is only for records of which this field has a value: `value`, or any. */
  onlyIf?: string;
  value?: string;
}

export interface Shape {
  title: string;
  /** The labels of what it asks for; what has none is not asked for. */
  first: string;
  second?: string;
  amount?: string;
  /** The label of `onlyIf`, where the shape is nothing without it. */
  onlyIf?: string;
  /** Says which fields it is about. */
  fits(field: Field): boolean;
  /** Writes what must be. Names of fields stand in for fields. */
  must(parts: { first: string; second: string; amount: string }): string;
  /** Names the rule, from the names of its fields. */
  name: string;
  /** Lacks the point at its end. */
  sentence: string;
}

const isOrdered = (field: Field) => KIND_TRAITS[field.kind].order !== undefined;
const isTime = (field: Field) => isOrdered(field) && typeOfField(field) !== "number";
const isNumber = (field: Field) => typeOfField(field) === "number" && !field.reference;
const isAny = () => true;

/** Lists shapes by the name that the select has for them. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  order: {
    title: message("One is not before the other"),
    first: message("The later one"),
    second: message("The earlier one"),
    fits: isTime,
    must: ({ first, second }) => `${first} >= ${second}`,
    name: "{first}After{second}",
    sentence: message("“{first}” must not be before “{second}”"),
  },
  oneOf: {
    title: message("One of two is needed"),
    first: message("This one"),
    second: message("or this one"),
    fits: isAny,
    must: ({ first, second }) => `!isEmpty(${first}) || !isEmpty(${second})`,
    name: "{first}Or{second}",
    sentence: message("“{first}” or “{second}” is needed"),
  },
  notBoth: {
    title: message("Not both of two"),
    first: message("This one"),
    second: message("or this one"),
    fits: isAny,
    must: ({ first, second }) => `isEmpty(${first}) || isEmpty(${second})`,
    name: "{first}Not{second}",
    sentence: message("“{first}” and “{second}” must not both have a value"),
  },
  needed: {
    title: message("Needed if"),
    first: message("This is needed"),
    onlyIf: message("if this field"),
    fits: isAny,
    must: ({ first }) => `!isEmpty(${first})`,
    name: "{first}Needed",
    sentence: message("“{first}” is needed"),
  },
  atMost: {
    title: message("At most"),
    first: message("Number"),
    amount: message("At most"),
    fits: isNumber,
    must: ({ first, amount }) => `${first} <= ${amount}`,
    name: "{first}AtMost",
    sentence: message("“{first}” must be {amount} at most"),
  },
  atLeast: {
    title: message("At least"),
    first: message("Number"),
    amount: message("At least"),
    fits: isNumber,
    must: ({ first, amount }) => `${first} >= ${amount}`,
    name: "{first}AtLeast",
    sentence: message("“{first}” must be {amount} at least"),
  },
  notAhead: {
    title: message("Not in the future"),
    first: message("Date"),
    fits: (field) => typeOfField(field) === "date",
    must: ({ first }) => `${first} <= today`,
    name: "{first}NotAhead",
    sentence: message("“{first}” must not lie in the future"),
  },
};

/** Returns the fields of which one can be the other one of a pair. */
export function secondsFor(shape: Shape, fields: readonly Field[], first: string | undefined): Field[] {
  const own = fields.find(({ name }) => name === first);
  const isLike = (field: Field) => shape.fits !== isTime || !own || typeOfField(field) === typeOfField(own);
  return fields.filter((field) => shape.fits(field) && field.name !== first && isLike(field));
}

/** Returns the rule that a shape makes of its parts; undefined while some are missing or wrong. Without its name and its sentence. */
export function writeRule(shape: Shape, parts: ShapeParts, fields: readonly Field[]): Pick<Rule, "when" | "must" | "fields"> | undefined {
  const { first = "", second = "", onlyIf = "", value = "" } = parts;
  const [own, asked] = [fields.find(({ name }) => name === first), fields.find(({ name }) => name === onlyIf)];
  const amount = own && writtenValue(own, parts.amount ?? "");
  if (!own || (shape.second && second === "") || (shape.amount && amount === undefined) || (shape.onlyIf && !asked)) return undefined;
  const written = asked && value !== "" ? writtenValue(asked, value) : undefined;
  if (asked && value !== "" && written === undefined) return undefined; // it is no value of the field
  const when = asked && (written === undefined ? `!isEmpty(${onlyIf})` : `${onlyIf} == ${written}`);
  return {
    ...(when && { when }),
    must: shape.must({ first, second, amount: amount ?? "" }),
    ...(when && !shape.second && { fields: [first] }),
  };
}

/** Proposes the name of such a rule. */
export function nameOfRule({ name }: Shape, { first = "", second = "" }: ShapeParts): string {
  const capital = second.charAt(0).toUpperCase() + second.slice(1);
  return name.replace("{first}", first).replace("{second}", capital).slice(0, 60);
}

/** Writes the sentence of such a rule, in the language that is current. `fields`: with their titles in that language. */
export function sentenceOfRule(shape: Shape, parts: ShapeParts, fields: readonly Field[]): string {
  const title = (name = "") => fields.find((field) => field.name === name)?.title ?? name;
  const what = t(shape.sentence, { first: title(parts.first), second: title(parts.second), amount: tNumber(Number(parts.amount ?? 0)) });
  const asked = fields.find(({ name }) => name === parts.onlyIf);
  if (!asked) return `${what}.`;
  if (!parts.value) return t("{what} if “{field}” has a value.", { what, field: asked.title });
  const choices = KIND_TRAITS[asked.kind].choices?.[parts.value];
  const value = choices ? t(choices) : asked.enum ? labelOf(asked, parts.value) : parts.value;
  return t("{what} if “{field}” is “{value}”.", { what, field: asked.title, value });
}
