// Reading many: order, place, search and page size from the address to a page with links. No SQL.

import type { FastifyRequest } from "fastify";
import type { Collection } from "../../dictionary/collections.ts";
import { foldWords } from "../../dictionary/fold.ts";
import { API_ROOT, collectionPath, DEFAULT_PAGE, MAX_PAGE } from "../../dictionary/wire.ts";
import { sortValue } from "../store/columns.ts";
import type { Answer, SortTerm, Store } from "../store/store.ts";
import type { Cursors } from "./cursor.ts";
import type { Way } from "./door.ts";
import { jsonAnswer } from "./json.ts";
import { clampedCount, type Parameter, readParameters, text } from "./parameters.ts";

const MAX_SORT_FIELDS = 4;
const MAX_QUERY = 200; // characters
const MAX_CURSOR = 4_000; // characters

export function listWay(collection: Collection, store: Store, cursors: Cursors): Way {
  const parameters = {
    limit: clampedCount(MAX_PAGE),
    cursor: text(MAX_CURSOR),
    sort: sortParameter(collection),
    q: text(MAX_QUERY),
  };
  return { scope: "read", handle: (request) => list(request) };

  async function list(request: FastifyRequest): Promise<Answer> {
    const { limit = DEFAULT_PAGE, cursor, sort = [], q = "" } = readParameters(request.query, parameters);
    const order = completed(collection, sort);
    const list = JSON.stringify([collection.name, order, q]);
    const words = foldWords(q);
    // Signs alone begin no word of any record; an empty search asks for nothing and gets everything.
    if (words.length === 0 && q.trim() !== "") return page(collection, [], undefined, addressOf(request));
    const after = cursor === undefined ? {} : { after: cursors.open(list, cursor) };
    const { records, more } = await store.list(collection, { limit, sort: order, words, ...after });
    const last = records.at(-1);
    const next =
      more && last
        ? cursors.seal(
            list,
            order.map(({ name }) => sortValue(collection, last, name)),
          )
        : undefined;
    return page(collection, records, next, addressOf(request));
  }
}

function page(collection: Collection, records: readonly unknown[], next: string | undefined, address: (cursor?: string) => string): Answer {
  const links = [...(next ? [`<${address(next)}>; rel="next"`] : []), `<${address()}>; rel="first"`];
  return jsonAnswer(200, { [collection.name]: records, ...(next && { next }) }, { Link: links.join(", ") });
}

/** The key comes last, the way the term before it goes: then one index serves the order from both ends. */
function completed(collection: Collection, sort: readonly SortTerm[]): SortTerm[] {
  const at = sort.findIndex(({ name }) => name === collection.key.name);
  if (at !== -1) return sort.slice(0, at + 1); // nothing is left to order behind the key
  return [...sort, { name: collection.key.name, descending: sort.at(-1)?.descending ?? false }];
}

function sortParameter(collection: Collection): Parameter<SortTerm[]> {
  const names = [...collection.byName.keys(), "createdAt", "updatedAt"];
  return {
    expects: `up to ${MAX_SORT_FIELDS} of ${names.join(", ")}, each once, with commas between and - before a descending one`,
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
