// A set of whole numbers up to ±(2^53 − 1) in typed arrays: exact, 1.3 MB for ten million neighbours, 8 to 22 bytes for a loner. Only ever grows.

const CHUNK = 4096; // neighbours that share a bitmap once enough of them have come
const WORDS = 1 + CHUNK / 32; // of a bitmap: how many ids it holds, and a bit for each that it could
const ENOUGH = 64; // ids of one chunk; alone they would take more room than the bitmap
const FIRST_SLOTS = 65_536; // a power of two, as every size of the table is
const FULL = 0.75; // of the table's slots; beyond it look-ups grow long

/** Bitmaps where ids are dense, as the keys of most files are; a hash table (open addressing, linear probing) for loners. */
export class KeySet {
  #loners = emptyTable(FIRST_SLOTS);
  #count = 0; // of loners
  /** Chunk → where its bitmap begins. */
  readonly #starts = new Map<number, number>();
  #bitmaps = new Uint32Array(64 * WORDS);
  #chunk = Number.NaN; // the latest with a bitmap, and where that begins: files are mostly in order
  #start = 0;

  /** False when the id was there already. */
  add(id: number): boolean {
    const chunk = Math.floor(id / CHUNK);
    if (chunk !== this.#chunk && !this.#find(chunk)) return this.#addLoner(id);
    const place = id - chunk * CHUNK;
    const word = this.#start + 1 + (place >>> 5);
    const [bits, bit] = [this.#bitmaps[word] as number, 1 << (place & 31)];
    if (bits & bit || (this.#count > 0 && !Number.isNaN(this.#loners[this.#slotOf(id)]))) return false;
    this.#bitmaps[word] = bits | bit;
    this.#bitmaps[this.#start] = (this.#bitmaps[this.#start] as number) + 1;
    return true;
  }

  /** Makes the chunk's bitmap the latest; false when it has none. */
  #find(chunk: number): boolean {
    let start = this.#starts.get(chunk);
    if (start === undefined) {
      // After a dense chunk the next one will be dense, too. Loners that it has already stay where they are.
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

  #addLoner(id: number): boolean {
    const slot = this.#slotOf(id);
    if (!Number.isNaN(this.#loners[slot])) return false;
    this.#loners[slot] = id;
    if (++this.#count > this.#loners.length * FULL) this.#makeRoom();
    return true;
  }

  /** Where the loner is, or the free slot that it would take. */
  #slotOf(id: number): number {
    const mask = this.#loners.length - 1;
    let slot = spread(id) & mask;
    for (let held = this.#loners[slot]; held !== id && !Number.isNaN(held); held = this.#loners[slot]) slot = (slot + 1) & mask;
    return slot;
  }

  /** Loners of which there are enough in one chunk get a bitmap; the table doubles when most stay loners. */
  #makeRoom(): void {
    const ids = this.#loners.filter((id) => !Number.isNaN(id)).sort();
    this.#loners = emptyTable(0);
    this.#count = 0;
    let kept = 0;
    for (let from = 0, to = 0; from < ids.length; from = to) {
      const chunk = Math.floor((ids[from] as number) / CHUNK);
      while (to < ids.length && Math.floor((ids[to] as number) / CHUNK) === chunk) to++;
      if (to - from >= ENOUGH && !this.#starts.has(chunk)) this.#open(chunk);
      if (this.#starts.has(chunk)) for (let i = from; i < to; i++) this.add(ids[i] as number);
      else for (let i = from; i < to; i++) ids[kept++] = ids[i] as number;
    }
    let slots = FIRST_SLOTS;
    while (kept > (slots * FULL) / 1.5) slots *= 2;
    this.#loners = emptyTable(slots);
    for (let i = 0; i < kept; i++) this.#loners[this.#slotOf(ids[i] as number)] = ids[i] as number;
    this.#count = kept;
  }
}

function emptyTable(slots: number): Float64Array {
  return new Float64Array(slots).fill(Number.NaN);
}

/** Both halves of the number, mixed so that ids in steps of any size fall on different slots (the finalizer of MurmurHash3). */
function spread(id: number): number {
  let hash = (id | 0) ^ Math.imul(Math.floor(id / 0x1_0000_0000), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
