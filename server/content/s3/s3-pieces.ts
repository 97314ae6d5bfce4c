// Keeps pieces of files that come in several requests in a bucket of S3, where all processes reach them.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Pieces } from "../content.ts";
import { type S3Client, S3Error } from "./s3-client.ts";
import { listKeys, UNFINISHED } from "./s3-keys.ts";
import { removeKey } from "./s3-removal.ts";

const ATTEMPTS = 3;

export function createS3Pieces(client: S3Client): Pieces {
  const keyOf = (upload: string, piece: string) => `${UNFINISHED}${upload}/${piece}`;

  async function write(upload: string, piece: string, bytes: Buffer): Promise<void> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const stream = () => Readable.from([bytes], { objectMode: false });
    await client.read({ method: "PUT", key: keyOf(upload, piece), body: { size: bytes.length, hash, stream } });
  }

  /** A download that breaks off begins again: a piece is small. */
  async function read(upload: string, piece: string): Promise<Buffer | undefined> {
    for (let attempt = 1; ; attempt++) {
      const found = await client.ask({ method: "GET", key: keyOf(upload, piece) });
      if (!found) return undefined;
      const bytes = await buffer(found).catch(() => undefined); // it broke off
      if (bytes && bytes.length === Number(found.headers["content-length"] ?? bytes.length)) return bytes;
      if (attempt === ATTEMPTS) throw new S3Error("S3 ended a piece too early", { code: "SHORT" });
    }
  }

  async function remove(upload: string, piece?: string): Promise<void> {
    if (piece !== undefined) return removeKey(client, keyOf(upload, piece));
    for await (const { key } of listKeys(client, `${UNFINISHED}${upload}/`)) await removeKey(client, key);
  }

  async function list(): Promise<string[]> {
    const uploads = new Set<string>();
    for await (const { key } of listKeys(client, UNFINISHED)) uploads.add(key.slice(UNFINISHED.length).split("/", 1)[0] ?? "");
    return [...uploads];
  }

  return { write, read, remove, list };
}
