// Writes rejected records of a fixed-width file with their bytes, the original header and a matching trailer.

import type { Collection } from "../../core/dictionary/collections.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";
import { openFixed } from "../formats/read-fixed.ts";
import { FixedWriter } from "../formats/write-fixed.ts";
import type { FixedLayout } from "../layouts/layout.ts";

/** Where a record begins and where the next one begins, in bytes from 0. */
export interface RecordPlace {
  offset: number;
  end: number;
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
  for await (const place of places) {
    yield writer.take(await read(place), "detail");
  }
  yield writer.trailer();
}
