// The rows after a given one, as SQL that PostgreSQL answers by the index of the order, whatever its statistics say.

import type { Value } from "../../../core/dictionary/kinds.ts";
import { type KeysetTerm, type Segment, segmentsAfter } from "../keyset.ts";

/**
 * A whole number that the planner does not see. As LIMIT it is taken for a tenth of the rows, in a comparison it leaves a third. If the
 * planner believed, from old statistics or none, that fewer rows are left than a large page has, it would read them all and sort.
 */
export const UNSEEN = "(SELECT ?::bigint)";

/**
 * As segmentsAfter, but one comparison of rows where the order allows it. Given `name = 'Lee' AND id > 7` the planner may walk the
 * ids and look for Lees among them, or read all that are left and sort. A comparison of rows leads straight into the index of the
 * order. A row with a NULL is neither before nor after another: ascending that is right, because it comes first.
 */
export function rowsAfter(terms: readonly KeysetTerm[], after: readonly (Value | null)[]): Segment[] {
  const [first, ...others] = terms as [KeysetTerm, ...KeysetTerm[]];
  const { descending } = first;
  const isOneDirection = others.every((term) => term.descending === descending && !(descending && term.nullable));
  if (!isOneDirection || after.includes(null)) {
    const [sameButKey, ...beyond] = segmentsAfter(terms, after) as [Segment, ...Segment[]];
    return [{ ...sameButKey, where: sameButKey.where.replace(/\?$/, UNSEEN) }, ...beyond];
  }
  const columns = terms.map(({ column }) => column).join(", ");
  const values = terms.map(() => "?").join(", ");
  const row = { where: `(${columns}) ${descending ? "<" : ">"} (${values})`, params: after as Value[] };
  return descending && first.nullable ? [row, { where: `${first.column} IS NULL`, params: [] }] : [row];
}
