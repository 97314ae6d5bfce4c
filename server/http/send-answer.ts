// Sends the answers of routes: whole or as a stream, compressed where that is agreed, with the header fields of all.

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Awaitable, whenThere } from "../engine/script/awaitable.ts";
import type { Answer } from "../engine/store.ts";
import { actorOf, type Session } from "../people/auth/access-tokens.ts";
import type { ReadAudit, Shown, Shows } from "../people/auth/read-audit.ts";
import { encodeBody } from "./compression.ts";
import { reasonOf } from "./problem.ts";
import { inLanguageOf } from "./problem-language.ts";

/** An answer too long to hold in memory. It has no ETag, and a Content-Length only if `headers` have it. */
export interface Streamed {
  status: number;
  headers: Record<string, string>;
  /** A Readable is destroyed when the client goes away. */
  stream: AsyncIterable<string> | Readable | readonly [];
  /** Is called only where reads are logged: it is to call `note` with the records of each part that is sent. */
  reportTo?(note: (shown: readonly Shown[]) => void): void;
}

/** An answer, with the records that it shows. */
export type Sent = (Answer & Shows) | Streamed;

// Answers are text already. Without a serializer Fastify adds a charset to JSON types, which have none (RFC 8259 section 11).
const unchanged = (body: unknown) => body as string;

/** `version`: of the dictionary, or 0. Notes what the answer shows of records, where `audit` wants to know. */
export function respond(
  audit: ReadAudit | undefined,
  reply: FastifyReply,
  handler: { compresses?: boolean; doc: { id: string } },
  { session, answer, version }: { session: Session; answer: Sent; version: number },
): Awaitable<FastifyReply> {
  if (version > 0) reply.header("Dictionary-Version", version);
  if (session.rightsTag) reply.header("Intake-Rights", session.rightsTag);
  const { renamed, renamedSince } = reply.request;
  if (renamed) reply.header("Intake-Renamed", renamed);
  if (audit && reply.request.method !== "HEAD") noteReads(audit, reply.request, handler.doc.id, { session, answer });
  return whenThere(renamedSince?.(), (since) => {
    if (since !== undefined) reply.header("Deprecation", `@${Math.floor(since / 1_000)}`); // RFC 9745
    return sendAnswer(reply, handler, answer);
  });
}

function sendAnswer(reply: FastifyReply, handler: { compresses?: boolean }, answer: Sent): Awaitable<FastifyReply> {
  if ("stream" in answer) {
    setHeaders(reply, answer.status, { ...answer.headers, vary: "Accept" });
    if (reply.request.method === "HEAD") return reply.send();
    return reply.send(answer.stream instanceof Readable ? answer.stream : Readable.from(answer.stream));
  }
  if (!handler.compresses || answer.status !== 200) return send(reply, answer);
  return encode(reply, answer);
}

/** 304 counts: whoever asked has the record. HEAD shows nothing of it but its version and length. */
function noteReads(
  audit: ReadAudit,
  request: FastifyRequest,
  operation: string,
  { session, answer }: { session: Session; answer: Sent },
): void {
  const note = (shown: readonly Shown[]) => audit.note(request, actorOf(session), operation, shown);
  if ("stream" in answer) answer.reportTo?.(note);
  else if (answer.shows) note(answer.shows());
}

async function encode(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { body, headers } = await encodeBody(reply.request, answer.body);
  const vary = [answer.headers.vary, headers.vary].filter(Boolean).join(", ");
  return send(reply, { ...answer, headers: { ...answer.headers, ...headers, ...(vary && { vary }) }, body });
}

/** Sends the answer; to HEAD only its header fields, with the Content-Length of GET. */
export function send(reply: FastifyReply, answer: Whole): Awaitable<FastifyReply> {
  return whenThere(inLanguageOf(reply.request, answer), (own) => sendWhole(reply, own));
}

type Whole = Omit<Answer, "body"> & { body: string | Buffer };

function sendWhole(reply: FastifyReply, { status, headers, body }: Whole): FastifyReply {
  setHeaders(reply, status, headers);
  if (status === 204 || status === 304) return reply.send();
  if (reply.request.method === "HEAD" || body === "") return reply.header("Content-Length", Buffer.byteLength(body)).send();
  return reply.serializer(unchanged).send(body);
}

/** Vary has been set before where origins are allowed; then the fields of both count. */
function setHeaders(reply: FastifyReply, status: number, headers: Record<string, string>): void {
  const before = headers.vary === undefined ? undefined : reply.getHeader("vary");
  reply.code(status).headers(headers);
  reply.raw.statusMessage = reasonOf(status);
  if (before !== undefined) reply.header("vary", `${before}, ${headers.vary}`);
}
