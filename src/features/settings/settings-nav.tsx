import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../../core/i18n/translate.ts";
import { meQuery } from "../../api/me.ts";
import { useServices } from "../../context/services.ts";
import * as styles from "./settings-page.module.css";
import { settingsPages } from "./settings-pages.ts";

/** The links between the pages of Settings: those that the caller may use. */
export function SettingsNav() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const pages = settingsPages(me);
  if (pages.length === 0) return null;
  return (
    <nav className={styles.tabs} aria-label={t("Settings")}>
      <Link to="/settings" activeOptions={{ exact: true }}>
        {t("This browser")}
      </Link>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
