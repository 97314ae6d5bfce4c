// One request to the service and its answer. The only place that calls fetch; knows no collection and no React.

import type { Problem, ProblemBody, ProblemCode } from "../core/contract/problems.ts";
import { t, tCode } from "../core/i18n/translate.ts";

const TIMEOUT_MS = 60_000; // the service gives up on a request after 60 s as well

/** Where requests get their token. `renew` resolves once there is another one than `stale`, asking the user if need be. */
export interface Session {
  token(): string | undefined;
  renew(stale?: string): Promise<string>;
}

export interface RequestOptions {
  /** Parameters that are undefined are left out; an empty one is a question too ("no value"). */
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
  /** A body too long to be held whole, as it comes. It may take as long as it likes; errors as with `request`. */
  download(path: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The service said no. The message is the service's own sentence. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** Problems with fields, in the words of the dictionary. */
  readonly problems: Problem[];
  /** What is wrong with the address, by parameter. */
  readonly parameters: { name: string; message: string }[];
  /** Seconds, when the service asked to wait. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Partial<ProblemBody>, retryAfter: number | null) {
    super(tCode(body.code ?? "", body.detail ?? body.title ?? t("The service answered {status}.", { status })));
    this.status = status;
    this.code = body.code ?? "UNKNOWN";
    this.problems = (body.errors ?? []).flatMap(({ pointer, code, detail }) =>
      pointer === undefined
        ? []
        : { field: lastSegment(pointer), code: code as ProblemCode, message: tCode(code, detail, { field: lastSegment(pointer) }) },
    );
    this.parameters = (body.errors ?? []).flatMap(({ parameter, detail }) =>
      parameter === undefined ? [] : { name: parameter, message: detail },
    );
    this.retryAfter = retryAfter;
  }
}

/** The network gave no answer: the request may or may not have reached the service. */
export class NoReply extends Error {
  override name = "NoReply";
  constructor(options?: ErrorOptions) {
    super(t("The service cannot be reached. Check the connection; nothing you typed is lost."), options);
  }
}

/** What answers at the configured address is no service of ours; whoever installed the app has to know. */
export function noService(baseUrl: string): ApiError {
  return new ApiError(
    404,
    {
      detail: t("No Intake service answers at {address}. The address is set in config.json.", { address: baseUrl }),
    },
    null,
  );
}

interface ClientParts {
  baseUrl: string;
  session: Session;
  /** Milliseconds for one answer. Signing in between two takes as long as it takes. */
  patience?: number;
}

export function createClient({ baseUrl, session, patience = TIMEOUT_MS }: ClientParts): Client {
  /** Sends, and once more with a new token when the one it had is refused. */
  async function admitted<T extends { status: number }>(path: string, options: RequestOptions, send: Send<T>): Promise<T> {
    const url = withQuery(baseUrl.replace(/\/$/, "") + path, options.query);
    const token = options.open ? undefined : session.token();
    const reply = await send(url, token);
    if (reply.status !== 401 || options.open) return reply;
    return send(url, await session.renew(token));
  }
  return {
    baseUrl,
    async request(method, path, options = {}) {
      const send = (url: string, token?: string) => {
        const timeout = AbortSignal.timeout(patience);
        const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
        return orNoReply(options.signal, async () => readReply(await fetch(url, { ...initOf(method, token, options), signal })));
      };
      return accept(await admitted(path, options, send));
    },
    async download(path, options = {}) {
      const send = (url: string, token?: string) =>
        orNoReply(options.signal, () => fetch(url, { ...initOf("GET", token, options), signal: options.signal ?? null }));
      const response = await admitted(path, options, send);
      if (!response.ok || !response.body) accept(await orNoReply(options.signal, () => readReply(response)));
      return response.body ?? new Blob([]).stream();
    },
  };
}

type Send<T> = (url: string, token?: string) => Promise<T>;

function initOf(method: string, token: string | undefined, { body, headers: given }: RequestOptions): RequestInit {
  const headers = new Headers({ Accept: "application/json", ...given });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const isRaw = body === undefined || typeof body === "string" || body instanceof URLSearchParams;
  if (body !== undefined && !(body instanceof URLSearchParams) && !headers.has("Content-Type")) {
    headers.set("Content-Type", "application/json");
  }
  // A browser's cache would keep the records on the disk, for whoever comes after the user has signed out.
  return { method, headers, body: isRaw ? (body ?? null) : JSON.stringify(body), credentials: "omit", cache: "no-store" };
}

async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get("Content-Type") ?? "");
  return { status: response.status, headers: response.headers, text, json: isJson && text !== "" ? JSON.parse(text) : undefined };
}

/** The caller's own abort stays one; everything else that breaks on the way leaves it open what the service got. */
async function orNoReply<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoReply({ cause: error });
  }
}

function accept(reply: Reply): Reply {
  if (reply.status < 400) return reply;
  const seconds = Number.parseInt(reply.headers.get("Retry-After") ?? "", 10);
  throw new ApiError(reply.status, (reply.json ?? {}) as Partial<ProblemBody>, Number.isNaN(seconds) ? null : seconds);
}

function withQuery(url: string, query: RequestOptions["query"] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given)}`;
}

/** RFC 6901: the last segment of "/customers/3/lastName" is the field's name. */
function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
