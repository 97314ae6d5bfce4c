// Reading many: filters, order, place, search and page size from the address to a page with links, or to CSV. No SQL.

import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE } from "../../../core/contract/limits.ts";
import { API_ROOT, collectionPath } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { foldWords } from "../../../core/text/fold.ts";
import { preferred } from "../../http/content-negotiation.ts";
import type { Cursors } from "../../http/cursor.ts";
import { httpErrors } from "../../http/errors.ts";
import { listOf, named, object, recordSchema, schemaNames } from "../../http/json-schemas.ts";
import type { Limits } from "../../http/limits.ts";
import { clampedCount, oneOf, type Parameter, readParameters, someOf, text } from "../../http/query-parameters.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { CSV_TYPE, JSON_TYPE, type RouteHandler, type Streamed } from "../../http/route.ts";
import { sortValue } from "../../store/columns.ts";
import type { Answer, Filter, Page, SortTerm, Store } from "../../store/store.ts";
import { exportLines } from "./csv-export.ts";
import { filterParameters } from "./filters.ts";

const MAX_SORT_FIELDS = 4;
const MAX_QUERY = 200; // characters
const MAX_CURSOR = 4_000; // characters
const SERVICE_NAMES = ["createdAt", "updatedAt", "version"];

interface ListRequest {
  page: Omit<Page, "limit">;
  /** The rows that end before this place are asked for; `page` then goes the other way. */
  isBackward: boolean;
  /** Names this question, so that a cursor fits no other. */
  name: string;
  limit: number | undefined;
  fields: readonly string[] | undefined;
  isCounted: boolean;
  /** Signs alone begin no word of any record. */
  isHopeless: boolean;
}

export function listHandler(collection: Collection, store: Store, cursors: Cursors, limits: Limits): RouteHandler {
  const fixed = fixedParameters(collection, limits);
  const filters = filterParameters(collection);
  const parameters = { ...fixed, ...filters };
  const ask = (request: FastifyRequest): ListRequest => {
    const given = readParameters<Record<string, unknown>>(request.query, parameters);
    const { limit, cursor, sort = [], q = "", fields, count } = given as Partial<Fixed>;
    const order = completed(collection, sort);
    const chosen = Object.keys(filters).flatMap((name) => (given[name] as Filter | undefined) ?? []);
    const name = JSON.stringify([collection.name, order, q, ...(chosen.length > 0 ? [chosen] : [])]);
    const words = foldWords(q);
    const place: Partial<Record<"after" | "before", Page["after"]>> = cursor === undefined ? {} : cursors.open(name, cursor);
    const after = place.after ?? place.before;
    const isBackward = place.before !== undefined;
    const page = { sort: isBackward ? reversed(order) : order, words, filters: chosen, ...(after && { after }) };
    const isHopeless = words.length === 0 && q.trim() !== "";
    return { page, isBackward, name, limit, fields, isCounted: count === "exact", isHopeless };
  };
  return {
    scope: "read",
    produces: [JSON_TYPE, CSV_TYPE],
    compresses: true,
    doc: {
      id: `list_${collection.name}`,
      summary: `${collection.title}: a page of a list, or all of it as CSV`,
      parameters,
      responses: { 200: listSchema(collection) },
      sentHeaders: { 200: ["Link?", "Content-Disposition?"] }, // links for a page, a file name for CSV
    },
    async handle(request) {
      const question = ask(request);
      if (preferred(request.headers.accept, [JSON_TYPE, CSV_TYPE]) !== CSV_TYPE) return answerPage(request, question);
      if (question.isBackward) throw httpErrors.badCursor(); // a file goes on from a place; it does not end at one
      return asCsv(collection, store, question);
    },
  };

  async function answerPage(request: FastifyRequest, question: ListRequest): Promise<Answer> {
    const { page, isBackward, limit = DEFAULT_PAGE, isHopeless, isCounted, fields } = question;
    const found = isHopeless ? { records: [], more: false } : await store.list(collection, { ...page, limit });
    if (isBackward) found.records.reverse();
    const around = adjacentCursors(collection, cursors, question, found);
    const total = isCounted ? { total: isHopeless ? 0 : await store.count(collection, page) } : {};
    const records = fields ? found.records.map((record) => only(fields, record)) : found.records;
    return jsonAnswer(200, { [collection.name]: records, ...around, ...total }, { Link: linksOf(request, around) });
  }
}

