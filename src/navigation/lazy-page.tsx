// Loads a page, or a part of one, when it is first needed. A failed load is shown and can be retried.

import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";
import { message, t } from "../../core/i18n/translate.ts";
import * as noticeStyles from "../components/notice.module.css";
import { Failure, Notice, Skeleton } from "../components/primitives.tsx";
import { useLocale, useServices } from "../context/services.ts";
import { reloadIfStale } from "./stale-tab.ts";

/** Not the router's lazyRouteComponent: that reloads the tab when a load fails, which would end a running upload. */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyPart(load, name, (waiting) => <main id="main">{waiting}</main>);
}

/** `wrap` surrounds the placeholder while the code loads, and the error when it cannot. */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  wrap: (waiting: ReactNode, props: Props) => ReactNode = (waiting) => waiting,
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
    const { uploadManager } = useServices();
    useLocale();
    const [state, setState] = useState<"loading" | "ready" | "current" | "stale">(part ? "ready" : "loading");
    useEffect(() => {
      if (state !== "loading") return;
      let isMounted = true;
      fetchPart()
        .then(() => "ready" as const)
        .catch(() => (isMounted ? reloadIfStale(uploadManager) : "current"))
        .then((next) => isMounted && setState(next));
      return () => {
        isMounted = false;
      };
    }, [state, uploadManager]);
    if (part) return createElement(part, props);
    if (state === "current") return wrap(<Failure error={new Error(t(NOT_LOADED))} retry={() => setState("loading")} />, props);
    return wrap(state === "stale" ? <StaleNotice /> : <Skeleton width="240px" />, props);
  }
  /** The router calls it when a link to the page is hovered. */
  return Object.assign(LazyPart, { preload: () => (part ? Promise.resolve() : fetchPart().catch(() => {})) });
}

/** For a part that can wait until the page is at rest. */
export function later<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => new Promise((resolve) => setTimeout(() => resolve(load()), AT_REST));
}

const AT_REST = 2_000; // ms after the part was first wanted

const NOT_LOADED = message("This page could not be loaded. Check the connection and try again.");

function StaleNotice() {
  return (
    <Notice tone="doubt">
      <b>{t("This page needs the new version of the app.")}</b>{" "}
      {t("Reload when you are ready. Unsaved work is lost, and an upload in this tab stops.")}
      <div className={noticeStyles.actions}>
        <button type="button" onClick={() => location.reload()}>
          {t("Reload")}
        </button>
      </div>
    </Notice>
  );
}
