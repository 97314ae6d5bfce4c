// The routes of the dictionary that is served, and of callers from whom some of its fields are hidden.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import type { Route, RouteTable } from "../http/route.ts";
import type { HiddenFields, HiddenFrom } from "../people/auth/access-tokens.ts";
import { type Access, hideFields } from "./access.ts";
import { formerNamesOf, renamedHeader, renamedInBody, renameQuery } from "./former-names.ts";
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

/** Makes every route that knows the dictionary. */
export type RoutesOf = (access: Pick<Access, "dataPackage" | "collections">, store: Store) => readonly Route[];

type ByName = ReadonlyMap<string, Route>;

/**
 * Makes the routes of a dictionary. `fixed`: those that do not know it. The routes of callers from whom fields are hidden are made when the first of them
 * comes, once for all from whom the same fields are hidden.
 */
export function createServedRoutes(served: Served, fixed: readonly Route[], routesOf: RoutesOf): RouteTable {
  const own = routesOf(served, served.store);
  const byPattern = new Map<string, Map<string, Route>>();
  for (const route of [...fixed, ...own]) {
    const pattern = patternOf(route);
    const named = byPattern.get(pattern) ?? new Map<string, Route>();
    byPattern.set(pattern, named.set(nameOf(route), route));
  }
  byPattern.set(API_ROOT, byPattern.get(`${API_ROOT}/`) ?? new Map()); // the same page
  const known = new Set(own.map(({ url }) => url));
  const made = new WeakMap<HiddenFields, ByName>();
  const retired = retiredIn(served.dataPackage);
  const withRetired = new WeakMap<HiddenFields, HiddenFields>();
  function hiddenWith(hidden: HiddenFields | undefined): HiddenFields | undefined {
    if (!retired || !hidden) return hidden ?? retired;
    const found = withRetired.get(hidden) ?? bothHidden(hidden, retired);
    withRetired.set(hidden, found);
    return found;
  }
  function routesFor(hidden: HiddenFields): ByName {
    const found = made.get(hidden);
    if (found) return found;
    const access = hideFields(served.dataPackage, hidden);
    const routes = routesOf(access, showStore(served.store, served.collections, hidden));
    const byUrl = new Map(routes.map((route) => [route.url, route]));
    made.set(hidden, byUrl);
    return byUrl;
  }
  const byName = new Map(served.collections.map((one) => [one.name, one]));
  const hasFormer = served.collections.some((one) => formerNamesOf(one).size > 0);
  /** The collection whose records a request is about, where any field had another name before. */
  function collectionOf({ params }: FastifyRequest): Collection | undefined {
    const { collection, child = collection } = params as { collection?: string; child?: string };
    return hasFormer && child !== undefined ? byName.get(child) : undefined;
  }
  function rename(request: FastifyRequest): void {
    const collection = collectionOf(request);
    const found = collection && renameQuery(request.query, collection, served.collections);
    if (!found) return;
    request.query = found.query;
    request.renamed = renamedHeader(found.renamed);
  }
  return {
    version: served.version,
    find(request) {
      const { routeOptions, params } = request;
      const { collection = "", child } = params as { collection?: string; child?: string };
      rename(request);
      return byPattern.get(routeOptions.url ?? "")?.get(child === undefined ? collection : `${collection} ${child}`);
    },
    noteRenamed(request) {
      const collection = collectionOf(request);
      const found = collection && renamedHeader(renamedInBody(request.body, collection));
      if (found) request.renamed = [request.renamed, found].filter(Boolean).join(", ");
    },
    sessionFor(session) {
      const hidden = hiddenWith(session.hidden);
      return hidden === session.hidden ? session : { ...session, ...(hidden && { hidden }) };
    },
    handlerFor({ hidden }, route, method) {
      const shown = hidden && known.has(route.url) ? routesFor(hidden).get(route.url) : route;
      return shown?.[method];
    },
  };
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
