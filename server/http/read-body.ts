// The body of a request as bytes, unzipped where it is gzip, within the limit of its route and the budget for all bodies.

import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import type { HeldBytes } from "./body-budget.ts";
import { isPlain } from "./compression.ts";
import { HttpError, httpErrors } from "./errors.ts";

const FIRST = 16 * 1024; // bytes that a body of unknown length gets at first
const UNZIPPED_PIECE = 64 * 1024; // bytes

/**
 * Reads the whole body. Throws 413 as soon as it has more than `limit` bytes, zipped or unzipped, whatever length it declares;
 * 429 or 503 when there is no room for it (see BodyBudget); 400 when it is not gzip as it says, or ends too early.
 */
export async function readBody(request: FastifyRequest, response: ServerResponse, limit: number, held: HeldBytes): Promise<Buffer> {
  const declared = lengthOf(request);
  const tooLarge = () => httpErrors.tooLarge(`The body may have at most ${limit} bytes here.`);
  if (declared !== undefined && declared > limit) throw tooLarge();
  const bytes = new GrowingBuffer(declared ?? limit, held, declared === undefined ? tooLarge : wrongLength);
  askForBody(request, response);
  await collect(request.raw, bytes);
  if (declared !== undefined && bytes.length !== declared) throw wrongLength();
  return isPlain(request) ? bytes.take() : unzip(bytes.take(), limit, held);
}

/** Tells a client that waits for it to send the body (RFC 9110 section 10.1.1); one of HTTP/1.0 would not know it. */
export function askForBody(request: FastifyRequest, response: ServerResponse): void {
  if (request.headers.expect !== undefined && request.raw.httpVersion === "1.1") response.writeContinue();
}

/** Returns the length that the body is said to have. */
export function lengthOf({ headers }: FastifyRequest): number | undefined {
  const declared = headers["content-length"];
  return declared === undefined ? undefined : Number(declared);
}

export function wrongLength(): HttpError {
  return httpErrors.badRequest("The body does not have the length that Content-Length says.");
}

/** Leaves the stream paused after an error: what then becomes of the rest is the connection's matter (connection-closing.ts). */
function collect(stream: Readable, bytes: GrowingBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error?: unknown) => {
      stream.off("data", onData).off("end", stop).off("error", onCut).off("close", onCut);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onCut = () => stop(httpErrors.badRequest("The body ended too early."));
    const onData = (piece: Buffer) => {
      try {
        bytes.add(piece);
      } catch (error) {
        stream.pause();
        stop(error);
      }
    };
    stream.on("data", onData).on("end", stop).on("error", onCut).on("close", onCut);
  });
}

async function unzip(zipped: Buffer, limit: number, held: HeldBytes): Promise<Buffer> {
  const tooLarge = () => httpErrors.tooLarge(`The unzipped body may have at most ${limit} bytes.`);
  const bytes = new GrowingBuffer(limit, held, tooLarge);
  const gunzip = createGunzip({ chunkSize: UNZIPPED_PIECE });
  gunzip.end(zipped);
  try {
    for await (const piece of gunzip) bytes.add(piece as Buffer);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw httpErrors.badRequest("The body is not gzip, as its Content-Encoding says.");
  }
  return bytes.take();
}

/**
 * Bytes in a few buffers, each as long as all before it: a million pieces of one byte would cost a hundred times their bytes if they
 * were kept, and one buffer that is copied into a larger one leaves as many bytes to the garbage collector as it holds.
 */
class GrowingBuffer {
  length = 0;
  readonly #most: number;
  readonly #held: HeldBytes;
  readonly #overflow: () => HttpError;
  readonly #full: Buffer[] = [];
  #size = 0; // bytes of all buffers
  #last = Buffer.alloc(0);
  #used = 0; // bytes of the last buffer

  constructor(most: number, held: HeldBytes, overflow: () => HttpError) {
    this.#most = most;
    this.#held = held;
    this.#overflow = overflow;
  }

  add(piece: Buffer): void {
    const end = this.length + piece.length;
    if (end > this.#most) throw this.#overflow();
    const fitting = piece.copy(this.#last, this.#used);
    this.#used += fitting;
    if (fitting < piece.length) {
      this.#grow(end);
      this.#used = piece.copy(this.#last, 0, fitting);
    }
    this.length = end;
  }

  take(): Buffer {
    const last = this.#last.subarray(0, this.#used);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.length);
  }

  #grow(least: number): void {
    const size = Math.min(this.#most, Math.max(least, 2 * this.#size, FIRST));
    this.#held.take(size - this.#size);
    if (this.#size > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafe(size - this.#size);
    this.#size = size;
  }
}
