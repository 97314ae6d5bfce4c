// The overview of Settings: what can be set, in groups, as far as the caller may open it.

import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { useLocale } from "../app/services/services.ts";
import * as pageStyles from "../ui/page.module.css";
import { Icon, PageTitle } from "../ui/primitives.tsx";
import * as styles from "./settings.module.css";
import { useSettingsGroups } from "./use-settings-groups.ts";

export function SettingsPage() {
  useLocale();
  const groups = useSettingsGroups();
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Settings")}</PageTitle>
      </div>
      <nav className={styles.overview} aria-label={t("Settings")}>
        {groups.map(({ title, links }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ icon, target, label, line }) => (
                <li key={label}>
                  <Icon of={icon} />
                  <Link {...target}>{label}</Link>
                  <span>{line}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </main>
  );
}
