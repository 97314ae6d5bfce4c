// One POST to a receiver, within bounds: of time, of what is read of the answer, and of where it may go.

import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { AttemptProblem } from "../../../core/contract/webhooks.ts";
import { AddressRefused, createLookup, isPublicAddress, type Resolve } from "./addresses.ts";

export interface PostSettings {
  /** WEBHOOK_PRIVATE: also to private addresses, and without TLS. */
  allowsPrivate: boolean;
  /** Stands in for the system's name lookup; for tests. */
  resolve?: Resolve;
  /** ms for all of it; for tests. */
  within?: number;
  /** PEM, in place of the usual authorities; for tests. */
  trustedCertificates?: string;
}

export const DEFAULT_POST: PostSettings = { allowsPrivate: false };

/** Says what became of it. `retryAfter`: ms, if the receiver asked for a pause. */
export interface Posted {
  status: number | null;
  problem: AttemptProblem | null;
  excerpt: string;
  retryAfter: number | undefined;
}

export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Posted>;

const POST_WITHIN = 15_000; // ms; less than HANDLING_SECONDS, so that the request for a test is still answered
const MOST_READ = 16_384; // bytes of an answer
const MOST_SHOWN = 200; // characters of it
const MOST_HEADER = 16_384; // bytes

/** Never throws for what the receiver or the network does. Follows no redirect, uses no proxy and keeps no connection. */
export function createPost({ allowsPrivate, resolve, within = POST_WITHIN, trustedCertificates }: PostSettings): Post {
  const lookup = createLookup(allowsPrivate, resolve);
  return async (address, headers, body) => {
    const url = new URL(address);
    if (!mayReach(url, allowsPrivate)) return failed("address");
    const signal = AbortSignal.timeout(within);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(url, {
      method: "POST",
      agent: false,
      lookup,
      signal,
      maxHeaderSize: MOST_HEADER,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Intake",
        accept: "*/*",
        ...headers,
      },
      ...(trustedCertificates !== undefined && { ca: trustedCertificates }),
    });
    try {
      const response = await answerTo(request, body);
      return await read(response);
    } catch (error) {
      return failed(signal.aborted ? "timeout" : classify(error));
    } finally {
      request.destroy();
    }
  };
}

/**
 * Says whether a webhook may have this address, as far as the address itself says. What its name stands for is checked when it is connected
 * to.
 */
export function mayReach(url: URL, allowsPrivate: boolean): boolean {
  if (url.username !== "" || url.password !== "") return false;
  if (allowsPrivate) return ["https:", "http:"].includes(url.protocol);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return url.protocol === "https:" && (isIP(host) === 0 || isPublicAddress(host));
}

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
    request.on("close", () => reject(new Error("closed without an answer"))); // as after a 101, which is neither of the two
    request.end(body);
  });
}

async function read(response: IncomingMessage): Promise<Posted> {
  const status = response.statusCode ?? 0;
  const isTaken = status >= 200 && status < 300;
  const text = await firstOf(response);
  if (isTaken) return { status, problem: null, excerpt: "", retryAfter: undefined };
  const isRedirect = status >= 300 && status < 400;
  return {
    status,
    problem: isRedirect ? "redirect" : "status",
    excerpt: isRedirect ? "" : excerptOf(response.headers["content-type"], text),
    retryAfter: retryAfterOf(response.headers["retry-after"]),
  };
}

/** Returns the beginning of the body. An answer that breaks off is an answer all the same. */
async function firstOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MOST_READ) break;
    }
  } catch {
    // What came until then is shown.
  }
  return Buffer.concat(parts).subarray(0, MOST_READ).toString();
}

/** Quotes only what says that it is text, on one line and short. */
function excerptOf(type: string | undefined, text: string): string {
  if (!/^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(type ?? "")) return "";
  const line = text
    .replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("\ufffd", "")
    .trim();
  return [...line].slice(0, MOST_SHOWN).join("");
}

/** Reads it by RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return ms > 0 ? ms : undefined;
}

function failed(problem: AttemptProblem): Posted {
  return { status: null, problem, excerpt: "", retryAfter: undefined };
}

/** Goes by the codes of Node's errors: of the name lookup, of the socket, of TLS (OpenSSL) and of the HTTP parser. */
function classify(error: unknown): AttemptProblem {
  if (error instanceof AddressRefused) return "address";
  const code = String((error as NodeJS.ErrnoException).code ?? "");
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(code)) return "name";
  if (code.startsWith("HPE_")) return "protocol";
  if (/^(?:ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|EADDR)/.test(code)) return "unreachable";
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_|UNABLE_|SELF_)/.test(code)) return "tls";
  return "unreachable";
}
