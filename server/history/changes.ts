// The change feed: polled, waited for, or as Server-Sent Events (HTML standard, section 9.2).

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { type Change, SOURCE_TYPES } from "../../core/contract/history.ts";
import { API_ROOT, CHANGES_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Answer, Store } from "../engine/store.ts";
import { preferred } from "../http/content-negotiation.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { clampedCount, oneOf, type Parameter, readParameters, someCollections, someOf, text } from "../http/query-parameters.ts";
import { NO_STORE, showing, textAnswer } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Streamed } from "../http/send-answer.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shown, Shows } from "../people/auth/read-audit.ts";
import { readByKeys } from "../records/expand.ts";
import type { FeedWatch } from "./feed-watch.ts";
import type { Followers } from "./followers.ts";
import { changesOfAll, newOnes } from "./new-records.ts";
import type { PageTurns } from "./page-turns.ts";
import { CursorExpired, CursorUnknown, type FeedEntry, type FeedFilter, type FeedPage, toChange } from "./store/feed.ts";

const EVENT_TYPE = "text/event-stream";
/** nginx sends each event on at once, however it is set up. */
const STREAM_HEADERS = { "content-type": EVENT_TYPE, ...NO_STORE, "x-accel-buffering": "no" };
const MOST_CHANGES = 1_000; // on a page
const DEFAULT_CHANGES = 100;
const LONGEST_WAIT = 30; // seconds
const AT_ONCE = 100; // changes that become text in one turn of the process
const MOST_READS = 50; // for one answer
const HEARTBEAT = 15_000; // ms; also how long a connection that nobody reads may stay unnoticed
export interface ChangeParts {
  store: Store;
  collections: readonly Collection[];
  /** Collections that are no longer in the dictionary: who follows all changes still reads that their records were deleted. */
  gone: readonly string[];
  watch: FeedWatch;
  followers: Followers;
  /** Pages with their records or changes are read one at a time for each person. */
  turns: PageTurns;
  /** Returns the session of the request's token as it is now: a long answer ends with the right to it. */
  renew(request: FastifyRequest): Promise<Session | undefined>;
  isStopping(): boolean;
  /** Returns the version of the dictionary that is served by now, if it is another than that of these parts. */
  newerDictionary(): number | undefined;
}

interface Given {
  after: string;
  collection: string[];
  by: string;
  source: (typeof SOURCE_TYPES)[number];
  run: string;
  limit: number;
  wait: number;
  include: ("record" | "changes")[];
}

export function changesRoute(parts: ChangeParts): Route {
  const parameters = parametersOf(parts.collections);
  const change = named("IntakeChange");
  return {
    url: API_ROOT + CHANGES_PATH,
    GET: {
      scope: "signed-in",
      produces: [JSON_TYPE, EVENT_TYPE],
      compresses: true,
      isBackground: true,
      isUntimed: true, // it may be asked to wait; each of its reads has a limit of its own
      doc: {
        id: "changes",
        summary: "Every change of every record, of each in the order of its versions: a page, or a stream of Server-Sent Events",
        parameters,
        headers: ["Last-Event-ID"],
        responses: { 200: object({ changes: listOf(change), next: { type: "string" } }) },
        sentHeaders: { 200: ["X-Accel-Buffering?"] },
        errors: [410],
      },
      async handle(request, session, { signal }) {
        const given = readParameters<Given>(request.query, parameters);
        const isStream = preferred(request.headers.accept, [JSON_TYPE, EVENT_TYPE]) === EVENT_TYPE;
        const after = isStream ? (lastEventId(request) ?? given.after) : given.after;
        const begin = after === "now" ? await parts.store.feed.now() : after;
        const follower: Follower = { parts, request, given, signal };
        const isHeld = request.method !== "HEAD" && (isStream || given.wait !== undefined);
        if (isHeld) parts.followers.begin(session.limitedAs, signal);
        const first = await readOn(follower, session, begin);
        const reportTo: Streamed["reportTo"] = (note) => {
          follower.note = note;
        };
        if (isStream) return { status: 200, headers: STREAM_HEADERS, stream: events(follower, session, first), reportTo };
        const seconds = request.method === "HEAD" || first.entries.length > 0 ? 0 : (given.wait ?? 0);
        if (seconds === 0) return toAnswer(follower, session, first);
        const page = await waitFor(follower, session, first, seconds * 1_000);
        const still = await parts.renew(request); // it may have lost the right while it waited
        if (!still) throw httpErrors.invalidToken();
        if (still.narrowed !== session.narrowed) return toAnswer(follower, still, { ...first, entries: [] }); // asked again, it is told less or more
        return toAnswer(follower, still, page);
      },
    },
  };
}

