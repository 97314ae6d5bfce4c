import type { Collection } from "../../../core/dictionary/collections.ts";
import { sortedField } from "./list-url.ts";

/** @example "Location ↑, Name ↓" */
export function describeSort(collection: Collection, sort: string): string {
  const words = sort.split(",").map((term) => {
    const name = term.replace("-", "");
    return `${sortedField(collection, term)?.title ?? name} ${term === name ? "↑" : "↓"}`;
  });
  return words.join(", ");
}
