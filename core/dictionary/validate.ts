// Validates records against the dictionary, for the form, the upload and the service alike.

import type { Problem, ProblemCode } from "../contract/problems.ts";
import { inSentence, message, t, type Values } from "../i18n/translate.ts";
import { FORBIDDEN, isClean, withoutInvisible } from "../text/clean-text.ts";
import { fold } from "../text/fold.ts";
import { readItems } from "../text/items.ts";
import { closest } from "../text/similarity.ts";
import { labelOf } from "./categories.ts";
import type { Collection } from "./collections.ts";
import { countDecimals } from "./decimals.ts";
import type { Field } from "./fields.ts";
import { withoutRules } from "./filters.ts";
import { expected, type Item, KIND_TRAITS, type KindTraits, textOfValue, type Value } from "./kinds.ts";
import { isMask } from "./masks.ts";
import { FORMATS } from "./text-formats.ts";

/** Field name → value; null is "no value". Only names of the collection's fields occur. */
export type Fields = Record<string, Value | null>;

export type Validation = { record: Fields; problems?: undefined } | Refused;

/** A record with problems. Where the same values are stored already, nobody has changed them, and they are not refused (decision 0209). */
export interface Refused {
  record?: undefined;
  problems: Problem[];
  /** The values without a problem. */
  valid: Fields;
  /** The values of the right kind that break a rule, as they would be stored. */
  refused: Fields;
}

/** "text": CSV cells and form inputs. "json": typed values, never coerced (`"7"` is not 7). */
export type Source = "text" | "json";

export interface CheckOptions {
  from: Source;
  /** Validate only the fields that are given, as for PATCH. Otherwise a field left out is null, and a problem if it is required. */
  partial?: boolean;
  /** It is a new record: what is left out stays so, because it may have a default. */
  isNew?: boolean;
}

/** The service sets them on every record and ignores them when they are sent, so that GET → edit → PUT works. */
export const SERVICE_FIELDS: ReadonlySet<string> = new Set(["createdAt", "updatedAt", "createdBy", "updatedBy", "version"]);

/** An answer to a write has this member beside the fields of a record, and it is ignored as well. */
export const WARNINGS = "warnings";

const MAX_UNKNOWN_FIELDS = 200; // problems of one record; a record with a million unknown fields must not fill the memory

/**
 * Returns the record typed and normalised (text in NFC and trimmed, numbers as numbers), or every problem it has, in the order
 * of the dictionary's fields, unknown fields last. The input is not changed.
 *
 * @example validateRecord(customers, { lastName: " Smith " }, { from: "text", partial: true }) // { record: { lastName: "Smith" } }
 */
export function validateRecord(collection: Collection, input: Readonly<Record<string, unknown>>, options: CheckOptions): Validation {
  const record: Fields = {};
  const refused: Fields = {};
  const problems: Problem[] = [];
  for (const field of collection.fields) {
    const { name } = field;
    if (!Object.hasOwn(input, name)) {
      if (options.partial || field.readOnly || field.autoNumber !== undefined) continue;
      if (options.isNew && (!field.required || field.default !== undefined)) continue;
      const isMissing = field.required && !hasLookup(collection, field, input);
      if (isMissing) problems.push(missing(field));
      (isMissing ? refused : record)[name] = null;
      continue;
    }
    if (field.masked && isMask(input[name])) continue; // it was read like that, and stays
    if (field.autoNumber !== undefined && (input[name] ?? "") === "") continue; // the service gives it, or it stays
    const given = validateValue(field, input[name], options.from);
    const isEmptied = field.readOnly && given === null;
    if (isEmptied && !(options.partial && options.from === "json")) continue; // as if it were left out
    const validated = isEmptied ? readOnlyProblem(field) : given;
    if (!isProblem(validated)) record[name] = validated;
    else {
      problems.push(validated);
      const value = valueOfKind(field, input[name], options.from);
      // A guess at what a mask covers is refused, right or wrong.
      if (!isProblem(value) && (value === null || !field.masked)) refused[name] = value;
    }
  }
  if (collection.lookups.size > 0) validateLookups(collection, input, options.from, record, problems);
  let unknown = 0;
  for (const name of Object.keys(input)) {
    if (
      collection.byName.has(name) ||
      SERVICE_FIELDS.has(name) ||
      name === WARNINGS ||
      isParentName(collection, name) ||
      collection.lookups.has(name)
    )
      continue;
    problems.push(unknownField(collection, name));
    if (++unknown === MAX_UNKNOWN_FIELDS) break;
  }
  return problems.length > 0 ? { problems, valid: record, refused } : { record };
}

