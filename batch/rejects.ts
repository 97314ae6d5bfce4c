// The records that were refused, twice: with their original bytes, loadable as they are, and as a list of why. Reads the file once more; nothing of it was kept.

import { type FileHandle, open } from "node:fs/promises";
import type { Collection } from "../dictionary/collections.ts";
import { csvLine } from "../dictionary/csv.ts";
import { createJudge } from "../src/upload/judge.ts";
import type { RowBlock } from "../src/upload/parse.ts";
import { readSlice } from "../src/upload/read.ts";
import type { Book } from "../src/upload/report.ts";
import { rowsOf } from "../src/upload/rows.ts";
import type { RefusalWords } from "./refusal-words.ts";
import { LineStarts, linesIn, type Span } from "./row-bytes.ts";
import type { Reading } from "./source.ts";

export interface RejectsJob {
  file: File;
  collection: Collection;
  reading: Reading;
  /** What became of the records that were sent; undefined when none were. */
  book: Book | undefined;
  words: RefusalWords;
}

/** Of a refused record, or of one whose fate nobody knows. */
interface Why {
  field: string;
  code: string;
  message: string;
}

const HEADING = ["record", "line", "byte", "field", "code", "message"];

/**
 * Writes both files; neither may be there yet. A record in doubt stands in the list only: loaded again it might be stored twice.
 * Gives the number of records in each.
 */
export async function writeRejects(job: RejectsJob, paths: { rejects: string; list: string }): Promise<void> {
  const { file, collection, reading, book } = job;
  const judge = createJudge(collection, reading.plan);
  const spans = spansOf(job);
  const bytes = await Copy.to(paths.rejects, file);
  const list = await Lines.to(paths.list);
  try {
    await list.add(HEADING);
    let isFirst = true;
    for await (const block of rowsOf({ file, ...reading })) {
      if (isFirst) await bytes.add(await spans.heading(block));
      isFirst = false;
      for (let i = 0; i < block.rows.length; i++) {
        const row = block.first + i;
        const problems = judge(row, block.rows[i] as string[], block.torn.get(i), undefined); // of every row: it remembers the keys
        const found = problems ?? sentWhy(row, book, job.words);
        if (!found) continue;
        const span = await spans.of(block, i);
        for (const { field, code, message } of found) {
          await list.add([String(row), String(block.lines[i]), String(span[0]), field, code, message]);
        }
        if (problems || book?.outcomeOf(row) === "failed") await bytes.add(span);
      }
    }
  } finally {
    await bytes.close();
    await list.close();
  }
}

function sentWhy(row: number, book: Book | undefined, words: RefusalWords): Why[] | undefined {
  const outcome = book?.outcomeOf(row);
  if (outcome !== "failed" && outcome !== "inDoubt") return undefined;
  const message = book?.reasonOf(row) ?? "";
  if (outcome === "inDoubt") return [{ field: "", code: "IN_DOUBT", message }];
  return [{ ...words.of(message), message }];
}

interface Spans {
  /** What stands before the first row and has to stand before the rejects. */
  heading(block: RowBlock): Promise<Span>;
  /** Of the block's i-th row; rows are asked for in the order of the file. */
  of(block: RowBlock, i: number): Promise<Span>;
}

function spansOf({ file, reading }: RejectsJob): Spans {
  const { dialect } = reading.plan;
  const starts = new LineStarts(file, dialect.encoding);
  return {
    async heading({ header }) {
      return [0, dialect.headingLine === 0 ? 0 : await starts.of(dialect.headingLine + linesIn(header))];
    },
    async of({ lines, rows }, i) {
      const line = lines[i] as number;
      return [await starts.of(line), await starts.of(line + linesIn(rows[i] as string[]))];
    },
  };
}

const PIECE = 1024 * 1024; // bytes copied at a time

/** Copies parts of a file to another; parts that touch are copied together. */
class Copy {
  readonly #to: FileHandle;
  readonly #file: Blob;
  #span: Span = [0, 0];

  private constructor(to: FileHandle, file: Blob) {
    this.#to = to;
    this.#file = file;
  }

  static async to(path: string, file: Blob): Promise<Copy> {
    return new Copy(await open(path, "wx"), file);
  }

  async add([from, to]: Span): Promise<void> {
    if (from !== this.#span[1]) await this.#flush();
    this.#span = [this.#span[0] === this.#span[1] ? from : this.#span[0], to];
    if (this.#span[1] - this.#span[0] >= PIECE) await this.#flush();
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#to.close();
  }

  async #flush(): Promise<void> {
    const [from, to] = this.#span;
    for (let at = from; at < to; at += PIECE) await this.#to.appendFile(await readSlice(this.#file, at, Math.min(PIECE, to - at)));
    this.#span = [to, to];
  }
}

class Lines {
  readonly #to: FileHandle;
  #text = "";

  private constructor(to: FileHandle) {
    this.#to = to;
  }

  static async to(path: string): Promise<Lines> {
    return new Lines(await open(path, "wx"));
  }

  async add(cells: readonly string[]): Promise<void> {
    this.#text += csvLine(cells);
    if (this.#text.length > PIECE) await this.#flush();
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#to.close();
  }

  async #flush(): Promise<void> {
    await this.#to.appendFile(this.#text);
    this.#text = "";
  }
}
