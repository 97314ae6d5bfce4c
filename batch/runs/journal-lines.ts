// The lines of a journal file: from batches to JSON and back.

import type { FileHandle } from "node:fs/promises";
import type { SentBatch } from "../../pipeline/sending/journal.ts";
import type { ErrorCode, SimilarInBatch } from "../reports/error-codes.ts";

export type Entry = Omit<SentBatch, "upload">;

/** A line of the file: a batch that was sent (again when more is known of it), the field and code of a message, or how much of a batch looks like stored records. */
export type Line = StoredLine | ({ sentence: string } & ErrorCode) | SimilarInBatch;

export interface StoredLine extends Omit<Entry, "result"> {
  /** It is that of SentBatch, with one digit for the outcome of each row. */
  result?: Omit<NonNullable<Entry["result"]>, "outcomes"> & { outcomes: string };
}

export function toLine({ first, last, sentAt, split, result }: Entry): StoredLine {
  const line: StoredLine = { first, last, sentAt, split };
  if (!result) return line;
  return { ...line, result: { ...result, outcomes: result.outcomes.join("") } };
}

export function fromLine({ result, ...line }: StoredLine): SentBatch {
  const batch = { upload: "", ...line };
  if (!result) return batch;
  return { ...batch, result: { ...result, outcomes: Uint8Array.from(result.outcomes, Number) } };
}

export function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const PIECE = 1024 * 1024; // bytes

/** `text` includes the line feed, which the last line may lack; `length` is in bytes. */
export async function* linesOf(file: FileHandle): AsyncGenerator<{ text: string; length: number }> {
  const { size } = await file.stat();
  if (size === 0) return; // of a new run
  let rest = Buffer.alloc(0);
  const piece = Buffer.alloc(Math.min(size, PIECE));
  for (let from = 0; ; ) {
    const { bytesRead } = await file.read(piece, 0, piece.length, from);
    if (bytesRead === 0) break;
    from += bytesRead;
    const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield { text: bytes.toString("utf8", start, end + 1), length: end + 1 - start };
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { text: rest.toString(), length: rest.length };
}
