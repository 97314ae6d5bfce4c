// The requests of an upload, on the REST client.

import { ApiError, type ErrorMessages, NoReply as NoAnswer } from "../../client/errors.ts";
import { type Client, createClient } from "../../client/http-client.ts";
import { acknowledgement, undoPart } from "../../client/write-records.ts";
import { duplicatesPath } from "../../core/contract/duplicates.ts";
import type { RunSummary } from "../../core/contract/history.ts";
import { batchPath, collectionPath, deletionsPath, LIMITS_PATH, runPath, runReportPath } from "../../core/contract/paths.ts";
import type { Action, BatchReply, OnConflict, OnMissing, OperationOutcome, WriteOutcome } from "../../core/contract/records.ts";
import type { PutRun } from "../../core/contract/runs.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { responseMessages } from "../../core/i18n/client-messages.ts";
import { t } from "../../core/i18n/translate.ts";
import type { RowMode } from "../model/plan.ts";
import { findParents, nearFinder } from "./find-records.ts";
import type {
  BatchAnswer,
  FindTwin,
  HowToWrite,
  NoReply,
  ParentService,
  PostBatch,
  PostUndo,
  QueryCompared,
  QueryKeyHours,
  QueryPutRun,
  QueryRun,
  QueryTime,
  ReadBack,
  Refused,
} from "./responses.ts";

export interface UploadService {
  postBatch: PostBatch;
  /** The service decides as for `postBatch` and stores nothing, not even the key. */
  postDry: PostBatch;
  postUndo: PostUndo;
  undoIn(collection: string): PostUndo;
  queryRun: QueryRun;
  parents: ParentService;
  /** Is undefined too where the service cannot be asked: nothing depends on the answer. */
  findTwin: FindTwin;
  readBack: ReadBack;
  queryCompared: QueryCompared;
  queryKeyHours: QueryKeyHours;
  queryTime: QueryTime;
  putRun: QueryPutRun;
  /** Asks the page once for all batches that wait; not at all when there is a new token already. */
  signIn(): Promise<void>;
  /** Continues with a new token. */
  take(token: string): void;
}

const MAX_FILTERS = 3_000; // characters of an address, which may have 4,096

const MODES: Record<RowMode, { onConflict?: OnConflict; onMissing?: OnMissing }> = {
  delete: {},
  create: { onConflict: "error" },
  update: { onConflict: "update", onMissing: "error" },
  upsert: { onConflict: "update" },
};

/** Holds what is sent along with each batch. */
export interface Writing {
  /** Names the upload or run (`upload; run=7`) for the history of the records; it is left out where nothing is written. */
  source?: string;
  /** Records that somebody else has changed after this time are refused. */
  unlessChangedSince?: string | undefined;
  /** The texts of what the service refuses; the app's, unless given. */
  messages?: ErrorMessages;
}

