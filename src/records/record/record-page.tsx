// The pages of a new and of a stored record.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { isIdText } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { later, lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import { BackToList } from "../../app/navigation/back-to-list.tsx";
import { useLastListUrl } from "../../app/navigation/last-list-urls.ts";
import { useLeaveGuard } from "../../app/navigation/leave-guard.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { useUnsavedChanges } from "../../app/navigation/unsaved-changes.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { useIsMounted } from "../../app/services/use-is-mounted.ts";
import { recordQuery } from "../../service/cache-updates.ts";
import { historyQuery } from "../../service/history.ts";
import { noteOpened } from "../../service/recent-records.ts";
import { idOf } from "../../service/records.ts";
import { FROM_LIST, readInList, takeSearch } from "../../service/related-records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice, PageTitle, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { useMedia } from "../../ui/use-media.ts";
import type { RecordValues as RecordFields } from "../../values/field-value.ts";
import { nameOf } from "../../values/record-name.ts";
import { useFormParts } from "../../values/references/lazy-reference-inputs.tsx";
import { useRelations } from "../../values/references/relations.ts";
import { RecordForm, type RecordFormProps } from "../form/record-form.tsx";
import type { UseSaveOptions } from "../form/use-save.ts";
import { useSaveRecord } from "../form/use-save-record.ts";
import type { MergedLineProps } from "../merge/merged-line.tsx";
import type { ChildTabsProps } from "./children/child-tabs.tsx";
import type { FoundFieldProps } from "./found-field.tsx";
import { RecordHead } from "./record-head.tsx";
import { HistoryEntries, RecordHistory } from "./record-history.tsx";
import * as styles from "./record-page.module.css";
import type { RecordValuesProps } from "./record-values.tsx";
import { useDeleteWithUndo } from "./use-delete-with-undo.tsx";

const ChildTabs = lazyPart<"ChildTabs", ChildTabsProps>(
  () => import("./children/child-tabs.tsx"),
  "ChildTabs",
  () => <div style={{ minHeight: 37 }} />, // the height of the tabs: the form below stays where it is
);
const LiveRecord = lazyPart(
  later(() => import("./live-record.tsx")),
  "LiveRecord",
  nothing,
);

const MergedLine = lazyPart<"MergedLine", MergedLineProps>(
  later(() => import("../merge/merged-line.tsx")),
  "MergedLine",
  nothing,
);

const FoundField = lazyPart<"FoundField", FoundFieldProps>(() => import("./found-field.tsx"), "FoundField", nothing);

const RecordValues = lazyPart<"RecordValues", RecordValuesProps>(() => import("./record-values.tsx"), "RecordValues"); // not for who may change it

const TWO_PANES = "(width >= 80em)"; // --two-panes in breakpoints.css
const THREE_PANES = "(width > 100em)"; // --wide: the sections of a form, its fields, and the history

export function RecordPage() {
  const { collection: name, id } = useParams();
  const collection = useCollection(name);
  // Above 2^53 a number is rounded, and another record would open.
  if (!collection || !isIdText(id ?? "")) return <NotFound />;
  return <StoredRecord key={`${name}/${id}`} collection={collection} id={Number(id)} />;
}