/** Does as `validateValue`, whatever the rules are, because a value may have been stored when they were others. */
export function valueOfKind(field: Field, input: unknown, from: Source): Value | null | Problem {
  const { isText } = KIND_TRAITS[field.kind];
  return validateValue({ ...withoutRules(field), ...(isText && { format: "multiline" as const }) }, input, from);
}

/**
 * Values out of the history, to be stored again. What was accepted once is not held to the rules of today, only to the kinds: the column of
 * a number takes no text. Fields that the dictionary no longer has are left out.
 */
export function validateKept(collection: Collection, kept: Readonly<Fields>, isWhole: boolean): Validation {
  const record: Fields = {};
  const problems: Problem[] = [];
  for (const field of collection.fields) {
    if (field.computed !== undefined || (!isWhole && !Object.hasOwn(kept, field.name))) continue;
    const value = valueOfKind(field, kept[field.name] ?? null, "json");
    if (isProblem(value)) problems.push(value);
    else record[field.name] = value;
  }
  return problems.length > 0 ? { problems, valid: record, refused: {} } : { record };
}

export function isProblem(validated: Value | null | Problem): validated is Problem {
  return typeof validated === "object" && validated !== null && "code" in validated;
}

/** Says whether there is a value, and nothing wrong with it. */
export function isValue(validated: Value | null | Problem): validated is Value {
  return validated !== null && !isProblem(validated);
}

function hasLookup({ lookups }: Collection, { name }: Field, input: Readonly<Record<string, unknown>>): boolean {
  return lookups.size > 0 && [...lookups.values()].some((lookup) => lookup.fills === name && Object.hasOwn(input, lookup.name));
}

/** A unique field of the parent may stand for its key. The service puts the key in its place. */
function validateLookups(
  { lookups, byName }: Collection,
  input: Readonly<Record<string, unknown>>,
  from: Source,
  record: Fields,
  problems: Problem[],
): void {
  const filled = new Set<string>();
  for (const lookup of lookups.values()) {
    if (!Object.hasOwn(input, lookup.name)) continue;
    const field = byName.get(lookup.fills) as Field;
    const named = valueOfKind(lookup, input[lookup.name], from);
    const validated = named === null && field.required ? missing(lookup) : named;
    const isTwice = filled.has(field.name) || (Object.hasOwn(input, field.name) && (input[field.name] ?? "") !== "");
    filled.add(field.name);
    if (isTwice)
      problems.push(
        problem(lookup, "ID_MISMATCH", message("{title} and another value both say which record is meant. Leave one of them out.")),
      );
    else if (isProblem(validated)) problems.push(validated);
    else record[validated === null ? field.name : lookup.name] = validated;
  }
}

/** Is true of the name under which an answer has a parent (`expand`). It is ignored like what the service sets. */
function isParentName({ references }: Collection, name: string): boolean {
  return references.some(({ reference }) => reference.as === name);
}

/** Reports a problem for each required field that the record lacks. A partial record without any can be created. */
export function validateComplete(collection: Collection, record: Readonly<Fields>): Problem[] {
  return collection.fields.filter((field) => field.required && (record[field.name] ?? null) === null).map(missing);
}