/** `requestToken` is called when the service no longer accepts the token; `take` brings the next one. */
export function createUploadService(
  baseUrl: string,
  given: Collection,
  first: string,
  requestToken: () => void,
  { source, unlessChangedSince, messages }: Writing = {},
): UploadService {
  const tokens = createTokens(first, requestToken);
  // The client does not renew the token: sendBatch handles a 401, because a cancel can interrupt it there.
  const session = { token: tokens.current, renew: () => Promise.reject(new ApiError(401)) };
  const client = createClient({ baseUrl, session, messages: messages ?? responseMessages, ...(source && { source }) });
  const { name, key } = given;
  const path = collectionPath(name);

  async function query<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T | Refused | NoReply> {
    const sent = tokens.current();
    try {
      return await request();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) tokens.refuse(sent);
      return readFailure(error, signal);
    }
  }

  const post = createPost({ client, query, given, unlessChangedSince });
  const undoIn =
    (collection: string): PostUndo =>
    (run, after, signal) =>
      query(async () => ({ kind: "read" as const, reply: await undoPart(client, collection, { run, after }, signal) }), signal);

  return {
    postBatch: post(),
    postDry: post({ isDry: true }),
    postUndo: undoIn(name),
    undoIn,
    queryRun: (run, signal) =>
      query(async () => {
        const { parts } = (await client.request("GET", runPath(run), { signal })).json as RunSummary;
        const made = parts.filter(({ source }) => source.type !== "undo");
        return { kind: "read" as const, collections: [...new Set(made.map(({ collection }) => collection))] };
      }, signal),
    parents: {
      find: (parent, by, values, signal) => query(() => findParents(client, parent, by, values, signal), signal),
      findNear: nearFinder(client),
      post: (to) => post({ to }),
      dryPost: (to) => post({ to, isDry: true }),
    },
    findTwin: twinFinder(client, given),
    readBack: (ids, signal) =>
      query(async () => {
        const query = { [`${key.name}[in]`]: ids.join(","), limit: String(ids.length) };
        const { json } = await client.request("GET", path, { query, signal });
        const records = ((json as Record<string, unknown> | undefined)?.[name] ?? []) as Fields[];
        return { kind: "read" as const, records: new Map(records.map((record) => [record[key.name] as number, record])) };
      }, signal),
    queryCompared: (signal) => query(() => readCompared(client, name, signal), signal),
    queryKeyHours: (signal) =>
      query(async () => {
        // The service sends the key back. A proxy that drops keys, or a service without them, cannot.
        const { json, headers } = await client.request("GET", LIMITS_PATH, { headers: { "Idempotency-Key": "probe" }, signal });
        const { idempotencyHours } = (json ?? {}) as { idempotencyHours?: unknown };
        const isStored = typeof idempotencyHours === "number" && headers.get("Idempotency-Key") === "probe";
        const now = Date.parse(headers.get("Date") ?? "");
        return { kind: "read" as const, hours: isStored ? idempotencyHours : 0, now: Number.isNaN(now) ? undefined : now };
      }, signal),
    queryTime: timeQuery(client),
    putRun: (run, body, signal) =>
      query(
        async () => ({ kind: "read", put: (await client.request("PUT", runReportPath(run), { body, signal })).json as PutRun }),
        signal,
      ),
    signIn: tokens.signIn,
    take: tokens.take,
  };
}

type Query = <T>(request: () => Promise<T>, signal: AbortSignal) => Promise<T | Refused | NoReply>;

interface Posting extends Pick<Writing, "unlessChangedSince"> {
  client: Client;
  query: Query;
  /** The collection that is meant unless another is named. */
  given: Collection;
}

function createPost({ client, query, given, unlessChangedSince }: Posting): (how?: { isDry?: boolean; to?: Collection }) => PostBatch {
  return ({ isDry = false, to: collection = given } = {}) =>
    (records, key, mode, signal, { acknowledge, matchBy, onDuplicate, versions } = {}) =>
      query<BatchAnswer>(async () => {
        const { path, options, body } = requestFor(collection, records, mode, versions);
        const query = {
          onError: "continue",
          ...options,
          ...(path !== deletionsPath(collection.name) && { ...acknowledgement(acknowledge), ...(onDuplicate && { onDuplicate }) }),
          ...(isDry && { dryRun: "true" }),
          ...(matchBy !== undefined && options.onConflict !== undefined && { matchBy }),
          ...(unlessChangedSince && collection === given && { unlessChangedSince }),
        };
        const headers: Record<string, string> = isDry ? {} : { "Idempotency-Key": key };
        const { json } = await client.request("POST", path, { query, body, headers, signal });
        const { results } = (json ?? {}) as Partial<BatchReply>;
        if (!Array.isArray(results)) throw new NoAnswer(); // a page of a proxy: the key finds out what became of the batch
        return {
          kind: "answered",
          results: results.map((result) => ({ ...result, outcome: toWriteOutcome(result.outcome) })),
        };
      }, signal);
}

interface Tokens extends Pick<UploadService, "signIn" | "take"> {
  current(): string;
  /** The service no longer accepts it. */
  refuse(token: string): void;
}

