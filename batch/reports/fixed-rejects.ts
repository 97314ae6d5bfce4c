// Some records of a fixed-width file as a file of their own, with their original bytes: the header as it was, and a trailer that is right for them. Refuses: what the header refuses.

import type { Collection } from "../../core/dictionary/collections.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";
import { openFixed } from "../formats/read-fixed.ts";
import { FixedWriter } from "../formats/write-fixed.ts";
import type { FixedLayout } from "../layouts/layout.ts";

/** Where a record begins, and where the next one does: bytes of the file from 0, as a FixedBlock says. */
export interface RecordPlace {
  offset: number;
  end: number;
}

/** The new file in pieces, in the order of the places. Nothing is kept of them but the counts. */
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
    writer.take(record, "header");
    yield record;
  }
  for await (const place of places) {
    const record = await read(place);
    writer.take(record, "detail");
    yield record;
    yield writer.endOf(record);
  }
  yield writer.trailer();
}
