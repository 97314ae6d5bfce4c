import type { ReactNode } from "react";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import * as styles from "./settings.module.css";
import { useSettingsGroups } from "./use-settings-groups.ts";

/** Draws a page of Settings, with the way to the others: beside it, or where that has no room as a link back to the overview. */
export function SettingsMain({ children }: { children: ReactNode }) {
  const groups = useSettingsGroups();
  return (
    <main id="main" className={styles.parted}>
      <nav className={styles.side} aria-label={t("Settings")}>
        <Link to="/settings" className={styles.back}>
          {t("Settings")}
        </Link>
        {groups.map(({ title, links }) => (
          <ul key={title} aria-label={title}>
            {links.map(({ target, label }) => (
              <li key={label}>
                <Link {...target} current="section">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className={styles.page}>{children}</div>
    </main>
  );
}