/** One client, and what it asked for. */
interface Follower {
  parts: ChangeParts;
  request: FastifyRequest;
  given: Partial<Given>;
  signal: AbortSignal;
  /** Belongs to a stream, where reads are logged. */
  note?: (shown: readonly Shown[]) => void;
}

/** Reads a page with what the session may see. With the feed's `state` the read is shared with others who wait. */
async function readPage(
  { parts, given, signal }: Follower,
  session: Session,
  after: string | undefined,
  state?: string,
): Promise<FeedPage> {
  const { by, source, run, limit = DEFAULT_CHANGES } = given;
  const filter = { collections: visible(parts, session, given), by, source, run };
  try {
    const options = { owner: session.limitedAs, signal };
    return await (state === undefined
      ? parts.store.feed.read(after, filter, limit, options)
      : parts.watch.read(state, after, filter, limit));
  } catch (error) {
    if (error instanceof CursorExpired) throw httpErrors.cursorExpired();
    throw error instanceof CursorUnknown ? httpErrors.badCursor("after") : error;
  }
}

/** A filter that few changes meet gives empty pages: they are read over, up to a point. */
async function readOn(follower: Follower, session: Session, after: string | undefined): Promise<FeedPage> {
  let page = await readPage(follower, session, after);
  for (let i = 1; i < MOST_READS && page.entries.length === 0 && page.more; i++) page = await readPage(follower, session, page.next);
  return page;
}

function visible({ collections, gone }: ChangeParts, { scope }: Session, { collection }: Partial<Given>): FeedFilter["collections"] {
  const names = [...collections.map(({ name }) => name), ...gone].filter((name) => allows(scope, `${name}:read`));
  return collection ? names.filter((name) => collection.includes(name)) : names;
}

/** Waits for the next page that is not empty, or the last one when the time is over. */
async function waitFor(follower: Follower, session: Session, from: FeedPage, ms: number): Promise<FeedPage> {
  const { parts, signal } = follower;
  const until = performance.now() + ms;
  let page = from;
  while (page.entries.length === 0 && !signal.aborted && !parts.isStopping()) {
    const state = await parts.watch.state();
    page = await readPage(follower, session, page.next, state);
    const left = until - performance.now();
    if (page.entries.length > 0 || left <= 0) return page;
    if (!page.more) await parts.watch.wait(state, left, signal);
  }
  return page;
}

/**
 * Yields an event for each change. The stream ends when the token does or may know other fields or records, when the service stops or has
 * another dictionary, of which the last event tells, or when the client has gone.
 */
async function* events(follower: Follower, { narrowed }: Session, first: FeedPage): AsyncGenerator<string> {
  const { parts, request, signal } = follower;
  // It is the client's place, unless there are changes: a connection that broke before the first of them would lose them all.
  yield `retry: 1000\n${first.entries.length === 0 ? `id: ${first.next}\n` : ""}\n`;
  for (let page = first; ; ) {
    const session = await parts.renew(request);
    if (!session || session.narrowed !== narrowed || signal.aborted) return;
    const version = parts.newerDictionary();
    if (version !== undefined) yield `event: dictionary\ndata: ${JSON.stringify({ version })}\n\n`;
    if (parts.isStopping()) return;
    const changes = await inTurn(follower, session, () => toChanges(follower, session, page));
    follower.note?.(shownIn(changes));
    for (const change of changes) yield `id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`;
    // An id without data moves the client's place past what its filter left out.
    yield changes.length > 0 ? `id: ${page.next}\n\n` : ":\n\n";
    page = await waitFor(follower, session, { ...page, entries: [] }, HEARTBEAT);
  }
}

