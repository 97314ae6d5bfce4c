// Chooses the items of a record that become fields, and says of the others why they do not.

import type { Item } from "./record-tree.ts";

/** What a person has to look at. */
export interface Note {
  line: number;
  sentence: string;
}

interface Taken {
  items: Item[];
  notes: Note[];
}

/** In the order of the record. FILLER is left out without a word. */
export function takeItems(top: Item): Taken {
  const taken: Taken = { items: [], notes: [] };
  const isVariable = takeFrom(top, taken);
  if (isVariable)
    taken.notes.push({
      line: top.entry.line,
      sentence: `The records of ${top.entry.name} have different lengths: ask for records of one length, or write the fields after the table by hand.`,
    });
  return taken;
}

/** Returns whether a table of a variable length stands in it: then the places after it are not known. */
function takeFrom(item: Item, taken: Taken): boolean {
  const { entry, children } = item;
  if (entry.redefines !== undefined) {
    leave(item, `REDEFINES ${entry.redefines}, whose fields are taken. If this is meant instead, change the names and places.`, taken);
    return false;
  }
  if (entry.occurs) {
    const { times, isVariable } = entry.occurs;
    const which = isVariable ? `up to ${times} times, depending on another item` : `${times} times`;
    leave(item, `comes ${which} (OCCURS), and a field has one value.`, taken);
    return isVariable;
  }
  if (children.length === 0) {
    takeElementary(item, taken);
    return false;
  }
  if (entry.isSynchronized) doubt(item, "SYNCHRONIZED may put unused bytes in front of it, which are not counted here.", taken);
  for (const [i, child] of children.entries()) {
    if (!takeFrom(child, taken)) continue;
    for (const later of children.slice(i + 1)) leave(later, "stands after it, so that its place differs from record to record.", taken);
    return true;
  }
  return false;
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

function leave(item: Item, why: string, { notes }: Taken): void {
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
