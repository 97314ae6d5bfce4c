// Whole pages that are shown before the app has started, or when it cannot start.

import { type ReactNode, useEffect } from "react";
import { t } from "../../core/i18n/translate.ts";
import { Brand } from "./primitives.tsx";

/** Looks like the start screen in index.html, and continues its clock, so that the late hint comes at the same time. */
export function StartingPage() {
  const waited = performance.now();
  return (
    <div className="frame start" data-kept="">
      <div className="rail" aria-hidden="true">
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
    <main className="sign">
      <div className="card trouble">
        <Brand />
        <div role="alert">
          <h1>{title}</h1>
          {children}
        </div>
        <div className="tools">
          {retry && (
            <button type="button" className="button primary" aria-disabled={isTrying} onClick={() => isTrying || retry()}>
              {isTrying ? t("Trying…") : t("Try again")}
            </button>
          )}
          {more}
        </div>
      </div>
    </main>
  );
}
