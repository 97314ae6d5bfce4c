// Keyset pagination: the rows after a given one in a given order, as SQL that an index can answer.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { isFolded, quoted, sortColumn } from "./columns.ts";
import type { Page, SortTerm } from "./store.ts";

export interface KeysetTerm {
  /** Quoted column. */
  column: string;
  descending: boolean;
  nullable: boolean;
}

/** One stretch of the order: an SQL condition and its parameters. */
export interface Segment {
  where: string;
  params: Value[];
}

/**
 * The rows after `after`, as segments that follow one another in the order. Each segment lies together in an index, so
 * querying them one by one until the page is full costs the same anywhere in the table. One condition with OR would scan it.
 * NULL sorts before every value, so a descending order ends with the NULLs.
 */
export function segmentsAfter(terms: readonly KeysetTerm[], after: readonly (Value | null)[]): Segment[] {
  const segments: Segment[] = [];
  for (let i = terms.length - 1; i >= 0; i--) {
    const equal = terms.slice(0, i).map((term, j) => equals(term, after[j] ?? null));
    for (const beyond of beyonds(terms[i] as KeysetTerm, after[i] ?? null)) {
      const parts = [...equal, beyond];
      segments.push({ where: parts.map((part) => part.where).join(" AND "), params: parts.flatMap((part) => part.params) });
    }
  }
  return segments;
}

/** The column of a sort term. A sort key always has a value, so folded fields are not nullable. */
export function toTerm(collection: Collection, { name, descending }: SortTerm): KeysetTerm {
  const field = collection.byName.get(name);
  if (!field) return { column: quoted(name), descending, nullable: false };
  return { column: sortColumn(field), descending, nullable: !isFolded(field) && field !== collection.key };
}

/** The terms of ORDER BY. NULLS FIRST or LAST is written for nullable columns only: PostgreSQL's default is the reverse. */
export function orderBy(terms: readonly KeysetTerm[]): string {
  const nulls = ({ nullable, descending }: KeysetTerm) => (nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "");
  return terms.map((term) => `${term.column} ${term.descending ? "DESC" : "ASC"}${nulls(term)}`).join(", ");
}

function equals({ column }: KeysetTerm, value: Value | null): Segment {
  return value === null ? { where: `${column} IS NULL`, params: [] } : { where: `${column} = ?`, params: [value] };
}

function beyonds({ column, descending, nullable }: KeysetTerm, value: Value | null): Segment[] {
  if (!descending) {
    return [value === null ? { where: `${column} IS NOT NULL`, params: [] } : { where: `${column} > ?`, params: [value] }];
  }
  if (value === null) return [];
  const less = { where: `${column} < ?`, params: [value] };
  return nullable ? [less, { where: `${column} IS NULL`, params: [] }] : [less];
}

/** The page with the records before it that its offset leaves out. A cursor costs nothing of the kind. */
export function withFirst(page: Page): Page {
  return { ...page, limit: page.limit + (page.offset ?? 0) };
}

export function withoutFirst<T>({ offset = 0 }: Page, found: { records: T[]; more: boolean }): { records: T[]; more: boolean } {
  return offset > 0 ? { ...found, records: found.records.slice(offset) } : found;
}
