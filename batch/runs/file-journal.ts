// The journal of one run: a file with one JSON line for each change of a batch.

import { type FileHandle, open } from "node:fs/promises";
import type { BatchLog, SentBatch } from "../../pipeline/sending/journal.ts";
import { CommandError, EXIT, Interrupted, systemError } from "../console/exit-codes.ts";
import { ErrorCodes } from "../reports/error-codes.ts";
import { type Entry, fromLine, type Line, linesOf, parseLine, type StoredLine, toLine } from "./journal-lines.ts";
import { APPEND } from "./own-files.ts";

/** Says where the latest line of a batch is in the file, in bytes. */
interface Place {
  first: number;
  last: number;
  at: number;
  length: number;
  hasResult: boolean;
}

interface Waiting {
  bytes: Buffer;
  resolve(at: number): void;
  reject(error: unknown): void;
}

/** Each line is on the disk before the next step relies on it. Memory holds a few numbers for each batch; keys and tokens are not stored. */
export class RunJournal implements BatchLog {
  /** They are stored in the journal, because batches contain only the messages. */
  readonly errorCodes = new ErrorCodes((learned) => {
    this.#append(JSON.stringify(learned satisfies Line)).catch(() => undefined); // #error keeps it: the next batch and `flush` throw it
  });
  readonly #file: FileHandle;
  readonly #path: string;
  /** They stand in the order of their first rows. */
  readonly #places: Place[] = [];
  #end = 0;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #error: unknown;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** Creates the file when there is none. Removes an incomplete last line, on which nothing has relied yet. */
  static async open(path: string): Promise<RunJournal> {
    const journal = new RunJournal(await open(path, APPEND, 0o600), path);
    try {
      await journal.#read();
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Counts the batches that were sent and have no result. */
  get unanswered(): number {
    return this.#places.filter(({ hasResult }) => !hasResult).length;
  }

  async from(row: number): Promise<SentBatch | undefined> {
    return this.#load(this.#places[this.#indexOf(row)]);
  }

  /** Without `strict` it does not wait for the disk; `flush` does. When such a line is lost, the batch is sent again under its key. */
  async keep(batch: Entry, strict: boolean): Promise<void> {
    const written = this.#keep(batch);
    if (strict) return written;
    written.catch(() => undefined); // #error keeps it: `flush` and the next call throw it
  }

  /** Resolves when all lines are on the disk. Throws when one could not be written. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#error) throw this.#error;
  }

  async #keep(batch: Entry): Promise<void> {
    const line = JSON.stringify(toLine(batch));
    const at = await this.#append(line);
    this.#place({ first: batch.first, last: batch.last, at, length: Buffer.byteLength(line), hasResult: batch.result !== undefined });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  /** Resolves with the byte offset once the line is on the disk. Lines that arrive during a write are written together. */
  #append(line: string): Promise<number> {
    if (this.#error) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.from(`${line}\n`), resolve, reject });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#error) throw this.#error;
        await this.#file.appendFile(Buffer.concat(group.map(({ bytes }) => bytes)));
        await this.#file.datasync();
      } catch (error) {
        this.#error ??= this.#notWritten(error); // nothing may follow an incomplete line
        for (const { reject } of group) reject(this.#error);
        continue;
      }
      for (const { bytes, resolve } of group) {
        resolve(this.#end);
        this.#end += bytes.length;
      }
    }
  }

  #notWritten(error: unknown): unknown {
    const why = systemError(error);
    return why === undefined ? error : new Interrupted(`the journal ${this.#path} cannot be written: ${why}.`);
  }

  #place(place: Place): void {
    const index = this.#indexOf(place.first);
    const isThere = this.#places[index]?.first === place.first;
    this.#places.splice(index, isThere ? 1 : 0, place);
  }

  /** Returns the index of the first batch that begins at this row or later. Batches mostly come in order, so the end is checked first. */
  #indexOf(row: number): number {
    const places = this.#places;
    if ((places.at(-1)?.first ?? 0) < row) return places.length;
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as Place).first < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #load(place: Place | undefined): Promise<SentBatch | undefined> {
    if (!place) return undefined;
    const { buffer } = await this.#file.read(Buffer.alloc(place.length), 0, place.length, place.at);
    return fromLine(JSON.parse(buffer.toString()) as StoredLine);
  }

  async #read(): Promise<void> {
    let wrong: number | undefined; // the number of the first unreadable line
    let at = 0;
    let number = 0;
    for await (const { text, length } of linesOf(this.#file)) {
      number++;
      const line = text.endsWith("\n") ? parseLine(text) : undefined;
      if (line && wrong !== undefined) {
        throw new CommandError(EXIT.nothing, `The journal ${this.#path} is damaged at line ${wrong}.`);
      }
      if (!line) wrong ??= number;
      else {
        this.#take(line, at, length - 1);
        this.#end = at + length;
      }
      at += length;
    }
    if (wrong !== undefined) await this.#file.truncate(this.#end);
  }

  #take(line: Line, at: number, length: number): void {
    if ("sentence" in line) this.errorCodes.set(line.sentence, { field: line.field, code: line.code });
    else if ("similar" in line) this.errorCodes.setSimilar(line);
    else this.#place({ first: line.first, last: line.last, at, length, hasResult: line.result !== undefined });
  }
}
