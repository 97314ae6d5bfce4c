// Checked rows to batches, bounded by rows and by bytes. Refuses: two records with one key in the same batch; the second begins the next.

import type { Fields } from "../../dictionary/check.ts";
import { ADVISED_BATCH, MAX_COLLECTION_BODY } from "../../dictionary/wire.ts";
import type { Batch } from "./deliver.ts";

export interface KeyedBatch extends Batch {
  /** The records' own keys: two batches that share one must not travel at the same time. */
  ids: Set<unknown>;
}

export class Batcher {
  readonly #uploadId: string;
  readonly #keyField: string;
  #batch: KeyedBatch | undefined;
  #bytes = 0;
  #made = 0;

  constructor(uploadId: string, keyField: string) {
    this.#uploadId = uploadId;
    this.#keyField = keyField;
  }

  /** Takes a row into the open batch. Gives back the batch before it, when that was full. */
  add(row: number, line: number, cells: readonly string[], record: Fields): KeyedBatch | undefined {
    const id = record[this.#keyField];
    const bytes = maxBytes(cells, record);
    const full = this.#hasRoom(bytes, id) ? undefined : this.take();
    this.#batch ??= { key: `${this.#uploadId}-${++this.#made}`, rows: [], lines: [], records: [], ids: new Set() };
    this.#bytes += bytes;
    this.#batch.rows.push(row);
    this.#batch.lines.push(line);
    this.#batch.records.push(record);
    if (id !== undefined) this.#batch.ids.add(id);
    return full;
  }

  /** What has been taken in since the last full batch. */
  take(): KeyedBatch | undefined {
    const batch = this.#batch;
    this.#batch = undefined;
    this.#bytes = 0;
    return batch;
  }

  #hasRoom(bytes: number, id: unknown): boolean {
    if (!this.#batch) return true;
    if (this.#batch.rows.length === ADVISED_BATCH || this.#bytes + bytes > MAX_COLLECTION_BODY) return false;
    return id === undefined || !this.#batch.ids.has(id);
  }
}

export function shareKey(a: KeyedBatch, b: KeyedBatch): boolean {
  for (const id of a.ids) if (b.ids.has(id)) return true;
  return false;
}

/** What a row can come to as JSON at most: three bytes a UTF-16 unit, and each field's name and punctuation. */
function maxBytes(cells: readonly string[], record: Fields): number {
  let bytes = 3;
  for (const cell of cells) bytes += 3 * cell.length;
  for (const name in record) bytes += name.length + 8;
  return bytes;
}
