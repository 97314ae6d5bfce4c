import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { SERVICE_FIELDS } from "../../core/dictionary/validate.ts";
import { t, tCount } from "../../core/i18n/translate.ts";
import { bareName, closest } from "../../core/text/similarity.ts";
import type { UploadMode } from "../model/plan.ts";
import { freeFields, isOurHeading, missingFields, namesIn, namesOf } from "./match-columns.ts";

/**
 * Sentences about columns as they are matched now; of fields without a column one, the last. Required ones are not among them: they
 * are an error, not a note.
 */
export function noteColumns(
  collection: Collection,
  header: readonly string[],
  columns: readonly (string | null)[],
  mode: UploadMode,
  matchBy?: string,
): string[] {
  const twin = twinsIn(collection, columns);
  const read = header.flatMap((heading, i) => noteSlip(heading, collection.byName.get(columns[i] ?? "")));
  const unmatched = header.flatMap((heading, i) => (columns[i] === null ? noteUnmatched(heading, twin(heading)) : []));
  const passed = passedOverIn(collection, header, columns);
  const strangers = header.filter((heading, i) => columns[i] === null && !twin(heading) && !passed.includes(heading));
  const unnamed = header.flatMap((heading, i) => (columns[i] === null && heading.trim() === "" ? i + 1 : []));
  return [
    ...read,
    ...noteUnnamed(unnamed),
    ...unmatched,
    ...noteComputed(collection, header, columns),
    ...noteStrangers(collection, strangers),
    ...noteWithoutColumn(withoutColumn(collection, columns, mode, matchBy)),
  ];
}

/** Returns the titles of the fields that no column is matched with, but for the required ones. */
export function withoutColumn(collection: Collection, columns: readonly (string | null)[], mode: UploadMode, matchBy?: string): string[] {
  const missing = missingFields(collection, columns, mode, matchBy);
  const { lookups } = collection;
  const filled = new Set(columns.map((name) => lookups.get(name ?? "")?.fills ?? name));
  return freeFields(collection, columns)
    .filter((field) => !missing.includes(field) && !lookups.has(field.name) && !filled.has(field.name)) // a parent needs one column, of several
    .map(({ title }) => title);
}

/** Returns one sentence for all of them: a dictionary may have many fields, and a file few columns. */
export function noteWithoutColumn(titles: readonly string[]): string[] {
  return titles.length > 0 ? [t("Without a column: {list}.", { list: firstFew(titles) })] : [];
}

/** Returns the field that a heading means, if another column is matched with it already. */
function twinsIn(collection: Collection, columns: readonly (string | null)[]): (heading: string) => Field | undefined {
  const names = namesIn(collection);
  return (heading) => {
    const meant = names.get(bareName(heading));
    return meant && columns.includes(meant.name) ? meant : undefined;
  };
}

/** Writes one sentence for all columns with values that the service computes, and one for all with files. */
export function noteComputed(collection: Collection, header: readonly string[], columns: readonly (string | null)[]): string[] {
  const names = namesIn(collection);
  const isComputed = (heading: string) => names.get(bareName(heading))?.computed !== undefined;
  const passed = passedOverIn(collection, header, columns);
  const listed = (headings: readonly string[]) => firstFew(headings.map((heading) => t("“{heading}”", { heading: heading.trim() })));
  const [computed, files] = [passed.filter(isComputed), passed.filter((heading) => !isComputed(heading))];
  const noted: string[] = [];
  if (computed.length > 0)
    noted.push(
      tCount(
        computed.length,
        "{list} is computed, and its column is passed over.",
        "{list} are computed, and their columns are passed over.",
        {
          list: listed(computed),
        },
      ),
    );
  if (files.length > 0)
    noted.push(
      tCount(
        files.length,
        "{list} holds files, and its column is passed over: add each file to its record.",
        "{list} hold files, and their columns are passed over: add each file to its record.",
        { list: listed(files) },
      ),
    );
  return noted;
}

function passedOverIn(collection: Collection, header: readonly string[], columns: readonly (string | null)[]): string[] {
  if (!collection.fields.some(isPassedOver)) return [];
  const names = namesIn(collection);
  return header.filter((heading, i) => columns[i] === null && isPassedOver(names.get(bareName(heading))));
}

/** Notes a heading that differs a little from the field's name. One that differs completely was matched by the user, on purpose. */
export function noteSlip(heading: string, field: Field | undefined): string[] {
  if (!field || namesOf(field).some((name) => bareName(name) === bareName(heading))) return [];
  return closest(heading, namesOf(field)) === undefined
    ? []
    : [t("“{heading}” is read as {title}.", { heading: heading.trim(), title: field.title })];
}

/** Says what nobody chose and somebody should hear at once: columns match no field, or each record is a new one for want of a key. */
export function noteLosses(
  collection: Collection,
  header: readonly string[],
  columns: readonly (string | null)[],
  mode: UploadMode,
): string[] {
  const twin = twinsIn(collection, columns);
  const passed = passedOverIn(collection, header, columns);
  const lost = noteStrangers(
    collection,
    header.filter((heading, i) => columns[i] === null && !twin(heading) && !passed.includes(heading)),
  );
  const { name, title } = collection.key;
  if (lost.length === 0 || mode !== "create" || columns.includes(name)) return lost;
  return [...lost, t("No column is {title}, so each record gets a new number.", { title })];
}

/** Spreadsheets often export many empty columns. */
export function noteUnnamed(numbers: readonly number[]): string[] {
  if (numbers.length === 0) return [];
  if (numbers.length === 1) return [t("Column {n} has no heading and is left out.", { n: numbers[0] })];
  const named = numbers.slice(0, 5);
  const more = numbers.length - named.length;
  const list =
    more > 0
      ? t("{list} and {n} more", { list: named.join(", "), n: more })
      : t("{list} and {last}", { list: named.slice(0, -1).join(", "), last: named.at(-1) });
  return [t("{n} columns have no heading and are left out: {list}.", { n: numbers.length, list })];
}

export function noteUnmatched(heading: string, meant: Field | undefined): string[] {
  const shown = heading.trim();
  if (isOurHeading(heading)) return [];
  if (meant) return [t("“{heading}” is a second column for {title}; only the first is used.", { heading: shown, title: meant.title })];
  if (SERVICE_FIELDS.has(shown)) return [t("“{heading}” is set by the service and is left out.", { heading: shown })];
  return [];
}

/** Writes one sentence for all columns without a field: a wide export may have hundreds. */
export function noteStrangers(collection: Collection, headings: readonly string[]): string[] {
  const strangers = headings
    .map((heading) => heading.trim())
    .filter((name) => name !== "" && !isOurHeading(name) && !SERVICE_FIELDS.has(name));
  const [one] = strangers;
  if (one === undefined) return [];
  if (strangers.length === 1)
    return [t("“{heading}” matches no field of {title} and is left out.", { heading: one, title: collection.title })];
  const list = firstFew(strangers.map((heading) => t("“{heading}”", { heading })));
  const of = { n: strangers.length, title: collection.title, list };
  return [t("{n} columns match no field of {title} and are left out: {list}.", of)];
}

/** Says how many names a sentence lists before it counts the rest. */
export const NAMED = 5;

function firstFew(names: readonly string[]): string {
  const list = names.slice(0, NAMED).join(", ");
  const more = names.length - NAMED;
  return more > 0 ? t("{list} and {n} more", { list, n: more }) : list;
}
