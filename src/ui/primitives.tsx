// Small presentational components: brand, icon, notice, page title, skeleton, error message.

import type { IconNode } from "lucide";
import { createContext, createElement, type ReactNode, useContext, useEffect, useRef } from "react";
import { t } from "../../core/i18n/translate.ts";
import { afterPaint } from "./focus/after-paint.ts";
import * as iconStyles from "./icon.module.css";
import { initials } from "./monogram.tsx";
import * as noticeStyles from "./notice.module.css";
import * as skeletonStyles from "./skeleton.module.css";
import * as textStyles from "./text.module.css";

/** The name that the organisation gives itself, or config.json the app. */
export const AppTitle = createContext<string | undefined>(undefined);
/** The address of the organisation's picture. */
export const AppLogo = createContext<string | undefined>(undefined);

/** Shows the organisation's mark and name: its picture, or its letters, or the app's own mark where nobody has named it. */
export function Brand({ title = "Intake" }: { title?: string }) {
  const given = useContext(AppTitle);
  const logo = useContext(AppLogo);
  return (
    <div className="brand">
      {logo ? <img src={logo} alt="" /> : given ? <b aria-hidden="true">{initials(given)}</b> : <OwnMark />}
      <span>{given ?? title}</span>
    </div>
  );
}

function OwnMark() {
  return (
    <svg
      aria-hidden="true"
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M10 2v9m0 0 3.5-3.5M10 11 6.5 7.5M3 13v3a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-3" />
    </svg>
  );
}

/** Draws an icon of the Lucide set, a little higher than the text beside it. Screen readers do not read it: the text must do alone. */
export function Icon({ of, isLarge }: { of: IconNode; isLarge?: boolean }) {
  return (
    <svg aria-hidden="true" className={isLarge ? `${iconStyles.icon} ${iconStyles.large}` : iconStyles.icon} viewBox="0 0 24 24">
      {of.map(([tag, attributes], at) => createElement(tag, { key: at, ...attributes }))}
    </svg>
  );
}

export type Tone = "plain" | "wrong" | "doubt";

/** Shows a message on the page. "wrong" interrupts a screen reader, the others wait for a pause. */
export function Notice({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={noticeStyles.notice} data-tone={tone} role={tone === "wrong" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/**
 * Draws the page's h1. Names the tab, unless `tab` does, and takes the focus when the page opens, so that a screen reader announces it.
 * `detail` is announced with it and not shown.
 */
export function PageTitle({ children, detail, tab = children }: { children: string; detail?: string | undefined; tab?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const app = useContext(AppTitle) ?? "Intake";
  useEffect(() => {
    document.title = `${tab} · ${app}`;
    // An input with autofocus keeps the focus. A link that was removed has left it on the body.
    const { activeElement } = document;
    if (activeElement !== document.body && !activeElement?.closest("nav")) return;
    return afterPaint(() => {
      if (document.activeElement === activeElement) heading.current?.focus({ preventScroll: true }); // the list may stand where it was
    });
  }, [tab, app]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      <bdi>{children}</bdi>
      {detail && <span className={textStyles.hidden}>{`: ${detail}`}</span>}
    </h1>
  );
}

/** Draws a placeholder for text that is loading, of the same height. */
export function Skeleton({ width }: { width: string }) {
  return <span className={skeletonStyles.skeleton} style={{ width }} aria-hidden="true" />;
}

/** Shows an error, with a button to retry if there is something to retry. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  return (
    <Notice tone="wrong">
      {error.message}
      {retry && (
        <div className={noticeStyles.actions}>
          <button type="button" onClick={retry}>
            {t("Try again")}
          </button>
        </div>
      )}
    </Notice>
  );
}
