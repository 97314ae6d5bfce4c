// Matches the headings of a file with the fields of the collection, as a proposal for the user.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { SERVICE_FIELDS } from "../../core/dictionary/validate.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { bareName, closest } from "../../core/text/similarity.ts";
import { constantColumns } from "../model/column-rules.ts";
import type { Plan, RowMode } from "../model/plan.ts";
import { matchFields } from "./match-records.ts";

/** Headings that our own errors file adds. When it is uploaded again, they match no field. */
export const REASON_HEADING = message("Why not stored");
export const ROW_HEADING = message("Row in the file");

/**
 * Names for each column its field, or null; each field at most once. It goes first by name, title and alias for all columns, then without
 * a unit, then by abbreviated and similar names, so that a similar name never takes a field from its own heading.
 */
export function matchHeader(collection: Collection, header: readonly string[]): (string | null)[] {
  const columns: (string | null)[] = header.map(() => null);
  const exact = (heading: string) => collection.byName.get(heading.trim());
  const names = namesIn(collection);
  const bare = (heading: string) => names.get(bareName(heading));
  const withoutUnit = (heading: string) => names.get(bareName(heading.replace(UNIT, "")));
  const short = (heading: string) => findByBeginning(freeFields(collection, columns), heading);
  const slip = (heading: string) => findBySlip(freeFields(collection, columns), heading);
  for (const find of [exact, bare, withoutUnit, short, slip]) {
    for (const [i, heading] of header.entries()) {
      if (columns[i] !== null || isOurHeading(heading) || bareName(heading) === "" || isPassedOver(bare(heading))) continue;
      const field = find(heading);
      if (field && !isPassedOver(field) && !columns.includes(field.name)) columns[i] = field.name;
    }
  }
  return columns;
}

/** Says whether no name says what the column is, so that its content may. */
export function isUnnamed(collection: Collection, heading: string): boolean {
  const bare = bareName(heading);
  const isOfService = [...SERVICE_FIELDS].some((name) => bareName(name) === bare);
  return !isOfService && !isOurHeading(heading) && !namesIn(collection).has(bare);
}

/**
 * Names for each column the field to propose for its content, or null: it has no field yet, exactly one field without a column fits, and
 * that field fits no other such column. `byContent`: the fields that fit each column.
 */
export function proposeByContent(byContent: readonly (readonly string[])[], columns: readonly (string | null)[]): (string | null)[] {
  const free = columns.map((name, i) => (name === null ? (byContent[i] ?? []).filter((one) => !columns.includes(one)) : []));
  return free.map(([only, ...others]) => {
    if (only === undefined || others.length > 0) return null;
    return free.filter((names) => names.includes(only)).length === 1 ? only : null;
  });
}

/** Counts the cells of a line that name a field, to tell a heading from other lines. */
export function createNameCounter(collection: Collection): (cells: readonly string[]) => number {
  const names = namesIn(collection);
  return (cells) => cells.filter((cell) => cell.length <= 200 && names.has(bareName(cell))).length;
}

/**
 * Returns the fields without a column that this mode needs: for "create" and "upsert" the required ones (before sending, nobody knows
 * whether a record exists, so each row must be complete), for the others what says which record is meant.
 */
export function missingFields(collection: Collection, columns: readonly (string | null)[], mode: RowMode, matchBy?: string): Field[] {
  const needed =
    mode === "update" || mode === "delete"
      ? matchFields(collection, mode === "update" ? matchBy : undefined)
      : collection.fields.filter((field) => field.required && field.default === undefined);
  return needed.filter(({ name }) => !columns.includes(name) && !hasLookup(collection, name, columns));
}

/** A column has a unique field of the parent, which stands for its key. */
function hasLookup({ lookups }: Collection, name: string, columns: readonly (string | null)[]): boolean {
  return [...lookups.values()].some((lookup) => lookup.fills === name && columns.includes(lookup.name));
}

/** Returns the names of the field itself and of those that stand for its key, such as `customer.accountNumber`; also for one of the latter. */
export function fieldsThatFill({ lookups }: Collection, name: string): string[] {
  const filled = lookups.get(name)?.fills ?? name;
  return [filled, ...[...lookups.values()].filter(({ fills }) => fills === filled).map((lookup) => lookup.name)];
}

/**
 * Returns the columns after the one at `at` was given the field. A field belongs to one column, so it is taken from its old one. Where one
 * text in every row names a parent, no other column names it, too: the service refuses a record that names one twice.
 */
export function withField(
  collection: Collection,
  { columns, rules = [] }: Pick<Plan, "columns" | "rules">,
  at: number,
  name: string | null,
): (string | null)[] {
  const constants = constantColumns(columns.length, rules);
  const rivals = name === null ? [] : fieldsThatFill(collection, name);
  return columns.map((current, i) => {
    if (i === at) return name;
    const isRival = rivals.includes(current ?? "") && (constants.includes(i) || constants.includes(at));
    return current === name || isRival ? null : current;
  });
}

export function namesOf(field: Field): string[] {
  return [field.name, field.title, ...field.aliases];
}

/** Returns every name of every field, folded. The first field keeps a name that two have. */
export function namesIn(collection: Collection): Map<string, Field> {
  const names = new Map<string, Field>();
  for (const field of collection.fields) {
    for (const name of namesOf(field).map(bareName)) if (name !== "" && !names.has(name)) names.set(name, field);
  }
  return names;
}

/** Finds units as in "Credit limit (EUR)", "Betrag in €", "Weight kg". Other words behind a name may make it another one. */
const UNIT = /(?:\s*[([]\s*|\s+in\s+|\s+)(?:\p{Sc}|%|EUR|USD|CHF|GBP|PLN|CZK|DKK|SEK|NOK|HUF|JPY|kg|km|[hm]|min)\s*[)\]]?$/u;

/** "Tel." is the telephone, and "Best." nothing where two names begin so. */
function findByBeginning(fields: readonly Field[], heading: string): Field | undefined {
  if (!/^\p{L}{3,}\.$/u.test(heading.trim())) return;
  const beginning = bareName(heading);
  const [only, ...others] = fields.filter((field) => namesOf(field).some((name) => bareName(name).startsWith(beginning)));
  return others.length > 0 ? undefined : only;
}

function findBySlip(fields: readonly Field[], heading: string): Field | undefined {
  const name = closest(heading, fields.flatMap(namesOf));
  return name === undefined ? undefined : fields.find((field) => namesOf(field).includes(name));
}

/** Returns the fields that no column is matched with, and that may have one. */
export function freeFields(collection: Collection, columns: readonly (string | null)[]): Field[] {
  const { fields, parentFields } = collection;
  return fields.filter((field) => !isPassedOver(field) && !columns.includes(field.name) && !parentFields?.has(field.name));
}

export function isOurHeading(heading: string): boolean {
  return [REASON_HEADING, ROW_HEADING].some((ours) => heading === ours || heading === t(ours));
}
