// The rows that follow a given one in a given order, as plain SQL that an index answers. Knows no engine.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { quoted, sortColumn } from "./columns.ts";
import type { SortTerm } from "./store.ts";

export interface KeysetTerm {
  /** Quoted column. */
  column: string;
  descending: boolean;
  nullable: boolean;
}

/** One run of the order: an SQL condition and its parameters. */
export interface Segment {
  where: string;
  params: Value[];
}

/**
 * The rows after `after`, cut into runs that each lie together in an index and that follow one another in the order.
 * Asked one by one until the page is full, they cost the same anywhere in the table; one condition with OR would be a
 * scan. No value sorts before every value, so a descending order ends with them.
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

/** Text has its sort key, which always has a value. */
export function toTerm(collection: Collection, { name, descending }: SortTerm): KeysetTerm {
  const field = collection.byName.get(name);
  if (!field) return { column: quoted(name), descending, nullable: false };
  return { column: sortColumn(field), descending, nullable: field.kind !== "string" && field !== collection.key };
}

/** Says where no value stands only where there can be none: PostgreSQL's own order is the other way round. */
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
