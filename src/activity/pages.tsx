import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import * as styles from "./activity-page.module.css";
import type { ActivityState } from "./activity-url.ts";

/** `next`: where the entries before these begin; null: there are none. */
export function Pages({ state, go, next }: { state: ActivityState; go: (change: ActivityState) => void; next: string | null }) {
  if (!next && !state.before) return null;
  return (
    <nav className={styles.pages} aria-label={t("Pages")}>
      {state.before && (
        <button type="button" onClick={() => go({})}>
          {t("Newest")}
        </button>
      )}
      {next && (
        <Link className="button" to="/activity" search={{ ...state, before: next } as Record<string, string>}>
          {t("Show earlier")}
        </Link>
      )}
    </nav>
  );
}