/** Returns the typed value, null for no value, or the first problem found. */
export function validateValue(field: Field, input: unknown, from: Source): Value | null | Problem {
  if (field.item) return validateList(field, field.item, input, from);
  let given = input;
  if (typeof input === "string" && !isClean(input)) {
    const trimmed = input.trim();
    // No normalising makes such a text short enough: to normalise and search megabytes takes the time of thousands of records.
    if (trimmed.length > MOST_SHRINKING * (field.maxLength ?? Number.POSITIVE_INFINITY)) return checkLength(field, trimmed) ?? null;
    const hasLines = field.format === "multiline";
    const text = (hasLines ? trimmed.replace(/\r\n?/g, "\n") : trimmed).normalize("NFC").trim();
    if (FORBIDDEN.test(hasLines ? text.replace(/[\n\t]/g, "") : text))
      return problem(field, "CHARACTERS", hasLines ? NO_CONTROL : NO_BREAK);
    given = KIND_TRAITS[field.kind].isText ? withoutInvisible(text) : text; // a mark in a number makes it unreadable, on purpose
  }
  if (given === null || given === "" || given === undefined) return field.required && !field.readOnly ? missing(field) : null;
  if (from === "text" && field.byLabel) given = valueOfLabel(field, String(given).trim());
  const traits = KIND_TRAITS[field.kind];
  const value = from === "text" ? traits.fromText(given as string) : traits.fromJson(given);
  if (value !== undefined && field.file) return problem(field, "READ_ONLY", SENT_APART);
  if (value !== undefined) return field.readOnly ? readOnlyProblem(field) : (checkRules(field, traits, value) ?? value);
  const tooFine = traits.tooFine?.(given);
  if (tooFine !== undefined) return problem(field, "TOO_PRECISE", tooFine);
  return problem(field, "KIND", message("{title} must be {kind}."), { kind: expected(field.kind, field.example) });
}

const SENT_APART = message("{title} is a file, and is sent by itself.");
const SENT_ONE_BY_ONE = message("{title} are files, and are sent one by one. Here they can be put in another order, or taken out.");

/** Items that are empty are left out of a text. A list without an item is no value. */
function validateList(field: Field, item: Field, input: unknown, from: Source): Value | null | Problem {
  const given = from === "text" ? readItems(String(input ?? ""), field.delimiter) : (input ?? []);
  if (!Array.isArray(given))
    return problem(field, "KIND", message("{title} must be {kind}."), { kind: expected(field.kind, field.example) });
  if (item.file && given.length > 0)
    return field.readOnly ? readOnlyProblem(field) : { ...problem(field, "READ_ONLY", SENT_ONE_BY_ONE), ownFiles: true };
  const items: Item[] = [];
  for (const one of given) {
    const title = given.length === 1 ? field.title : t("{title}, value {n}", { title: field.title, n: items.length + 1 });
    const read = validateValue({ ...item, name: field.name, title, required: true }, one, from);
    if (isProblem(read)) return read;
    if (items.includes(read as Item)) return problem({ ...field, title }, "REPEATED", message("{title} stands there twice. Take one out."));
    items.push(read as Item);
  }
  if (items.length === 0) return field.required && !field.readOnly ? missing(field) : null;
  return field.readOnly ? readOnlyProblem(field) : (checkNumber(field, items.length) ?? items);
}

/** Says whether several values are too many or too few. */
export function checkNumber(field: Field, n: number): Problem | undefined {
  const { minLength: least = 0, maxLength: most = n } = field;
  if (n > most) return problem(field, "TOO_LONG", message("{title} may have at most {most} values; these are {n}."), { most, n });
  return n < least
    ? problem(field, "TOO_SHORT", message("{title} needs at least {least} values; these are {n}."), { least, n })
    : undefined;
}

/** Returns the value that a label means; other text as it is. Here, because lists need labels and no folding. */
export function valueOfLabel({ byLabel }: { byLabel?: ReadonlyMap<string, string> }, text: string): string {
  return byLabel?.get(fold(text)) ?? text;
}

const NO_BREAK = message(
  "{title} has a character that cannot be stored: a line break, a control character or a hidden direction mark. Remove it.",
);
const NO_CONTROL = message("{title} has a character that cannot be stored: a control character or a hidden direction mark. Remove it.");
const MOST_SHRINKING = 8; // NFC makes one UTF-16 unit of at most four (UAX #15), and two units may be one code point

