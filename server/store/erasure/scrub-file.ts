// Overwrites what deleted rows have left in a SQLite file (https://www.sqlite.org/fileformat2.html).

import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const CHUNK = 1_024; // pages that are read together, and most that one step looks at
const LOG_HEADER = 32; // bytes
const FRAME_HEADER = 24; // bytes before each page in the log
/** From here on an overflow page cannot be told from a page of a table: its first byte belongs to a page number. 128 GiB with pages of 4 KiB. */
const MOST_PAGES = 0x02_00_00_00;

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;

/** The file cannot be scrubbed; it must be copied with VACUUM. */
export class FileTooLarge extends Error {}

interface FileShape {
  fd: number;
  pageSize: number;
  /** Bytes of a page that SQLite uses. */
  usable: number;
  pages: number;
  /** The first page of the list of free pages; 0: there is none. */
  freeList: number;
}

/**
 * SQLite frees the bytes of deleted rows, but does not clear them; its own `secure_delete` misses rows that moved from page to page.
 * This writes zeros over everything in the file that belongs to no row: in steps, between which others may read, and write into the log. Bytes of
 * rows are never touched, so it may be interrupted at any moment. From the first step to the last nothing may be moved from the log into the
 * file, and each runs in the thread that writes. `only`: the pages to look at; all of them without it.
 *
 * Afterwards the file is clean, but what is written meanwhile may bring old bytes back. So those pages (pagesInLog) are looked at once more
 * when they are in the file, with what this returns: pages with rows whose last overflow page had something left. The cache of whoever writes must be empty
 * when the first and the last step begin. Throws FileTooLarge.
 */
export function* scrubInSteps(fd: number, only?: ReadonlySet<number>): Generator<void, Set<number>> {
  const file = shapeOf(fd);
  const free = yield* scrubFreePages(file, only);
  const again = new Set<number>();
  const chunk = Buffer.allocUnsafe(CHUNK * file.pageSize);
  for (const { first, count } of only ? runsOf(only, file.pages) : runsOfAll(file.pages)) {
    readFully(fd, chunk, count * file.pageSize, (first - 1) * file.pageSize);
    let followed = 0;
    for (let i = 0; i < count; i++) {
      const number = first + i;
      if (free.has(number)) continue;
      const page = chunk.subarray(i * file.pageSize, (i + 1) * file.pageSize);
      const tails: OverflowChain[] = [];
      if (scrubPage(page, number === 1 ? 100 : 0, file.usable, tails)) writePage(fd, page, number);
      for (const tail of tails) {
        if (scrubTail(file, tail)) again.add(number);
        followed += Math.ceil(tail.bytes / file.usable);
        if (followed < CHUNK) continue;
        followed = 0;
        yield;
      }
    }
    yield;
  }
  return again;
}

/** Pages that follow each other, from the page `first` on. */
interface PageRun {
  first: number;
  count: number;
}

function* runsOfAll(pages: number): Generator<PageRun> {
  for (let first = 1; first <= pages; first += CHUNK) yield { first, count: Math.min(CHUNK, pages - first + 1) };
}

/** A page that the file does not have any more is left out. */
function* runsOf(only: ReadonlySet<number>, pages: number): Generator<PageRun> {
  const numbers = [...only].filter((number) => number <= pages).sort((a, b) => a - b);
  for (let at = 0; at < numbers.length; ) {
    const first = numbers[at] as number;
    let count = 1;
    while (count < CHUNK && numbers[at + count] === first + count) count += 1;
    yield { first, count };
    at += count;
  }
}

/** The numbers of all pages that are in the log; and of some that were, because its end may be older than its beginning (section 4.1). */
export function pagesInLog(log: string): Set<number> {
  const pages = new Set<number>();
  const fd = openSync(log, "r");
  try {
    const { size } = fstatSync(fd);
    if (size < LOG_HEADER) return pages;
    const bytes = Buffer.allocUnsafe(LOG_HEADER);
    readFully(fd, bytes, LOG_HEADER, 0);
    const frame = FRAME_HEADER + bytes.readUInt32BE(8);
    for (let at = LOG_HEADER; at + frame <= size; at += frame) {
      readFully(fd, bytes, 4, at);
      pages.add(bytes.readUInt32BE(0));
    }
    return pages;
  } finally {
    closeSync(fd); // SQLite has no locks on the log, which would end with it
  }
}

function shapeOf(fd: number): FileShape {
  const header = Buffer.allocUnsafe(100);
  readFully(fd, header, 100, 0);
  const size = header.readUInt16BE(16);
  const pageSize = size === 1 ? 65_536 : size;
  const pages = Math.floor(fstatSync(fd).size / pageSize);
  if (pages >= MOST_PAGES) throw new FileTooLarge("the file is too large to overwrite what deleted rows have left in it");
  return { fd, pageSize, usable: pageSize - header.readUInt8(20), pages, freeList: header.readUInt32BE(32) };
}

