// Says how a write came in, as its client says: Intake-Source.

import type { FastifyRequest } from "fastify";
import { CLIENT_SOURCES, SOURCE_HEADER, type Source, type SourceType } from "../../core/contract/history.ts";
import { isRunId } from "../../core/contract/runs.ts";
import { httpErrors } from "../http/errors.ts";

const SOURCE = /^(?<type>[a-z]+)(?: *; *run=(?<run>.+))?$/;
const EXPECTED = `Send one of ${CLIENT_SOURCES.join(", ")}; for an upload or a batch run also its id, as in "upload; run=2f1c0a". An id has up to 64 letters, digits, - and _.`;

/** Takes a request without the header for one of the API itself. Throws BAD_HEADER. */
export function writeSourceOf({ headers }: FastifyRequest): Source {
  const given = headers[SOURCE_HEADER.toLowerCase()];
  if (given === undefined) return { type: "api", run: null };
  const { type, run } = SOURCE.exec(String(given))?.groups ?? {};
  const isKnown = (CLIENT_SOURCES as readonly unknown[]).includes(type) && (run === undefined || isRunId(run));
  if (!isKnown) throw httpErrors.badHeader(SOURCE_HEADER, EXPECTED);
  return { type: type as SourceType, run: run ?? null };
}
