// An exact set of whole numbers up to ±(2^53 − 1). It only grows.
// Ten million consecutive numbers take 1.3 MB, a scattered one 8 to 22 bytes.

const CHUNK = 4096; // consecutive numbers that share a bitmap once there are enough of them
const WORDS = 1 + CHUNK / 32; // of a bitmap: its count, and a bit for each number
const ENOUGH = 64; // numbers in one chunk; as single entries they would take more memory than the bitmap
const FIRST_SIZE = 1_024; // a power of two, like every size of the table; most files are small, and a watcher reads many of them
const FULL = 0.75; // of the table; above it look-ups get slow

/**
 * Bitmaps where numbers are dense, as the keys of most files are; a hash table (open addressing, linear probing) for scattered
 * ones.
 */
export class KeySet {
  #table = emptyTable(FIRST_SIZE);
  #count = 0; // of scattered numbers
  /** Chunk → where its bitmap begins. */
  readonly #starts = new Map<number, number>();
  #bitmaps = new Uint32Array(64 * WORDS);
  #chunk = Number.NaN; // the chunk used last, and where its bitmap begins: files are mostly in order
  #start = 0;

  readonly #areHashes: boolean;

  /** `areHashes`: its numbers are those of `hashOf`, so that none are dense, and nobody looks for bitmaps. */
  constructor(areHashes = false) {
    this.#areHashes = areHashes;
  }

  /** Returns false when the set has the number already. */
  add(id: number): boolean {
    if (this.#areHashes) return this.#addToTable(id);
    const chunk = Math.floor(id / CHUNK);
    if (chunk !== this.#chunk && !this.#find(chunk)) return this.#addToTable(id);
    const place = id - chunk * CHUNK;
    const word = this.#start + 1 + (place >>> 5);
    const [bits, bit] = [this.#bitmaps[word] as number, 1 << (place & 31)];
    if (bits & bit || (this.#count > 0 && !Number.isNaN(this.#table[this.#slotOf(id)]))) return false;
    this.#bitmaps[word] = bits | bit;
    this.#bitmaps[this.#start] = (this.#bitmaps[this.#start] as number) + 1;
    return true;
  }

  has(id: number): boolean {
    const chunk = Math.floor(id / CHUNK);
    const start = this.#starts.get(chunk);
    const place = id - chunk * CHUNK;
    if (start !== undefined && (this.#bitmaps[start + 1 + (place >>> 5)] as number) & (1 << (place & 31))) return true;
    return this.#count > 0 && !Number.isNaN(this.#table[this.#slotOf(id)]);
  }

  /** Makes the chunk's bitmap the current one; false when it has none. */
  #find(chunk: number): boolean {
    let start = this.#starts.get(chunk);
    if (start === undefined) {
      // After a dense chunk the next one is probably dense too. Numbers that it already has in the table stay there.
      const before = this.#starts.get(chunk - 1);
      if (before === undefined || (this.#bitmaps[before] as number) < ENOUGH) return false;
      start = this.#open(chunk);
    }
    this.#chunk = chunk;
    this.#start = start;
    return true;
  }

  #open(chunk: number): number {
    const start = this.#starts.size * WORDS;
    if (start === this.#bitmaps.length) {
      const bitmaps = new Uint32Array(WORDS * Math.ceil(this.#starts.size * 1.5));
      bitmaps.set(this.#bitmaps);
      this.#bitmaps = bitmaps;
    }
    this.#starts.set(chunk, start);
    return start;
  }

  #addToTable(id: number): boolean {
    const slot = this.#slotOf(id);
    if (!Number.isNaN(this.#table[slot])) return false;
    this.#table[slot] = id;
    if (++this.#count > this.#table.length * FULL) this.#makeRoom();
    return true;
  }

  /** Returns the slot of the number, or the free slot that it would take. */
  #slotOf(id: number): number {
    const mask = this.#table.length - 1;
    let slot = spread(id) & mask;
    for (let found = this.#table[slot]; found !== id && !Number.isNaN(found); found = this.#table[slot]) slot = (slot + 1) & mask;
    return slot;
  }

  /** Moves numbers of dense chunks to bitmaps. Doubles the table when most numbers are scattered. */
  #makeRoom(): void {
    const all = this.#table.filter((id) => !Number.isNaN(id));
    if (this.#areHashes) {
      this.#fill(all, all.length);
      return;
    }
    const ids = all.sort();
    this.#table = emptyTable(0);
    this.#count = 0;
    let left = 0;
    for (let from = 0, to = 0; from < ids.length; from = to) {
      const chunk = Math.floor((ids[from] as number) / CHUNK);
      while (to < ids.length && Math.floor((ids[to] as number) / CHUNK) === chunk) to++;
      if (to - from >= ENOUGH && !this.#starts.has(chunk)) this.#open(chunk);
      if (this.#starts.has(chunk)) for (let i = from; i < to; i++) this.add(ids[i] as number);
      else for (let i = from; i < to; i++) ids[left++] = ids[i] as number;
    }
    this.#fill(ids, left);
  }

  /** Makes a table with room for more than its first numbers. */
  #fill(ids: Float64Array, count: number): void {
    let size = FIRST_SIZE;
    while (count > (size * FULL) / 1.5) size *= 2;
    this.#table = emptyTable(size);
    for (let i = 0; i < count; i++) this.#table[this.#slotOf(ids[i] as number)] = ids[i] as number;
    this.#count = count;
  }
}

function emptyTable(size: number): Float64Array {
  return new Float64Array(size).fill(Number.NaN);
}

/** Mixes both halves of the number, so that ids in steps of any size get different places (the finalizer of MurmurHash3). */
function spread(id: number): number {
  let hash = (id | 0) ^ Math.imul(Math.floor(id / 0x1_0000_0000), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Makes a number of 53 bits in place of a text, because a million texts would fill the memory: among so many values the chance that two share a
 * number is 1 in 18,000.
 */
export function hashOf(text: string): number {
  return hashOfCells([text], ONLY);
}

const ONLY = [0];
const END = 0x1_0000; // of a cell: no UTF-16 unit is as large

/** Does so of the cells at these places, one after the other. A file asks for each of its rows, so that no text is made of them. */
export function hashOfCells(cells: readonly string[], places: readonly number[]): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (const place of places) {
    const text = cells[place] ?? "";
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : END;
      high = Math.imul(high ^ unit, 0x9e3779b1);
      low = Math.imul(low ^ unit, 0x5f356495);
      high ^= high >>> 15;
      low ^= low >>> 13;
    }
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
