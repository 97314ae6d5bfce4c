// Writes content that comes into a file on disk, and hashes it meanwhile.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { StoreFull } from "../engine/store.ts";
import type { Received } from "./content.ts";
import { HEAD_BYTES } from "./media-type.ts";

/** Holds one piece in memory at a time. Throws what `tooLarge` makes after more than `most` bytes. */
export async function receiveInto(
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

/** Throws StoreFull for a disk without room, and every other error as it is. */
export function asStoreError(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") throw new StoreFull("the disk of the files is full", { cause: error });
  throw error;
}
