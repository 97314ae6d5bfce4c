// The routes of callers from whom fields are hidden, made from the dictionary as they may know it.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { HiddenFields, HiddenFrom, Session } from "../auth/access-tokens.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import type { Store } from "../store/store.ts";
import { type Access, hideFields } from "./access.ts";
import { showStore } from "./shown-store.ts";

export interface CallerRoutesParts {
  dataPackage: unknown;
  collections: readonly Collection[];
  store: Store;
  /** Every route that knows the dictionary. */
  routesOf(access: Pick<Access, "dataPackage" | "collections">, store: Store): readonly Route[];
}

type Table = ReadonlyMap<string, Route>;

const toTable = (routes: readonly Route[]): Table => new Map(routes.map((route) => [route.url, route]));

/**
 * `routes`: those of callers from whom nothing is hidden. `handlerFor`: the handler for another caller; undefined where such an address
 * is not there for them. Their routes are made when the first of them comes, once for all from whom the same fields are hidden.
 */
export function createCallerRoutes({ dataPackage, collections, store, routesOf }: CallerRoutesParts) {
  const routes = routesOf({ dataPackage, collections }, store);
  const known = toTable(routes);
  const made = new WeakMap<HiddenFields, Table>();
  function tableFor(hidden: HiddenFields): Table {
    const found = made.get(hidden);
    if (found) return found;
    const table = toTable(routesOf(hideFields(dataPackage, hidden), showStore(store, collections, hidden)));
    made.set(hidden, table);
    return table;
  }
  function handlerFor({ hidden }: Session, url: string, method: string, handler: RouteHandler): RouteHandler | undefined {
    if (!hidden || !known.has(url)) return handler;
    return tableFor(hidden).get(url)?.[method as "GET"];
  }
  return { routes, handlerFor };
}

/** As `hiddenFrom`, with the same object for all from whom the same fields are hidden, by which their routes are found. */
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