function StoredRecord({ collection, id }: { collection: Collection; id: number }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    ...recordQuery(client, collection, id),
    ...readInList(queries, collection, id),
  });
  // A record that is deleted while it is shown stays on the page, because someone may be typing.
  const [seen, setSeen] = useState<WireRecord>();
  if (data && data !== seen && dataUpdatedAt !== FROM_LIST) setSeen(data);
  useEffect(() => {
    if (data !== undefined) noteOpened(queries, collection, id, data);
  }, [queries, collection, id, data]);
  const record = data ?? seen;
  const unsaved = useUnsavedChanges();
  const { session } = useServices();
  const [seenBefore, setSeenBefore] = useState(Number.POSITIVE_INFINITY); // the version that was shown when other people's changes began to come
  const onNews = (seen: number) => setSeenBefore((before) => Math.min(before, seen));
  const isNews = ({ version, updatedBy }: WireRecord) => version > seenBefore && updatedBy?.id !== session.owner();
  const deletedBy = useDeletedBy(collection, id, data === null);
  const maySave = useMay(collection)(data === null ? "create" : "update"); // a deleted one is saved as a new one
  const isReadOnly = !maySave && !unsaved.current; // typed text stays, whoever signs in
  const isReady = useFormParts(collection);
  const isKnown = record && maySave !== undefined && isReady;
  const relations = useRelations(collection);
  const { show } = useSearch();
  const [q] = useState(() => takeSearch(queries, collection, id));
  const shown = relations.find(({ name }) => name === show);
  const [isErased, setErased] = useState(false); // by the user; what somebody else erases stays until the page is left
  const hasTwoPanes = useMedia(collection.formParts ? THREE_PANES : TWO_PANES);
  const isHidden = !hasTwoPanes && shown !== undefined;
  const parts = { collection, id, relations, shown };
  const past = { collection, id, version: data === null ? undefined : record?.version, onErased: () => setErased(true) };
  const live = <LiveRecord collection={collection} id={id} version={data?.version} onNews={onNews} />;
  if (isErased || (data === null && !seen)) return <Missing collection={collection} id={id} live={live} />;
  return (
    <main id="main">
      <RecordHead {...{ collection, id, record }} live={isKnown && live} />
      {data && <MergedLine collection={collection} id={id} version={data.version} />}
      {error && !seen && <Failure error={error} retry={() => refetch()} />}
      {!isKnown && !error && <FormSkeleton collection={collection} />}
      {isKnown && !hasTwoPanes && relations.length > 0 && <ChildTabs {...parts} own={t("Details")} />}
      {isKnown && (
        <div className={styles.panes} data-hidden={isHidden || undefined} data-sections={collection.formParts && ""}>
          {/* They stay while other records are shown in their place, with what is typed, and whatever the window's width becomes. */}
          <div className={styles.own} data-own="">
            {q && !isHidden && <FoundField {...{ collection, record, q }} />}
            {isReadOnly ? (
              <RecordValues collection={collection} record={record} isGone={data === null} isNews={isNews(record)} />
            ) : (
              <EditRecord {...{ collection, record, isNews, deletedBy, isHidden }} isGone={data === null} />
            )}
          </div>
          {hasTwoPanes ? (
            <aside className={styles.side}>
              {relations.length > 0 ? (
                <ChildTabs {...parts} own={t("History")}>
                  <HistoryEntries {...past} />
                </ChildTabs>
              ) : (
                <>
                  <h2>{t("History")}</h2>
                  <HistoryEntries {...past} />
                </>
              )}
            </aside>
          ) : (
            <RecordHistory {...past} />
          )}
        </div>
      )}
    </main>
  );
}

/** Returns the name of who deleted the record; undefined while it is not known. */
function useDeletedBy(collection: Collection, id: number, isGone: boolean): string | undefined {
  const { client } = useServices();
  const { data: past } = useQuery({ ...historyQuery(client, collection, { id, version: 0 }), enabled: isGone });
  const last = past?.history[0];
  return last?.operation === "deleted" ? last.by?.name : undefined;
}

interface MissingProps {
  collection: Collection;
  id: number;
  /** Follows what becomes of it: somebody else may bring it back. */
  live: ReactNode;
}

/** If there is a draft for the deleted record, the form is offered with it; otherwise its history, from which it can be brought back. */
function Missing({ collection, id, live }: MissingProps) {
  const { client } = useServices();
  const { data: past, isPending } = useQuery(historyQuery(client, collection, { id, version: 0 }));
  const { drafts } = useSaveRecord(collection, id);
  const mayCreate = useMay(collection)("create");
  const [draft, setDraft] = useState<{ base: WireRecord | undefined }>();
  useEffect(() => void drafts.read().then((read) => setDraft({ base: read?.base })), [drafts]);
  if (!draft || isPending) return null;
  const deleted = past?.history[0];
  if (!draft.base || !deleted || mayCreate === false) {
    if (deleted?.mergedInto !== undefined) return <Elsewhere collection={collection} id={deleted.mergedInto} />;
    if (!deleted)
      return (
        <NotFound what={t("There is no {noun} {id}", { noun: collection.noun, id })}>
          <BackToList collection={collection} />{" "}
        </NotFound>
      );
    return (
      <Deleted
        collection={collection}
        id={id}
        live={live}
        isErased={deleted.operation === "erased"}
        values={Object.fromEntries(Object.entries(deleted.changes).map(([name, [old]]) => [name, old]))}
      />
    );
  }
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{nameOf(collection, draft.base)}</PageTitle>
        {live}
      </div>
      <EditRecord collection={collection} record={draft.base} isGone isNews={() => false} deletedBy={deleted.by?.name} />
    </main>
  );
}

