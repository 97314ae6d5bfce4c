// Proposes fields for the columns of a new file from how earlier files with similar headings were matched.

import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import { isPassedOver } from "../../core/dictionary/files.ts";
import { bareName } from "../../core/text/similarity.ts";
import { addedColumns, type ColumnRule, columnsOfRule, withColumns } from "../model/column-rules.ts";
import type { ValueRule } from "../model/corrections.ts";
import type { Plan } from "../model/plan.ts";
import { matchHeader } from "./match-columns.ts";
import { currentMatch } from "./match-records.ts";

/** `added`: headings that are new since then; `gone`: headings that are no longer there. */
export interface Recalled {
  /** Names fields for each heading of the file, then for each column that the rules add. */
  columns: (string | null)[];
  /** Says what was done with whole columns then, by their places in this file. */
  columnRules?: ColumnRule[];
  added: string[];
  gone: string[];
  /** Says what wrong values became then. */
  values?: readonly ValueRule[] | undefined;
  /** Says what a row meant then. */
  meaning?: RowMeaning | undefined;
}

/** Says what a row does, and to which record. */
export type RowMeaning = Pick<Plan, "mode" | "matchBy" | "clears">;

export function meaningOf({ mode, matchBy, clears }: RowMeaning): RowMeaning {
  return { mode, ...(matchBy !== undefined && { matchBy }), ...(clears && { clears }) };
}

/** Returns the same by the names of today. Fields that are not unique any more match nothing, so the key does. */
export function meaningToday(collection: Collection, meaning: RowMeaning): RowMeaning {
  return meaningOf({ ...meaning, matchBy: currentMatch(collection, meaning.matchBy) });
}

export const SIMILAR = 0.6; // share of all headings of two files that both have, from which on they count as similar

/** Returns the mapping of the most similar file, or undefined. Leaves out fields that the collection no longer has. */
export function recallFrom(
  remembered: readonly RememberedMapping[],
  collection: Collection,
  header: readonly string[],
): Recalled | undefined {
  let nearest: { mapping: RememberedMapping; share: number } | undefined;
  const now = numbered(header);
  for (const mapping of remembered) {
    if (mapping.collection !== collection.name) continue;
    const share = shareOf(now, numbered(mapping.header));
    const isNearer = !nearest || share > nearest.share || (share === nearest.share && mapping.usedAt > nearest.mapping.usedAt);
    if (share >= SIMILAR && isNearer) nearest = { mapping, share };
  }
  return nearest && recall(withUsable(nearest.mapping, header), collection, header);
}

/** Returns the mapping with its rules for columns, unless the file lacks a column of them. */
function withUsable(mapping: RememberedMapping, header: readonly string[]): Mapping {
  const { columnRules = [], ...others } = mapping;
  const places = placesOf(mapping.header, header);
  const lacks = columnRules.flatMap(columnsOfRule).some((column) => places[column] === -1);
  return lacks ? { ...others, columns: mapping.columns.slice(0, mapping.header.length) } : mapping;
}

/** Returns the mapping for a file with these headings, however many of them it knows. */
export function recall(mapping: Mapping, collection: Collection, header: readonly string[]): Recalled {
  const [then, now] = [numbered(mapping.header), numbered(header)];
  const columns = now.map((heading) => {
    const name = currentName(collection, mapping.columns[then.indexOf(heading)]);
    return isPassedOver(collection.byName.get(name ?? "")) ? null : name;
  });
  for (const [i, name] of matchHeader(collection, header).entries()) {
    if (!then.includes(now[i] ?? "") && !columns.includes(name)) columns[i] = name;
  }
  const { columnRules = [] } = mapping;
  const ofAdded = addedColumns(columnRules).map((_, i) => currentName(collection, mapping.columns[then.length + i]));
  const own = columns.map((name) => (ofAdded.includes(name) ? null : name)); // a heading that is new, and has the name of the field
  const places = placesOf(mapping.header, header);
  const move = (column: number) => (column < then.length ? (places[column] ?? -1) : column - then.length + now.length);
  return {
    columns: [...own, ...ofAdded],
    ...(columnRules.length > 0 && { columnRules: columnRules.map((rule) => withColumns(rule, move)) }),
    added: header.filter((_, i) => !then.includes(now[i] ?? "")),
    gone: mapping.header.filter((_, i) => !now.includes(then[i] ?? "")),
    ...(mapping.values && { values: mapping.values }),
    ...(mapping.meaning && { meaning: meaningToday(collection, mapping.meaning) }),
  };
}

const MOST_VALUES = 10_000; // rules for values that are remembered of one file

/** Returns the mapping to store for a file. */
export function mappingOf(
  collection: Collection,
  header: readonly string[],
  {
    columns,
    rules = [],
    values = [],
    ...plan
  }: Pick<Plan, "columns"> & Partial<RowMeaning> & Pick<Mapping, "values"> & { rules?: Plan["rules"] | undefined },
): RememberedMapping {
  const key = [collection.name, ...numbered(header).sort()].join("\n");
  const kept = values.slice(-MOST_VALUES);
  return {
    key,
    collection: collection.name,
    header: [...header],
    columns: [...columns],
    ...(rules.length > 0 && { columnRules: rules }),
    ...(kept.length > 0 && { values: kept }),
    ...(plan.mode && { meaning: meaningOf({ ...plan, mode: plan.mode }) }),
    usedAt: Date.now(),
  };
}

/** Returns for each heading of one file the index of the same heading in another; -1: that one lacks it. */
export function placesOf(header: readonly string[], other: readonly string[]): number[] {
  const now = numbered(other);
  return numbered(header).map((heading) => now.indexOf(heading));
}

/** Returns folded headings. Of two equal ones the second gets another number. */
function numbered(header: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return header.map((heading) => {
    const bare = bareName(heading);
    const nth = (seen.get(bare) ?? 0) + 1;
    seen.set(bare, nth);
    return `${bare} ${nth}`;
  });
}

/** Returns the share of all headings of two files that both have, 0 to 1. */
export function similarityOf(header: readonly string[], other: readonly string[]): number {
  return shareOf(numbered(header), numbered(other));
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const shared = a.filter((heading) => other.has(heading)).length;
  return shared / (a.length + b.length - shared);
}
/** Says which column was which field. */
export interface Mapping {
  header: readonly string[];
  /** Names a field, or null, for each heading, then for each column that the rules add. */
  columns: readonly (string | null)[];
  /** Says what the user made of wrong values. Mappings of version 0.1.0 have none. */
  values?: readonly ValueRule[] | undefined;
  /** Says what was done with whole columns. Mappings of version 0.1.0 have none. */
  columnRules?: readonly ColumnRule[];
  meaning?: RowMeaning;
}

export interface RememberedMapping extends Mapping {
  /** The collection and the folded headings in order. */
  key: string;
  collection: string;
  /** Epoch milliseconds. */
  usedAt: number;
}
