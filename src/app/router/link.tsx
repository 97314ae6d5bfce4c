import { type ComponentProps, type MouseEvent, useEffect, useRef, useSyncExternalStore } from "react";
import { formatSearch, formatTarget, type Target } from "./paths.ts";
import type { Location } from "./router.ts";
import { useRouter } from "./router-context.tsx";

const HOVER_MS = 50; // a pointer that only passes by fetches nothing

/**
 * Says when the link is marked with aria-current: on the page itself, also on the pages below it, or on the page with the same search
 * parameters.
 */
type Current = "page" | "section" | "search";

export type LinkProps = Target & Omit<ComponentProps<"a">, "href" | "target"> & { current?: Current };

/** A plain click navigates within the app. Other clicks, for a new tab or a download, are the browser's. */
export function Link({ to, params, search, current, onClick, onMouseEnter, onMouseLeave, onFocus, onBlur, ...rest }: LinkProps) {
  const router = useRouter();
  const target = { to, params, search } as Target;
  const isCurrent = useSyncExternalStore(router.subscribe, () => current !== undefined && isAt(router.latest(), target, current));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const preloadSoon = () => {
    cancel();
    timer.current = setTimeout(() => router.preload(target), HOVER_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <a
      {...(isCurrent && { "aria-current": "page" as const })}
      {...rest}
      href={router.hrefOf(target)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        void router.navigate(target);
      }}
      onMouseEnter={(event) => {
        onMouseEnter?.(event);
        preloadSoon();
      }}
      onMouseLeave={(event) => {
        onMouseLeave?.(event);
        cancel();
      }}
      onFocus={(event) => {
        onFocus?.(event);
        preloadSoon();
      }}
      onBlur={(event) => {
        onBlur?.(event);
        cancel();
      }}
      onTouchStart={() => router.preload(target)}
    />
  );
}

/** Is true of the main button without Ctrl, Shift, Alt or Meta. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function isAt(at: Location, target: Target, current: Current): boolean {
  const path = formatTarget({ ...target, search: undefined } as Target);
  if (current === "section") return `${at.pathname}/`.startsWith(`${path}/`);
  return at.pathname === path && (current === "page" || formatSearch(at.search) === formatSearch(target.search ?? {}));
}
