// The routes of the dictionary that is served, and of callers from whom some of its fields are hidden.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { SHAPE } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { formerNamesOf } from "../../core/dictionary/current-names.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import type { Route, RouteTable } from "../http/route.ts";
import type { HiddenFields, Narrowed, Session } from "../people/auth/access-tokens.ts";
import { type Access, narrowDictionary } from "./access.ts";
import { renamedHeader, renamedInBody, renameQuery, type UsedName } from "./former-names.ts";
import { createRenamedSince } from "./rename-times.ts";
import { retiredIn } from "./retired.ts";
import { narrowedBy, rowsBy } from "./role-conditions.ts";
import { askerOf } from "./row-conditions.ts";
import { limitRows } from "./row-store.ts";
import { showStore } from "./shown-store.ts";

/** The data dictionary at one time, and the store as it has it. It never changes: another dictionary is another object. */
export interface Served {
  dataPackage: unknown;
  collections: readonly Collection[];
  store: Store;
  /** The number of the version; 0 for a dictionary that the store does not keep. */
  version: number;
  /** Collections that are no longer in the dictionary. */
  gone: readonly string[];
}

/** Is told which former names a request of a caller has used. `collections`: all that are served. */
export type NoteUse = (used: readonly UsedName[], by: Principal, collections: readonly Collection[]) => void;

/** Makes every route that knows the dictionary. `whole`: the records that the caller may see, with all of their fields. */
export type RoutesOf = (access: Pick<Access, "dataPackage" | "collections">, store: Store, whole: Store) => readonly Route[];

/** Holds what callers have whose rights leave something out. */
interface Shown {
  dataPackage: unknown;
  collections: readonly Collection[];
  byUrl: ReadonlyMap<string, Route>;
}

/**
 * Makes the routes of a dictionary. `fixed`: those that do not know it. The routes of callers whose rights leave something out are made when the first
 * of them comes, once for all from whom the same is left out.
 */
export function createServedRoutes(served: Served, fixed: readonly Route[], routesOf: RoutesOf, noteUse: NoteUse = () => {}): RouteTable {
  const own = routesOf(served, served.store, served.store);
  const byPattern = routesByPattern([...fixed, ...own]);
  const known = new Set(own.map(({ url }) => url));
  const dictionaries = new Map<string, Access>();
  const made = new Map<Narrowed, Shown>();
  const narrowed = narrower(served);
  function makeShown(left: Narrowed): Shown {
    const text = textOfFields(left);
    const access = dictionaries.get(text) ?? narrowDictionary(served.dataPackage, left);
    dictionaries.set(text, access);
    const whole = left.rows ? limitRows(served.store, served.collections, left.rows) : served.store;
    const store = left.hidden.size > 0 ? showStore(whole, served.collections, left.hidden, left.hidesFields) : whole;
    return { ...access, byUrl: new Map(routesOf(access, store, whole).map((route) => [route.url, route])) };
  }
  function shownTo(left: Narrowed): Shown {
    const shown = made.get(left) ?? makeShown(left);
    keepRecent(made, left, shown);
    return shown;
  }
  const hasFormer = served.collections.some((one) => formerNamesOf(one).size > 0);
  const { asSent, inQuery, since, rename } = createRenaming(served);
  const noteQuery = (request: FastifyRequest, { principal }: Session) => noteUse(inQuery.get(request) ?? [], principal, served.collections);
  return {
    version: served.version,
    find(request) {
      if (hasFormer) rename(request, served.collections);
      return byPattern.get(request.routeOptions.url ?? "")?.get(namesInPath(request, served.collections));
    },
    admit(request, session) {
      const left = narrowed(session);
      request.dictionary = () => (left ? shownTo(left) : served).dataPackage;
      if (!left) noteQuery(request, session);
      if (!left) return session;
      // Before, all names were read, for the rights that the request needs. The caller learns no name of what is hidden.
      if (asSent.has(request)) rename(request, shownTo(left).collections);
      noteQuery(request, session);
      return { ...session, narrowed: left, ...(left.hidden.size > 0 && { hidden: left.hidden }) };
    },
    noteRenamed(request, session) {
      if (!hasFormer) return;
      const collection = collectionOf(request, session.narrowed ? shownTo(session.narrowed).collections : served.collections);
      const used = collection ? renamedInBody(request.body, collection) : [];
      if (used.length === 0) return;
      const known = inQuery.get(request)?.map(({ former }) => former) ?? [];
      const more = used.filter(({ former }) => !known.includes(former));
      noteUse(more, session.principal, served.collections);
      request.renamed = [request.renamed, renamedHeader(used)].filter(Boolean).join(", ");
      const all = [...(inQuery.get(request) ?? []), ...used];
      request.renamedSince = () => since(all);
    },
    handlerFor({ roles, narrowed: left }, route, method) {
      const handler = route[method];
      if (!left || !known.has(route.url) || (!roles && handler?.seesRetired)) return handler;
      if ((left.hidesFields || left.rows) && handler?.scope === SHAPE)
        throw httpErrors.forbiddenByRoles("Whoever shapes the dictionary must see all of it, and your roles hide fields or records.");
      return shownTo(left).byUrl.get(route.url)?.[method];
    },
  };
}