/** The list of free pages: trunk pages with the numbers of others, which hold nothing. Returns them all. */
function* scrubFreePages({ fd, pageSize, usable, freeList }: FileShape, only?: ReadonlySet<number>): Generator<void, Set<number>> {
  const pages = new Set<number>();
  const page = Buffer.allocUnsafe(pageSize);
  const zeros = Buffer.alloc(pageSize);
  for (let trunk = freeList; trunk !== 0 && !pages.has(trunk); ) {
    pages.add(trunk);
    readFully(fd, page, pageSize, (trunk - 1) * pageSize);
    const count = page.readUInt32BE(4);
    if (clear(page, 8 + 4 * count, usable)) writePage(fd, page, trunk);
    const next = page.readUInt32BE(0);
    const leaves = Array.from({ length: count }, (_, i) => page.readUInt32BE(8 + 4 * i));
    for (const leaf of leaves) {
      pages.add(leaf);
      if (only && !only.has(leaf)) continue;
      readFully(fd, page, pageSize, (leaf - 1) * pageSize);
      if (!page.equals(zeros)) writePage(fd, zeros, leaf);
    }
    trunk = next;
    yield; // a trunk page has a thousand others
  }
  return pages;
}

/** Where a row goes on that does not fit its page, and how many bytes of it are there. */
interface OverflowChain {
  page: number;
  bytes: number;
}

/**
 * Clears what lies between the cells of a page of a table or an index. `at`: where its header begins. Adds the chains of overflow pages
 * that begin here. False when nothing was to be cleared.
 */
function scrubPage(page: Buffer, at: number, usable: number, chains: OverflowChain[]): boolean {
  const type = page.readUInt8(at);
  const isLeaf = type === LEAF_TABLE || type === LEAF_INDEX;
  if (!isLeaf && type !== INTERIOR_INDEX && type !== INTERIOR_TABLE) return false; // an overflow page: reached from its row
  const cells = page.readUInt16BE(at + 3);
  const pointers = at + (isLeaf ? 8 : 12);
  const content = page.readUInt16BE(at + 5) || 65_536;
  let isChanged = clear(page, pointers + 2 * cells, content);
  for (let block = page.readUInt16BE(at + 1); block !== 0; block = page.readUInt16BE(block)) {
    isChanged = clear(page, block + 4, block + page.readUInt16BE(block + 2)) || isChanged;
  }
  if (type === INTERIOR_TABLE) return isChanged; // its cells are numbers only
  for (let i = 0; i < cells; i++) {
    const cell = page.readUInt16BE(pointers + 2 * i);
    const chain = chainOf(page, type === INTERIOR_INDEX ? cell + 4 : cell, type, usable);
    if (chain) chains.push(chain);
  }
  return isChanged;
}

/** The overflow pages of a cell, if it has any (section 1.6 of the file format). */
function chainOf(page: Buffer, cell: number, type: number, usable: number): OverflowChain | undefined {
  const payload = readVarint(page, cell);
  const most = type === LEAF_TABLE ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload.value <= most) return undefined;
  const begin = type === LEAF_TABLE ? readVarint(page, payload.end).end : payload.end;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((payload.value - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  return { page: page.readUInt32BE(begin + local), bytes: payload.value - local };
}

/** Clears the end of the last page of a chain. False when there were zeros already. */
function scrubTail({ fd, pageSize, usable }: FileShape, { page: first, bytes }: OverflowChain): boolean {
  const page = Buffer.allocUnsafe(pageSize);
  let left = bytes;
  let number = first;
  for (; left > usable - 4; left -= usable - 4) {
    readFully(fd, page, 4, (number - 1) * pageSize);
    number = page.readUInt32BE(0);
  }
  readFully(fd, page, pageSize, (number - 1) * pageSize);
  if (!clear(page, 4 + left, usable)) return false;
  writePage(fd, page, number);
  return true;
}

/** False when there were zeros already. */
function clear(page: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (page[i] === 0) continue;
    page.fill(0, i, to);
    return true;
  }
  return false;
}

/** A variable-length integer (section 1.6 of the file format). Sizes fit a double. */
function readVarint(page: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = page.readUInt8(at + i);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  return { value: value * 256 + page.readUInt8(at + 8), end: at + 9 };
}

function writePage(fd: number, page: Buffer, number: number): void {
  writeSync(fd, page, 0, page.length, (number - 1) * page.length);
}

function readFully(fd: number, target: Buffer, bytes: number, at: number): void {
  for (let read = 0; read < bytes; ) {
    const count = readSync(fd, target, read, bytes - read, at + read);
    if (count === 0) throw new Error("the file is shorter than its header says");
    read += count;
  }
}
