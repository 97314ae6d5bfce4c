// Finds content in a bucket and reads it, in however many requests that takes.

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Found, HASH } from "../content.ts";
import { type S3Client, S3Error } from "./s3-client.ts";
import { keyOf, LEAVING, listKeys } from "./s3-keys.ts";

const LOOKS = 3; // for content that changes its place meanwhile
const RESUMES = 3; // of a download that brings nothing

/** Returns undefined where the content is not there. */
export async function findContent(client: S3Client, hash: string): Promise<Found | undefined> {
  if (!HASH.test(hash)) return undefined;
  for await (const key of keysOf(client, hash)) {
    const size = await sizeAt(client, key);
    if (size === undefined) continue;
    const stream: Found["stream"] = async ({ start, end } = { start: 0, end: size - 1 }) => {
      const part = { hash, start, end };
      return Readable.from(piecesOf(client, part, await openPart(client, part)), { objectMode: false });
    };
    return { size, stream, close: async () => undefined };
  }
  return undefined;
}

/** Returns the size in bytes; undefined where nothing is. */
export async function sizeAt(client: S3Client, key: string): Promise<number | undefined> {
  const found = await client.ask({ method: "HEAD", key });
  found?.resume();
  return found && Number(found.headers["content-length"]);
}

/** Yields the keys under which the content is now, or may be. */
async function* keysOf(client: S3Client, hash: string): AsyncGenerator<string> {
  for (let turn = 0; turn < LOOKS; turn++) {
    yield keyOf(hash);
    for await (const { key } of listKeys(client, LEAVING + hash)) yield key;
  }
}

interface Part {
  hash: string;
  start: number;
  /** Is the place of the last byte. */
  end: number;
}

async function openPart(client: S3Client, { hash, start, end }: Part): Promise<IncomingMessage> {
  for await (const key of keysOf(client, hash)) {
    const found = await client.ask({ method: "GET", key, headers: { range: `bytes=${start}-${end}` } });
    if (found?.statusCode === 206) return found;
    found?.destroy();
    if (found) throw new S3Error("S3 gave all of the content in place of a part", { code: "NoRange" });
  }
  throw new S3Error("S3 has content no more that it had just now", { status: 404, code: "NoSuchKey" });
}

/** S3 ends connections of readers that pause for long, and others break: then it goes on where it was. */
async function* piecesOf(client: S3Client, { hash, start, end }: Part, first: IncomingMessage): AsyncGenerator<Buffer> {
  let at = start;
  let answer = first;
  let pieces = answer.iterator() as AsyncIterator<Buffer>;
  const next = async () => {
    const { value, done } = await pieces.next();
    if (done) throw new S3Error("S3 ended content too early", { code: "SHORT" });
    return value;
  };
  const resume = async () => {
    answer = await openPart(client, { hash, start: at, end });
    pieces = answer.iterator() as AsyncIterator<Buffer>;
    return next();
  };
  try {
    while (at <= end) {
      let piece = await next().catch(() => undefined); // it broke off, and is gone on with from here
      for (let attempt = 1; !piece; attempt++)
        piece = await resume().catch((error) => (attempt < RESUMES ? undefined : Promise.reject(error)));
      const asked = piece.subarray(0, end + 1 - at); // some servers give more
      at += asked.length;
      yield asked;
    }
  } finally {
    if (answer.complete)
      answer.resume(); // its connection is used again
    else answer.destroy();
  }
}
