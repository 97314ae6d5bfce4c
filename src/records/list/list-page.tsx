// The list of a collection: search, filters, order, pages and selection. All of its state is in the address.

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { later, lazyPart } from "../../app/code/lazy-page.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { useUnsavedChanges } from "../../app/navigation/unsaved-changes.ts";
import { useParams } from "../../app/router/router-context.tsx";
import { ErrorRetry } from "../../app/services/error-retry.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useLocale, useServices } from "../../app/services/services.ts";
import { idOf, type Page } from "../../service/records.ts";
import { Announce } from "../../ui/announce.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { Notice, PageTitle } from "../../ui/primitives.tsx";
import { count } from "../../values/format.ts";
import { countOf, nounsOf } from "../../values/record-name.ts";
import { DEFAULT_SORT, formatListUrl, isFiltered, shownColumns } from "../query/list-url.ts";
import { asShown, pick, type Selection, select, unselect } from "../query/selection.ts";
import { ViewTabs } from "../views/view-tabs.tsx";
import type { RowEdit } from "./edit-row.tsx";
import * as styles from "./list-page.module.css";
import { ListToolbar } from "./list-toolbar.tsx";
import { Pagination } from "./pagination.tsx";
import { type Editing, type Picking, RecordTable, RecordTableSkeleton } from "./record-table.tsx";
import { useEditedRow } from "./use-edited-row.ts";
import { type ListPage as Found, useListAddress, useListPage, useSelection } from "./use-list.ts";
import { useListShortcuts } from "./use-list-shortcuts.ts";
import { WriteLinks } from "./write-links.tsx";

const LiveRows = lazyPart(
  later(() => import("./live-rows.tsx")),
  "LiveRows",
  () => null,
);
const ListAtRest = lazyPart(
  later(() => import("./list-at-rest.tsx")),
  "ListAtRest",
  () => null,
);
const SelectionBar = lazyPart(() => import("./selection-bar.tsx"), "SelectionBar");
const Preview = lazyPart(
  () => import("./preview.tsx"),
  "Preview",
  () => null,
);
const EmptyList = lazyPart(() => import("./empty-list.tsx"), "EmptyList");
const DidYouMean = lazyPart(
  () => import("./did-you-mean.tsx"),
  "DidYouMean",
  () => null,
);
const ListError = lazyPart(() => import("./list-error.tsx"), "ListError");

export function ListPage() {
  const { collection: name } = useParams();
  const collection = useCollection(name);
  useLocale();
  if (!collection) return <NotFound />;
  return <List key={collection.name} collection={collection} />;
}

