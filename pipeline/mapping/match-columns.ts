// A file's headings to the collection's fields. Proposes, never decides: the user may change every column. Refuses: nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { bareName, closest } from "../../core/text/similarity.ts";
import type { RowMode } from "../model/plan.ts";

/** Headings that our own errors file adds; when it is uploaded again they are nobody's field. */
export const REASON_HEADING = message("Why not stored");
export const ROW_HEADING = message("Row in the file");

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
 * The fields without which no row could be stored in this mode: for "create" and "upsert" the required ones
 * (whether a row exists is not known before it is sent, so it must be fit to be created), for the others the key.
 */
export function missingFields(collection: Collection, columns: readonly (string | null)[], mode: RowMode): Field[] {
  const needed = mode === "update" || mode === "delete" ? [collection.key] : collection.fields.filter((field) => field.required);
  return needed.filter((field) => !columns.includes(field.name));
}

export function namesOf(field: Field): string[] {
  return [field.name, field.title, ...field.aliases];
}

/** Every name of every field, folded; the first field keeps a name that two have. */
export function namesIn(collection: Collection): Map<string, Field> {
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

export function freeFields(collection: Collection, columns: readonly (string | null)[]): Field[] {
  return collection.fields.filter((field) => !columns.includes(field.name));
}

export function isOurHeading(heading: string): boolean {
  return [REASON_HEADING, ROW_HEADING].some((ours) => heading === ours || heading === t(ours));
}
