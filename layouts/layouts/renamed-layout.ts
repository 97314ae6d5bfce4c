// Gives a layout the names that fields have today, where it was written before they got them.

import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import type { Detail, ItemRecords, Layout, LayoutField, OtherDetail } from "./layout.ts";

type Rename = (name: string) => string;

/** `renamed`: a sentence that names the former names with those of today. The same layout where it has none of before. */
export function withCurrentFields(given: Layout, collections: readonly Collection[]): { layout: Layout; renamed?: string } {
  const found = new Map<string, string>();
  const renameIn = (of: string): Rename => {
    const collection = collections.find(({ name }) => name === of);
    return (name) => {
      const now = collection && currentName(collection, name);
      if (!now || now === name) return name;
      found.set(name, now);
      return now;
    };
  };
  const layout = named(given, renameIn);
  if (found.size === 0) return { layout: given };
  const pairs = [...found].map(([former, now]) => `${former} is ${now} now`).join(", ");
  return { layout, renamed: `The layout names fields as they were called before: ${pairs}.` };
}

function named(layout: Layout, renameIn: (collection: string) => Rename): Layout {
  const rename = renameIn(layout.collection);
  if (layout.kind === "delimited") {
    const { columns, trailer } = layout;
    const totals = trailer?.totals?.map((total) => ({ ...total, of: rename(total.of) }));
    return {
      ...layout,
      ...(columns && { columns: columns.map((name) => name && rename(name)) }),
      ...(trailer && totals && { trailer: { ...trailer, totals } }),
    };
  }
  const { detail, otherDetails, trailer } = layout;
  const ofType = (type: string | undefined): Pick<OtherDetail, "collection"> & Detail =>
    otherDetails?.find((one) => type !== undefined && one.type === type) ?? { ...detail, collection: layout.collection };
  const totals = trailer?.totals?.map((total) => {
    const { collection, fields } = ofType(total.type);
    const isSkipped = fields.some(({ name, skip }) => name === total.of && skip);
    return isSkipped ? total : { ...total, of: renameIn(collection)(total.of) };
  });
  return {
    ...layout,
    detail: namedDetail(detail, rename, renameIn),
    ...(otherDetails && { otherDetails: otherDetails.map((one) => namedDetail(one, renameIn(one.collection), renameIn)) }),
    ...(trailer && totals && { trailer: { ...trailer, totals } }),
  };
}

function namedDetail<One extends Detail>(detail: One, rename: Rename, renameIn: (collection: string) => Rename): One {
  const { fields, children } = detail;
  return {
    ...detail,
    fields: namedFields(fields, rename),
    ...(children && { children: children.map((table) => namedItems(table, renameIn)) }),
  };
}

function namedItems(table: ItemRecords, renameIn: (collection: string) => Rename): ItemRecords {
  const { fields, presentBy, key } = table;
  const rename = renameIn(table.collection);
  return {
    ...table,
    fields: namedFields(fields, rename),
    ...(presentBy !== undefined && { presentBy: rename(presentBy) }),
    ...(key !== undefined && { key: rename(key) }),
  };
}

/** Fields that are skipped are called as their file calls them. */
function namedFields(fields: readonly LayoutField[], rename: Rename): LayoutField[] {
  return fields.map((field) => (field.skip ? field : { ...field, name: rename(field.name) }));
}
