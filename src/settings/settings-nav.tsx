import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { allows } from "../../core/contract/scopes.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { useLocation } from "../app/router/router-context.tsx";
import { useServices } from "../app/services/services.ts";
import { meQuery } from "../service/me.ts";
import { accessRequestsQuery } from "../service/people.ts";
import { useCurrentInSight } from "../ui/focus/current-in-sight.ts";
import * as tabStyles from "../ui/tabs.module.css";
import { formatNumber } from "../values/format.ts";
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
