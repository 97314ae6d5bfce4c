import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { allows } from "../../../core/contract/scopes.ts";
import { t } from "../../../core/i18n/translate.ts";
import { accessRequestsQuery } from "../../api/administration/people.ts";
import { meQuery } from "../../api/me.ts";
import * as tabStyles from "../../components/tabs.module.css";
import { useServices } from "../../context/services.ts";
import { formatNumber } from "../../fields/format.ts";
import { useCurrentInSight } from "../../navigation/current-in-sight.ts";
import { Link } from "../../router/link.tsx";
import { useLocation } from "../../router/router-context.tsx";
import * as styles from "./settings-page.module.css";
import { settingsPages } from "./settings-pages.ts";

/** The links between the pages of Settings: those that the caller may use. */
export function SettingsNav() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const pages = settingsPages(me);
  const line = useRef<HTMLElement>(null);
  useCurrentInSight(line, `${useLocation().pathname} ${pages.length}`);
  const isAdmin = !!me && allows(me.scope, "admin");
  const { data: requests } = useQuery({ ...accessRequestsQuery(client), enabled: isAdmin });
  if (pages.length === 0) return null;
  return (
    <nav className={`${tabStyles.tabs} ${tabStyles.sideways} ${styles.pages}`} ref={line} aria-label={t("Settings")}>
      <Link to="/settings" current="page">
        {t("This browser")}
      </Link>
      {pages.map(({ page, label }) => (
        <Link key={page} to="/settings/$page" params={{ page }} current="section">
          {label}
          {page === "requests" && requests && requests.length > 0 && ` (${formatNumber(requests.length)})`}
        </Link>
      ))}
    </nav>
  );
}
