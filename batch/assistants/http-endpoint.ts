// Serves MCP over Streamable HTTP: each request with the key of its caller, and nothing kept between two of them.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, type McpHttpHandler, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { ApiError, NoReply } from "../../client/errors.ts";
import { createAssistantServer } from "./assistant-server.ts";
import type { Caller, Callers } from "./callers.ts";
import type { Proposals } from "./proposals.ts";

export const MCP_PATH = "/mcp";
const MOST_BYTES = 1024 * 1024; // of one request
const MOST_PASSED_OVER = 16 * 1024 * 1024; // bytes of one that is too long; it is read to its end, so that its sender gets the answer
const REQUEST_MS = 60_000; // for the whole of a request to come in
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i; // RFC 6750 section 2.1

export interface EndpointParts {
  callers: Callers;
  proposals: Proposals;
  /** The host names, without ports, under which callers reach it: a page of another site, or one whose name leads here, is refused. */
  hosts: readonly string[];
  onError(error: Error): void;
}

export function createEndpoint({ callers, proposals, hosts, onError }: EndpointParts): Server {
  const mcp = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.caller as Caller;
      return createAssistantServer({ identify: () => Promise.resolve(caller), proposals, scope: caller.scope });
    },
    { maxRequestBodySize: MOST_BYTES, onerror: onError },
  );
  const server = createServer({ requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    answer(incoming, gone.signal, { callers, hosts, mcp })
      .then((response) => send(response, outgoing))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) onError(error as Error);
        outgoing.destroy();
      });
  });
  server.once("close", () => void mcp.close());
  return server;
}

interface AnswerParts extends Pick<EndpointParts, "callers" | "hosts"> {
  mcp: McpHttpHandler;
}

async function answer(incoming: IncomingMessage, signal: AbortSignal, { callers, hosts, mcp }: AnswerParts): Promise<Response> {
  const { host, origin, authorization } = incoming.headers;
  const checked = [validateHostHeader(host, [...hosts]), validateOriginHeader(origin, [...hosts])];
  for (const one of checked) if (!one.ok) return rejection(403, `${one.message.replace(/:.*/s, "")}: name it with --allow-hosts.`);
  if (incoming.url?.split("?", 1)[0] !== MCP_PATH) return rejection(404, `MCP is served at ${MCP_PATH}.`);
  const bearer = BEARER.exec(authorization ?? "")?.[1];
  if (bearer === undefined) return unauthorized("Send an API key of Intake: Authorization: Bearer ink_<id>.<secret>.");
  let caller: Caller;
  try {
    caller = await callers.identify(bearer, signal);
  } catch (error) {
    return rejectionOf(error);
  }
  const body = await readBody(incoming);
  if (!body) return rejection(413, `A request has at most ${MOST_BYTES} bytes.`);
  const authInfo = { token: "", clientId: caller.owner, scopes: [], extra: { caller } };
  return mcp.fetch(toRequest(incoming, body, signal), { authInfo });
}

/** Returns undefined for one that is too long. */
async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (size > MOST_PASSED_OVER) break; // which ends the connection
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

function rejectionOf(error: unknown): Response {
  if (error instanceof NoReply) return rejection(503, "The service cannot be reached.", { "Retry-After": "5" });
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) return unauthorized(error.message, 'error="invalid_token"');
  const again = error.retryAfter === null ? {} : { "Retry-After": `${error.retryAfter}` };
  return rejection(error.status >= 500 ? 503 : error.status, error.message, again);
}

function unauthorized(message: string, error?: string): Response {
  return rejection(401, message, { "WWW-Authenticate": ['Bearer realm="Intake"', error].filter(Boolean).join(", ") });
}

/** It closes the connection, because the body was not read. */
function rejection(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: "2.0", error: { code: -32_000, message }, id: null };
  return Response.json(body, { status, headers: { ...headers, Connection: "close" } });
}

/** Leaves the key out, which is not needed any more. */
function toRequest({ method = "GET", rawHeaders }: IncomingMessage, body: Buffer<ArrayBuffer>, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  headers.delete("Authorization");
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`http://localhost${MCP_PATH}`, { method, headers, signal, ...(hasBody && { body }) });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
}
