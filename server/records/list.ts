// GET of a collection: a page with links to the next and previous ones, or the whole list as CSV.

import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE, MAX_SEARCH } from "../../core/contract/limits.ts";
import { API_ROOT, collectionPath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Parent, parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { SERVICE_FIELDS } from "../../core/dictionary/validate.ts";
import { resolveFilters } from "../access/row-conditions.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import type { Answer, Page, ReadOptions, SortTerm, Store } from "../engine/store.ts";
import { preferred } from "../http/content-negotiation.ts";
import { type Cursors, MAX_CURSOR } from "../http/cursor.ts";
import { timeZone } from "../http/days.ts";
import { httpErrors } from "../http/errors.ts";
import { filtersOf } from "../http/far-filters.ts";
import { documentedFilters, filterParameters, filtersIn } from "../http/filters.ts";
import { listOf, madeOf, named, object, schemaNames } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { rejectIfMatch } from "../http/preconditions.ts";
import { clampedCount, countUpTo, oneOf, type Parameter, parametersIn, readParameters, someOf, text } from "../http/query-parameters.ts";
import { jsonAnswer, showing } from "../http/responses.ts";
import { CSV_TYPE, JSON_TYPE, type RouteHandler } from "../http/route.ts";
import type { Streamed } from "../http/send-answer.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shows } from "../people/auth/read-audit.ts";
import type { WatchRights } from "../people/auth/standing-rights.ts";
import { childDoc, childFilter, requireParent } from "./children.ts";
import { beginExport, type ExportQuery, type Exports, exportLines } from "./csv-export.ts";
import { DELETED, listDeleted, noDeletedBelow, wantsDeleted } from "./deleted-list.ts";
import { type Expanded, expandParameter, expandRecords, parentsIn, scopesForParents } from "./expand.ts";
import { countRecords, findRecords } from "./find-records.ts";
import { recordIdOf } from "./record-id.ts";
import { searchHints } from "./search-hints.ts";
import { placesOf, reversed, sortParameter, totalOrder } from "./sort.ts";

const MAX_OFFSET = 10_000; // records; each is read and left out, so that further on a cursor is the way

interface ListRequest {
  page: Omit<Page, "limit">;
  /** The rows before the cursor are wanted: `page` then has the reversed order. */
  isBackward: boolean;
  /** Collection, order, filters and search as text: a cursor fits this list only. */
  name: string;
  limit: number | undefined;
  fields: readonly string[] | undefined;
  /** The parents that each record shall have beside it. */
  expanded: readonly Parent[];
  /** Records to count at most; undefined: none are counted. */
  counted: number | undefined;
  /** Keeps spreadsheets from running a cell of a file as a formula. */
  isGuarded: boolean;
  /** Says what is searched, if the answer shall say what else was probably meant. */
  hinted: string | undefined;
  /** `q` has only signs, with which no word begins: nothing is found. */
  findsNothing: boolean;
}

export interface ListParts {
  store: Store;
  collections: readonly Collection[];
  cursors: Cursors;
  /** Shared by all collections. */
  exports: Exports;
  watchRights: WatchRights;
  limits: Limits;
}

/** `under`: the list is only of one parent's children, at an address below it. */
export function listHandler(collection: Collection, parts: ListParts, under?: Parent): RouteHandler {
  const { store, collections, cursors, limits } = parts;
  const parents = parentsOf(collection, collections);
  const { deleted, ...fixed } = fixedParameters(collection, parents, limits);
  const reader = createReader(collection, parts, { ...fixed, ...(!under && { deleted }) }, under);
  const { documented, alsoNeeds, readRequest, answerPage, answerFile } = reader;
  return {
    scope: `${collection.name}:read`,
    alsoNeeds,
    produces: [JSON_TYPE, CSV_TYPE],
    compresses: true,
    doc: {
      ...(under ? childDoc("list", collection, under) : { id: `list_${collection.name}` }),
      errors: under ? [404, 412] : [412],
      summary: `${collection.title}${under ? ` of one ${under.parent.noun}` : ""}: a page of a list, or all of it as CSV`,
      parameters: documented,
      responses: { 200: listSchema(collection) },
      sentHeaders: { 200: ["Link?", "Content-Disposition?"] }, // links for a page, a file name for CSV
    },
    async handle(request, session, { signal }) {
      if (wantsDeleted(request)) {
        if (under) throw httpErrors.badParameters([noDeletedBelow(collection)]);
        return listDeleted(request, collection, { store, cursors, mostRecords: limits.recordsPerPage });
      }
      const query = readRequest(request, session);
      if (under) await requireParent(under, store, request);
      rejectIfMatch(request);
      const isFile = preferred(request.headers.accept, [JSON_TYPE, CSV_TYPE]) === CSV_TYPE;
      return (isFile ? answerFile : answerPage)(request, query, { session, signal });
    },
  };
}

/** Gives the same list at an address that ends in .csv, for programs that cannot send Accept. */
export function fileHandler(collection: Collection, parts: ListParts): RouteHandler {
  const parents = parentsOf(collection, parts.collections);
  const { deleted, offset, count, hints, ...fixed } = fixedParameters(collection, parents, parts.limits);
  const { documented, alsoNeeds, readRequest, answerFile } = createReader(collection, parts, fixed);
  return {
    scope: `${collection.name}:read`,
    alsoNeeds,
    produces: [CSV_TYPE],
    compresses: true,
    doc: {
      id: `export_${collection.name}`,
      summary: `${collection.title} as a CSV file`,
      parameters: documented,
      responses: { 200: { type: "string" } },
      sentHeaders: { 200: ["Content-Disposition"] },
      errors: [412],
    },
    async handle(request, session, { signal }) {
      const query = readRequest(request, session);
      rejectIfMatch(request);
      return answerFile(request, query, { session, signal });
    },
  };
}

interface Reading {
  session: Session;
  signal: AbortSignal;
}

type AskedBy = [FastifyRequest, Session];

function createReader(collection: Collection, parts: ListParts, fixed: Record<string, Parameter<unknown>>, under?: Parent) {
  const { store, collections, cursors } = parts;
  const parents = parentsOf(collection, collections);
  const source = { collection, parents, store };
  const others = { ...fixed, ...expandParameter(parents) };
  const documented = { ...others, ...documentedFilters(collection, parents) };
  const reading = onDemand(() => createReading(collection, { cursors, collections, parents, others, under }));
  const alsoNeeds: RouteHandler["alsoNeeds"] = ({ query }) => [
    ...(under ? [`${under.parent.name}:read` as const] : []),
    ...scopesForParents(parents, query, collections),
  ];
  return { documented, alsoNeeds, readRequest: (...by: AskedBy) => reading().read(...by), answerPage, answerFile };

  async function answerFile(request: FastifyRequest, query: ListRequest, { session, signal }: Reading): Promise<Streamed> {
    if (query.isBackward) throw httpErrors.badCursor(); // a file can begin at a cursor, but not end at one
    if (query.page.offset !== undefined) throw wrongOffset("The file has all rows; offset is for pages.");
    const answer = csvAnswer(collection, session);
    if (request.method === "HEAD") return { ...answer, stream: [] };
    const watched = { sent: { rows: 0 }, isAllowed: await parts.watchRights(session) };
    const lines = linesOf(query, watched, session.hidden, { owner: session.limitedAs, signal });
    const chosenBy = parametersIn(request.query, ["q", ...reading().filterNames(request)]);
    if (chosenBy.get("q")?.trim() === "") chosenBy.delete("q");
    if (under) chosenBy.append(under.field.name, String(recordIdOf(under.parent, request)));
    const noted = { collection, expanded: query.expanded, chosenBy, lines, sent: watched.sent };
    return { ...answer, stream: await beginExport(parts, request, session, noted) };
  }

  /** Yields all rows from the cursor on, or as many as `limit` says. */
  function linesOf(
    { page, limit, fields, expanded, isGuarded, findsNothing }: ListRequest,
    watched: Pick<ExportQuery, "sent" | "isAllowed">,
    hidden: Session["hidden"],
    options: ReadOptions,
  ) {
    const names = fields ?? collection.fields.map((field) => field.name);
    const rows = { page, expanded, isGuarded, maxRows: findsNothing ? 0 : limit };
    return exportLines({ ...source, hidden }, { ...rows, fields: names, ...watched, options });
  }

  async function countPage({ page, findsNothing, counted: most = 0 }: ListRequest, { hidden }: Session, options: ReadOptions) {
    const { words, filters = [], sort } = page;
    const total = findsNothing ? 0 : await countRecords({ ...source, hidden }, { words, filters, sort, most }, options);
    return total > most ? { total: most, totalIsAtLeast: true } : { total };
  }

  async function answerPage(request: FastifyRequest, query: ListRequest, { session, signal }: Reading): Promise<Answer & Shows> {
    const options = { owner: session.limitedAs, signal };
    const { page, isBackward, limit = DEFAULT_PAGE, findsNothing, counted, hinted } = query;
    const found = findsNothing
      ? { records: [], more: false }
      : await findRecords({ ...source, hidden: session.hidden }, { ...page, limit }, options);
    if (isBackward) found.records.reverse();
    const ends = found.records.length > 0 ? [found.records[0] as WireRecord, found.records.at(-1) as WireRecord] : [];
    const places = await placesOf(ends, page.sort, { collection, parents, store, options });
    const adjacent = adjacentCursors(cursors, query, places, found.more);
    const total = counted ? await countPage(query, session, options) : {};
    const hints =
      hinted === undefined ? {} : await searchHints(store, collection, { q: hinted, filters: page.filters, found: found.records }, options);
    const exact = hints.exact && { exact: await showRecords(store, hints.exact, query, options) };
    const shown = await showRecords(store, found.records, query, options);
    const body = { [collection.name]: shown, ...adjacent, ...total, ...hints, ...exact };
    const shows = () => {
      const ids = [...found.records, ...(hints.exact ?? [])].map((record) => record[collection.key.name] as number);
      return [{ collection: collection.name, ids }, ...parentsIn([...shown, ...(exact?.exact ?? [])], query.expanded)];
    };
    return showing(jsonAnswer(200, body, { Link: linksOf(request, adjacent) }), shows);
  }
}

/** Makes it when it is first needed: a wide dictionary has a hundred thousand filters, of which a process reads few. */
function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Writes it as a term of the record's own is written; of a parent it says which one, and not all that is known of its field. */
function namedTerm({ through, ...term }: SortTerm) {
  return through ? { ...term, of: through.field } : term;
}

interface ReaderParts {
  cursors: Cursors;
  collections: readonly Collection[];
  parents: readonly Parent[];
  /** The parameters besides the filters. */
  others: Readonly<Record<string, Parameter<unknown>>>;
  under: Parent | undefined;
}

function createReading(collection: Collection, { cursors, collections, parents, others, under }: ReaderParts) {
  const usual = readerOf(filterParameters(collection, parents));
  function readerOf(filters: ReturnType<typeof filterParameters>) {
    return { filters, filterNames: Object.keys(filters), parameters: { ...others, ...filters } };
  }
  function readerFor({ query }: FastifyRequest) {
    const known = filtersOf(collection, parents, { query, collections });
    return known === usual.filters ? usual : readerOf(known);
  }
  const read = (...[request, session]: AskedBy): ListRequest => {
    const { parameters, filterNames } = readerFor(request);
    const given = readParameters<Record<string, unknown>>(request.query, parameters);
    const {
      limit,
      cursor,
      offset,
      sort = [],
      q = "",
      fields,
      count,
      hints,
      expand = [],
      guard,
      timeZone: zone = "UTC",
    } = given as Partial<Fixed>;
    if (offset !== undefined && cursor !== undefined) throw wrongOffset("Send offset or cursor, not both.");
    const order = totalOrder(collection, parents, sort);
    const chosen = filtersIn(given, filterNames);
    if (under) chosen.push(childFilter(under, request));
    const name = JSON.stringify([collection.name, order.map(namedTerm), q, ...(chosen.length > 0 ? [chosen] : [])]);
    const filters = resolveFilters(chosen, zone, session);
    const words = wordsOfSearch(collection, q);
    const place: Partial<Record<"after" | "before", Page["after"]>> = cursor === undefined ? {} : cursors.open(name, cursor);
    const after = place.after ?? place.before;
    const isBackward = place.before !== undefined;
    const page = { sort: isBackward ? reversed(order) : order, words, filters, ...(after && { after }), ...(offset && { offset }) };
    const findsNothing = words.length === 0 && q.trim() !== "";
    const hinted = hints === undefined || cursor !== undefined || offset ? undefined : q;
    const expanded = parents.filter(({ field }) => expand.includes(field.reference.as));
    const isGuarded = guard !== "off";
    return { page, isBackward, name, limit, fields, expanded, counted: count, isGuarded, hinted, findsNothing };
  };
  return { filterNames: (request: FastifyRequest) => readerFor(request).filterNames, read };
}

/** Adds the parents, and leaves only the fields that are asked for. */
async function showRecords(
  store: Store,
  records: readonly WireRecord[],
  { fields, expanded }: ListRequest,
  options: ReadOptions,
): Promise<readonly Expanded[]> {
  const whole = expanded.length > 0 ? await expandRecords(store, records, expanded, options) : records;
  const shown = fields && [...fields, ...expanded.map(({ field }) => field.reference.as)];
  return shown ? whole.map((record) => only(shown, record)) : whole;
}

interface AdjacentCursors {
  next?: string;
  prev?: string;
}

/** Returns the cursors of the next and the previous page, by the places of its first and last record. An empty page has none. */
function adjacentCursors(
  cursors: Cursors,
  { page, isBackward, name }: ListRequest,
  [first, last]: readonly NonNullable<Page["after"]>[],
  more: boolean,
): AdjacentCursors {
  if (!first || !last) return {};
  const isNext = isBackward || more;
  const isPrevious = isBackward ? more : page.after !== undefined || page.offset !== undefined;
  return {
    ...(isNext && { next: cursors.seal(name, { after: last }) }),
    ...(isPrevious && { prev: cursors.seal(name, { before: first }) }),
  };
}

function linksOf(request: FastifyRequest, { next, prev }: AdjacentCursors): string {
  const address = addressOf(request);
  return [
    ...(next ? [`<${address(next)}>; rel="next"`] : []),
    ...(prev ? [`<${address(prev)}>; rel="prev"`] : []),
    `<${address()}>; rel="first"`,
  ].join(", ");
}

/** Throws 403 where the caller's roles keep the list from leaving as a file, and to whoever only looks at the app as somebody else. */
function csvAnswer(collection: Collection, { narrowed, viewer, principal }: Session): Omit<Streamed, "stream"> {
  if (viewer) throw httpErrors.viewing(principal.name);
  if (narrowed?.unexported.has(collection.name))
    throw httpErrors.forbiddenByRoles("Your roles do not let lists of this collection leave as files.");
  return {
    status: 200,
    headers: {
      "content-type": `${CSV_TYPE}; charset=utf-8; header=present`,
      "content-disposition": `attachment; filename="${collection.name}.csv"`,
      "cache-control": "private, no-cache",
    },
  };
}

/** The parameters that do not depend on the collection. */
interface Fixed {
  limit: number;
  cursor: string;
  offset: number;
  sort: SortTerm[];
  q: string;
  fields: string[];
  count: number;
  hints: "true";
  deleted: "true";
  expand: string[];
  guard: "off";
  timeZone: string;
}

/** Says how far to count: as far as the service does, or to a number below that. */
function countParameter(most: number): Parameter<number> {
  const { schema, read } = clampedCount(most);
  return {
    expects: "exact, or a whole number of at least 1",
    schema: { oneOf: [{ const: "exact" }, schema] },
    read: (given) => (given === "exact" ? most : read(given)),
  };
}

function fixedParameters(collection: Collection, parents: readonly Parent[], limits: Limits) {
  return {
    limit: clampedCount(limits.recordsPerPage),
    cursor: text(MAX_CURSOR),
    offset: countUpTo(MAX_OFFSET),
    sort: sortParameter(collection, parents),
    q: text(MAX_SEARCH),
    fields: someOf([...collection.byName.keys(), ...SERVICE_FIELDS]),
    count: countParameter(limits.countedRecords),
    hints: oneOf("true"), // exact and didYouMean, on a search's first page
    deleted: DELETED, // read by listDeleted
    guard: oneOf("off"),
    timeZone,
  };
}

function listSchema(collection: Collection) {
  const { record, some, deleted } = schemaNames(collection);
  const own = {
    exact: listOf({ anyOf: [named(record), named(some)] }),
    [collection.name]: listOf({ anyOf: [named(record), named(some), named(deleted)] }),
  };
  return madeOf([object(own, [collection.name]), named("IntakePage")]);
}

function only(names: readonly string[], record: Expanded): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

function wrongOffset(detail: string) {
  return httpErrors.badParameters([{ parameter: "offset", code: "BAD_PARAMETER", detail }]);
}

/** Says where the page begins, in each way that a parameter may be written. */
const PLACE = /^(cursor|offset)(\[[0-9]{0,3}\])?$/;

/** Returns the address of this request with another cursor, or with none. */
function addressOf(request: FastifyRequest): (cursor?: string) => string {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  for (const name of [...searchParams.keys()].filter((given) => PLACE.test(given))) searchParams.delete(name);
  return (cursor) => {
    if (cursor === undefined) searchParams.delete("cursor");
    else searchParams.set("cursor", cursor);
    const query = searchParams.toString();
    return query ? `${pathname}?${query}` : pathname;
  };
}

export function listPath(collection: Pick<Collection, "name">): string {
  return API_ROOT + collectionPath(collection.name);
}

export function filePath(collection: Collection): string {
  return `${listPath(collection)}.csv`;
}
