// Tables of a copybook (OCCURS): what a layout says of their lengths, and their items as records of a child collection.

import type { ItemRecords, LayoutField, VariableTable } from "../layouts/layout.ts";
import { describeField, kindOf, placeField } from "./field-draft.ts";
import { collectionName, fieldNames, singularOf, titleOf } from "./names.ts";
import type { Item } from "./record-tree.ts";
import { leave, type Note, nameOf, takeTable } from "./take-items.ts";

/** The collection of the records in which a table stands, and the item with their key. */
export interface ParentDraft {
  collection: string;
  key: { item: Item; name: string } | undefined;
}

/** A collection for the items of a table, and their entry in the layout. */
export interface TableDraft {
  records: ItemRecords;
  /** A resource of a data package. */
  resource: { name: string };
}

/** Reads OCCURS DEPENDING ON. `items`: those of the record, one of which says how many there are. */
export function variableTables(tables: readonly Item[], items: readonly Item[], notes: Note[]): VariableTable[] {
  return tables.flatMap((table): VariableTable[] => {
    const { occurs, line } = table.entry;
    if (!occurs?.isVariable) return [];
    const counter = items.find(({ entry }) => entry.name === occurs.dependingOn);
    if (!counter || counter.start >= table.start) {
      const where = counter ? "stands behind it" : "is not in this record";
      const why =
        occurs.dependingOn === undefined
          ? `comes ${timesOf(table)}, and nothing says how often (DEPENDING ON)`
          : `depends on ${occurs.dependingOn}, which ${where}`;
      notes.push({ line, sentence: `${nameOf(table)} ${why}: write "occurs" and the places behind it by hand.` });
      return [];
    }
    const usage = counter.storage?.keys.usage;
    const dependingOn = { start: counter.start, length: counter.length, ...(usage && { usage }) };
    return [{ start: table.start, length: table.length, max: occurs.times, dependingOn }];
  });
}

/** `taken`: names that collections have already. Undefined, with a note, where the items cannot refer to their record. */
export function draftTable(table: Item, parent: ParentDraft, taken: Set<string>, notes: Note[]): TableDraft | undefined {
  const { key, collection } = parent;
  if (!key) {
    leave(table, `comes ${timesOf(table)} (OCCURS), and no item of its record looks like a number to which each could refer.`, { notes });
    return undefined;
  }
  const { items, notes: own } = takeTable(table);
  notes.push(...own);
  if (items.length === 0) return undefined;
  const singular = singularOf(collection);
  const names = fieldNames(items.map(({ entry }) => entry.name));
  const free = (wanted: string) => (names.includes(wanted) ? `${wanted}Record` : wanted);
  const [id, reference, as] = [free("id"), free(`${singular}Id`), free(singular)];
  // A prefix of a letter or two, such as C-, names the record and not what the items are.
  const name = freeName(collectionName(table.entry.name.replace(/^[A-Z]{1,2}-(?=[A-Z])/, "")), taken);
  const fields = items.map((item, i) => describeField(item, names[i] as string, kindOf(item), false));
  const placed = items.map((item, i): LayoutField => placeField(item, names[i] as string, kindOf(item), false, notes));
  const toParent = placeField(key.item, reference, "integer", true, notes);
  notes.push({
    line: table.entry.line,
    sentence: `${nameOf(table)} comes ${timesOf(table)}: each is a record of ${name}, which refers to its ${singular}. Where items are empty in another way than with blanks or bytes 00, add "presentBy".`,
  });
  return {
    records: {
      collection: name,
      start: table.start,
      length: table.length,
      max: table.entry.occurs?.times ?? 1,
      fields: [toParent, ...placed],
    },
    resource: {
      name,
      ...{ title: titleOf(name), singular: singularOf(name) },
      schema: {
        fields: [
          { name: id, title: titleOf(id), type: "integer", constraints: { unique: true, minimum: 1 } },
          { name: reference, title: titleOf(singular), type: "integer", constraints: { required: true } },
          ...fields,
        ],
        primaryKey: id,
        foreignKeys: [{ fields: [reference], reference: { resource: collection, fields: [key.name] }, as }],
      },
    } as { name: string },
  };
}

/** Serves a collection that is there: its children are not known here, so a person has to say which one is meant. */
export function noteTable(table: Item, notes: Note[]): void {
  const { items } = takeTable(table);
  const names = fieldNames(items.map(({ entry }) => entry.name));
  const fields = items.map((item, i) => placeField(item, names[i] as string, kindOf(item), false, []));
  const entry = { collection: "…", start: table.start, length: table.length, max: table.entry.occurs?.times ?? 1, fields };
  leave(
    table,
    `comes ${timesOf(table)} (OCCURS). If each is a record of a collection that refers to this one, add the field with the parent's key and put it into "children": ${JSON.stringify(entry)}`,
    { notes },
  );
}

function timesOf({ entry: { occurs } }: Item): string {
  return occurs?.isVariable ? `up to ${occurs.times} times` : `${occurs?.times} times`;
}

export function freeName(wanted: string, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}${n}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}