interface AdjacentCursors {
  next?: string;
  prev?: string;
}

/** Behind a place there was a row when its cursor was made; a page that is empty now leads nowhere. */
function adjacentCursors(
  collection: Collection,
  cursors: Cursors,
  { page, isBackward, name }: ListRequest,
  { records, more }: { records: readonly WireRecord[]; more: boolean },
): AdjacentCursors {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return {};
  const placeOf = (record: WireRecord) => page.sort.map((term) => sortValue(collection, record, term.name));
  const isNext = isBackward || more;
  const isPrevious = isBackward ? more : page.after !== undefined;
  return {
    ...(isNext && { next: cursors.seal(name, { after: placeOf(last) }) }),
    ...(isPrevious && { prev: cursors.seal(name, { before: placeOf(first) }) }),
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

/** All rows from the cursor on; with a limit only so many. */
function asCsv(collection: Collection, store: Store, { page, limit, fields, isHopeless }: ListRequest): Streamed {
  const names = fields ?? collection.fields.map((field) => field.name);
  return {
    status: 200,
    headers: {
      "content-type": `${CSV_TYPE}; charset=utf-8; header=present`,
      "content-disposition": `attachment; filename="${collection.name}.csv"`,
      "cache-control": "private, no-cache",
    },
    stream: exportLines(store, { collection, page, fields: names, most: isHopeless ? 0 : limit }),
  };
}

interface Fixed {
  limit: number;
  cursor: string;
  sort: SortTerm[];
  q: string;
  fields: string[];
  count: "exact";
}

function fixedParameters(collection: Collection, limits: Limits) {
  return {
    limit: clampedCount(limits.recordsPerPage),
    cursor: text(MAX_CURSOR),
    sort: sortParameter(collection),
    q: text(MAX_QUERY),
    fields: someOf([...collection.byName.keys(), ...SERVICE_NAMES]),
    count: oneOf("exact"),
  };
}

function listSchema(collection: Collection) {
  const whole = named(schemaNames(collection).record);
  const some = { ...recordSchema(collection), required: [], description: "With fields= a record has those only." };
  const properties = {
    [collection.name]: listOf({ anyOf: [whole, some] }),
    next: { type: "string", description: "The cursor of the next page, if there is one." },
    prev: { type: "string", description: "The cursor of the page before, if there is one." },
    total: { type: "integer", minimum: 0, description: "With count=exact." },
  };
  return object(properties, [collection.name]);
}

function only(names: readonly string[], record: WireRecord): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/** The key comes last, the way the term before it goes: then one index serves the order from both ends. */
function completed(collection: Collection, sort: readonly SortTerm[]): SortTerm[] {
  const at = sort.findIndex(({ name }) => name === collection.key.name);
  if (at !== -1) return sort.slice(0, at + 1); // nothing is left to order behind the key
  return [...sort, { name: collection.key.name, descending: sort.at(-1)?.descending ?? false }];
}

function reversed(order: readonly SortTerm[]): SortTerm[] {
  return order.map(({ name, descending }) => ({ name, descending: !descending }));
}

function sortParameter(collection: Collection): Parameter<SortTerm[]> {
  const names = [...collection.byName.keys(), "createdAt", "updatedAt"];
  return {
    expects: `up to ${MAX_SORT_FIELDS} of ${names.join(", ")}, each once, with commas between and - before a descending one`,
    schema: { type: "array", items: { enum: names.flatMap((name) => [name, `-${name}`]) }, minItems: 1, maxItems: MAX_SORT_FIELDS },
    read(given) {
      const terms = given.split(",").map((word) => ({ name: word.replace(/^-/, ""), descending: word.startsWith("-") }));
      const isUsable = terms.length <= MAX_SORT_FIELDS && terms.every(({ name }) => names.includes(name));
      return isUsable && new Set(terms.map(({ name }) => name)).size === terms.length ? terms : undefined;
    },
  };
}

/** This request's address with another cursor, or without. */
function addressOf(request: FastifyRequest): (cursor?: string) => string {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  return (cursor) => {
    if (cursor === undefined) searchParams.delete("cursor");
    else searchParams.set("cursor", cursor);
    const query = searchParams.toString();
    return query ? `${pathname}?${query}` : pathname;
  };
}

export function listPath(collection: Collection): string {
  return API_ROOT + collectionPath(collection.name);
}