/** Gives requests the names of today. */
function createRenaming(served: Served) {
  const asSent = new WeakMap<FastifyRequest, unknown>(); // the queries of requests that have former names
  const inQuery = new WeakMap<FastifyRequest, readonly UsedName[]>(); // and in the path
  const since = createRenamedSince(served.store, served.version);
  /** Gives the request the names of today, as they are among these collections. */
  function rename(request: FastifyRequest, collections: readonly Collection[]): void {
    const collection = collectionOf(request, collections);
    const query = asSent.get(request) ?? request.query;
    const found = collection && renameQuery(query, collection, collections);
    const used = [...renamedInPath(request, collections), ...(found?.used ?? [])];
    if (used.length > 0) asSent.set(request, query);
    request.query = found?.query ?? query;
    request.renamed = used.length > 0 ? renamedHeader(used) : undefined;
    request.renamedSince = used.length > 0 ? () => since(used) : undefined;
    inQuery.set(request, used);
  }
  return { asSent, inQuery, since, rename };
}

/** Maps a pattern to the collections that an address of it names, and these to the route. */
function routesByPattern(routes: readonly Route[]): Map<string, Map<string, Route>> {
  const byPattern = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const pattern = patternOf(route);
    const named = byPattern.get(pattern) ?? new Map<string, Route>();
    byPattern.set(pattern, named.set(nameOf(route), route));
  }
  return byPattern.set(API_ROOT, byPattern.get(`${API_ROOT}/`) ?? new Map()); // the same page
}

/** Returns the names that `nameOf` has of a route, as they are today. */
function namesInPath(request: FastifyRequest, collections: readonly Collection[]): string {
  const { collection = "", child } = request.params as { collection?: string; child?: string };
  if (child === undefined) return collection;
  const [renamed] = renamedInPath(request, collections);
  return `${collection} ${renamed?.field ?? child}`;
}

/** Returns the former name by which an address names the file of a record. A collection of this name comes first. */
function renamedInPath({ params }: FastifyRequest, collections: readonly Collection[]): UsedName[] {
  const { collection: name, child: former } = params as { collection?: string; child?: string };
  const collection =
    former === undefined || collections.some((one) => one.name === former) ? undefined : collections.find((one) => one.name === name);
  const field = collection && formerNamesOf(collection).get(former ?? "");
  return field !== undefined && collection?.byName.get(field)?.file ? [{ collection: collection.name, former: former ?? "", field }] : [];
}

/** Returns the collection whose records a request is about. */
function collectionOf({ params }: FastifyRequest, collections: readonly Collection[]): Collection | undefined {
  const { collection, child = collection } = params as { collection?: string; child?: string };
  return collections.find(({ name }) => name === child);
}

/**
 * Returns what finds what the rights of callers leave out of this dictionary, and what is retired in it: undefined where that is nothing, and one
 * object for all from whom the same is left out, by which their routes are found.
 */
function narrower(served: Pick<Served, "dataPackage" | "collections">): (session: Session) => Narrowed | undefined {
  const { dataPackage } = served;
  const retired = retiredIn(dataPackage);
  const forAll: Narrowed | undefined = retired && { hidden: retired, readOnly: new Map(), unexported: new Set(), hidesFields: false };
  const byRoles = new WeakMap<NonNullable<Session["roles"]>, { found: Narrowed | undefined }>();
  const byText = new Map<string, Narrowed>();
  function find(roles: NonNullable<Session["roles"]>, { principal, userId, attributes }: Session): Narrowed | undefined {
    const own = narrowedBy(roles, dataPackage);
    const rows = rowsBy(roles, served, askerOf(principal, userId, attributes), own.hidden);
    if (own.hidden.size + own.readOnly.size + own.unexported.size + rows.size === 0) return forAll;
    const left: Narrowed = { ...own, hidden: bothHidden(own.hidden, retired ?? new Map()), ...(rows.size > 0 && { rows }) };
    const text = JSON.stringify([textOfFields(left), [...rows]]);
    const found = byText.get(text) ?? left;
    keepRecent(byText, text, found);
    return found;
  }
  return (session) => {
    const { roles } = session;
    if (!roles) return forAll;
    const known = byRoles.get(roles) ?? { found: find(roles, session) };
    byRoles.set(roles, known);
    return known.found;
  };
}

const MOST_KEPT = 200; // callers of whom each sees other records, as with `{me}`

/** Keeps what was used last. */
function keepRecent<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

function textOfFields({ hidden, readOnly, unexported }: Narrowed): string {
  return JSON.stringify([listed(hidden), listed(readOnly), [...unexported]]);
}

function listed(fields: ReadonlyMap<string, Iterable<unknown>>): [string, unknown[]][] {
  return [...fields].map(([name, own]) => [name, [...own]]);
}

function bothHidden(one: HiddenFields, other: HiddenFields): HiddenFields {
  const names = [...one.keys(), ...other.keys()];
  return new Map(names.map((name) => [name, new Map([...(one.get(name) ?? []), ...(other.get(name) ?? [])])]));
}

export function patternOf({ url, pattern = url }: Route): string {
  return pattern;
}

/** Returns the collections that the address names, in place of which its pattern has `:collection` and `:child`. */
function nameOf(route: Route): string {
  const parts = route.url.split("/");
  return patternOf(route)
    .split("/")
    .flatMap((part, i) => (part === ":collection" || part === ":child" ? (parts[i] ?? "") : []))
    .join(" ");
}