/** Opens the record that this one has become part of. */
function Elsewhere({ collection, id }: { collection: Collection; id: number }) {
  const { toasts } = useServices();
  const navigate = useNavigate();
  useEffect(() => {
    toasts.show({ message: t("The {noun} that you looked for was merged into this one.", { noun: collection.noun }) });
    void navigate({ to: "/$collection/$id", params: { collection: collection.name, id: String(id) }, replace: true });
  }, [toasts, navigate, collection, id]);
  return null;
}

/** `values`: those that it had; none of an erased one. */
function Deleted({ collection, id, live, isErased, values }: MissingProps & { isErased: boolean; values: RecordFields }) {
  const may = useMay(collection);
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{nameOf(collection, { ...values, [collection.key.name]: id })}</PageTitle>
        {live}
      </div>
      <Notice tone="doubt">
        {isErased
          ? t("This {noun} was erased. Its values are gone for good.", { noun: collection.noun })
          : t("This {noun} is deleted.", { noun: collection.noun })}{" "}
        {!isErased && may("create") && may("update") && t("You can bring it back as it was.")}
      </Notice>
      <RecordHistory collection={collection} id={id} version={undefined} isOpen />
      <p>
        <BackToList collection={collection} />
      </p>
    </main>
  );
}

interface EditRecordProps extends Required<Pick<RecordFormProps, "isNews" | "deletedBy">> {
  collection: Collection;
  record: WireRecord;
  isGone: boolean;
  isHidden?: boolean;
}

function EditRecord({ collection, record, isGone, isHidden = false, isNews, deletedBy }: EditRecordProps) {
  const { toasts, keys } = useServices();
  const navigate = useNavigate();
  const leave = useLeaveGuard("path");
  const { save, drafts } = useSaveRecord(collection, idOf(collection, record));
  const list = { to: "/$collection", params: { collection: collection.name }, search: useLastListUrl(collection.name) } as const;
  const may = useMay(collection);
  const isHere = useIsMounted();
  const { remove, notice, dialog } = useDeleteWithUndo(collection, async () => {
    leave.allow();
    await navigate(list);
  });

  const onSaved: UseSaveOptions["onSaved"] = (saved, then, isDirty) => {
    if (saved) toasts.show({ message: t("Saved.") });
    if (isDirty || then === "stay" || !isHere()) return;
    leave.allow();
    const copy = then === "copy" ? { copy: String(idOf(collection, record)) } : {};
    void navigate(then === "close" ? list : { to: "/$collection/new", params: list.params, search: copy });
  };

  const cancel = (
    <Link className={buttonStyles.quiet} {...list}>
      {t("Cancel")}
    </Link>
  );
  return (
    <>
      {notice && <div className={formStyles.form}>{notice}</div>}
      <RecordForm
        collection={collection}
        record={record}
        save={save}
        drafts={drafts}
        onSaved={onSaved}
        isGone={isGone}
        isNews={isNews}
        deletedBy={deletedBy}
        onDirty={leave.onDirty}
        onDelete={may("delete") && !isHidden ? remove : undefined}
        mayAdd={may("create") !== false}
        keys={keys}
        cancel={cancel}
      />
      {dialog}
      {leave.dialog}
    </>
  );
}

function FormSkeleton({ collection }: { collection: Collection }) {
  return (
    <div className={formStyles.form} role="status">
      <span className={textStyles.hidden}>{t("Loading…")}</span>
      {collection.form.map((field) => (
        <div className={formStyles.field} key={field.name} style={{ height: 82 }}>
          <Skeleton width="30%" />
          <Skeleton width="100%" />
        </div>
      ))}
    </div>
  );
}
