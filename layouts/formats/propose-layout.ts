// Proposes a fixed-width layout for a collection, as a starting point.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import { KINDS_IN_LAYOUTS } from "../layouts/kinds-in-layouts.ts";
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";

const SHORTEST = 64; // bytes for a record, so that header and trailer fit
const SUM_DIGITS = 18; // the largest number in standard COBOL

export function proposeLayout(collection: Collection, encoding: LayoutEncoding = "utf-8"): FixedLayout {
  let start = 2; // after the record type
  const own = collection.fields.filter(({ name }) => !collection.lookups.has(name));
  const fields = own.map((field): LayoutField => {
    const place = KINDS_IN_LAYOUTS[field.kind].propose(field);
    const placed = { name: field.name, start, ...place };
    start += place.length;
    return placed;
  });
  return {
    kind: "fixed",
    title: `${collection.title} from our older system`,
    collection: collection.name,
    encoding,
    recordLength: Math.max(SHORTEST, start - 1),
    lineEnd: isEbcdic(encoding) ? "none" : "lf",
    recordType: { start: 1, length: 1 },
    header: {
      type: "H",
      sender: { start: 2, length: 8 },
      fileId: { start: 10, length: 8 },
      sequence: { start: 18, length: 6 },
    },
    detail: { type: "D", fields },
    trailer: {
      type: "T",
      count: { start: 2, length: 9 },
      totals: [{ of: collection.key.name, start: 11, length: SUM_DIGITS }],
    },
  };
}
