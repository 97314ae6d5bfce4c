// The views of a list as tabs. What a tab shows stands in its address, so it opens at once and its link can be sent.

import { useQuery } from "@tanstack/react-query";
import { Bookmark, Lock } from "lucide";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart, nothing, openedPart } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { viewsQuery } from "../../service/saved-views.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { PanelButton } from "../../ui/panel.tsx";
import { Icon } from "../../ui/primitives.tsx";
import * as tabStyles from "../../ui/tabs.module.css";
import * as textStyles from "../../ui/text.module.css";
import type { ListParts } from "../query/list-url.ts";
import { isChanged, tabsOf, type ViewParts } from "./tabs.ts";
import { useFit } from "./use-fit.ts";
import * as styles from "./view-tabs.module.css";

const ViewTools = lazyPart(() => import("./view-tools.tsx"), "ViewTools", nothing);
const ViewsPanel = openedPart(() => import("./views-panel.tsx"), "ViewsPanel");

export function ViewTabs({ collection, state, go }: ListParts) {
  const { client, views: local } = useServices();
  const saved = useSyncExternalStore(local.subscribe, () => local.of(collection));
  const { data } = useQuery(viewsQuery(client));
  const tabs = useMemo(() => tabsOf(collection, data ?? [], saved), [collection, data, saved]);
  const current = state.view === undefined ? tabs[0] : tabs.find(({ view }) => view?.id === state.view);
  const [dialog, setDialog] = useState<"new" | "edit">();
  const parts: ViewParts = { collection, state, go, tabs, current, onDialog: setDialog };
  useOpenByNumber(parts);
  const isOther = !current || isChanged(current, state);
  const hasTools = data && (isOther || current.view || dialog || saved.home);
  return (
    <nav className={styles.bar} aria-label={t("Views")}>
      <Tabs {...parts} isOther={isOther}>
        {hasTools && <ViewTools {...parts} isOther={isOther} dialog={dialog} />}
      </Tabs>
    </nav>
  );
}

/** Those that have no room are in the panel, whose button then has the name of the one that is open. */
function Tabs({ isOther, children, ...parts }: ViewParts & { isOther: boolean; children: React.ReactNode }) {
  const { collection, tabs, current, onDialog } = parts;
  const list = useRef<HTMLUListElement>(null);
  const at = current ? tabs.indexOf(current) : -1;
  const fits = useFit(list, JSON.stringify([at, isOther, tabs.map(({ view }) => view?.name)]));
  const hidden = tabs.length - Math.min(fits, tabs.length);
  const isHidden = at >= fits;
  return (
    <>
      <ul className={tabStyles.tabs} ref={list}>
        {tabs.map((tab, i) => (
          <li key={tab.view?.id ?? ""} style={i >= fits ? { visibility: "hidden" } : undefined}>
            <Link
              to="/$collection"
              params={{ collection: collection.name }}
              search={tab.search}
              title={tab.view?.name}
              aria-current={tab === current ? "page" : undefined}
            >
              {tab.view && !tab.view.isShared && <Icon of={Lock} />}
              <bdi>{tab.view?.name ?? t("All")}</bdi>
              {tab === current && tab.view && isOther && <ChangedMark />}
            </Link>
          </li>
        ))}
      </ul>
      {children}
      <PanelButton
        label={
          <>
            <Icon of={Bookmark} />
            {isHidden ? <bdi>{current?.view?.name}</bdi> : hidden > 0 ? t("{n} more", { n: hidden }) : t("Views")}
          </>
        }
        title={t("Views")}
        align="end"
        onNear={ViewsPanel.preload}
      >
        {(close) => (
          <ViewsPanel
            {...parts}
            onDone={close}
            onDialog={(what) => {
              close();
              onDialog(what);
            }}
          />
        )}
      </PanelButton>
    </>
  );
}

function ChangedMark() {
  return (
    <>
      <span aria-hidden="true">•</span>
      <span className={textStyles.hidden}>{t("(changed)")}</span>
    </>
  );
}

/** Serves the keys 1 to 9. */
function useOpenByNumber({ collection, tabs }: ViewParts): void {
  const { keys } = useServices();
  const navigate = useNavigate();
  useShortcuts(keys, {
    openView(event) {
      const tab = tabs[Number(event?.key) - 1];
      if (tab) void navigate({ to: "/$collection", params: { collection: collection.name }, search: tab.search });
      return tab !== undefined;
    },
  });
}
