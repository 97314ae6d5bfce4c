// Code that is fetched when it is first needed: a whole page, or a part of one. A fetch that fails is told and may be tried again; the app stays.

import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";
import { Failure, Skeleton } from "../ui/pieces.tsx";

/** The router's own lazy component reloads the tab when a fetch fails, and with it the token and a running upload would go. */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyPart(load, name, (waiting) => (
    <main className="main" id="main">
      {waiting}
    </main>
  ));
}

/** `around` holds what is shown while the code is on its way or cannot be had. */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  around: (waiting: ReactNode) => ReactNode = (waiting) => waiting,
) {
  let part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const fetchPart = () => {
    loading ??= load()
      .then((module) => {
        part = module[name];
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  function LazyPart(props: Props) {
    const [isReady, setReady] = useState(part !== undefined);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (isReady || isFailed) return;
      fetchPart().then(
        () => setReady(true),
        () => setFailed(true),
      );
    }, [isReady, isFailed]);
    if (part) return createElement(part, props);
    return around(isFailed ? <Failure error={new Error(NOT_LOADED)} retry={() => setFailed(false)} /> : <Skeleton width="240px" />);
  }
  /** What the router calls when a link to the page is hovered. */
  return Object.assign(LazyPart, { preload: () => (part ? Promise.resolve() : fetchPart().catch(() => {})) });
}

const NOT_LOADED = "This page could not be fetched. Check the connection; everything else stays as it is.";
