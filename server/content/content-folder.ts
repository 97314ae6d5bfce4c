// Keeps the content of files in a folder, each under its SHA-256. Several processes may use one folder.

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { asStoreError, HASH, makeFolders, namesIn, passMissing, placesIn, syncFolder } from "./folder-places.ts";
import { HEAD_BYTES } from "./media-type.ts";
import { type AskNamed, removeContent } from "./remove-content.ts";

/** Holds content that has come and that no record names yet. Either `keep` or `drop` must be called. */
export interface Received {
  /** SHA-256, as 64 hexadecimal digits. */
  hash: string;
  /** Bytes. */
  size: number;
  /** The first bytes, HEAD_BYTES at most. */
  head: Buffer;
  /** Gives it its place, on disk. It is not removed before `release`, which follows the write that names it, whatever became of that. */
  keep(): Promise<{ release(): Promise<void> }>;
  drop(): Promise<void>;
}

/** Holds content that is open. Either `stream` or `close` must be called. */
export interface Found {
  /** Bytes. */
  size: number;
  /** `end`: of the last byte. The content is closed with the stream. */
  stream(range?: { start: number; end: number }): Readable;
  close(): Promise<void>;
}

export interface ContentFolder {
  /** Writes the stream to disk as it comes, with little memory. Throws what `tooLarge` makes after more than `most` bytes, and StoreFull. */
  receive(stream: Readable, most: number, tooLarge: () => Error): Promise<Received>;
  /** Undefined where the content is not there. */
  find(hash: string): Promise<Found | undefined>;
  /** Lists the hashes of all content. */
  list(): Promise<string[]>;
  /**
   * Removes content that nothing names. Takes it out of its place first, and asks `named`, which says which of these hashes a record or a
   * version names, only then: whoever has put the same content there before has either written by then or said that it is needed.
   * Answers how many were removed.
   */
  remove(hashes: readonly string[], named: AskNamed): Promise<number>;
}

const LOOKS = 3; // for content that changes its place meanwhile

/**
 * `folder`: is made with the first content. Below it `ab/abcd…` is content, `incoming` has what comes and a mark for each hash that a write
 * is about to name, and `leaving` what is taken out of its place to be removed.
 */
export function createContentFolder(folder: string): ContentFolder {
  const places = placesIn(folder);
  const { incoming, leaving, placeOf } = places;

  async function receive(stream: Readable, most: number, tooLarge: () => Error): Promise<Received> {
    stream.on("error", () => undefined); // it may break off before it is read, and is told so then
    await makeFolders(incoming);
    const id = randomUUID();
    const path = join(incoming, id);
    const file = await open(path, "wx", 0o600).catch(asStoreError);
    const drop = () => rm(path, { force: true });
    try {
      const { hash, size, head } = await writeAll(file, stream, most, tooLarge);
      await file.sync();
      await file.close();
      return { hash, size, head, drop, keep: () => keep(path, hash, id) };
    } catch (error) {
      await file.close().catch(() => undefined); // the first error counts
      await drop();
      return asStoreError(error);
    }
  }

  async function keep(path: string, hash: string, id: string): Promise<{ release(): Promise<void> }> {
    const mark = join(incoming, `${hash}.${id}`);
    const release = () => rm(mark, { force: true });
    try {
      await (await open(mark, "wx", 0o600)).close();
      await makeFolders(join(folder, hash.slice(0, 2)));
      await rename(path, placeOf(hash)); // over the same content, if it is there
      for (const one of [join(folder, hash.slice(0, 2)), folder]) await syncFolder(one);
      return { release };
    } catch (error) {
      await Promise.all([release(), rm(path, { force: true })]);
      return asStoreError(error);
    }
  }

  /** Where the content is now. */
  async function pathsOf(hash: string): Promise<string[]> {
    const left = await namesIn(leaving);
    return [placeOf(hash), ...left.filter((name) => name.startsWith(hash)).map((name) => join(leaving, name))];
  }

  async function find(hash: string): Promise<Found | undefined> {
    if (!HASH.test(hash)) return undefined;
    for (let turn = 0; turn < LOOKS; turn++)
      for (const path of await pathsOf(hash)) {
        const file = await open(path, "r").catch(passMissing);
        if (!file) continue;
        const { size } = await file.stat();
        return { size, stream: (range) => file.createReadStream(range), close: () => file.close() };
      }
    return undefined;
  }

  async function list(): Promise<string[]> {
    const parts = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const names = await Promise.all(parts.map((part) => namesIn(join(folder, part))));
    return names.flat().filter((name) => HASH.test(name));
  }

  return { receive, find, list, remove: (hashes, named) => removeContent(places, hashes, named) };
}

async function writeAll(
  file: FileHandle,
  stream: Readable,
  most: number,
  tooLarge: () => Error,
): Promise<Pick<Received, "hash" | "size" | "head">> {
  const digest = createHash("sha256");
  const heads: Buffer[] = [];
  let size = 0;
  // Without destroyOnReturn the connection would be closed before the answer that refuses.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (size + piece.length > most) throw tooLarge();
    if (size < HEAD_BYTES) heads.push(piece.subarray(0, HEAD_BYTES - size));
    size += piece.length;
    digest.update(piece);
    for (let written = 0; written < piece.length; ) written += (await file.write(piece, written)).bytesWritten;
  }
  return { hash: digest.digest("hex"), size, head: Buffer.concat(heads) };
}
