// Sends signed requests to a bucket of S3, over Node's own HTTP.

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { StoreFull, StoreUnavailable } from "../../engine/store.ts";
import type { S3Place } from "./s3-place.ts";

/** S3 was not reached, or does not do what it was asked. The message has neither a key of the bucket nor a secret. */
export class S3Error extends StoreUnavailable {
  /** Is undefined where no answer came. */
  readonly status: number | undefined;
  /** The server's word, such as NoSuchBucket, or that of the system, such as ECONNREFUSED; may be empty. */
  readonly code: string;

  constructor(message: string, { status, code, cause }: { status?: number; code: string; cause?: unknown }) {
    super(message, { cause });
    this.status = status;
    this.code = code;
  }
}

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Lacks the prefix. It is left out where the bucket itself is asked. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** `stream` is called for each attempt. */
  body?: { size: number; hash: string; stream(): Readable };
  /**
   * It comes once, on a connection of its own, unless the server says that it has done nothing: without an answer the first attempt could be
   * done after what follows the answer of a second.
   */
  isOnce?: boolean;
  /** Bounds the ms without a byte in either direction; otherwise the client's own bound counts. */
  silence?: number;
}

export interface S3Client {
  place: S3Place;
  /** Returns undefined where there is no such key. The caller reads the answer to its end. Throws S3Error, and StoreFull. */
  ask(request: S3Request): Promise<IncomingMessage | undefined>;
  /** Does the same, and reads the answer: its text, or undefined. */
  read(request: S3Request): Promise<{ text: string; headers: IncomingMessage["headers"] } | undefined>;
}

const SILENCE = 30_000; // ms
const ATTEMPTS = 3;
const FIRST_PAUSE = 100; // ms; the next is four times as long
const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const FULL = ["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"];

export function createS3Client(place: S3Place, silence = SILENCE): S3Client {
  const isTls = place.url.startsWith("https:");
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const send = isTls ? requestHttps : requestHttp;
  const { region, accessKeyId, secretAccessKey, sessionToken } = place;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };

  async function exchange({
    method,
    key,
    query = {},
    headers = {},
    body,
    isOnce,
    silence: own = silence,
  }: S3Request): Promise<IncomingMessage> {
    const url = new URL(key === undefined ? place.url : `${place.url}/${place.prefix}${key}`);
    for (const name in query) url.searchParams.set(name, query[name] as string);
    const hash = { "x-amz-content-sha256": body?.hash ?? EMPTY_HASH }; // the server refuses what was changed on the way
    const signer = new AwsV4Signer({ ...credentials, service: "s3", region, method, url: url.href, headers: { ...headers, ...hash } });
    const signed = Object.fromEntries((await signer.sign()).headers);
    return new Promise((resolve, reject) => {
      const length = method === "PUT" ? { "content-length": body?.size ?? 0 } : {};
      const request = send(url, { method, headers: { ...signed, ...length }, agent: isOnce ? false : agent, timeout: own }, resolve);
      request.on("timeout", () => request.destroy(new S3Error(`S3 was silent for ${own / 1_000} s`, { code: "SILENT" })));
      request.on("error", (error: NodeJS.ErrnoException) => reject(error instanceof S3Error ? error : unreached(error)));
      if (!body) return request.end();
      // Where the request fails first, it says why; where the file does, that is why the request fails.
      pipeline(body.stream(), request, (error) => error && request.destroy(error));
    });
  }

  async function ask(request: S3Request): Promise<IncomingMessage | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await exchange(request);
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) return response;
        if (statusCode === 404 && request.method === "HEAD") {
          response.resume();
          return undefined;
        }
        const error = await answeredError(request.method, response);
        if (error instanceof S3Error && error.code === "NoSuchKey") return undefined;
        throw error;
      } catch (error) {
        const mayRepeat = request.isOnce ? isTurnedAway(error) : isPassing(error);
        if (attempt === ATTEMPTS || !mayRepeat) throw error;
        await sleep(FIRST_PAUSE * 4 ** (attempt - 1));
      }
    }
  }

  return {
    place,
    ask,
    async read(request) {
      const response = await ask(request);
      if (!response) return undefined;
      const found = await text(response).catch((error) => {
        throw unreached(error);
      });
      // A copy that failed after it began is 200 with an error in it.
      if (found.includes("<Error>")) throw errorOf(request.method, 200, found);
      return { text: found, headers: response.headers };
    },
  };
}

async function answeredError(method: string, response: IncomingMessage): Promise<Error> {
  const { statusCode = 0 } = response;
  return errorOf(method, statusCode, await text(response).catch(() => "")); // the status says it, too
}

function errorOf(method: string, status: number, answer: string): Error {
  const [, code = ""] = /<Code>([\w.-]{1,80})<\/Code>/.exec(answer) ?? [];
  const message = `S3 answered ${[status, code].filter(Boolean).join(" ")} to ${method}`;
  if (status === 507 || FULL.includes(code)) return new StoreFull(message);
  return new S3Error(message, { status, code });
}

function unreached(error: NodeJS.ErrnoException): S3Error {
  // An address with several IP addresses fails for all of them at once, with an empty message.
  const { code = "" } = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
  return new S3Error(`S3 was not reached (${code || error.message})`, { code, cause: error });
}

/** The server says that it has done nothing. */
function isTurnedAway(error: unknown): boolean {
  return error instanceof S3Error && (error.status === 503 || error.status === 429);
}

/** Silence is not tried again: whoever waits has waited long enough. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Error)) return false;
  if (error.status === undefined) return error.code !== "SILENT";
  return error.status >= 500 || error.status === 429 || error.code === "RequestTimeout";
}
