// Writes rejected records of a fixed-width file with their bytes, the original header and a matching trailer.

import type { Collection } from "../../core/dictionary/collections.ts";
import { openFixed } from "../../layouts/formats/read-fixed.ts";
import { FixedWriter } from "../../layouts/formats/write-fixed.ts";
import type { FixedLayout } from "../../layouts/layouts/layout.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";

/** Says where a record begins and where the next one begins, in bytes from 0. */
export interface RecordPlace {
  offset: number;
  end: number;
  /** The item of the record that is meant, from 0; undefined for the whole record. */
  item?: number | undefined;
}

/** Yields the new file in pieces, in the order of the places. */
export async function* writeRejects(
  file: Blob,
  layout: FixedLayout,
  collection: Collection,
  places: Iterable<RecordPlace> | AsyncIterable<RecordPlace>,
): AsyncGenerator<Uint8Array> {
  const writer = new FixedWriter(layout, collection);
  const read = ({ offset, end }: RecordPlace) => readSlice(file, offset, end - offset);
  const header = await openFixed(file, layout, collection).readHeader();
  if (header) {
    const record = await read(header);
    yield writer.take(record, "header");
  }
  const { table } = layout.detail;
  for await (const { place, items } of byRecord(places)) {
    const record = await read(place);
    yield writer.take(table && items ? writer.withItems(record, table, items) : record, "detail");
  }
  yield writer.trailer();
}

/** Yields the items of one record together; undefined where the record itself is meant. */
async function* byRecord(
  places: Iterable<RecordPlace> | AsyncIterable<RecordPlace>,
): AsyncGenerator<{ place: RecordPlace; items: Set<number> | undefined }> {
  let last: { place: RecordPlace; items: Set<number> | undefined } | undefined;
  for await (const place of places) {
    if (last?.place.offset === place.offset) {
      if (place.item !== undefined) last.items?.add(place.item);
      continue;
    }
    if (last) yield last;
    last = { place, items: place.item === undefined ? undefined : new Set([place.item]) };
  }
  if (last) yield last;
}
