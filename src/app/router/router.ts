// Follows the browser's history: where the app is going, and which page is shown until that page's code has arrived.

import { createBrowserHistory, type HistoryLocation, type RouterHistory } from "@tanstack/history";
import type { ComponentType } from "react";
import { holdKeys } from "../../ui/keyboard/held-keys.ts";
import { formatSearch, formatTarget, matchPath, type Params, parseSearch, pathBelow, type RoutePath, type Target } from "./paths.ts";
import { createScrollMemory, type ScrollMemory } from "./scroll-memory.ts";

/** `preload` fetches the page's code. It never rejects: the page shows by itself that its code is missing. */
export type Page = ComponentType & { preload?: () => Promise<void> };

export interface ErrorPageProps {
  error: unknown;
  /** Draws the page again. */
  reset: () => void;
}

export interface RouterOptions {
  /** The path of the folder with index.html, such as "/" or "/intake/". */
  basePath: string;
  pages: Readonly<Record<RoutePath, Page>>;
  notFoundPage: ComponentType;
  errorPage: ComponentType<ErrorPageProps>;
  history?: RouterHistory;
}

export interface Location {
  /** Changes with each entry of the browser's history. */
  key: string;
  /** Below the base path, without a slash at the end. */
  pathname: string;
  search: Readonly<Record<string, string>>;
  hash: string;
  route: RoutePath | undefined;
  params: Params;
}

export type NavigateOptions = Target & {
  /** Replaces the current entry of the browser's history. */
  replace?: boolean;
  /** If false, leaves the page scrolled as it is. */
  resetScroll?: boolean;
};

export interface Router extends Required<Omit<RouterOptions, "pages">> {
  /** Returns the address of a target, with the base path. */
  hrefOf(target: Target): string;
  /** Resolves when the page is shown. Never resolves if the user stays. */
  navigate(options: NavigateOptions): Promise<void>;
  preload(target: Pick<Target, "to">): void;
  /** Fetches the code of the page that the address names, if it is not there yet. */
  preloadCurrent(): Promise<void>;
  pageOf(location: Location): Page | undefined;
  /** Returns the place to which the app is going. It changes at once. */
  latest(): Location;
  /** Returns what is shown. It changes when the page's code has arrived. */
  shown(): Location;
  subscribe(listener: () => void): () => void;
  scroll: ScrollMemory;
}

export function createRouter(options: RouterOptions): Router {
  const { basePath, pages, notFoundPage, errorPage, history = createBrowserHistory() } = options;
  const base = basePath.replace(/\/$/, "");
  const scroll = createScrollMemory();
  const listeners = new Set<() => void>();
  let waiting: (() => void)[] = [];
  let resetScroll = true;
  let latest = parseLocation(history.location, base);
  let shown = latest;

  const hrefOf = (target: Target) => base + formatTarget(target);
  const pageOf = ({ route }: Location) => route && pages[route];
  const emit = () => {
    for (const listener of listeners) listener();
  };

  function show(next: Location): void {
    if (next !== latest) return; // the user has gone on meanwhile
    scroll.leave(shown.key, resetScroll);
    resetScroll = true;
    shown = next;
    emit();
    const done = waiting;
    waiting = [];
    for (const resolve of done) resolve();
  }

  history.subscribe(({ location, action }) => {
    const next = parseLocation(location, base, latest.search);
    if (next.key === latest.key && isSameAddress(next, latest)) return; // going back was blocked
    latest = next;
    if (action.type !== "PUSH" && action.type !== "REPLACE") resetScroll = true;
    const page = pageOf(next);
    if (next.route === shown.route || !page?.preload) return show(next);
    emit();
    const release = holdKeys();
    void page.preload().then(() => {
      show(next);
      release(true);
    });
  });

  function navigate({ replace = false, resetScroll: reset = true, ...target }: NavigateOptions): Promise<void> {
    const href = hrefOf(target as Target);
    if (isSameAddress(parseLocation(toLocation(href), base), latest)) {
      return shown === latest ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
      resetScroll = reset;
      history[replace ? "replace" : "push"](href);
    });
  }

  const canonical = base + latest.pathname + formatSearch(latest.search);
  if (history.location.pathname + history.location.search !== canonical && latest.route) {
    history.replace(canonical + history.location.hash, history.location.state, { ignoreBlocker: true });
  }

  return {
    ...{ basePath, notFoundPage, errorPage, history, hrefOf, navigate, pageOf, scroll },
    preload: (target) => void pages[target.to].preload?.(),
    preloadCurrent: async () => pageOf(latest)?.preload?.(),
    latest: () => latest,
    shown: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const toLocation = (href: string) => {
  const { pathname, search, hash } = new URL(href, "http://localhost");
  return { pathname, search, hash };
};

/** `known`: search parameters to keep as the same object if they are the same. */
function parseLocation(
  at: Pick<HistoryLocation, "pathname" | "search" | "hash"> & Partial<Pick<HistoryLocation, "state">>,
  base: string,
  known?: Location["search"],
): Location {
  const pathname = pathBelow(base, at.pathname);
  const search = parseSearch(at.search);
  const isKnown = known && formatSearch(known) === formatSearch(search);
  const key = at.state?.__TSR_key ?? "";
  return { key, pathname, search: isKnown ? known : search, hash: at.hash.slice(1), ...matchPath(pathname) };
}

function isSameAddress(one: Location, other: Location): boolean {
  return one.pathname === other.pathname && one.hash === other.hash && formatSearch(one.search) === formatSearch(other.search);
}
