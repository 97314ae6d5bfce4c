// Chooses the items of a record that become fields, and says of the others why they do not.

import type { Item } from "./record-tree.ts";

/** A person has to look at this. */
export interface Note {
  line: number;
  sentence: string;
}

interface Taken {
  items: Item[];
  /** The items that come several times (OCCURS), as they stand in the record. */
  tables: Item[];
  notes: Note[];
}

/** Takes them in the order of the record. FILLER is left out without a word. */
export function takeItems(top: Item): Taken {
  const taken: Taken = { items: [], tables: [], notes: [] };
  takeFrom(top, taken);
  return taken;
}

/** Takes what stands in the first item of a table. A table within it is not taken over. */
export function takeTable(table: Item): Omit<Taken, "tables"> {
  const taken: Taken = { items: [], tables: [], notes: [] };
  if (table.children.length === 0) takeElementary(table, taken);
  for (const child of table.children) takeFrom(child, taken);
  for (const inner of taken.tables) leave(inner, "is a table within a table, whose items are no records.", taken);
  return taken;
}

function takeFrom(item: Item, taken: Taken): void {
  const { entry, children } = item;
  if (entry.redefines !== undefined) {
    leave(item, `REDEFINES ${entry.redefines}, whose fields are taken. If this is meant instead, change the names and places.`, taken);
    return;
  }
  if (entry.occurs) return void taken.tables.push(item);
  if (children.length === 0) return void takeElementary(item, taken);
  if (entry.isSynchronized) doubt(item, "SYNCHRONIZED may put unused bytes in front of it, which are not counted here.", taken);
  for (const child of children) takeFrom(child, taken);
}

function takeElementary(item: Item, taken: Taken): void {
  const { entry, storage } = item;
  if (entry.name === "FILLER" || !storage) return;
  if (storage.unreadable !== undefined) {
    leave(item, `is ${storage.unreadable}.`, taken);
    return;
  }
  if (storage.doubt !== undefined) doubt(item, storage.doubt, taken);
  if (entry.isSynchronized) doubt(item, "SYNCHRONIZED may put unused bytes in front of it, which are not counted here.", taken);
  taken.items.push(item);
}

export function leave(item: Item, why: string, { notes }: Pick<Taken, "notes">): void {
  notes.push({ line: item.entry.line, sentence: `${nameOf(item)} is not taken over: it ${why}` });
}

function doubt(item: Item, sentence: string, { notes }: Taken): void {
  notes.push({ line: item.entry.line, sentence: `${nameOf(item)}: ${sentence}` });
}

/** @example "C-FIRST (bytes 12–26)" */
export function nameOf({ entry, start, length }: Item): string {
  const end = start + length * (entry.occurs?.times ?? 1) - 1;
  return `${entry.name} (${end > start ? `bytes ${start}–${end}` : `byte ${start}`})`;
}
