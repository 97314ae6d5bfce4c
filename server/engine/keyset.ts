// Keyset pagination: the rows after a given one in a given order, as SQL that an index can answer.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { isFolded, quoted, sortColumn, tableOf } from "./columns.ts";
import type { Condition } from "./filter-sql.ts";
import type { Page, SortTerm } from "./store.ts";

/** The record to which a field refers. `of`: the field of it that is meant; undefined for what the service sets. */
export interface Through {
  field: string;
  /** The column of the field. */
  column: string;
  collection: string;
  /** The column of the parent's key. */
  keyColumn: string;
  of: Field | undefined;
  /** A condition on the parent's row, which the caller may see only if it meets it. */
  seen?: Condition;
  /** Leads from the parent to its own parent, of which the filter is. */
  further?: Through;
}

export interface KeysetTerm {
  /** Is a quoted column. */
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
 * Returns the rows after `after`, as segments that follow one another in the order. Each segment lies together in an index, so
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

/**
 * Returns the column of a sort term. A sort key always has a value, so folded fields are not nullable; those of a parent are, as there may
 * be none.
 */
export function toTerm(collection: Collection, { name, descending, through }: SortTerm): KeysetTerm {
  if (through) return { column: columnOf(through, name), descending, nullable: true };
  const field = collection.byName.get(name);
  if (!field) return { column: quoted(name), descending, nullable: false };
  return { column: sortColumn(field), descending, nullable: !isFolded(field) && field !== collection.key };
}

/** Writes the terms of ORDER BY. NULLS FIRST or LAST is written for nullable columns only: PostgreSQL's default is the reverse. */
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

/** Returns the page with the records before it that its offset leaves out. A cursor costs nothing of the kind. */
export function withFirst(page: Page): Page {
  return { ...page, limit: page.limit + (page.offset ?? 0) };
}

export function withoutFirst<T>({ offset = 0 }: Page, found: { records: T[]; more: boolean }): { records: T[]; more: boolean } {
  return offset > 0 ? { ...found, records: found.records.slice(offset) } : found;
}

/** A stretch of an order in which values of parents stand. */
export interface ParentSegment extends Segment {
  terms: readonly KeysetTerm[];
  /** Joins the parents beside their children. */
  joins: string;
  /** The parents that are walked: their table, which records are a parent's own, and the order of those, if it needs no other table. */
  walked?: { parents: string; isOwn: string; own: readonly KeysetTerm[] | undefined };
}

/** Returns the order of the matches, each with its parents beside it. No index has this order, so they are all sorted. */
export function segmentsWithParents(collection: Collection, { sort, after }: Page): ParentSegment[] {
  const terms = sort.map((term) => toTerm(collection, term));
  const joins = joinsOf(sort);
  return (after ? segmentsAfter(terms, after) : [EVERYTHING]).map((segment) => ({ ...segment, joins, terms }));
}

/** Is true where the parents can be walked in the order of the list, and their children with them. */
export function isByParent({ sort: [first] }: Page): boolean {
  return first?.through?.of !== undefined && isFolded(first.through.of); // otherwise no value of a parent and no parent are alike
}

/**
 * Returns the same order, for many matches: by the parents' own index, and of each parent by that of the field that refers. Those without a
 * parent stand at one end, in the order of what else is sorted by.
 */
export function segmentsByParent(collection: Collection, { sort, after }: Page): ParentSegment[] {
  const { descending, through } = sort[0] as SortTerm & { through: Through };
  const { field, column } = through;
  const isOther = (term: SortTerm) => (term.through?.field ?? term.name) !== field;
  const others = sort.filter(isOther);
  const joins = joinsOf(others);
  const otherTerms = others.map((term) => toTerm(collection, term));
  const own = [toTerm(collection, { name: field, descending }), ...otherTerms]; // begins with the field, as its index does

  const terms = sort.map((term) => {
    if (isOther(term)) return toTerm(collection, term);
    if (!term.through) return { column: keyOf(through), descending, nullable: false };
    return { ...toTerm(collection, term), nullable: !isFolded(term.through.of as Field) };
  });
  const walked = { parents: parentTable(through, sort), isOwn: isItsParent(through), own: joins ? undefined : own };
  const withParent = (segment: Segment): ParentSegment => ({ ...segment, terms, joins, walked });
  const withoutParent = ({ where, params }: Segment): ParentSegment => {
    const hasNone = `${quoted(column)} IS NULL`;
    return { where: where ? `${hasNone} AND ${where}` : hasNone, params, terms: own, joins };
  };

  if (!after) {
    const both = [withoutParent(EVERYTHING), withParent(EVERYTHING)];
    return descending ? both.reverse() : both;
  }
  if (after[0] === null) {
    const place = after.filter((_, i) => isOther(sort[i] as SortTerm));
    const rest = segmentsAfter(otherTerms, place).map(withoutParent);
    return descending ? rest : [...rest, withParent(EVERYTHING)];
  }
  const rest = segmentsAfter(terms, after).map(withParent);
  return descending ? [...rest, withoutParent(EVERYTHING)] : rest;
}

const EVERYTHING: Segment = { where: "", params: [] };

function joinsOf(sort: readonly SortTerm[]): string {
  const parents = new Map(sort.flatMap(({ through }) => (through ? [[through.field, through]] : [])));
  return [...parents.values()].map((through) => ` LEFT JOIN ${parentTable(through, sort)} ON ${isItsParent(through)}`).join("");
}

/** The columns of a parent have names that no field has: `$` cannot occur in one. */
function parentTable({ field, collection, keyColumn }: Through, sort: readonly SortTerm[]): string {
  const own = sort.flatMap(({ name, through }) =>
    through?.field === field ? [`${sortColumn(through.of as Field)} AS ${columnOf(through, name)}`] : [],
  );
  const columns = [`${quoted(keyColumn)} AS ${keyOf({ field })}`, ...own].join(", ");
  return `(SELECT ${columns} FROM ${tableOf({ name: collection })}) AS ${quoted(`$${field}`)}`;
}

function isItsParent(through: Through): string {
  return `${quoted(through.column)} = ${keyOf(through)}`;
}

function columnOf({ field }: Through, name: string): string {
  return quoted(`$${field}.${name}`);
}

function keyOf({ field }: Pick<Through, "field">): string {
  return quoted(`$${field}.$`);
}
