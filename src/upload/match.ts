// A file's headings to the collection's fields. Proposes, never decides: the user may change every column. Refuses: nothing.

import { SERVICE_FIELDS } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import { bareName, closest } from "../../dictionary/spelling.ts";
import { say, toSay } from "../../dictionary/words.ts";
import type { RowMode, UploadMode } from "./plan.ts";

/** Headings that our own errors file adds; when it is uploaded again they are nobody's field. */
export const REASON_HEADING = toSay("Why not stored");
export const ROW_HEADING = toSay("Row in the file");

/**
 * For each column of the file the name of its field, or null; no field stands twice. By name, title and alias, then by small
 * slips: the surer way goes first for all columns, so that a slip never takes a field from its own heading.
 */
export function matchHeader(collection: Collection, header: readonly string[]): (string | null)[] {
  const columns: (string | null)[] = header.map(() => null);
  const exact = (heading: string) => collection.byName.get(heading.trim());
  const names = namesIn(collection);
  const bare = (heading: string) => names.get(bareName(heading));
  const slip = (heading: string) => findBySlip(freeFields(collection, columns), heading);
  for (const find of [exact, bare, slip]) {
    for (const [i, heading] of header.entries()) {
      if (columns[i] !== null || isOurHeading(heading) || bareName(heading) === "") continue;
      const field = find(heading);
      if (field && !columns.includes(field.name)) columns[i] = field.name;
    }
  }
  return columns;
}

/** How many cells of a line name a field, to tell a heading from other lines. */
export function createNameCounter(collection: Collection): (cells: readonly string[]) => number {
  const names = namesIn(collection);
  return (cells) => cells.filter((cell) => cell.length <= 200 && names.has(bareName(cell))).length;
}

/**
 * What the user should know about columns as they are matched now, in sentences. Fields that this mode cannot do without are
 * not named here: they are missing, which is more than a note.
 */
export function noteColumns(
  collection: Collection,
  header: readonly string[],
  columns: readonly (string | null)[],
  mode: UploadMode,
): string[] {
  const names = namesIn(collection);
  const twin = (heading: string) => {
    const meant = names.get(bareName(heading));
    return meant && columns.includes(meant.name) ? meant : undefined;
  };
  const read = header.flatMap((heading, i) => noteSlip(heading, collection.byName.get(columns[i] ?? "")));
  const unmatched = header.flatMap((heading, i) => (columns[i] === null ? noteUnmatched(heading, twin(heading)) : []));
  const strangers = header.filter((heading, i) => columns[i] === null && !twin(heading));
  const missing = missingFields(collection, columns, mode);
  const free = freeFields(collection, columns).filter((field) => !missing.includes(field));
  const unnamed = header.flatMap((heading, i) => (columns[i] === null && heading.trim() === "" ? i + 1 : []));
  return [
    ...read,
    ...noteUnnamed(unnamed),
    ...unmatched,
    ...noteStrangers(collection, strangers),
    ...free.map((field) => say("No column is matched with {title}.", { title: field.title })),
  ];
}

/**
 * The fields without which no row could be stored in this mode: for "create" and "upsert" the required ones
 * (whether a row exists is not known before it is sent, so it must be fit to be created), for the others the key.
 */
export function missingFields(collection: Collection, columns: readonly (string | null)[], mode: RowMode): Field[] {
  const needed = mode === "update" || mode === "delete" ? [collection.key] : collection.fields.filter((field) => field.required);
  return needed.filter((field) => !columns.includes(field.name));
}

/** A heading that is not quite the field's name. One that is nothing like it was chosen by the user, who knows. */
function noteSlip(heading: string, field: Field | undefined): string[] {
  if (!field || namesOf(field).some((name) => bareName(name) === bareName(heading))) return [];
  return closest(heading, namesOf(field)) === undefined
    ? []
    : [say("“{heading}” is read as {title}.", { heading: heading.trim(), title: field.title })];
}

/** Spreadsheets export empty columns by the dozen. */
function noteUnnamed(numbers: readonly number[]): string[] {
  if (numbers.length === 0) return [];
  if (numbers.length === 1) return [say("Column {n} has no heading and is left out.", { n: numbers[0] })];
  const named = numbers.slice(0, 5);
  const more = numbers.length - named.length;
  const list =
    more > 0
      ? say("{list} and {n} more", { list: named.join(", "), n: more })
      : say("{list} and {last}", { list: named.slice(0, -1).join(", "), last: named.at(-1) });
  return [say("{n} columns have no heading and are left out: {list}.", { n: numbers.length, list })];
}

function noteUnmatched(heading: string, meant: Field | undefined): string[] {
  const shown = heading.trim();
  if (isOurHeading(heading)) return [];
  if (meant) return [say("“{heading}” is a second column for {title}; only the first is used.", { heading: shown, title: meant.title })];
  if (SERVICE_FIELDS.has(shown)) return [say("“{heading}” is set by the service and is left out.", { heading: shown })];
  return [];
}

/** One sentence for all columns that are nobody's: a wide export may have hundreds. */
function noteStrangers(collection: Collection, headings: readonly string[]): string[] {
  const strangers = headings
    .map((heading) => heading.trim())
    .filter((name) => name !== "" && !isOurHeading(name) && !SERVICE_FIELDS.has(name));
  const [one] = strangers;
  if (one === undefined) return [];
  if (strangers.length === 1)
    return [say("“{heading}” is matched with no field of {title} and is left out.", { heading: one, title: collection.title })];
  const named = strangers.slice(0, 5).map((name) => `“${name}”`);
  const more = strangers.length - named.length;
  const list = more > 0 ? say("{list} and {n} more", { list: named.join(", "), n: more }) : named.join(", ");
  const of = { n: strangers.length, title: collection.title, list };
  return [say("{n} columns are matched with no field of {title} and are left out: {list}.", of)];
}

function namesOf(field: Field): string[] {
  return [field.name, field.title, ...field.aliases];
}

/** Every name of every field, folded; the first field keeps a name that two have. */
function namesIn(collection: Collection): Map<string, Field> {
  const names = new Map<string, Field>();
  for (const field of collection.fields) {
    for (const name of namesOf(field).map(bareName)) if (name !== "" && !names.has(name)) names.set(name, field);
  }
  return names;
}

function findBySlip(fields: readonly Field[], heading: string): Field | undefined {
  const name = closest(heading, fields.flatMap(namesOf));
  return name === undefined ? undefined : fields.find((field) => namesOf(field).includes(name));
}

function freeFields(collection: Collection, columns: readonly (string | null)[]): Field[] {
  return collection.fields.filter((field) => !columns.includes(field.name));
}

export function isOurHeading(heading: string): boolean {
  return [REASON_HEADING, ROW_HEADING].some((ours) => heading === ours || heading === say(ours));
}