function checkRules(field: Field, { isText, order }: KindTraits, value: Value): Problem | undefined {
  if (typeof value === "string" && isText) {
    const wrong = checkLength(field, value);
    if (wrong) return wrong;
    if (field.pattern && !field.pattern.test(value)) {
      const { example } = field;
      const text = example
        ? message("{title} does not have the form it needs, such as {example}.")
        : message("{title} does not have the form it needs.");
      return problem(field, "PATTERN", text, { example });
    }
    const format = field.format && FORMATS[field.format];
    if (format && !format.accepts(value)) {
      const example = format.accepts(field.example) ? field.example : format.example;
      return problem(field, "PATTERN", message("{title} must be {kind}."), { kind: t(format.expects, { example }) });
    }
  }
  const { people } = field;
  const text = value as string; // of a person
  if (people && !field.labels?.has(text))
    return problem(field, "REFERENCE_NOT_FOUND", people.sentences[people.shared.has(fold(text)) ? 1 : 0], { text });
  const { decimals } = field;
  if (decimals !== undefined && countDecimals(String(value)) > decimals) {
    const text =
      decimals === 0 ? message("{title} may have no decimals.") : message("{title} may have at most {most} digits behind the point.");
    return problem(field, "TOO_PRECISE", text, { most: decimals });
  }
  const { minimum, maximum } = field;
  if (minimum !== undefined && order?.isAfter(minimum, value))
    return problem(field, "TOO_SMALL", order.tooSmall, { bound: writeBound(field, minimum) });
  if (maximum !== undefined && order?.isAfter(value, maximum))
    return problem(field, "TOO_LARGE", order.tooLarge, { bound: writeBound(field, maximum) });
  if (field.enum && !field.enum.includes(value)) {
    return notAmong(field, field.enum);
  }
  return undefined;
}

/** Returns the problem of a value that is none of those which the field may have. */
export function notAmong(field: Field, values: readonly Value[]): Problem {
  const labels = values.map((each) => labelOf(field, each)).join(", ");
  return problem(field, "ENUM", message("{title} must be one of {values}."), { values: labels });
}

/** A minimum or maximum as a message has it. */
type WriteBound = (field: Field, bound: Value) => string;

const asInFiles: WriteBound = textOfValue;
let writeBound = asInFiles;

/**
 * Has messages write bounds like this from now on; without an argument as they stand in files. It is for a worker that checks a file for
 * one reader.
 */
export function setBoundWriter(write: WriteBound = asInFiles): void {
  writeBound = write;
}

function checkLength(field: Field, text: string): Problem | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  // UTF-16 units are never fewer than code points and at most twice as many: count only when that leaves it open.
  if (text.length <= maxLength && text.length >= 2 * minLength) return undefined;
  let n = 0;
  for (const _ of text) n++; // an array of the code points would take megabytes
  if (n > maxLength) {
    return problem(field, "TOO_LONG", message("{title} may have at most {most} characters; this has {n}."), { most: maxLength, n });
  }
  if (n < minLength) {
    return problem(field, "TOO_SHORT", message("{title} needs at least {least} characters; this has {n}."), { least: minLength, n });
  }
  return undefined;
}

/** Returns the problem of a field without a value that needs one. */
export function missing(field: Field): Problem {
  const title = inSentence(field.title);
  const asksFor = KIND_TRAITS[field.kind].asksFor ?? (field.enum ? message("Choose the {title}.") : message("Enter the {title}."));
  return problem(field, "REQUIRED", asksFor, { title });
}

/** Returns the problem of a value that the caller may see and not change. */
export function readOnlyProblem(field: Field): Problem {
  if (field.computed !== undefined) return problem(field, "READ_ONLY", message("{title} is computed, and cannot be set. Leave it out."));
  return problem(field, "READ_ONLY", message("{title} may be read with these rights, and not changed."));
}

function unknownField(collection: Collection, name: string): Problem {
  const meant = closest(name, [...collection.byName.keys()]);
  const sentence = t("{title} have no field of this name.", { title: collection.title });
  return { field: name, code: "UNKNOWN_FIELD", message: meant ? `${sentence} ${t('Did you mean "{name}"?', { name: meant })}` : sentence };
}

/** `text` is English; its placeholder `{title}` is filled with the field's title. */
function problem({ name, title }: Field, code: ProblemCode, text: string, values?: Values): Problem {
  return { field: name, code, message: t(text, { title, ...values }) };
}
