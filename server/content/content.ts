// Declares what keeps the content of files, each under its SHA-256: a folder or a bucket of S3, which processes may share.

import type { Readable } from "node:stream";
import type { AskNamed } from "./remove-content.ts";

export const HASH = /^[0-9a-f]{64}$/;

/** Holds content that has come and that no record names yet. Either `keep` or `drop` must be called. */
export interface Received {
  /** SHA-256, as 64 hexadecimal digits. */
  hash: string;
  /** Bytes. */
  size: number;
  /** The first bytes, HEAD_BYTES at most. */
  head: Buffer;
  /** Reads it while it waits. It is read to its end, or destroyed, before `keep` or `drop`. */
  read(): Readable;
  /**
   * Gives it its place, where it lasts. It is not removed before `release`, which follows the write that names it, whatever became of that.
   * Throws StoreUnavailable where it cannot be had; then nothing is left of it.
   */
  keep(): Promise<Kept>;
  drop(): Promise<void>;
}

export interface Kept {
  /** Never throws for what makes no difference to a write that is done. */
  release(): Promise<void>;
}

/** Holds content that is open. Either `stream` or `close` must be called. */
export interface Found {
  /** Bytes. */
  size: number;
  /** `end`: of the last byte. The content is closed with the stream. */
  stream(range?: { start: number; end: number }): Promise<Readable>;
  close(): Promise<void>;
}

/**
 * Keeps pieces of files that come in several requests. Each piece has a name of its own and is written once. Each method throws
 * StoreUnavailable where the place cannot be reached.
 */
export interface Pieces {
  /** The piece lasts once this resolves. Throws StoreFull. */
  write(upload: string, piece: string, bytes: Buffer): Promise<void>;
  /** Returns undefined where it is not there. */
  read(upload: string, piece: string): Promise<Buffer | undefined>;
  /** Removes one piece of an upload, or all that is there of it. */
  remove(upload: string, piece?: string): Promise<void>;
  /** Lists the uploads of which there may be pieces. */
  list(): Promise<string[]>;
}

/** Each method throws StoreUnavailable where the place cannot be reached. */
export interface Content {
  pieces: Pieces;
  /** Writes the stream to disk as it comes, with little memory. Throws what `tooLarge` makes after more than `most` bytes, and StoreFull. */
  receive(stream: Readable, most: number, tooLarge: () => Error): Promise<Received>;
  /** Returns undefined where the content is not there. */
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
