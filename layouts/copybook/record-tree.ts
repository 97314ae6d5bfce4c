// Puts the entries of a copybook into records, and gives each item its bytes.

import type { Condition, DataEntry } from "./data-entries.ts";
import { type Storage, storageOf } from "./storage.ts";

/** A group or an elementary item, with the bytes of its first occurrence. */
export interface Item {
  entry: DataEntry;
  /** The first byte of the record is 1. */
  start: number;
  /** Counts the bytes of one occurrence. */
  length: number;
  children: Item[];
  /** Only an elementary item has it. */
  storage: Storage | undefined;
  /** Its 88 levels: what its values are called. */
  conditions: { name: string; values: readonly Condition[] }[];
}

/** A record, or a part of one where the copybook begins below level 01. */
export interface CopybookRecord {
  name: string;
  item: Item;
  length: number;
}

interface Context {
  isMainframe: boolean;
}

/** `others`: entries of the levels 66, 77 and 78, which are no part of a record. */
export function buildRecords(entries: readonly DataEntry[], context: Context): { records: CopybookRecord[]; others: DataEntry[] } {
  const roots: Item[] = [];
  const others: DataEntry[] = [];
  const path: Item[] = [];
  for (const entry of inheriting(entries)) {
    if (entry.level === 88) path.at(-1)?.conditions.push({ name: entry.name, values: entry.values });
    else if (entry.level > 49) others.push(entry);
    else {
      while ((path.at(-1)?.entry.level ?? 0) >= entry.level) path.pop();
      const item: Item = { entry, start: 1, length: 0, children: [], storage: undefined, conditions: [] };
      (path.at(-1)?.children ?? roots).push(item);
      path.push(item);
    }
  }
  const isWhole = roots.every(({ entry }) => entry.level === 1);
  const tops = isWhole ? roots : roots.length > 0 ? [groupOf(roots)] : [];
  for (const top of tops) place(top, 1, context);
  return { records: tops.map((item) => ({ name: item.entry.name, item, length: item.length })), others };
}

/** A copybook that is put below a record of the program has no level 01 of its own. */
function groupOf(children: Item[]): Item {
  const entry: DataEntry = { line: 1, level: 0, name: "RECORD", values: [], comment: "" };
  return { entry, start: 1, length: 0, children, storage: undefined, conditions: [] };
}

/** USAGE and SIGN of a group hold for what is in it. */
function inheriting(entries: readonly DataEntry[]): DataEntry[] {
  const path: DataEntry[] = [];
  return entries.map((given) => {
    if (given.level > 49) return given;
    while ((path.at(-1)?.level ?? 0) >= given.level) path.pop();
    const { usage, sign } = path.at(-1) ?? {};
    const entry = { ...(usage && { usage }), ...(sign && { sign }), ...given };
    path.push(entry);
    return entry;
  });
}

/** Returns the bytes of one occurrence. */
function place(item: Item, start: number, context: Context): number {
  item.start = start;
  if (item.children.length === 0) {
    item.storage = storageOf(item.entry, context.isMainframe);
    item.length = item.storage.length;
    return item.length;
  }
  let at = start;
  for (const [i, child] of item.children.entries()) {
    const { redefines, occurs } = child.entry;
    const original = redefines === undefined ? undefined : item.children.slice(0, i).findLast(({ entry }) => entry.name === redefines);
    const first = original?.start ?? at;
    // One that redefines a shorter one is longer than it: what follows stands behind the longest of them.
    at = Math.max(at, first + place(child, first, context) * (occurs?.times ?? 1));
  }
  item.length = at - start;
  return item.length;
}
