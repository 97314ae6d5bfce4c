// Follows the change feed: as a stream, or by asking again where something on the way holds streams back.

import { ApiError, NoReply } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import type { Change, ChangePage } from "../../../core/contract/history.ts";
import { CHANGES_PATH } from "../../../core/contract/paths.ts";
import { readEvents } from "./event-stream.ts";

/** `cursor`: where the feed goes on after it. */
export type News =
  | { type: "changes"; changes: Change[]; cursor: string }
  /** There may have been changes that are not told: what is shown must be read again. */
  | { type: "gap"; cursor: string }
  /** The service has another dictionary by now. */
  | { type: "dictionary"; cursor: string };

/** ms, unless said otherwise. */
export interface FollowTimes {
  /** Bounds the time without a byte, not even the service's comment every 15 s. */
  silence: number;
  /** Passes between two questions, where nothing may wait for its answer. */
  askEvery: number;
  /** Seconds that the service may hold a question. */
  wait: number;
  /** Passes before a stream is tried again. */
  streamAgain: number;
  firstPause: number;
  longestPause: number;
  /** Changes in one second, or in one answer, that are too many to show one by one. */
  flood: number;
  /** Passes before following goes on after a flood. */
  afterFlood: number;
}

export const FOLLOW_TIMES: FollowTimes = {
  silence: 20_000,
  askEvery: 5_000,
  wait: 25,
  streamAgain: 300_000,
  firstPause: 500,
  longestPause: 30_000,
  flood: 1_000,
  afterFlood: 5_000,
};

export interface FollowParts {
  client: Client;
  times?: FollowTimes;
  /** Fires "online" when the network is back. */
  network?: Pick<EventTarget, "addEventListener" | "removeEventListener">;
}

/** Nothing came for too long. `isDeaf`: nothing at all. */
class Silence extends Error {
  readonly isDeaf: boolean;
  constructor(isDeaf: boolean) {
    super("nothing comes through");
    this.isDeaf = isDeaf;
  }
}

class Flood extends Error {}

/** Says how the feed is followed at the moment. */
interface Course {
  /** Undefined: from now on. */
  cursor: string | undefined;
  /** Until then (performance.now) it asks instead of streaming. */
  askUntil: number;
  /** Questions come back at once, because held ones were cut. */
  isPlain: boolean;
  failures: number;
  silences: number;
}

/**
 * Calls `onNews` with what changes after `cursor` until `signal` is aborted. Never rejects: what fails
 * is tried again after growing pauses. Without a cursor it begins now, with a gap.
 */
export async function followFeed(
  parts: FollowParts,
  cursor: string | undefined,
  onNews: (news: News) => void,
  signal: AbortSignal,
): Promise<void> {
  const { times = FOLLOW_TIMES } = parts;
  const course: Course = { cursor, askUntil: 0, isPlain: false, failures: 0, silences: 0 };
  const follower: Follower = { client: parts.client, times, course, onNews, signal };
  while (!signal.aborted) {
    const ms = await advance(follower).then(
      () => 0,
      (error) => pauseAfter(error, follower),
    );
    if (ms > 0) await pause(ms, signal, parts.network);
  }
}

interface Follower {
  client: Client;
  times: FollowTimes;
  course: Course;
  onNews: (news: News) => void;
  signal: AbortSignal;
}

async function advance(follower: Follower): Promise<void> {
  const { course, times, signal } = follower;
  if (performance.now() >= course.askUntil) return stream(follower);
  await ask(follower);
  if (course.isPlain) await pause(times.askEvery, signal);
}

/** Rejects when the stream ends, however it does. */
async function stream(follower: Follower): Promise<never> {
  const { client, course, times, signal } = follower;
  const silence = new AbortController();
  let isDeaf = true;
  let timer = setTimeout(() => silence.abort(), times.silence);
  const from = performance.now();
  try {
    const headers = { Accept: "text/event-stream", ...(course.cursor !== undefined && { "Last-Event-ID": course.cursor }) };
    const query = { after: course.cursor ?? "now" };
    const body = await client.download(CHANGES_PATH, { query, headers, signal: AbortSignal.any([signal, silence.signal]) });
    const isFlood = createFloodGauge(times.flood);
    for await (const events of readEvents(body)) {
      isDeaf = false;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), times.silence);
      const changes = events.flatMap(({ type, data }) => (type !== undefined || data === undefined ? [] : [JSON.parse(data) as Change]));
      if (isFlood(changes.length)) throw new Flood();
      take(follower, changes, events.flatMap(({ id }) => id ?? []).at(-1));
      if (events.some(({ type }) => type === "dictionary") && course.cursor !== undefined)
        follower.onNews({ type: "dictionary", cursor: course.cursor });
    }
    // The service ends it with the token, and when it stops: that is no failure unless it happens again and again.
    if (performance.now() - from > times.longestPause) course.failures = 0;
    throw new Error("the stream has ended");
  } catch (error) {
    throw silence.signal.aborted ? new Silence(isDeaf) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(follower: Follower): Promise<void> {
  const { client, course, times, signal } = follower;
  const isHeld = !course.isPlain && course.cursor !== undefined;
  const query = { after: course.cursor ?? "now", limit: "1000", wait: isHeld ? String(times.wait) : undefined };
  try {
    const { changes, next } = (await client.request("GET", CHANGES_PATH, { query, signal })).json as ChangePage;
    course.failures = 0;
    if (changes.length >= times.flood) throw new Flood();
    take(follower, changes, next);
  } catch (error) {
    if (isHeld && (error instanceof NoReply || (error instanceof ApiError && error.status >= 500))) course.isPlain = true;
    throw error;
  }
}

/** What is already known is left out; a new cursor alone counts, because another tab may have to go on from it. */
function take({ course, onNews }: Follower, changes: Change[], next: string | undefined): void {
  if (next === undefined || next === course.cursor) return;
  const isFirst = course.cursor === undefined;
  course.cursor = next;
  onNews(isFirst ? { type: "gap", cursor: next } : { type: "changes", changes, cursor: next });
}

/** Changes the course after an error. Returns how long to pause, in ms. */
function pauseAfter(error: unknown, { course, times }: Follower): number {
  if (error instanceof Flood) {
    course.cursor = undefined; // what is shown is read once, not again for each
    return times.afterFlood;
  }
  if (error instanceof Silence) {
    course.silences += error.isDeaf ? 2 : 1;
    if (course.silences < 2) return times.firstPause;
    course.silences = 0;
    course.isPlain = false;
    course.askUntil = performance.now() + times.streamAgain;
    return 0;
  }
  if (error instanceof ApiError && ["CURSOR_EXPIRED", "BAD_CURSOR"].includes(error.code)) {
    course.cursor = undefined;
    return times.firstPause;
  }
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
  const growing = isRefused ? times.longestPause : Math.min(times.longestPause, times.firstPause * 2 ** Math.min(course.failures, 16));
  course.failures += 1;
  return Math.max(asked, growing * (0.5 + Math.random() / 2)); // so that not all tabs come back at once
}

/** Says whether `most` or more came within a second. */
function createFloodGauge(most: number): (came: number) => boolean {
  let [from, sum] = [performance.now(), 0];
  return (came) => {
    if (performance.now() - from > 1_000) [from, sum] = [performance.now(), 0];
    sum += came;
    return sum >= most;
  };
}

/** Ends early when the network is back. */
function pause(ms: number, signal: AbortSignal, network?: FollowParts["network"]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      network?.removeEventListener("online", end);
      resolve();
    }
    if (signal.aborted) return end();
    signal.addEventListener("abort", end);
    network?.addEventListener("online", end);
  });
}
