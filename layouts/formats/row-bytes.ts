// Finds where the physical lines of a file begin, in bytes, so that a row can be cut out unchanged.

import type { Encoding } from "../../pipeline/model/dialect.ts";
import { readSlices } from "../../pipeline/reading/text-blocks.ts";

const SLICE = 1024 * 1024; // bytes
const [LF, CR] = [0x0a, 0x0d];

/** Lines end with LF, CRLF or CR, as the parser of rows counts them. */
export class LineStarts {
  readonly #slices: AsyncGenerator<{ from: number; bytes: Uint8Array }>;
  readonly #size: number;
  /** Bytes for one character of a line end, and the index of the byte with its code. */
  readonly #unit: number;
  readonly #at: number;
  readonly #lineFeeds: readonly number[];
  #bytes: Uint8Array = new Uint8Array();
  #from = 0;
  #place = 0;
  #line = 1;
  #start = 0;
  #halfEnd = false; // the last character was a CR, which may be the first half of CRLF

  /** `lineFeeds`: the bytes that end a line, for encodings where this is not LF. */
  constructor(file: Blob, encoding: Encoding, lineFeeds: readonly number[] = [LF]) {
    this.#lineFeeds = lineFeeds;
    this.#slices = readSlices(file, SLICE);
    this.#size = file.size;
    this.#unit = encoding.startsWith("UTF-16") ? 2 : 1;
    this.#at = encoding === "UTF-16BE" ? 1 : 0;
  }

  /** `line` counts from 1 and may not go back. After the last line: the size of the file. */
  async of(line: number): Promise<number> {
    while (this.#line < line) if (!(await this.#nextLine())) return this.#size;
    return this.#start;
  }

  async #nextLine(): Promise<boolean> {
    for (;;) {
      for (; this.#place + this.#unit <= this.#bytes.length; this.#place += this.#unit) {
        const code = this.#codeAt(this.#place);
        if (this.#halfEnd) {
          this.#halfEnd = false;
          return this.#begin(this.#place + (this.#lineFeeds.includes(code) ? this.#unit : 0));
        }
        if (this.#lineFeeds.includes(code)) return this.#begin(this.#place + this.#unit);
        this.#halfEnd = code === CR;
      }
      const { value, done } = await this.#slices.next();
      if (done) return this.#halfEnd ? this.#endWithCr() : false;
      this.#from = value.from;
      this.#bytes = value.bytes;
      this.#place = 0;
    }
  }

  #begin(place: number): true {
    this.#place = place;
    this.#start = this.#from + place;
    this.#line++;
    return true;
  }

  #endWithCr(): true {
    this.#halfEnd = false;
    return this.#begin(this.#place);
  }

  /** Returns the code of a line end; −1 for other characters in UTF-16. */
  #codeAt(place: number): number {
    if (this.#unit === 1) return this.#bytes[place] as number;
    return this.#bytes[place + 1 - this.#at] === 0 ? (this.#bytes[place + this.#at] as number) : -1;
  }
}

/** Counts the physical lines of a row. */
export function linesIn(cells: readonly string[]): number {
  let lines = 1;
  for (const cell of cells) lines += cell.match(/\r\n?|\n/g)?.length ?? 0;
  return lines;
}
