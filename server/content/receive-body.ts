// Receives the body of a request as content.

import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { askForBody, lengthOf, wrongLength } from "../http/read-body.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import type { Content, Kept, Received } from "./content.ts";
import { ContentRefused } from "./scan.ts";

/** Says whether the client has broken off what it sent. */
export function isBrokenOff(error: unknown): boolean {
  return ["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"].includes(String((error as NodeJS.ErrnoException).code));
}

interface Most {
  bytes: number;
  tooLarge: () => HttpError;
}

/** Throws before it reads where the request says that it is too large; also for a body that ends early, is longer than it said, or is empty. */
export async function receiveBody(content: Content, request: FastifyRequest, response: ServerResponse, most: Most): Promise<Received> {
  const declared = lengthOf(request);
  if (declared !== undefined && declared > most.bytes) throw most.tooLarge();
  askForBody(request, response);
  const received = await content.receive(request.raw, most.bytes, most.tooLarge).catch((error) => {
    throw isBrokenOff(error) ? httpErrors.badRequest("The body ended too early.") : error;
  });
  const fault = faultOf(received.size, declared);
  if (!fault) return received;
  await received.drop();
  throw fault;
}

/** `declared`: the bytes that the request has promised, if it has. */
function faultOf(size: number, declared: number | undefined): HttpError | undefined {
  if (size !== (declared ?? size)) return wrongLength();
  return size === 0 ? httpErrors.badRequest("The file is empty. Send its content as the body.") : undefined;
}

/** Gives it its place. Throws FILE_REFUSED for what the scanner refuses. `target`: for the log. */
export async function keepBody(received: Received, request: FastifyRequest, { principal }: Session, target: string): Promise<Kept> {
  // It is called where no time limit counts: a scanner takes its time, and so does the way to a bucket.
  return received.keep().catch((error) => {
    if (!(error instanceof ContentRefused)) throw error;
    logSecurityEvent(request, "file refused", { principal, target, reason: error.word });
    throw httpErrors.fileDangerous(error.word);
  });
}
