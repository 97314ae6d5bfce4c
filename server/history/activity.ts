// Says who did what: the latest first, and how many changes there were each day.

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Activity,
  type ActivityPage,
  type DayCount,
  type DayCounts,
  OPERATIONS,
  type Operation,
  type RunSummary,
  SOURCE_TYPES,
  type SourceType,
} from "../../core/contract/history.ts";
import { ACTIVITY_DAYS_PATH, ACTIVITY_PATH, API_ROOT, runPath } from "../../core/contract/paths.ts";
import { isRunId } from "../../core/contract/runs.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Store } from "../engine/store.ts";
import { addDays, day, dayAt, startOf, timeZone } from "../http/days.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object } from "../http/json-schemas.ts";
import { clampedCount, oneOf, readParameters, someCollections, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE, showing } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shown } from "../people/auth/read-audit.ts";
import { exportsRoute } from "./exports.ts";
import type { ActivityFilter, ActivityLine, ActivityLines, ActivityPlace } from "./store/activity.ts";

const MOST_LINES = 200; // on a page
const DEFAULT_LINES = 50;
const MOST_READS = 20; // for one answer
const DEFAULT_DAYS = 30;
const MOST_DAYS = 92;
const CHANGES = { type: "integer", minimum: 0 };
const DAY = object({
  day: { type: "string", format: "date" },
  changes: CHANGES,
  bySource: { ...object(Object.fromEntries(SOURCE_TYPES.map((type) => [type, CHANGES])), []), additionalProperties: false },
});
const UNCOUNTED = {
  ...listOf({ type: "string" }),
  description: "Collections whose changes are not counted, because the caller sees only some of their records.",
};
const NEWEST: ActivityPlace = { at: Number.MAX_SAFE_INTEGER, write: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

interface Given {
  collection: string[];
  by: string;
  source: SourceType;
  run: string;
  from: string;
  to: string;
  timeZone: string;
}

interface GivenForList extends Given {
  operation: Operation;
  write: number;
  before: string;
  limit: number;
}

export function activityRoutes(collections: readonly Collection[], store: Store): Route[] {
  return [activityRoute(collections, store), daysRoute(collections, store), exportsRoute(collections, store), runRoute(store)];
}

function activityRoute(collections: readonly Collection[], store: Store): Route {
  const parameters = {
    ...parametersOf(collections),
    operation: oneOf(...OPERATIONS),
    write: clampedCount(999_999_999),
    before: text(60),
    limit: clampedCount(MOST_LINES),
  };
  return {
    url: API_ROOT + ACTIVITY_PATH,
    GET: {
      scope: "signed-in",
      compresses: true,
      doc: {
        id: "activity",
        summary:
          "Who did what, newest first: one line for each write, or for what somebody wrote in a run; with `run` or `write` each of its changes",
        parameters,
        responses: { 200: object({ activity: listOf(named("IntakeActivity")), next: nullable({ type: "string" }) }) },
      },
      async handle(request, session) {
        const given = readParameters<GivenForList>(request.query, parameters);
        const { before, limit = DEFAULT_LINES } = given;
        const filter = await toFilter(collections, store, session, given);
        const { lines, rest } = await readLines(store, filter, given, before === undefined ? NEWEST : placeOf(before), limit);
        const page: ActivityPage = {
          activity: lines.map((line) => toActivity(collections, line)),
          next: rest && `${rest.at}.${rest.write}.${rest.id}`,
        };
        return showing(jsonAnswer(200, { ...page }, NO_STORE), () => labelled(page));
      },
    },
  };
}

/** Returns the deleted records of which the page has values. */
function labelled({ activity }: ActivityPage): Shown[] {
  return activity.flatMap(({ collection, objectId, label }) => (label ? [{ collection, ids: [objectId] }] : []));
}

function daysRoute(collections: readonly Collection[], store: Store): Route {
  const parameters = parametersOf(collections);
  return {
    url: API_ROOT + ACTIVITY_DAYS_PATH,
    GET: {
      scope: "signed-in",
      compresses: true,
      doc: {
        id: "activity_days",
        summary: `Changes of each day, by how they came in, ${DEFAULT_DAYS} days up to today unless asked otherwise, ${MOST_DAYS} at most`,
        parameters,
        responses: { 200: object({ days: listOf(DAY), uncounted: UNCOUNTED }) },
      },
      async handle(request, session) {
        const given = readParameters<Given>(request.query, parameters);
        const { timeZone: zone = "UTC", to = dayAt(Date.now(), zone) } = given;
        const earliest = addDays(to, 1 - MOST_DAYS);
        const wanted = given.from ?? addDays(to, 1 - DEFAULT_DAYS);
        const filter = await toFilter(collections, store, session, given);
        const days: DayCount[] = [];
        for (let one = wanted < earliest ? earliest : wanted; one <= to; one = addDays(one, 1)) {
          const range = { from: startOf(one, zone), to: startOf(addDays(one, 1), zone) };
          const bySource = await store.history.countChanges({ ...filter, ...range }, given.run);
          days.push({ day: one, changes: Object.values(bySource).reduce((sum, size) => sum + size, 0), bySource });
          await nextTurn(); // other requests have a turn
        }
        const uncounted = filter.collections.filter((name) => session.narrowed?.rows?.get(name)?.read);
        const counts: DayCounts = { days, uncounted };
        return jsonAnswer(200, { ...counts }, NO_STORE);
      },
    },
  };
}

function runRoute(store: Store): Route {
  return {
    url: `${API_ROOT}${runPath(":run")}`,
    GET: {
      scope: "signed-in",
      doc: {
        id: "activity_run",
        summary: "Who began a run or took it back, who else wrote in it, when, and how much it changed in each collection",
        responses: { 200: object({ parts: listOf(named("IntakeRunPart")) }) },
      },
      async handle(request, { scope }) {
        const { run } = request.params as { run: string };
        const known = isRunId(run) ? await store.history.summarizeRun(run) : [];
        const parts = known.filter(({ collection }) => allows(scope, `${collection}:read`));
        const inTime = (at: number) => new Date(at).toISOString();
        const summary: RunSummary = { parts: parts.map((part) => ({ ...part, from: inTime(part.from), to: inTime(part.to) })) };
        return jsonAnswer(200, { ...summary }, NO_STORE);
      },
    },
  };
}

function parametersOf(collections: readonly Collection[]) {
  return {
    collection: someCollections(collections),
    by: text(64),
    source: oneOf(...SOURCE_TYPES),
    run: text(64),
    from: day,
    to: day,
    timeZone,
  };
}

/** Chooses only collections that the session may read. Days begin in the time zone that was asked for. */
async function toFilter(
  all: readonly Collection[],
  { history }: Store,
  { scope }: Session,
  { collection, by, source, from, to, timeZone: zone = "UTC" }: Partial<Given>,
): Promise<ActivityFilter> {
  const readable = all.map(({ name }) => name).filter((name) => allows(scope, `${name}:read`));
  return {
    collections: collection ? readable.filter((name) => collection.includes(name)) : readable,
    by: by === undefined ? undefined : await history.findPrincipal(by),
    source,
    from: from === undefined ? undefined : startOf(from, zone),
    to: to === undefined ? undefined : startOf(addDays(to, 1), zone),
  };
}

async function readLines(
  { history }: Store,
  filter: ActivityFilter,
  { operation, run, write }: Partial<GivenForList>,
  before: ActivityPlace,
  limit: number,
): Promise<ActivityLines> {
  const own = { ...filter, operation };
  const read = (from: ActivityPlace, most: number): Promise<ActivityLines> => {
    if (run !== undefined) return history.listChanges(own, { run }, from, most);
    if (write !== undefined) return history.listChanges(own, { write }, from, most);
    return history.listActivity(own, from, most);
  };
  // A filter that few writes meet: its reads are short, and others have a turn between them.
  const lines: ActivityLine[] = [];
  let rest: ActivityPlace | null = before;
  for (let i = 0; i < MOST_READS && rest && lines.length < limit; i++) {
    const found: ActivityLines = await read(rest, limit - lines.length);
    lines.push(...found.lines);
    rest = found.rest;
    await nextTurn();
  }
  return { lines, rest };
}

function toActivity(
  collections: readonly Collection[],
  { id, changes, isForgotten: _, acknowledged: __, ...line }: ActivityLine,
): Activity {
  if (line.operation !== "deleted") return { ...line, objectId: id };
  const fields = collections.find(({ name }) => name === line.collection)?.label ?? [];
  const label: Record<string, Value> = {};
  for (const { name } of fields) {
    const was = changes?.[name]?.[0] ?? null;
    if (was !== null) label[name] = was;
  }
  return { ...line, objectId: id, ...(Object.keys(label).length > 0 && { label }) };
}

function placeOf(cursor: string): ActivityPlace {
  const { at, write, id } = /^(?<at>\d{1,16})\.(?<write>\d{1,16})\.(?<id>\d{1,16})$/.exec(cursor)?.groups ?? {};
  if (at === undefined) throw httpErrors.badCursor("before");
  return { at: Number(at), write: Number(write), id: Number(id) };
}
