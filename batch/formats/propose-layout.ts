// Proposes a fixed-width layout for a collection, as a starting point.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { LayoutEncoding } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";

const WIDEST = 40; // bytes for a text field
const SHORTEST = 64; // bytes for a record, so that header and trailer fit
const SUM_DIGITS = 18; // the largest number in standard COBOL

export function proposeLayout(collection: Collection, encoding: LayoutEncoding = "utf-8"): FixedLayout {
  let start = 2; // after the record type
  const own = collection.fields.filter(({ name }) => !collection.lookups.has(name));
  const fields = own.map((field): LayoutField => {
    const fieldFormat = formatOf(field);
    const placed = { name: field.name, start, ...fieldFormat };
    start += fieldFormat.length;
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

function formatOf(field: Field): Omit<LayoutField, "name" | "start"> & { length: number } {
  switch (field.kind) {
    case "string":
      return { length: Math.min(field.maxLength ?? WIDEST, WIDEST) };
    case "integer":
      return withNull(field, digitsOf(field));
    case "number":
      return { length: 15, decimals: 2 };
    case "decimal":
      return { length: 13 + (field.decimals ?? 0), decimals: field.decimals ?? 0 };
    case "boolean":
      return { length: 1, values: { Y: "true", N: "false" } };
    case "date":
      return { length: 8, format: "YYYYMMDD", null: "00000000" };
    case "datetime":
      return { length: 14, format: "YYYYMMDDhhmmss", zone: "Z", null: "0".repeat(14) };
    case "time":
      return { length: 6, format: "hhmmss" }; // zeros are midnight
    case "year":
      return { length: 4, format: "YYYY", null: "0000" };
  }
}

function digitsOf({ minimum, maximum }: Field): number {
  const longest = Math.max(...[minimum, maximum].map((bound) => (typeof bound === "number" ? String(bound).length : 0)));
  return typeof maximum === "number" && longest > 0 ? longest : 16;
}

/** COBOL writes zeros for “no value”. Where zero is a valid value they cannot mean that. */
function withNull({ required, minimum }: Field, length: number): { length: number; null?: string } {
  return !required && typeof minimum === "number" && minimum > 0 ? { length, null: "0".repeat(length) } : { length };
}
