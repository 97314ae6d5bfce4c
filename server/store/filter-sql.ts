// Filters of a list as SQL conditions that an index answers, alike on both engines. Reads no address and asks no database.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type Cell, quoted, sortColumn, sortKey, toCell } from "./columns.ts";
import type { Filter } from "./store.ts";

/** Parameters stand as `?`, in order. */
export interface Condition {
  where: string;
  params: Cell[];
}

export function toCondition(collection: Collection, filter: Filter): Condition {
  const field = collection.byName.get(filter.name);
  const column = quoted(filter.name);
  const [value = null] = filter.values;
  if (field?.kind !== "string") {
    const params = filter.values.map((each) => (field ? toCell(each) : Date.parse(String(each))));
    switch (filter.operator) {
      case "gte":
        return { where: `${column} >= ?`, params };
      case "lte":
        return { where: `${column} <= ?`, params };
      default:
        return value === null ? { where: `${column} IS NULL`, params: [] } : { where: among(column, params), params };
    }
  }
  const folded = sortColumn(field);
  switch (filter.operator) {
    case "gte":
      return { where: `${column} IS NOT NULL AND ${folded} >= ?`, params: [sortKey(value)] };
    case "lte":
      return { where: `${column} IS NOT NULL AND ${folded} <= ?`, params: [sortKey(value)] };
    case "prefix":
      return startsWith(column, folded, String(value));
    default: {
      // No value sorts as the empty text. The sort key has the index, the value itself decides.
      if (value === null) return { where: `${folded} = ? AND ${column} IS NULL`, params: [""] };
      const keys = [...new Set(filter.values.map(sortKey))];
      const where = `${among(folded, keys)} AND ${among(column, filter.values)}`;
      return { where, params: [...keys, ...filter.values.map(toCell)] };
    }
  }
}

function startsWith(column: string, folded: string, prefix: string): Condition {
  const end = textAfter(prefix);
  const where = `${column} IS NOT NULL AND ${folded} >= ?`;
  return end === undefined ? { where, params: [prefix] } : { where: `${where} AND ${folded} < ?`, params: [prefix, end] };
}

/** The least text that is after everything that begins with `prefix`, bytewise in UTF-8; undefined when there is none. */
export function textAfter(prefix: string): string | undefined {
  const points = Array.from(prefix, (letter) => letter.codePointAt(0) as number);
  while (points.length > 0) {
    const last = points.pop() as number;
    // Between U+D7FF and U+E000 are halves of pairs, which are no text.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}

function among(column: string, values: readonly (Value | null)[]): string {
  return values.length === 1 ? `${column} = ?` : `${column} IN (${values.map(() => "?").join(", ")})`;
}
