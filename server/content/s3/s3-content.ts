// Keeps the content of files in a bucket of S3.

import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Content, HASH, type Kept, type Received } from "../content.ts";
import { asStoreError, receiveInto } from "../receive-file.ts";
import { removeContent } from "../remove-content.ts";
import { findContent, sizeAt } from "./find-content.ts";
import type { S3Client } from "./s3-client.ts";
import { INCOMING, keyOf, LEAVING, listKeys } from "./s3-keys.ts";
import { createS3Pieces } from "./s3-pieces.ts";
import { removeKey, s3Removal } from "./s3-removal.ts";

const PIECE = 262_144; // bytes
const RELEASE_SILENCE = 5_000; // ms: the write is done, and its answer waits for this

/** Under the prefix `ab/abcd…` is content, `incoming/` has a mark for each hash that a write is about to name, `leaving/` what is removed, `unfinished/` pieces. */
export function createS3Content(client: S3Client): Content {
  /** It stands on disk until its hash, size and type are known: then it goes as one request, which is refused or done. */
  async function receive(stream: Readable, most: number, tooLarge: () => Error): Promise<Received> {
    stream.on("error", () => undefined); // it may break off before it is read, and is told so then
    const file = await openUnnamed().catch(asStoreError);
    const drop = () => file.close();
    try {
      const received = await receiveInto(file, stream, most, tooLarge);
      const read = () => Readable.from(bytesOf(file, received.size), { objectMode: false });
      return { ...received, read, drop, keep: () => keep(received, read).finally(drop) };
    } catch (error) {
      await drop().catch(() => undefined); // the first error counts
      return asStoreError(error);
    }
  }

  async function keep({ hash, size }: { hash: string; size: number }, stream: () => Readable): Promise<Kept> {
    const mark = `${INCOMING}${hash}.${randomUUID()}`;
    // One that stays keeps the content from being removed for a day, and is dropped then.
    const release = () => removeKey(client, mark, { isOnce: true, silence: RELEASE_SILENCE }).catch(() => undefined);
    try {
      await client.read({ method: "PUT", key: mark });
      // The mark comes first: whoever takes the content out from now on sees it.
      if ((await sizeAt(client, keyOf(hash))) !== size) {
        await client.read({ method: "PUT", key: keyOf(hash), body: { size, hash, stream } });
      }
      return { release };
    } catch (error) {
      void release(); // whoever waits is told at once
      throw error;
    }
  }

  /** Lists also what is out of its place, which a record may name. */
  async function list(): Promise<string[]> {
    const hashes = new Set<string>();
    for await (const { key } of listKeys(client, "")) {
      const [part = "", name = "", ...more] = key.split("/");
      const hash = `${part}/` === LEAVING ? name.slice(0, 64) : name;
      if ((part.length === 2 || `${part}/` === LEAVING) && HASH.test(hash) && more.length === 0) hashes.add(hash);
    }
    return [...hashes];
  }

  return {
    pieces: createS3Pieces(client),
    receive,
    find: (hash) => findContent(client, hash),
    list,
    remove: (hashes, named) => removeContent(s3Removal(client), hashes, named),
  };
}

/** Node's own stream of a file would close it when it breaks off, and the next attempt reads it again. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error("a file of content that came is shorter than it was");
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Opens a file in the folder for what is temporary (TMPDIR) that has no name any more, so that it goes with the process, however that ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `intake-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await rm(path, { force: true });
  return file;
}
