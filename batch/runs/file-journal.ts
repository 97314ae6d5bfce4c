// The batches of one run as lines of JSON on the disk, each there before anything is done on its strength. Keeps no key and no token.

import { type FileHandle, open } from "node:fs/promises";
import { OUTCOMES } from "../../pipeline/model/outcomes.ts";
import type { BatchLog, Journal, SentBatch, UndoCounts, UndoneTouch } from "../../pipeline/sending/journal.ts";
import { CommandError, EXIT, Interrupted, systemError } from "../console/exit-codes.ts";
import { ErrorCodes } from "../reports/refusal-codes.ts";
import { type Entry, fromLine, type Line, linesOf, parseLine, type StoredLine, toLine } from "./journal-lines.ts";

/** Where the latest line about a batch stands in the file. */
interface Place {
  first: number;
  last: number;
  at: number;
  length: number;
  isSettled: boolean;
  /** Once it was undone, where batches before it have some of its records, too. */
  undone?: UndoneTouch[];
}

const UPDATED = String(OUTCOMES.indexOf("updated"));

interface Waiting {
  bytes: Buffer;
  resolve(at: number): void;
  reject(error: unknown): void;
}

/** What sending and undoing ask of a journal; memory holds a few numbers of each batch. */
export class RunJournal implements BatchLog, Pick<Journal, "before" | "undone"> {
  readonly undo: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  /** Kept with the batches, as the reasons in them are sentences only. */
  readonly words = new ErrorCodes((sentence, meaning) => {
    this.#append(JSON.stringify({ sentence, ...meaning } satisfies Line)).catch(() => undefined); // told by the batch that comes next
  });
  readonly #file: FileHandle;
  readonly #path: string;
  /** By first row, ascending. */
  readonly #places: Place[] = [];
  #end = 0;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #broken: unknown;

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /** Makes the file when there is none. A last line that was cut off by a crash is taken off: nothing was done on its strength. */
  static async open(path: string): Promise<RunJournal> {
    const journal = new RunJournal(await open(path, "a+", 0o600), path);
    try {
      await journal.#read();
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Batches that left and whose answer nobody noted. */
  get unsettled(): number {
    return this.#places.filter(({ isSettled, undone }) => !isSettled && !undone).length;
  }

  /** Batches that left and were not undone. */
  get size(): number {
    return this.#places.filter(({ undone }) => !undone).length;
  }

  async from(row: number): Promise<SentBatch | undefined> {
    return this.#load(this.#places[this.#indexOf(row)]);
  }

  async before(_id: string, row: number): Promise<SentBatch | undefined> {
    return this.#load(this.#places[this.#indexOf(row) - 1]);
  }

  /** What is not strict is on its way to the disk; `flush` waits for it. Lost, it would only make a batch go again under its key. */
  async keep(batch: Entry, strict: boolean): Promise<void> {
    const kept = this.#keep(batch);
    if (strict) return kept;
    kept.catch(() => undefined); // told by flush, and by whatever is to be kept next
  }

  /** Resolves when all is on the disk. Throws when it cannot be. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#broken) throw this.#broken;
  }

  async #keep(batch: Entry): Promise<void> {
    const line = JSON.stringify(toLine(batch));
    const at = await this.#append(line);
    this.#place({ first: batch.first, last: batch.last, at, length: Buffer.byteLength(line), isSettled: batch.result !== undefined });
  }

  async undone(_id: string, first: number, tally: UndoCounts, touches: UndoneTouch[]): Promise<void> {
    const line: Line = { undone: first, tally, ...(touches.length > 0 && { touches }) };
    await this.#append(JSON.stringify(line));
    this.#forget(first, tally, touches);
  }

  /** The row of each record that was deleted last, by its key: a delete has no old values. Of batches that were undone, too. */
  async deletes(): Promise<Map<number, number>> {
    const deleted = new Map<number, number>();
    for await (const { text } of linesOf(this.#file)) {
      const line = parseLine(text);
      if (!line || "undone" in line || "sentence" in line || !line.result) continue;
      const { outcomes, ids, old } = line.result;
      const changed = new Set(old.map(([at]) => at));
      for (const [at, id] of ids.entries()) {
        const isDelete = id !== 0 && outcomes[at] === UPDATED && !changed.has(at);
        if (isDelete) deleted.set(id, Math.max(line.first + at, deleted.get(id) ?? 0));
      }
    }
    return deleted;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  /** Resolves with its place once the line is on the disk. Lines that come while others are written go together. */
  #append(line: string): Promise<number> {
    if (this.#broken) return Promise.reject(this.#broken);
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
        if (this.#broken) throw this.#broken;
        await this.#file.appendFile(Buffer.concat(group.map(({ bytes }) => bytes)));
        await this.#file.datasync();
      } catch (error) {
        this.#broken ??= this.#notWritten(error); // behind half a line nothing may be written
        for (const { reject } of group) reject(this.#broken);
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

  #forget(first: number, { reversed, kept, failed }: UndoCounts, touches: UndoneTouch[] = []): void {
    const index = this.#indexOf(first);
    const place = this.#places[index];
    if (place?.first === first) this.#places.splice(index, 1, ...(touches.length > 0 ? [{ ...place, undone: touches }] : []));
    this.undo.reversed += reversed;
    this.undo.kept += kept;
    this.undo.failed += failed;
  }

  /** The index of the first batch that begins at this row or later. Batches mostly come in order, so the end is looked at first. */
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
    const batch = fromLine(JSON.parse(buffer.toString()) as StoredLine);
    if (!place.undone) return batch;
    const { result: _, ...entry } = batch;
    return { ...entry, undone: place.undone };
  }

  async #read(): Promise<void> {
    let wrong: number | undefined; // the number of the first line that is none
    let at = 0;
    let number = 0;
    for await (const { text, length } of linesOf(this.#file)) {
      number++;
      const line = text.endsWith("\n") ? parseLine(text) : undefined;
      if (line && wrong !== undefined) {
        throw new CommandError(
          EXIT.nothing,
          `The journal ${this.#path} is damaged at line ${wrong}. Restore it from a backup, or look at the store before anything else.`,
        );
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
    if ("undone" in line) this.#forget(line.undone, line.tally, line.touches);
    else if ("sentence" in line) this.words.set(line.sentence, { field: line.field, code: line.code });
    else this.#place({ first: line.first, last: line.last, at, length, isSettled: line.result !== undefined });
  }
}
