import { SOURCE_HEADER } from "../core/contract/history.ts";
import { ACTIVITY_HEADER } from "../core/contract/people.ts";
import type { ProblemBody } from "../core/contract/problems.ts";
import { ApiError, ENGLISH, type ErrorMessages, NoReply } from "./errors.ts";

const SAFE = ["GET", "HEAD"]; // methods that change nothing
const TIMEOUT_MS = 60_000; // the service gives up on a request after 60 s as well

/** Gives requests their access token. */
export interface Session {
  token(): string | undefined;
  /** Resolves with another token than `stale`, which the service refused. Rejects when there will be none. */
  renew(stale?: string): Promise<string>;
  /**
   * Asks the person again who they are, because the service wants a proof for what gives lasting access (403 PROOF_NEEDED). Resolves with
   * whether they have shown it; then the request is sent once more. Without it, or if they have not, the request is refused.
   */
  prove?(): Promise<boolean>;
  /** True while nobody has asked for what is sent. Such a read does not keep a person's session open. */
  isBackground?(): boolean;
}

/** Serves requests that need no token, and sessions that have none yet. */
export const NO_SESSION: Session = {
  token: () => undefined,
  renew: () => Promise.reject(new Error("This client is not signed in.")),
};

export interface RequestOptions {
  /** Parameters that are undefined are left out. An empty one is sent: as a filter it means "no value". */
  query?: Readonly<Record<string, string | undefined>>;
  /** Is sent as JSON; a string, URLSearchParams or a Blob is sent as it is. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Send no token, as for the token exchange itself. */
  open?: boolean;
  /** Says whether cookies of the service are sent and kept; "omit" unless given. */
  credentials?: RequestCredentials;
  /** Milliseconds that the response may take, where that is longer than the client's. */
  patience?: number;
  /** Sends in place of the global `fetch`, as one that reports how much has left (`fetchWithProgress`). */
  fetch?: typeof fetch | undefined;
}

export interface Reply {
  /** 0 for a redirect in a browser, which does not show it to scripts (Fetch standard). */
  status: number;
  headers: Headers;
  /** The parsed body; undefined when there is none or it is not JSON. */
  json: unknown;
  text: string;
}

export interface Client {
  readonly baseUrl: string;
  /**
   * Resolves with any 2xx or 304. After a 401 it waits for a new token and sends the same request once more. Throws `ApiError` when
   * the service refuses, or when the answer is a redirect, which is never followed: keys and records go to `baseUrl` alone.
   * Throws `NoReply` when it is unknown whether the service got the request, and AbortError after an abort of `signal`.
   *
   * @example
   * const { json } = await client.request("GET", "/customers", { query: { q: "smith", limit: "20" } });
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Returns the body as a stream, however long it takes. Errors as with `request`; a connection that breaks off makes reading fail. */
  download(path: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

export interface ClientOptions {
  /** Has its version and no slash at the end, such as `https://intake.example.org/v1`. */
  baseUrl: string;
  session: Session;
  /** Milliseconds that one response may take; the time in `session.renew` does not count. 60,000 unless given. */
  patience?: number;
  /** Says how writes come in, such as `batch; run=7`: the history of each record keeps it. "api" unless given. */
  source?: string;
  /** The language in which the service says what is wrong (BCP 47). English unless given; then also whatever the service has no texts for. */
  language?: string;
  /** English unless given. */
  messages?: Partial<ErrorMessages>;
}

/**
 * Makes a client of the REST interface.
 *
 * @example
 * const client = createClient({ baseUrl: "https://intake.example.org/v1", session });
 */
export function createClient({ baseUrl, session, patience = TIMEOUT_MS, source, language = "en", ...options }: ClientOptions): Client {
  const messages = { ...ENGLISH, ...options.messages };
  /** Sends the request, and once more with a new token when the service refuses the first. `limit`: milliseconds for one response. */
  async function exchange<T extends object>(
    [method, path, options]: [method: string, path: string, options: RequestOptions],
    read: (response: Response) => Promise<T | Reply>,
    limit?: number,
  ): Promise<T | Reply> {
    const url = withQuery(baseUrl.replace(/\/$/, "") + path, options.query);
    const send = async (token?: string) => {
      const signals = [options.signal, limit && AbortSignal.timeout(limit)].filter((signal) => !!signal);
      try {
        return await read(
          await (options.fetch ?? fetch)(url, {
            ...initOf(
              method,
              token,
              { ...options, headers: { "Accept-Language": language, ...options.headers } },
              source,
              SAFE.includes(method) && !options.open && session.isBackground?.(),
            ),
            signal: AbortSignal.any(signals),
          }),
        );
      } catch (error) {
        // The caller's own abort stays an abort. Whatever else fails leaves it open what the service got.
        if (options.signal?.aborted) throw error;
        throw new NoReply(messages.noReply(), { cause: error });
      }
    };
    const token = options.open ? undefined : session.token();
    let reply = await send(token);
    if ("status" in reply && reply.status === 401 && !options.open) reply = await send(await session.renew(token));
    if (session.prove && !options.open && isProofNeeded(reply) && (await session.prove())) reply = await send(session.token());
    if ("status" in reply && !/^(2|304)/.test(`${reply.status}`)) throw toError(reply, messages);
    return reply;
  }

  return {
    baseUrl,
    request: (method, path, options = {}) => exchange<Reply>([method, path, options], readReply, options.patience ?? patience),
    async download(path, options = {}) {
      const body = await exchange(["GET", path, options], async (response) => (response.ok && response.body) || readReply(response));
      return "status" in body ? new Blob().stream() : body;
    },
  };
}

function isProofNeeded(reply: object): boolean {
  return "status" in reply && reply.status === 403 && ((reply as Reply).json as Partial<ProblemBody> | undefined)?.code === "PROOF_NEEDED";
}

function toError({ status, headers, json }: Reply, messages: ErrorMessages): ApiError {
  const seconds = /^\d+/.exec(headers.get("Retry-After") ?? "");
  return new ApiError(status, (json ?? {}) as Partial<ProblemBody>, seconds && Number(seconds), messages);
}

function initOf(
  method: string,
  token: string | undefined,
  { body, headers: given, credentials = "omit" }: RequestOptions,
  source: string | undefined,
  isBackground: boolean | undefined,
): RequestInit {
  const headers = new Headers({
    Accept: "application/json",
    ...(source && { [SOURCE_HEADER]: source }),
    ...(isBackground && { [ACTIVITY_HEADER]: "background" }),
    ...given,
  });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const isForm = body instanceof URLSearchParams || body instanceof Blob;
  if (body !== undefined && !isForm && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  // Without "no-store" a browser would write records to its disk cache, where they stay after the user has signed out.
  return {
    method,
    headers,
    body: isForm || typeof body === "string" ? body : JSON.stringify(body),
    credentials,
    cache: "no-store",
    redirect: "manual",
  };
}

async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get("Content-Type") ?? "");
  return { status: response.status, headers: response.headers, text, json: isJson && text ? JSON.parse(text) : undefined };
}

function withQuery(url: string, query: RequestOptions["query"] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given[0] ? `${url}?${new URLSearchParams(given)}` : url;
}
