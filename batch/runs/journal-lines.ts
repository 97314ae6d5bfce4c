// The lines of a journal: a batch as a line of JSON and back, and the lines of a file with their places. Writes nothing.

import type { FileHandle } from "node:fs/promises";
import type { SentBatch, UndoCounts, UndoneTouch } from "../../pipeline/sending/journal.ts";
import type { Meaning } from "../reports/refusal-codes.ts";

export type Entry = Omit<SentBatch, "upload">;

/** A line of the file: a batch that left (again when more is known of it), one that was undone, or what a sentence of the service means. */
export type Line = StoredLine | { undone: number; tally: UndoCounts; touches?: UndoneTouch[] } | ({ sentence: string } & Meaning);

export interface StoredLine extends Omit<Entry, "result" | "undone"> {
  /** As SentBatch has it; outcomes as one digit a row. */
  result?: Omit<NonNullable<Entry["result"]>, "outcomes" | "ids" | "versions"> & { outcomes: string; ids: number[]; versions: number[] };
}

export function toLine({ first, last, sentAt, split, result }: Entry): StoredLine {
  const line: StoredLine = { first, last, sentAt, split };
  if (!result) return line;
  const { outcomes, ids, versions, ...rest } = result;
  return { ...line, result: { ...rest, outcomes: outcomes.join(""), ids: [...ids], versions: [...versions] } };
}

export function fromLine({ result, ...line }: StoredLine): SentBatch {
  const batch = { upload: "", ...line };
  if (!result) return batch;
  const { outcomes, ids, versions, ...rest } = result;
  const lists = { outcomes: Uint8Array.from(outcomes, Number), ids: Float64Array.from(ids), versions: Uint32Array.from(versions) };
  return { ...batch, result: { ...rest, ...lists } };
}

export function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** Each line with its line feed, and its length in bytes; the last one perhaps without. */
export async function* linesOf(file: FileHandle): AsyncGenerator<{ text: string; length: number }> {
  let rest = Buffer.alloc(0);
  const piece = Buffer.alloc(1024 * 1024);
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
