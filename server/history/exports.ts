// Answers which lists were exported: who took them, when, by which filters, and how many rows.

import type { ExportEntry, ExportPage } from "../../core/contract/history.ts";
import { ACTIVITY_EXPORTS_PATH, API_ROOT } from "../../core/contract/paths.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import { addDays, day, startOf, timeZone } from "../http/days.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object } from "../http/json-schemas.ts";
import { clampedCount, readParameters, someCollections, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { ExportPlace, StoredExport } from "./store/export-log.ts";

const MOST_LINES = 200; // on a page
const DEFAULT_LINES = 50;
const NEWEST: ExportPlace = { at: Number.MAX_SAFE_INTEGER, id: "" };

interface Given {
  collection: string[];
  by: string;
  from: string;
  to: string;
  timeZone: string;
  before: string;
  limit: number;
}

/** Whoever may read a collection sees its exports. What was searched for is shown to administrators and to whoever searched. */
export function exportsRoute(collections: readonly Collection[], store: Store): Route {
  const names = collections.map(({ name }) => name);
  const parameters = {
    collection: someCollections(collections),
    by: text(64),
    from: day,
    to: day,
    timeZone,
    before: text(60),
    limit: clampedCount(MOST_LINES),
  };
  return {
    url: API_ROOT + ACTIVITY_EXPORTS_PATH,
    GET: {
      scope: "signed-in",
      compresses: true,
      doc: {
        id: "activity_exports",
        summary: "Which lists left as files, newest first: who took them, by which filters, and how many rows",
        parameters,
        responses: { 200: object({ exports: listOf(named("IntakeExport")), next: nullable({ type: "string" }) }) },
      },
      async handle(request, session) {
        const given = readParameters<Given>(request.query, parameters);
        const { collection, by, from, to, timeZone: zone = "UTC", before, limit = DEFAULT_LINES } = given;
        const readable = names.filter((name) => allows(session.scope, `${name}:read`) && (collection?.includes(name) ?? true));
        const range = {
          from: from === undefined ? undefined : startOf(from, zone),
          to: to === undefined ? undefined : startOf(addDays(to, 1), zone),
        };
        const place = before === undefined ? NEWEST : placeOf(before);
        const found = await store.exportLog.listExports({ collections: readable, by, ...range }, place, limit + 1);
        const shown = found.slice(0, limit);
        const last = found.length > limit ? shown.at(-1) : undefined;
        const page: ExportPage = { exports: shown.map((one) => toEntry(one, session)), next: last ? `${last.at}.${last.id}` : null };
        return jsonAnswer(200, { ...page }, NO_STORE);
      },
    },
  };
}

function toEntry({ at, by, query, isComplete, ...stored }: StoredExport, { principal, scope }: Session): ExportEntry {
  const isOwn = by !== null && by.type === principal.type && by.id === principal.id;
  const shown = isOwn || allows(scope, "admin") ? query : null;
  return { ...stored, at: new Date(at).toISOString(), by, query: shown, complete: isComplete };
}

function placeOf(cursor: string): ExportPlace {
  const { at, id } = /^(?<at>\d{1,16})\.(?<id>[0-9a-f]{16})$/.exec(cursor)?.groups ?? {};
  if (at === undefined || id === undefined) throw httpErrors.badCursor("before");
  return { at: Number(at), id };
}
