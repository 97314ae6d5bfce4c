// A layout with several kinds of detail records, as it is for one of them.

import type { Detail, FixedLayout, Layout, LayoutField, OtherDetail, Trailer } from "./layout.ts";

/** Lists every kind of detail record with its collection, the first one first. */
export function detailsOf({
  collection,
  detail,
  action,
  otherDetails = [],
}: FixedLayout): (Detail & Pick<OtherDetail, "collection" | "action">)[] {
  return [{ ...detail, collection, ...(action && { action }) }, ...otherDetails];
}

/** Returns the fields of all kinds of records, those of items included. */
export function fieldsOf(layout: FixedLayout): LayoutField[] {
  return detailsOf(layout).flatMap(({ fields, children = [] }) => [...fields, ...children.flatMap((table) => table.fields)]);
}

/** Returns the collections in which records of the file are stored, that of items behind that of their records. */
export function collectionsOf(layout: Layout): string[] {
  if (layout.kind !== "fixed") return [layout.collection];
  return detailsOf(layout).flatMap(({ collection, children = [] }) => [collection, ...children.map((child) => child.collection)]);
}

/** Returns the same layout with the records of this collection as its details. Undefined when it has none of them. */
export function selectDetail(layout: FixedLayout, name: string): FixedLayout | undefined;
export function selectDetail(layout: Layout, name: string): Layout | undefined;
export function selectDetail(layout: Layout, name: string): Layout | undefined {
  if (layout.collection === name) return layout;
  if (layout.kind !== "fixed") return undefined;
  const details = detailsOf(layout);
  const chosen = details.find(({ collection }) => collection === name);
  const { action: _, ...rest } = layout;
  if (!chosen) return selectItems(layout, rest, name);
  const { collection, action, ...detail } = chosen;
  const otherDetails = details.filter((each) => each !== chosen) as OtherDetail[];
  const trailer = layout.trailer && withTypes(layout.trailer, layout.detail.type);
  return { ...rest, collection, detail, otherDetails, ...(action && { action }), ...(trailer && { trailer }) };
}

/** Makes the items of a table as details. Their records stay known, because the trailer counts those. */
function selectItems(layout: FixedLayout, rest: Omit<FixedLayout, "action">, name: string): FixedLayout | undefined {
  const details = detailsOf(layout);
  const parent = details.find(({ children = [] }) => children.some(({ collection }) => collection === name));
  const table = parent?.children?.find(({ collection }) => collection === name);
  if (!parent || !table) return undefined;
  const { type, minLength, occurs } = parent;
  const { fields } = table;
  const detail = {
    ...(type && { type }),
    ...(minLength && { minLength }),
    ...(occurs && { occurs }),
    fields,
    table: { ...table, owner: parent.collection },
  };
  const otherDetails = details.map((each) => (each === parent ? { ...each, occurs: undefined } : each)) as OtherDetail[];
  const trailer = layout.trailer && withTypes(layout.trailer, layout.detail.type);
  return { ...rest, collection: name, detail, otherDetails, ...(trailer && { trailer }) };
}

/** A total without a type is of the records of `detail`, which another kind takes the place of. */
function withTypes(trailer: Trailer, type: string | undefined): Trailer {
  if (!trailer.totals || type === undefined) return trailer;
  return { ...trailer, totals: trailer.totals.map((total) => ({ type, ...total })) };
}

/** Returns the kind of detail record whose field a total adds up. */
export function detailOfTotal(layout: Pick<FixedLayout, "detail" | "otherDetails">, type: string | undefined): Detail | undefined {
  const isOwn = type === undefined || type === layout.detail.type;
  if (isOwn && !layout.detail.table) return layout.detail;
  return layout.otherDetails?.find((other) => other.type === type);
}

export function fieldOfTotal(
  layout: Pick<FixedLayout, "detail" | "otherDetails">,
  total: { of: string; type?: string },
): LayoutField | undefined {
  return detailOfTotal(layout, total.type)?.fields.find(({ name, start }) => name === total.of && start !== undefined);
}
