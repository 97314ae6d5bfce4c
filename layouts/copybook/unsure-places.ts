// Finds from which byte of a record on its places are not certain: a compiler may put the items behind it elsewhere.

import type { ReadEntries } from "./data-entries.ts";
import { INCLUDES } from "./data-entries.ts";
import type { CopybookRecord, Item } from "./record-tree.ts";

export interface Unsure {
  record: string;
  /** The first byte of a record is 1. */
  byte: number;
  line: number;
  /** Continues a sentence that ends with a colon. */
  why: string;
}

/** Returns the first place of each record, if any. */
export function unsurePlaces(records: readonly CopybookRecord[], { entries, ignored }: ReadEntries): Unsure[] {
  const includes = ignored.filter(({ word }) => INCLUDES.test(word));
  return records.flatMap((record) => {
    const found: Unsure[] = [];
    const add = ({ entry }: Item, byte: number, why: string) => void found.push({ record: record.name, byte, line: entry.line, why });
    walk(record.item, { add, counters: namesIn(record.item), before: [], tables: [], isSynchronized: false });
    for (const { line, word, after } of includes) {
      const [before, next] = [entries[after - 1], entries[after]];
      const above = before && itemAt(record.item, before.line, before.name);
      const isFirst = !before && next && next.level > 1 && itemAt(record.item, next.line, next.name);
      const byte = above ? (above.children.length > 0 ? above.start : endOf(above)) : isFirst ? 1 : undefined;
      if (byte !== undefined) found.push({ record: record.name, byte, line, why: `${word} brings in text that is not here` });
    }
    return found.sort((a, b) => a.byte - b.byte).slice(0, 1);
  });
}

interface Walk {
  add(item: Item, byte: number, why: string): void;
  /** All names of the record, in order. */
  counters: readonly Item[];
  /** The items that come before among its siblings. */
  before: readonly Item[];
  /** The tables in which the item stands. */
  tables: readonly Item[];
  isSynchronized: boolean;
}

function walk(item: Item, given: Walk): void {
  const { add, counters, before } = given;
  const { entry, start, storage } = item;
  const { occurs, redefines, name } = entry;
  const tables = occurs ? [...given.tables, item] : given.tables;
  const isSynchronized = given.isSynchronized || entry.isSynchronized === true;
  if (storage?.isUnsure) add(item, start, `the bytes of ${name} are not known`);
  if (redefines !== undefined && !before.some((one) => one.entry.name === redefines))
    add(item, start, `${name} redefines ${redefines}, which is not before it`);
  if (occurs && occurs.times === 0) add(item, start, `how often ${name} comes is not a number`);
  if (occurs?.isVariable && given.tables.length > 0) add(item, endOf(item), `${name} is a table of various lengths within a table`);
  else if (occurs?.isVariable) {
    const counter = counters.find((one) => one.entry.name === occurs.dependingOn);
    if (!counter || counter.start >= start) add(item, endOf(item), `how often ${name} comes is not known from the bytes before it`);
  }
  const size = isSynchronized ? (storage?.alignment ?? 1) : 1;
  if (
    (start - 1) % size !== 0 ||
    tables.some((table) => table !== item && table.length % size !== 0) ||
    (occurs && item.length % size !== 0)
  )
    add(item, start, `SYNCHRONIZED may put unused bytes in front of ${name}`);
  for (const [i, child] of item.children.entries()) walk(child, { ...given, before: item.children.slice(0, i), tables, isSynchronized });
}

/** Returns the first byte behind all its occurrences. */
function endOf({ start, length, entry }: Item): number {
  return start + length * (entry.occurs?.times ?? 1);
}

function namesIn(item: Item): Item[] {
  return [item, ...item.children.flatMap(namesIn)];
}

function itemAt(item: Item, line: number, name: string): Item | undefined {
  return namesIn(item).find(({ entry }) => entry.line === line && entry.name === name);
}
