// Search, filters, and the panels for columns and export; on a phone also the order. They share one row with the views.

import { Columns3, Download, type IconNode, ListFilter } from "lucide";
import { type RefObject, useId, useRef } from "react";
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

const FilterEditor = openedPart(() => import("./filter-editor.tsx"), "FilterEditor");
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
const ColumnsPanel = openedPart(() => import("./columns/columns-panel.tsx"), "ColumnsPanel");
const ExportPanel = openedPart(() => import("./export-panel.tsx"), "ExportPanel");

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
      {state.filters.length > 0 && <Chips {...parts} />}
      <PanelButton label={<IconLabel of={ListFilter} text={t("Filter")} />} title={t("Add a filter")} onNear={preloadFilter}>
        {(close) => <FilterEditor {...parts} onDone={close} />}
      </PanelButton>
      <SortBy {...parts} isUrgent={matchMedia(PHONE).matches} />
      <button type="button" className={`${buttonStyles.quiet} ${styles.more}`} popoverTarget={moreId}>
        {t("More")}
      </button>
      <div className={styles.sheet} popover="auto" id={moreId} ref={more}>
        <PanelButton
          label={<IconLabel of={Columns3} text={t("Columns")} />}
          title={t("Columns")}
          hasTip
          align="end"
          onNear={ColumnsPanel.preload}
        >
          {() => <ColumnsPanel {...parts} />}
        </PanelButton>
        {mayExport && (
          <PanelButton
            label={<IconLabel of={Download} text={t("Export")} />}
            title={t("Export")}
            hasTip
            align="end"
            onNear={ExportPanel.preload}
          >
            {() => <ExportPanel {...parts} onSaved={closeMore} />}
          </PanelButton>
        )}
        {mayUpload && <UploadLink collection={collection} />}
      </div>
      {isBusy && <SlowNotice />}
    </search>
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
  FilterEditor.preload();
  Chips.preload();
}

/** First nothing, then a thin line, then words; the style sheet times it. */
function SlowNotice() {
  return (
    <div className={styles.slow}>
      <i aria-hidden="true" />
      <span className={textStyles.note}>{t("This takes longer than usual.")}</span>
    </div>
  );
}
