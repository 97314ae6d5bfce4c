// One request to the service and its answer. The only place that calls fetch; knows no collection and no React.

import type { Problem, ProblemCode } from "../../dictionary/check.ts";
import type { ProblemBody } from "../../dictionary/wire.ts";

const TIMEOUT_MS = 60_000; // the service gives up on a request after 60 s as well

/** Where requests get their token. `renew` resolves once there is another one than `stale`, asking the user if need be. */
export interface Session {
  token(): string | undefined;
  renew(stale?: string): Promise<string>;
}

export interface RequestOptions {
  /** Parameters that are undefined or empty are left out. */
  query?: Record<string, string | undefined>;
  /** Sent as JSON; a string or URLSearchParams goes as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Without a token, as for the token exchange itself. */
  open?: boolean;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed body; undefined when there is none or it is not JSON. */
  json: unknown;
  text: string;
}

export interface Client {
  baseUrl: string;
  /**
   * Resolves with any 2xx or 304. On 401 it waits for a new token and sends the same request once more.
   * Throws ApiError for a refusal, NoReply when it is unknown whether the service got the request, and the signal's
   * own AbortError.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
}

/** The service said no. The message is the service's own sentence. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** Problems with fields, in the words of the dictionary. */
  readonly problems: Problem[];
  /** Seconds, when the service asked to wait. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Partial<ProblemBody>, retryAfter: number | null) {
    super(body.detail ?? body.title ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "UNKNOWN";
    this.problems = (body.errors ?? []).flatMap(({ pointer, code, detail }) =>
      pointer === undefined ? [] : { field: lastSegment(pointer), code: code as ProblemCode, message: detail },
    );
    this.retryAfter = retryAfter;
  }
}

/** The network gave no answer: the request may or may not have reached the service. */
export class NoReply extends Error {
  override name = "NoReply";
  constructor(options?: ErrorOptions) {
    super("The service cannot be reached. Check the connection; nothing you typed is lost.", options);
  }
}

export function createClient({ baseUrl, session }: { baseUrl: string; session: Session }): Client {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const url = withQuery(baseUrl.replace(/\/$/, "") + path, options.query);
    const token = options.open ? undefined : session.token();
    const reply = await send(url, method, token, options);
    if (reply.status !== 401 || options.open) return accept(reply);
    const renewed = await session.renew(token);
    return accept(await send(url, method, renewed, options));
  }
  return { baseUrl, request };
}

async function send(url: string, method: string, token: string | undefined, options: RequestOptions): Promise<Reply> {
  const headers = new Headers({ Accept: "application/json", ...options.headers });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const { body } = options;
  const isRaw = body === undefined || typeof body === "string" || body instanceof URLSearchParams;
  if (body !== undefined && !(body instanceof URLSearchParams) && !headers.has("Content-Type")) {
    headers.set("Content-Type", "application/json");
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      body: isRaw ? (body ?? null) : JSON.stringify(body),
      credentials: "omit",
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get("Content-Type") ?? "");
    return { status: response.status, headers: response.headers, text, json: isJson && text !== "" ? JSON.parse(text) : undefined };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NoReply({ cause: error });
  }
}

function accept(reply: Reply): Reply {
  if (reply.status < 400) return reply;
  const seconds = Number.parseInt(reply.headers.get("Retry-After") ?? "", 10);
  throw new ApiError(reply.status, (reply.json ?? {}) as Partial<ProblemBody>, Number.isNaN(seconds) ? null : seconds);
}

function withQuery(url: string, query: RequestOptions["query"] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "");
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given)}`;
}

/** RFC 6901: the last segment of "/customers/3/lastName" is the field's name. */
function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