async function toAnswer(follower: Follower, session: Session, page: FeedPage): Promise<Answer & Shows> {
  const { changes, texts } = await inTurn(follower, session, async () => {
    const changes = await toChanges(follower, session, page);
    const texts: string[] = [];
    for await (const text of changeTexts(changes)) texts.push(text);
    return { changes, texts };
  });
  const answer = textAnswer(200, `{"changes":[${texts.join(",")}],"next":${JSON.stringify(page.next)}}`, NO_STORE);
  return showing(answer, () => shownIn(changes));
}

/** Without `include` a change has no value of its record. */
function shownIn(changes: readonly Change[]): Shown[] {
  return changes.flatMap(({ collection, objectId, changes: values, record }) =>
    (values && Object.keys(values).length > 0) || record ? [{ collection, ids: [objectId] }] : [],
  );
}

/** Reads one page at a time for each person, where it is more than the entries of the feed. */
function inTurn<T>({ parts, given, signal }: Follower, { limitedAs }: Session, work: () => Promise<T>): Promise<T> {
  return given.include ? parts.turns.run(limitedAs, signal, work) : work();
}

/** Others have a turn between groups of changes. */
async function* changeTexts(changes: readonly Change[]): AsyncGenerator<string> {
  for (const [i, change] of changes.entries()) {
    if (i > 0 && i % AT_ONCE === 0) await nextTurn();
    yield JSON.stringify(change);
  }
}

async function toChanges(follower: Follower, session: Session, { entries }: FeedPage): Promise<Change[]> {
  const { parts, given } = follower;
  const mayRead = new Set(visible(parts, session, given)); // of now: it may be fewer than when the page was read
  const seen = entries.filter(({ collection }) => mayRead.has(collection));
  const included = new Map<FeedEntry, Included>();
  for (const collection of given.include ? parts.collections : []) {
    const own = seen.filter((entry) => entry.collection === collection.name);
    if (own.length > 0) await include(included, follower, session, { collection, entries: own });
  }
  return seen.map((entry) => ({ ...toChange(entry), ...included.get(entry) }));
}

type Included = Pick<Change, "record" | "changes">;

/** Reads the records of a collection, and what they were, together: one change after another took a statement each. */
async function include(
  included: Map<FeedEntry, Included>,
  { parts: { store }, given, signal }: Follower,
  { limitedAs: owner }: Session,
  { collection, entries }: { collection: Collection; entries: readonly FeedEntry[] },
): Promise<void> {
  const wants = (what: "record" | "changes") => given.include?.includes(what) ?? false;
  const options = { owner, signal };
  const ids = new Set((wants("record") ? entries : newOnes(entries)).map(({ id }) => id));
  const current = ids.size === 0 ? new Map<number, WireRecord>() : await readByKeys(store, collection, [...ids], options);
  const changes = wants("changes") ? await changesOfAll(collection, store, { entries, current }, options) : undefined;
  for (const entry of entries) {
    included.set(entry, {
      ...(changes && { changes: changes.get(entry) ?? {} }),
      ...(wants("record") && { record: current.get(entry.id) ?? null }),
    });
  }
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const given = headers["last-event-id"];
  return typeof given === "string" && given !== "" ? given : undefined;
}

function parametersOf(collections: readonly Collection[]) {
  return {
    after: text(100),
    collection: someCollections(collections),
    by: text(64),
    source: oneOf(...SOURCE_TYPES),
    run: text(64),
    limit: clampedCount(MOST_CHANGES),
    wait: clampedCount(LONGEST_WAIT),
    include: someOf(["record", "changes"]) as Parameter<("record" | "changes")[]>,
  };
}
