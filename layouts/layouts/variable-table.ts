// Tables of which a field says how many items they have (OCCURS DEPENDING ON).

import type { Collection } from "../../core/dictionary/collections.ts";
import type { ItemRecords, LayoutField, Place, VariableTable } from "./layout.ts";

export function inOrder(tables: readonly VariableTable[] = []): VariableTable[] {
  return [...tables].sort((a, b) => a.start - b.start);
}

/** Returns which item of the table a place is in, both counted from 0; undefined when it is in none. */
export function itemAt({ start, length, max }: VariableTable, from: number): number | undefined {
  const item = Math.floor((from - (start - 1)) / length);
  return item >= 0 && item < max ? item : undefined;
}

/** Says whether a place is in the first item of a table whose items are records. */
export function isInFirstItem({ start, length }: ItemRecords, place: Partial<Place>): boolean {
  return place.start !== undefined && place.start >= start && place.start + (place.length ?? 1) <= start + length;
}

/** Returns the field outside of a table that says to which record its items belong; undefined when there is none. */
export function ownerField(table: ItemRecords, { references, lookups }: Collection): LayoutField | undefined {
  const end = table.start + table.length * table.max;
  const refers = (name: string) =>
    references.some(
      (field) =>
        field.name === (lookups.get(name)?.fills ?? name) && (table.owner ?? field.reference.collection) === field.reference.collection,
    );
  return table.fields.find(({ name, skip, start = 0 }) => !skip && start > 0 && (start < table.start || start >= end) && refers(name));
}

/** Returns the field as it is in an item, counted from 0. */
export function inItem(field: LayoutField, table: ItemRecords, item: number): LayoutField {
  if (field.start === undefined || !isInFirstItem(table, field)) return field;
  return { ...field, start: field.start + item * table.length };
}

/** Says whether what stands behind the table moves up when it is not full. */
export function slides({ slides = true }: VariableTable): boolean {
  return slides;
}
