// Whole pages that are shown before the app has started, or when it cannot start.

import { type ReactNode, useEffect } from "react";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "./button.module.css";
import * as pageStyles from "./page.module.css";
import { Brand } from "./primitives.tsx";
import * as cardStyles from "./start-card.module.css";
import * as styles from "./start-page.module.css";

/** Looks like the start screen in index.html, and continues its clock, so that the late hint comes at the same time. */
export function StartingPage() {
  const waited = performance.now();
  return (
    <div className="layout start" data-signed-in="">
      <div className="sidebar" aria-hidden="true">
        <nav>
          <Brand title="" />
        </nav>
      </div>
      <main className="starting" style={{ "--waited": `${waited < 10_000 ? -waited : 0}ms` } as React.CSSProperties}>
        <div role="status">
          <h1>{t("Loading…")}</h1>
          <p className="late">{t("This takes longer than usual. If nothing appears, reload the page.")}</p>
        </div>
      </main>
    </div>
  );
}

interface CannotStartProps {
  title: string;
  children: ReactNode;
  retry?: () => void;
  isTrying?: boolean;
  /** Further actions beside "Try again". */
  more?: ReactNode;
}

export function CannotStartPage({ title, children, retry, isTrying = false, more }: CannotStartProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={cardStyles.screen}>
      <div className={`${cardStyles.card} ${styles.cannotStart}`}>
        <Brand />
        <div role="alert">
          <h1>{title}</h1>
          {children}
        </div>
        <div className={pageStyles.tools}>
          {retry && (
            <button type="button" className={buttonStyles.primary} aria-disabled={isTrying} onClick={() => isTrying || retry()}>
              {isTrying ? t("Trying…") : t("Try again")}
            </button>
          )}
          {more}
        </div>
      </div>
    </main>
  );
}
