// Columns of a new file from what earlier files were matched with: the same headings, or nearly the same. Proposes, never decides. Refuses: nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import { bareName } from "../../core/text/similarity.ts";
import { matchHeader } from "./match-columns.ts";

/** Columns as last time; headings that are new or gone since, when there are any. */
export interface Recalled {
  columns: (string | null)[];
  added: string[];
  gone: string[];
}

const SIMILAR = 0.6; // of all headings of two files, how many both have, for the one to remind of the other

/** The mapping of the most similar file, or undefined. A field that the collection no longer has is left out. */
export function recallFrom(kept: readonly RememberedMapping[], collection: Collection, header: readonly string[]): Recalled | undefined {
  let nearest: { mapping: RememberedMapping; share: number } | undefined;
  const now = numbered(header);
  for (const mapping of kept) {
    if (mapping.collection !== collection.name) continue;
    const share = shareOf(now, numbered(mapping.header));
    const isNearer = !nearest || share > nearest.share || (share === nearest.share && mapping.usedAt > nearest.mapping.usedAt);
    if (share >= SIMILAR && isNearer) nearest = { mapping, share };
  }
  if (!nearest) return undefined;
  const { mapping } = nearest;
  const then = numbered(mapping.header);
  const known = (name: string | null | undefined) => (name && collection.byName.has(name) ? name : null);
  const columns = now.map((heading) => known(mapping.columns[then.indexOf(heading)]));
  for (const [i, name] of matchHeader(collection, header).entries()) {
    if (!then.includes(now[i] ?? "") && !columns.includes(name)) columns[i] = name;
  }
  return {
    columns,
    added: header.filter((_, i) => !then.includes(now[i] ?? "")),
    gone: mapping.header.filter((_, i) => !now.includes(then[i] ?? "")),
  };
}

/** What is kept of a file. */
export function mappingOf(collection: Collection, header: readonly string[], columns: readonly (string | null)[]): RememberedMapping {
  const key = [collection.name, ...numbered(header).sort()].join("\n");
  return { key, collection: collection.name, header: [...header], columns: [...columns], usedAt: Date.now() };
}

/** Folded headings; of two alike the second is another one. */
function numbered(header: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return header.map((heading) => {
    const bare = bareName(heading);
    const nth = (seen.get(bare) ?? 0) + 1;
    seen.set(bare, nth);
    return `${bare} ${nth}`;
  });
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const shared = a.filter((heading) => other.has(heading)).length;
  return shared / (a.length + b.length - shared);
}
export interface RememberedMapping {
  /** The collection and the folded headings in order: what makes two files alike. */
  key: string;
  collection: string;
  header: string[];
  columns: (string | null)[];
  /** Epoch milliseconds. */
  usedAt: number;
}