function List({ collection }: { collection: Collection }) {
  const { state, go } = useListAddress(collection);
  const { views } = useServices();
  const found = useListPage(collection, state, go);
  // All is offered until the rights are known, so that nothing moves for most people.
  const may = useMay(collection);
  const mayCreate = may("create") ?? true;
  const mayUpdate = may("update") ?? true;
  const mayPick = mayUpdate || may("delete") === true;
  const mayUpload = mayCreate || mayUpdate;
  const [selection, setSelection] = useSelection(collection);
  const searchBox = useRef<HTMLInputElement>(null);
  const { shown, error, refused } = found;
  const editing = useEditing(mayUpdate);
  const { records, left } = useEditedRow(collection, found, state, editing?.edit?.id);
  const picking = usePicking(collection, shown, selection, setSelection);
  const [previewed, setPreviewed] = useState<number>();
  const previewedRecord = records?.find((record) => idOf(collection, record) === previewed);
  useListShortcuts({
    collection,
    searchBox,
    mayCreate,
    onPreview: (id) => setPreviewed(id === previewed ? undefined : id),
    picking: mayPick ? picking : undefined,
    onEdit: editing?.onEdit,
    onEscape: selection.size > 0 ? () => setSelection(new Map()) : undefined,
  });
  const columns = useMemo(() => shownColumns(collection, state.columns), [collection, state.columns]);
  const isEmpty = shown?.records.length === 0 && !isFiltered(state) && !state.cursor && !found.isStale;
  const onSort = (sort: string | undefined) => go({ sort: sort === DEFAULT_SORT ? undefined : sort });

  return (
    <main className={styles.page} id="main">
      <div className={`${pageStyles.head} ${styles.head}`}>
        <PageTitle>{collection.title}</PageTitle>
        {mayUpload && !isEmpty && <WriteLinks collection={collection} mayCreate={mayCreate} />}
      </div>
      {!isEmpty && (
        <div className={styles.tools}>
          <ViewTabs collection={collection} state={state} go={go} />
          <ListToolbar
            collection={collection}
            state={state}
            go={go}
            searchBox={searchBox}
            isBusy={found.isFetching && !error}
            mayUpload={mayUpload}
          />
        </div>
      )}
      {previewedRecord && <Preview collection={collection} record={previewedRecord} onShow={setPreviewed} />}
      <Announce text={announcement(collection, found)} />
      {found.isBackOnFirstPage && <Notice>{t("That page of the list no longer exists. This is the first page.")}</Notice>}
      {refused && <ListError collection={collection} refused={refused} address={formatListUrl(state)} />}
      {error && !refused && <ErrorRetry error={error} failures={found.failures} isTrying={found.isFetching} retry={found.refetch} />}
      {shown?.didYouMean && <DidYouMean searches={shown.didYouMean} isEmpty={shown.records.length === 0} go={go} />}
      {!shown && !error && <RecordTableSkeleton columns={columns} most={state.limit} isPickable={mayPick} />}
      {records && records.length > 0 && (
        <RecordTable
          collection={collection}
          columns={columns}
          hasChosenColumns={state.columns !== undefined}
          records={records}
          left={left}
          sort={state.sort ?? DEFAULT_SORT}
          isStale={found.isStale}
          onSort={onSort}
          picking={mayPick ? picking : undefined}
          editing={editing}
        />
      )}
      {records?.length === 0 && <EmptyList collection={collection} state={state} mayCreate={mayCreate} go={go} />}
      {shown && (shown.records.length > 0 || shown.prev) && (
        <Pagination collection={collection} state={state} go={go} page={shown} isStale={found.isStale} />
      )}
      <div className={styles.dock}>
        <ListAtRest collection={collection} state={state} go={go} records={records} isUrgent={views.of(collection).widths !== undefined} />
        {shown && !found.isStale && <LiveRows collection={collection} state={state} page={shown} />}
        {shown && mayPick && selection.size > 0 && (
          <SelectionBar
            collection={collection}
            state={state}
            page={shown}
            selection={asShown(collection, selection, shown.records)}
            onSelect={setSelection}
          />
        )}
      </div>
    </main>
  );
}

/** Keeps the row that is edited in its place. One whose text is not saved is saved before another one is edited. */
function useEditing(mayUpdate: boolean): Editing | undefined {
  const [edit, setEdit] = useState<RowEdit>();
  const unsaved = useUnsavedChanges();
  const saveFirst = useRef<(next: RowEdit | undefined) => void>(undefined);
  const onEdit = useCallback((next: RowEdit | undefined) => (unsaved.current ? saveFirst.current?.(next) : setEdit(next)), [unsaved]);
  return mayUpdate || edit ? { edit, onEdit, saveFirst } : undefined;
}

function usePicking(
  collection: Collection,
  shown: Page | undefined,
  selection: Selection,
  onSelect: (selection: Selection) => void,
): Picking {
  const anchor = useRef<number>(undefined);
  const latest = useRef({ records: shown?.records ?? [], selection });
  useLayoutEffect(() => {
    latest.current = { records: shown?.records ?? [], selection };
  });
  const onPick = useCallback(
    (id: number, isRange: boolean) => {
      const { records, selection } = latest.current;
      onSelect(pick(collection, selection, records, id, isRange ? anchor.current : undefined));
      anchor.current = id;
    },
    [collection, onSelect],
  );
  const onPickPage = useCallback(
    (isPicked: boolean) => {
      const { records, selection } = latest.current;
      const ids = records.map((record) => idOf(collection, record));
      onSelect(isPicked ? select(collection, selection, records) : unselect(selection, ids));
    },
    [collection, onSelect],
  );
  return { selection, onPick, onPickPage };
}

function announcement(collection: Collection, { shown, isStale }: Found): string {
  if (!shown || isStale) return "";
  const n = shown.records.length;
  return shown.next ? count(n, "{n} {noun} and more", "{n} {nouns} and more", nounsOf(collection)) : countOf(collection, n);
}
