const GROUP = 4096; // texts that are kept as one string, because a million short strings take several times their length

const PLACE = 16; // what a text without a character counts for, because even that is kept

/** The texts of a workbook, which its cells name by number. */
export class SharedTexts {
  /** UTF-16 units that may be held: about as many bytes, twice as many when some are not Latin-1. */
  static readonly MOST = 400_000_000;

  /** UTF-16 units so far, and some for each text. */
  length = 0;
  /** The numbers of texts that are longer than a cell may be: they are held as none. */
  readonly #tooLong = new Set<number>();
  #count = 0;
  readonly #groups: string[] = [];
  readonly #ends: Uint32Array[] = [];
  #open: string[] = [];

  add(text: string): void {
    this.length += text.length + PLACE;
    this.#count++;
    this.#open.push(text);
    if (this.#open.length === GROUP) this.#close();
  }

  /** Notes a text that is longer than a cell may be. Only a cell that names it is in the way. */
  addTooLong(): void {
    this.#tooLong.add(this.#count);
    this.add("");
  }

  isTooLong(index: number): boolean {
    return this.#tooLong.has(index);
  }

  /** Returns undefined when there are not so many. */
  at(index: number): string | undefined {
    const group = Math.floor(index / GROUP);
    const ends = this.#ends[group];
    if (!ends) return group === this.#groups.length ? this.#open[index % GROUP] : undefined;
    const i = index % GROUP;
    return (this.#groups[group] as string).slice(i === 0 ? 0 : ends[i - 1], ends[i]);
  }

  #close(): void {
    let end = 0;
    this.#ends.push(Uint32Array.from(this.#open, (text) => (end += text.length)));
    this.#groups.push(this.#open.join(""));
    this.#open = [];
  }
}
