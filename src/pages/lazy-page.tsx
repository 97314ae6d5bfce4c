// A page whose code is fetched when it is first needed. A fetch that fails is told and may be tried again; the app stays.

import { type ComponentType, createElement, useEffect, useState } from "react";
import { Failure, Skeleton } from "../ui/pieces.tsx";

/** The router's own lazy component reloads the tab when a fetch fails, and with it the token and a running upload would go. */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let page: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const fetchPage = () => {
    loading ??= load()
      .then((module) => {
        page = module[name];
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  function LazyPage() {
    const [isReady, setReady] = useState(page !== undefined);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (isReady || isFailed) return;
      fetchPage().then(
        () => setReady(true),
        () => setFailed(true),
      );
    }, [isReady, isFailed]);
    if (page) return createElement(page);
    return (
      <main className="main" id="main">
        {isFailed ? <Failure error={new Error(NOT_LOADED)} retry={() => setFailed(false)} /> : <Skeleton width="240px" />}
      </main>
    );
  }
  /** What the router calls when a link to the page is hovered. */
  return Object.assign(LazyPage, { preload: () => (page ? Promise.resolve() : fetchPage().catch(() => {})) });
}

const NOT_LOADED = "This page could not be fetched. Check the connection; everything else stays as it is.";
