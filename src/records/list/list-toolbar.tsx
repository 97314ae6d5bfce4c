// Search, filters, and the panels for columns and export; on a phone also the order. They share one row with the views.

import { ChartNoAxesColumn, Columns3, Download, type IconNode, ListFilter } from "lucide";
import { type ReactNode, type RefObject, useId, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { later, lazyPart, openedPart } from "../../app/code/lazy-page.tsx";
import { SearchBox } from "../../app/navigation/search-box.tsx";
import { useMayExport } from "../../app/services/permissions.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import { PanelButton } from "../../ui/panel.tsx";
import { Icon } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import type { ListParts } from "../query/list-url.ts";
import * as styles from "./list-toolbar.module.css";
import { PHONE } from "./record-table.tsx";
import { UploadLink } from "./write-links.tsx";

const ListPanel = openedPart(() => import("./list-panel.tsx"), "ListPanel");
const Chips = lazyPart(
  () => import("./filter-chips.tsx"),
  "FilterChips",
  (waiting) => (
    <ul className={styles.chips}>
      <li className={chipStyles.chip}>{waiting}</li>
    </ul>
  ),
);
const SortBy = lazyPart(
  later(() => import("./sort-by.tsx")),
  "SortBy",
  () => <span className={styles.sortBy} />,
);

interface ListToolbarProps extends ListParts {
  searchBox: RefObject<HTMLInputElement | null>;
  /** A request is running. */
  isBusy: boolean;
  mayUpload: boolean;
}

export function ListToolbar({ collection, state, go, searchBox, isBusy, mayUpload }: ListToolbarProps) {
  const parts = { collection, state, go };
  const mayExport = useMayExport(collection);
  const moreId = useId();
  const more = useRef<HTMLDivElement>(null);
  const closeMore = () => more.current?.hidePopover(); // does nothing where the panels are not in a popover
  return (
    <search className={styles.toolbar}>
      <SearchBox
        key={collection.name}
        label={t("Search")}
        path={`/${collection.name}`}
        query={state.q}
        input={searchBox}
        isBusy={isBusy}
        onSearch={(q) => go({ q }, state.q !== "")}
      />
      {state.filters.length + Object.keys(state.others).length > 0 && <Chips {...parts} />}
      <PanelButton label={<IconLabel of={ListFilter} text={t("Filter")} />} title={t("Add a filter")} onNear={preloadFilter}>
        {(close) => <ListPanel panel="filter" {...parts} onDone={close} />}
      </PanelButton>
      <SortBy {...parts} isUrgent={matchMedia(PHONE).matches} />
      <button type="button" className={`${buttonStyles.quiet} ${styles.more}`} popoverTarget={moreId}>
        {t("More")}
      </button>
      <div className={styles.sheet} popover="auto" id={moreId} ref={more}>
        <SheetPanel of={Columns3} title={t("Columns")}>
          {(close) => <ListPanel panel="columns" {...parts} onDone={close} />}
        </SheetPanel>
        <SheetPanel of={ChartNoAxesColumn} title={t("Summary")}>
          {(close) => <ListPanel panel="summary" {...parts} onDone={close} />}
        </SheetPanel>
        {mayExport && (
          <SheetPanel of={Download} title={t("Export")}>
            {() => <ListPanel panel="export" {...parts} onDone={closeMore} />}
          </SheetPanel>
        )}
        {mayUpload && <UploadLink collection={collection} />}
      </div>
      {isBusy && <SlowNotice />}
    </search>
  );
}

interface SheetPanelProps {
  of: IconNode;
  title: string;
  children: (close: () => void) => ReactNode;
}

function SheetPanel({ of, title, children }: SheetPanelProps) {
  return (
    <PanelButton label={<IconLabel of={of} text={title} />} title={title} hasTip align="end" onNear={ListPanel.preload}>
      {children}
    </PanelButton>
  );
}

function IconLabel({ of, text }: { of: IconNode; text: string }) {
  return (
    <>
      <Icon of={of} />
      <span>{text}</span>
    </>
  );
}

function preloadFilter(): void {
  ListPanel.preload();
  Chips.preload();
}

/** Shows first nothing, then a thin line, then words; the style sheet times it. */
function SlowNotice() {
  return (
    <div className={styles.slow}>
      <i aria-hidden="true" />
      <span className={textStyles.note}>{t("This takes longer than usual.")}</span>
    </div>
  );
}
