// The routes of the dictionary that is served, and of callers from whom some of its fields are hidden.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { formerNamesOf } from "../../core/dictionary/column-name.ts";
import type { Store } from "../engine/store.ts";
import type { Route, RouteTable } from "../http/route.ts";
import type { HiddenFields, HiddenFrom } from "../people/auth/access-tokens.ts";
import { type Access, hideFields } from "./access.ts";
import { renamedHeader, renamedInBody, renameQuery, type UsedName } from "./former-names.ts";
import { retiredIn } from "./retired.ts";
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

/** Makes every route that knows the dictionary. */
export type RoutesOf = (access: Pick<Access, "dataPackage" | "collections">, store: Store) => readonly Route[];

/** Holds what callers have from whom something is hidden. */
interface Shown {
  collections: readonly Collection[];
  byUrl: ReadonlyMap<string, Route>;
}

/**
 * Makes the routes of a dictionary. `fixed`: those that do not know it. The routes of callers from whom fields are hidden are made when the first of them
 * comes, once for all from whom the same fields are hidden.
 */
export function createServedRoutes(served: Served, fixed: readonly Route[], routesOf: RoutesOf, noteUse: NoteUse = () => {}): RouteTable {
  const own = routesOf(served, served.store);
  const byPattern = routesByPattern([...fixed, ...own]);
  const known = new Set(own.map(({ url }) => url));
  const made = new WeakMap<HiddenFields, Shown>();
  const retired = retiredIn(served.dataPackage);
  const withRetired = new WeakMap<HiddenFields, HiddenFields>();
  function hiddenWith(hidden: HiddenFields | undefined): HiddenFields | undefined {
    if (!retired || !hidden) return hidden ?? retired;
    const found = withRetired.get(hidden) ?? bothHidden(hidden, retired);
    withRetired.set(hidden, found);
    return found;
  }
  function shownTo(hidden: HiddenFields): Shown {
    const found = made.get(hidden);
    if (found) return found;
    const access = hideFields(served.dataPackage, hidden);
    const routes = routesOf(access, showStore(served.store, served.collections, hidden));
    const shown = { collections: access.collections, byUrl: new Map(routes.map((route) => [route.url, route])) };
    made.set(hidden, shown);
    return shown;
  }
  const hasFormer = served.collections.some((one) => formerNamesOf(one).size > 0);
  const asSent = new WeakMap<FastifyRequest, unknown>(); // the queries of requests that have former names
  const inQuery = new WeakMap<FastifyRequest, readonly UsedName[]>();
  /** Gives the request the names of today, as they are among these collections. */
  function rename(request: FastifyRequest, collections: readonly Collection[]): void {
    const collection = collectionOf(request, collections);
    const query = asSent.get(request) ?? request.query;
    const found = collection && renameQuery(query, collection, collections);
    if (found) asSent.set(request, query);
    request.query = found?.query ?? query;
    request.renamed = found && renamedHeader(found.used);
    inQuery.set(request, found?.used ?? []);
  }
  return {
    version: served.version,
    find(request) {
      const { routeOptions, params } = request;
      const { collection = "", child } = params as { collection?: string; child?: string };
      if (hasFormer) rename(request, served.collections);
      return byPattern.get(routeOptions.url ?? "")?.get(child === undefined ? collection : `${collection} ${child}`);
    },
    admit(request, session) {
      const hidden = hiddenWith(session.hidden);
      // Before, all names were read, for the rights that the request needs. The caller learns no name of what is hidden.
      if (hidden && asSent.has(request)) rename(request, shownTo(hidden).collections);
      noteUse(inQuery.get(request) ?? [], session.principal, served.collections);
      return hidden === session.hidden ? session : { ...session, ...(hidden && { hidden }) };
    },
    noteRenamed(request, { hidden, principal }) {
      if (!hasFormer) return;
      const collection = collectionOf(request, hidden ? shownTo(hidden).collections : served.collections);
      const used = collection ? renamedInBody(request.body, collection) : [];
      if (used.length === 0) return;
      const known = inQuery.get(request)?.map(({ former }) => former) ?? [];
      noteUse(
        used.filter(({ former }) => !known.includes(former)),
        principal,
        served.collections,
      );
      request.renamed = [request.renamed, renamedHeader(used)].filter(Boolean).join(", ");
    },
    handlerFor({ hidden }, route, method) {
      const shown = hidden && known.has(route.url) ? shownTo(hidden).byUrl.get(route.url) : route;
      return shown?.[method];
    },
  };
}

/** Pattern → the collections that an address of it names → the route. */
function routesByPattern(routes: readonly Route[]): Map<string, Map<string, Route>> {
  const byPattern = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const pattern = patternOf(route);
    const named = byPattern.get(pattern) ?? new Map<string, Route>();
    byPattern.set(pattern, named.set(nameOf(route), route));
  }
  return byPattern.set(API_ROOT, byPattern.get(`${API_ROOT}/`) ?? new Map()); // the same page
}

/** The collection whose records a request is about. */
function collectionOf({ params }: FastifyRequest, collections: readonly Collection[]): Collection | undefined {
  const { collection, child = collection } = params as { collection?: string; child?: string };
  return collections.find(({ name }) => name === child);
}

function bothHidden(one: HiddenFields, other: HiddenFields): HiddenFields {
  const names = [...one.keys(), ...other.keys()];
  return new Map(names.map((name) => [name, new Set([...(one.get(name) ?? []), ...(other.get(name) ?? [])])]));
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

/** Wraps `hiddenFrom` so that all from whom the same fields are hidden get the same object, by which their routes are found. */
export function internHidden(hiddenFrom: HiddenFrom): HiddenFrom {
  const kept = new Map<string, HiddenFields>();
  return (session) => {
    const hidden = hiddenFrom(session);
    const named = [...(hidden ?? [])].filter(([, fields]) => fields.size > 0).map(([name, fields]) => [name, [...fields].sort()] as const);
    if (named.length === 0) return undefined;
    const text = JSON.stringify(named.sort(([one], [other]) => (one < other ? -1 : 1)));
    const interned = kept.get(text) ?? new Map(named.map(([name, fields]) => [name, new Set(fields)]));
    kept.set(text, interned);
    return interned;
  };
}
