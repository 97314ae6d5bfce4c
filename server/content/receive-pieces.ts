// Keeps what comes of a file piece by piece, and makes the whole file of its pieces.

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { UPLOAD_HOURS } from "../../core/contract/file-uploads.ts";
import type { Store } from "../engine/store.ts";
import type { HeldBytes } from "../http/body-budget.ts";
import { httpErrors } from "../http/errors.ts";
import { askForBody, lengthOf } from "../http/read-body.ts";
import type { Content, Received } from "./content.ts";
import { isBrokenOff } from "./receive-body.ts";
import type { FileUpload, HeldUpload } from "./store/file-uploads.ts";

const PIECE = 4_194_304; // bytes: what kill −9 loses at most, and what a request has in memory
const SLICE = 262_144; // bytes that are hashed before others have their turn

/** A piece that was kept is not there any more. */
export class PieceMissing extends Error {}

export const expiryOf = (now: number) => now + UPLOAD_HOURS * 3_600_000;

export interface UploadPlace {
  content: Content;
  uploads: Store["fileUploads"];
}

/**
 * Adds the body to the file, and resolves with the bytes that are kept by then. What has come of a body that breaks off is kept, too. Throws
 * UPLOAD_OFFSET once another request has taken over: of two at once the later one goes on, and no byte comes twice.
 */
export async function receivePieces(
  { content, uploads }: UploadPlace,
  { id, received, length }: FileUpload,
  { request, response, held }: { request: FastifyRequest; response: ServerResponse; held: HeldBytes },
): Promise<number> {
  const left = length - received;
  const tooMuch = () =>
    httpErrors.tooLarge(`The file was said to have ${length} bytes, and the body has more than the ${left} that are missing.`);
  if ((lengthOf(request) ?? 0) > left) throw tooMuch();
  const room = Math.min(PIECE, left);
  held.take(room);
  const own: HeldUpload = { id, holder: randomUUID() };
  if (!(await uploads.holdUpload(own, received))) throw httpErrors.uploadOffset();
  askForBody(request, response);
  const buffer = Buffer.allocUnsafeSlow(room);
  let [at, used] = [received, 0];
  const keep = async () => {
    if (used === 0) return;
    const piece = { first: at, bytes: used, name: `${at}.${randomUUID()}` };
    await content.pieces.write(id, piece.name, buffer.subarray(0, used));
    if (!(await uploads.addPiece(own, piece, expiryOf(Date.now())))) {
      await content.pieces.remove(id, piece.name);
      throw httpErrors.uploadOffset();
    }
    at += used;
    used = 0;
  };
  try {
    // Without destroyOnReturn the connection would be closed before the answer that refuses.
    for await (const bytes of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (at + used + bytes.length > length) throw tooMuch();
      for (let from = 0; from < bytes.length; ) {
        const copied = bytes.copy(buffer, used, from);
        used += copied;
        from += copied;
        if (used === room) await keep();
      }
    }
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
    await keep();
    throw httpErrors.badRequest("The body ended too early.");
  }
  await keep();
  return at;
}

/** Makes content of the pieces, as it is made of a body. Throws PieceMissing. */
export async function joinPieces(
  { content, uploads }: UploadPlace,
  { id, length }: FileUpload,
  most: number,
  tooLarge: () => Error,
): Promise<Received> {
  const pieces = await uploads.listPieces(id);
  if (pieces.reduce((sum, { bytes }) => sum + bytes, 0) !== length) throw new PieceMissing("the pieces are fewer than the file");
  async function* bytesOf(): AsyncGenerator<Buffer> {
    for (const { bytes, name } of pieces) {
      const found = await content.pieces.read(id, name);
      if (found?.length !== bytes) throw new PieceMissing("a piece of a file is not there");
      for (let at = 0; at < bytes; at += SLICE) yield found.subarray(at, at + SLICE);
    }
  }
  return content.receive(Readable.from(bytesOf(), { objectMode: false }), most, tooLarge);
}
