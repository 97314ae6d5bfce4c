// A set of row numbers, one bit each: a million rows take 125 kB.

export class RowSet {
  #bits: Uint32Array = new Uint32Array(32);
  size = 0;

  /** Makes it from another set's `bits`. Both share the memory, so the new set must not change. */
  static of(bits: Uint32Array): RowSet {
    const set = new RowSet();
    set.#bits = bits;
    for (let word of bits) for (; word !== 0; word &= word - 1) set.size++;
    return set;
  }

  /** Returns a copy for storing. */
  bits(): Uint32Array {
    let words = this.#bits.length;
    while (words > 0 && this.#bits[words - 1] === 0) words--;
    return this.#bits.slice(0, words);
  }

  has(row: number): boolean {
    return ((this.#bits[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    const word = row >>> 5;
    if (word >= this.#bits.length) {
      const bits = new Uint32Array(Math.max(word + 1, 2 * this.#bits.length));
      bits.set(this.#bits);
      this.#bits = bits;
    }
    const [was, bit] = [this.#bits[word] as number, 1 << (row & 31)];
    if (was & bit) return;
    this.#bits[word] = was | bit;
    this.size++;
  }

  delete(row: number): void {
    const word = row >>> 5;
    const [was, bit] = [this.#bits[word] ?? 0, 1 << (row & 31)];
    if (!(was & bit)) return;
    this.#bits[word] = was & ~bit;
    this.size--;
  }

  /** Returns the first ranges, from–to, and how many rows come after them. */
  ranges(most: number): { ranges: [from: number, to: number][]; more: number } {
    const ranges: [number, number][] = [];
    let within = 0;
    let row = this.#next(0, true);
    while (row !== -1 && ranges.length < most) {
      const end = this.#next(row, false);
      ranges.push([row, end - 1]);
      within += end - row;
      row = this.#next(end, true);
    }
    return { ranges, more: this.size - within };
  }

  /** Returns the first row from `from` on that is in the set (`isIn`) or is not; −1 when there is none. */
  #next(from: number, isIn: boolean): number {
    const skipped = isIn ? 0 : 0xffff_ffff; // a word that can be skipped: none of its 32 rows matches
    for (let row = from; row < 32 * this.#bits.length; ) {
      const word = this.#bits[row >>> 5] as number;
      if ((row & 31) === 0 && word === skipped) row += 32;
      else if (((word >>> (row & 31)) & 1) === (isIn ? 1 : 0)) return row;
      else row++;
    }
    return isIn ? -1 : 32 * this.#bits.length;
  }
}