function createTokens(first: string, requestToken: () => void): Tokens {
  let token = first;
  let refused: string | undefined;
  let tokenComes: { promise: Promise<void>; arrive(): void } | undefined;
  return {
    current: () => token,
    refuse(sent) {
      refused = sent;
    },
    signIn() {
      if (refused !== token) return Promise.resolve();
      if (!tokenComes) {
        let arrive = (): void => undefined;
        const promise = new Promise<void>((resolve) => (arrive = resolve));
        tokenComes = { promise, arrive };
        requestToken();
      }
      return tokenComes.promise;
    },
    take(next) {
      token = next;
      tokenComes?.arrive();
      tokenComes = undefined;
    },
  };
}

async function readCompared(client: Client, name: string, signal: AbortSignal): Promise<{ kind: "read"; progress: number }> {
  const { json } = await client.request("GET", duplicatesPath(name), { query: { limit: "1" }, signal });
  return { kind: "read", progress: Number((json as { progress?: unknown } | undefined)?.progress ?? 0) };
}

/** An older service does not say the time. */
function timeQuery(client: Client): QueryTime {
  return async (signal) => {
    const reply = await client.request("GET", "/", { signal }).catch(() => undefined);
    const { time } = (reply?.json ?? {}) as { time?: unknown };
    return typeof time === "string" ? time : undefined;
  };
}

function twinFinder(client: Client, { name, key }: Collection): FindTwin {
  return async (record, signal) => {
    const filters = Object.fromEntries(Object.entries(record).map(([field, value]) => [field, String(value)]));
    if (new URLSearchParams(filters).toString().length > MAX_FILTERS) return undefined;
    const query = { ...filters, limit: "1", sort: key.name, fields: key.name };
    const reply = await client.request("GET", collectionPath(name), { query, signal }).catch(() => undefined);
    const [twin] = ((reply?.json ?? {}) as Record<string, Fields[] | undefined>)[name] ?? [];
    return twin?.[key.name] as number | undefined;
  };
}

interface BatchRequest {
  path: string;
  options: Record<string, string>;
  body: unknown;
}

/** One mode is asked for in the address; several, several for one record, or those with versions stand beside the records. */
function requestFor(
  collection: Collection,
  records: Fields[],
  modes: RowMode | readonly RowMode[],
  versions: HowToWrite["versions"],
): BatchRequest {
  const { name, key } = collection;
  const isVersioned = versions?.some((version) => version !== undefined) ?? false;
  const mode = typeof modes === "string" ? modes : isVersioned ? undefined : oneOf(modes, records, key.name);
  if (mode === undefined) {
    const recordAt = (record: Fields, i: number) => (versions?.[i] === undefined ? record : { ...record, version: versions[i] });
    const operations = records.map((record, i) => ({ action: modes[i] as Action, record: recordAt(record, i) }));
    return { path: batchPath(name), options: isVersioned ? { match: "version" } : {}, body: { operations } };
  }
  return { path: mode === "delete" ? deletionsPath(name) : collectionPath(name), options: MODES[mode], body: { [name]: records } };
}

/** Returns the mode of all records, if they have only one and none of them comes twice. */
function oneOf(modes: readonly RowMode[], records: readonly Fields[], keyField: string): RowMode | undefined {
  const [first] = modes;
  if (modes.some((mode) => mode !== first)) return undefined;
  const named = records.flatMap((record) => record[keyField] ?? []);
  return new Set(named).size === named.length ? first : undefined;
}

/** For an upload, a deletion is a change of the record. */
function toWriteOutcome(outcome: WriteOutcome | OperationOutcome): WriteOutcome {
  return outcome === "deleted" ? "updated" : outcome;
}

function readFailure(error: unknown, signal: AbortSignal): Refused | NoReply {
  if (error instanceof ApiError) {
    const { status, code, message, problems, retryAfter } = error;
    return { kind: "refused", status, code, detail: message, problems, retryAfter };
  }
  if (error instanceof NoAnswer || signal.aborted) return { kind: "noReply", detail: t("The service did not reply.") };
  throw error;
}
