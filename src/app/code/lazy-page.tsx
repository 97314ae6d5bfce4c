// Loads a page, or a part of one, when it is first needed. A failed load is shown and can be retried.

import { type ComponentType, createElement, type ReactNode, useEffect, useRef, useState } from "react";
import { message, t } from "../../../core/i18n/translate.ts";
import { holdKeys } from "../../ui/keyboard/held-keys.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { Failure, Notice, Skeleton } from "../../ui/primitives.tsx";
import { useLocale, useServices } from "../services/services.ts";
import { reloadIfStale } from "../services/stale-tab.ts";
import { AT_REST } from "./at-rest.ts";

/** Does not use the router's lazyRouteComponent: that reloads the tab when a load fails, which would end a running upload. */
export function lazyPage<Name extends string, Props extends object>(load: () => Promise<Record<Name, ComponentType<Props>>>, name: Name) {
  return lazyPart(load, name, (waiting) => <main id="main">{waiting}</main>);
}

/** Makes a part that a press opens, and that takes the focus: keys that are typed meanwhile wait for it. */
export function openedPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  wrap?: (waiting: ReactNode, props: Props) => ReactNode,
) {
  return lazyPart(load, name, wrap, holdKeys);
}

/** Stands in the place of a part that nobody misses until it is there. */
export const nothing = () => null;

/** `wrap` surrounds the placeholder while the code loads, and the error when it cannot. `load` has no props when it is called ahead. */
export function lazyPart<Name extends string, Props extends object>(
  load: (props?: Props) => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  wrap: (waiting: ReactNode, props: Props) => ReactNode = (waiting) => waiting,
  hold?: typeof holdKeys,
) {
  let part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const fetchPart = (props?: Props) => {
    loading ??= load(props)
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
    const first = useRef(props);
    useEffect(() => {
      if (state !== "loading") return;
      let isMounted = true;
      const release = hold?.();
      fetchPart(first.current)
        .then(() => "ready" as const)
        .catch(() => (isMounted ? reloadIfStale(uploadManager) : "current"))
        .then((next) => isMounted && setState(next));
      return () => {
        isMounted = false;
        release?.(part !== undefined);
      };
    }, [state, uploadManager]);
    if (part) return createElement(part, props);
    if (state === "current") return wrap(<Failure error={new Error(t(NOT_LOADED))} retry={() => setState("loading")} />, props);
    return wrap(state === "stale" ? <StaleNotice /> : <Skeleton width="240px" />, props);
  }
  /** The router calls it when a link to the page is hovered. */
  return Object.assign(LazyPart, { preload: () => (part ? Promise.resolve() : fetchPart().catch(() => {})) });
}

/** Serves a part that can wait until the page is at rest, unless its props say that it `isUrgent`. */
export function later<Module>(load: () => Promise<Module>): (props?: object) => Promise<Module> {
  const pauseOf = (props: { isUrgent?: boolean } = {}) => (props.isUrgent ? 0 : AT_REST);
  return (props) => new Promise((resolve) => setTimeout(() => resolve(load()), pauseOf(props)));
}

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
