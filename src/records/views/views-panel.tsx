// All views of a collection, those that have no room as tabs among them, and what else is in reach from there.

import type { View } from "../../../core/contract/views.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import * as panelsStyles from "../../ui/list-panels.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import * as textStyles from "../../ui/text.module.css";
import { nounsOf } from "../../values/record-name.ts";
import type { ViewParts, ViewTab } from "./tabs.ts";
import * as styles from "./views-panel.module.css";

export function ViewsPanel({ collection, tabs, current, onDone, onDialog }: ViewParts & { onDone: () => void }) {
  const linkOf = (tab: ViewTab, label: string) => (
    <li key={tab.view?.id ?? ""}>
      <Link
        to="/$collection"
        params={{ collection: collection.name }}
        search={tab.search}
        aria-current={tab === current ? "page" : undefined}
        onClick={onDone}
      >
        <bdi>{label}</bdi>
      </Link>
    </li>
  );
  const those = (isWanted: (view: View) => boolean) =>
    tabs.flatMap((tab) => (tab.view && isWanted(tab.view) ? [linkOf(tab, tab.view.name)] : []));
  const groups = [
    { title: t("For everybody"), links: those(({ isShared }) => isShared) },
    { title: t("Only for you"), links: those(({ isShared }) => !isShared) },
  ].filter(({ links }) => links.length > 0);
  return (
    <div className={panelStyles.content}>
      <ul className={panelsStyles.rows}>{linkOf(tabs[0], t("All records"))}</ul>
      {groups.map(({ title, links }) => (
        <section key={title} className={styles.group} aria-label={title}>
          <b className={textStyles.hint}>{title}</b>
          <ul className={panelsStyles.rows}>{links}</ul>
        </section>
      ))}
      <div className={`${styles.group} ${panelStyles.ruled}`}>
        <button type="button" onClick={() => onDialog("new")}>
          {t("Save the list as a view")}
        </button>
        <span className={textStyles.hint}>
          {t("A view keeps search, filters, order and columns.")}{" "}
          <span className={styles.keys}>{t("The keys 1 to 9 open the first ones.")}</span>
        </span>
      </div>
      {collection.match && (
        <Link to="/$collection/duplicates" params={{ collection: collection.name }} onClick={onDone}>
          {t("Duplicates")}
        </Link>
      )}
      <Link to="/$collection/deleted" params={{ collection: collection.name }} onClick={onDone}>
        {t("Deleted {nouns}", nounsOf(collection))}
      </Link>
    </div>
  );
}
