// Collects checked rows into batches, limited by rows and bytes. Only rows with modes of their own share a key.

import { MAX_COLLECTION_BODY } from "../../core/contract/limits.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { RowMode } from "../model/plan.ts";

const WIDEST = 5_000; // rows of the file from a batch's first to its last: its journal entry is as long as that

export interface Batch {
  /** The idempotency key. It belongs to exactly these records. */
  key: string;
  /** Row number, line in the file and record of each row: three lists of one length. */
  rows: number[];
  lines: number[];
  records: Fields[];
  /** Says what to do with each row, a fourth list, where the file says it. Otherwise the plan's mode. */
  modes?: RowMode[];
  /** A fifth list where some rows change stored records that they look like: the version of each such record. Modes are there then, too. */
  versions?: (number | undefined)[];
  /** Says when an earlier run of this upload sent it and got no response; epoch ms. */
  sentBefore?: number | undefined;
  /** Some of its rows may have been stored by an earlier request without a response. */
  isRepeat?: boolean;
  /** Says when such a request was first sent; epoch ms. */
  firstSent?: number;
}

export interface KeyedBatch extends Batch {
  /** Say which records its rows mean. Two batches that share one must not be sent at the same time. */
  ids: Set<unknown>;
}

/** Says how a row is sent, where that is not the same for all. `version`: of the stored record that it looks like and changes. */
export interface RowWay {
  mode: RowMode;
  version?: number | undefined;
  /** It may share a batch with rows that have a version: it has one itself, or changes no stored record. */
  isVersioned?: boolean;
}

export function createBatch(uploadId: string, firstRow: number, way: RowWay | undefined): KeyedBatch {
  const lists = { ...(way && { modes: [] }), ...(way?.isVersioned && { versions: [] }) };
  return { key: `${uploadId}-${firstRow}`, rows: [], lines: [], records: [], ids: new Set(), ...lists };
}

export function addRow(batch: KeyedBatch, row: number, line: number, record: Fields, id: unknown, way: RowWay | undefined): void {
  batch.rows.push(row);
  batch.lines.push(line);
  batch.records.push(record);
  if (way !== undefined) batch.modes?.push(way.mode);
  batch.versions?.push(way?.version);
  if (id !== undefined) batch.ids.add(id);
}

export class Batcher {
  readonly #uploadId: string;
  readonly #idOf: (record: Fields) => unknown;
  readonly #most: () => number;
  #batch: KeyedBatch | undefined;
  #bytes = 0;

  /** `idOf`: which record a row means. `most`: how many rows a batch may have; called for every row. */
  constructor(uploadId: string, idOf: (record: Fields) => unknown, most: () => number) {
    this.#uploadId = uploadId;
    this.#idOf = idOf;
    this.#most = most;
  }

  /** Adds a row. Returns the batch before it, when that is full. */
  add(row: number, line: number, cells: readonly string[], record: Fields, way: RowWay | undefined): KeyedBatch | undefined {
    const id = this.#idOf(record);
    const bytes = maxBytes(cells, record) + (way === undefined ? 0 : ACTION_BYTES);
    const full = this.#hasRoom(row, bytes, id, way) ? undefined : this.take();
    this.#batch ??= createBatch(this.#uploadId, row, way);
    this.#bytes += bytes;
    addRow(this.#batch, row, line, record, id, way);
    return full;
  }

  /** Returns the rows since the last full batch. */
  take(): KeyedBatch | undefined {
    const batch = this.#batch;
    this.#batch = undefined;
    this.#bytes = 0;
    return batch;
  }

  #hasRoom(row: number, bytes: number, id: unknown, way: RowWay | undefined): boolean {
    if (!this.#batch) return true;
    const { rows, ids, modes, versions } = this.#batch;
    if ((modes !== undefined) !== (way !== undefined) || (versions !== undefined) !== (way?.isVersioned === true)) return false;
    if (rows.length >= this.#most() || row - (rows[0] as number) >= WIDEST) return false;
    if (this.#bytes + bytes > MAX_COLLECTION_BODY) return false;
    return id === undefined || modes !== undefined || !ids.has(id);
  }
}

export function shareKey(a: KeyedBatch, b: KeyedBatch): boolean {
  for (const id of a.ids) if (b.ids.has(id)) return true;
  return false;
}

const ACTION_BYTES = 64; // of the operation around a record, and of its version

/** Returns the upper limit of a row's size as JSON: three bytes for each UTF-16 unit, and each field's name and punctuation. */
function maxBytes(cells: readonly string[], record: Fields): number {
  let bytes = 3;
  for (const cell of cells) bytes += 3 * cell.length;
  for (const name in record) bytes += name.length + 8;
  return bytes;
}
