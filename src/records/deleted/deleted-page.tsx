// The deleted records of a collection: who deleted them and when, and bringing them back, one or several.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide";
import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { SearchBox } from "../../app/navigation/search-box.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useLocale, useServices } from "../../app/services/services.ts";
import { type DeletedRecord, deletedQuery } from "../../service/history.ts";
import { idOf } from "../../service/records.ts";
import { Announce } from "../../ui/announce.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { useKeptFocus } from "../../ui/focus/kept-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Icon, Notice, PageTitle } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime, formatRelativeTime, quoted } from "../../values/format.ts";
import { countOf, nameOf, nounsOf } from "../../values/record-name.ts";
import * as styles from "./deleted-page.module.css";
import { NameCell, NameHead } from "./picked-records.tsx";
import { type Failure, useBringBack } from "./use-bring-back.tsx";

export function DeletedPage() {
  useLocale();
  useKeptFocus();
  const { collection: name } = useParams();
  const collection = useCollection(name);
  return collection ? <DeletedRecords key={collection.name} collection={collection} /> : <NotFound />;
}

function DeletedRecords({ collection }: { collection: Collection }) {
  const { client } = useServices();
  const navigate = useNavigate();
  const search: Record<string, string | undefined> = useSearch();
  const q = search.q ?? "";
  const query = useQuery({ ...deletedQuery(client, collection, q, search.cursor), placeholderData: keepPreviousData });
  const { records, next } = query.data ?? {};
  const go = (next: Record<string, string>, replace = false) =>
    navigate({ to: "/$collection/deleted", params: { collection: collection.name }, search: next, replace });
  const isEmpty = records?.length === 0 && q === "" && !next && !query.isPlaceholderData;
  const may = useMay(collection);
  const mayRestore = may("update") !== false && may("create") !== false;
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const { bringBack, isBusy, failures } = useBringBack(collection);
  const chosen = records?.filter((record) => picked.has(idOf(collection, record))) ?? [];
  const pick = (ids: readonly number[], isPicked: boolean) =>
    setPicked(new Set(isPicked ? [...picked, ...ids] : [...picked].filter((one) => !ids.includes(one))));
  const restore = (which: readonly DeletedRecord[]) => bringBack(which).then(() => setPicked(new Set()));
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Deleted {nouns}", nounsOf(collection))}</PageTitle>
        <Link className="button" to="/$collection" params={{ collection: collection.name }}>
          {t("Back to the list")}
        </Link>
      </div>
      {failures.length > 0 && <Failures collection={collection} failures={failures} />}
      {records && !isEmpty && (
        <search className={pageStyles.tools}>
          <SearchBox
            label={t("Find deleted {nouns}", nounsOf(collection))}
            path={`/${collection.name}/deleted`}
            query={q}
            className={styles.search}
            onSearch={(sought) => go(searchOf(sought), q !== "")}
          />
        </search>
      )}
      <Loading query={query} />
      {q !== "" && <Announce text={records && !query.isPlaceholderData ? countOf(collection, records.length) : ""} />}
      {records?.length === 0 && q !== "" && <p className={textStyles.dim}>{t("Nothing deleted matches {name}.", { name: quoted(q) })}</p>}
      {isEmpty && (
        <div className={pageStyles.empty}>
          <Icon of={Trash2} isLarge />
          <b>{t("Nothing is deleted")}</b>
          <span className={textStyles.dim}>{t("Deleted {nouns} are listed here and can be brought back.", nounsOf(collection))}</span>
        </div>
      )}
      {records && records.length > 0 && (
        <DeletedTable
          collection={collection}
          records={records}
          picked={picked}
          onPick={mayRestore ? pick : undefined}
          onBringBack={(record) => isBusy || restore([record])}
        />
      )}
      {chosen.length > 0 && (
        <div className={formStyles.longSavebar}>
          <button type="button" className={buttonStyles.primary} aria-disabled={isBusy} onClick={() => isBusy || restore(chosen)}>
            {count(chosen.length, "Bring back {n}", "Bring back {n}")}
          </button>
        </div>
      )}
      {(next || search.cursor) && (
        <div className={styles.actions}>
          {search.cursor && (
            <button type="button" onClick={() => go(searchOf(q))}>
              {t("First page")}
            </button>
          )}
          {next && (
            <Link
              className="button"
              to="/$collection/deleted"
              params={{ collection: collection.name }}
              search={{ ...searchOf(q), cursor: next } as Record<string, string>}
            >
              {t("Show earlier")}
            </Link>
          )}
        </div>
      )}
    </main>
  );
}

/** Makes the search of the page's address. */
function searchOf(q: string): Record<string, string> {
  return q === "" ? {} : { q };
}

function Failures({ collection, failures }: { collection: Collection; failures: readonly Failure[] }) {
  return (
    <Notice tone="wrong">
      <b>{count(failures.length, "{n} record could not be brought back.", "{n} records could not be brought back.")}</b>
      <ul>
        {failures.map(({ id, name, why, isThere }) => (
          <li key={id}>
            <bdi>{name}</bdi>: {why}{" "}
            {isThere && (
              <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
                {t("Open it")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface DeletedTableProps {
  collection: Collection;
  records: readonly DeletedRecord[];
  picked: ReadonlySet<number>;
  /** Undefined: the caller may bring nothing back. */
  onPick: ((ids: readonly number[], isPicked: boolean) => void) | undefined;
  onBringBack: (record: DeletedRecord) => void;
}

function DeletedTable({ collection, records, picked, onPick, onBringBack }: DeletedTableProps) {
  const ids = records.map((record) => idOf(collection, record));
  return (
    <StackedTable
      area={t("All deleted {nouns}", nounsOf(collection))}
      label={t("Deleted {nouns}", nounsOf(collection))}
      heads={[<NameHead key="name" {...{ ids, picked, onPick }} />, t("Deleted"), t("By")]}
      actions={onPick && t("Bring back")}
    >
      {records.map((record) => (
        <tr key={idOf(collection, record)}>
          <NameCell {...{ collection, record, picked, onPick }} />
          <td data-title={t("Deleted")}>
            <time dateTime={record.deletedAt} title={formatDatetime(record.deletedAt)}>
              {formatRelativeTime(record.deletedAt)}
            </time>
          </td>
          <td className={tableStyles.wrap} data-title={t("By")}>
            <bdi>{record.deletedBy?.name ?? t("Unknown")}</bdi>
          </td>
          {onPick && (
            <td className={tableStyles.number}>
              <button
                type="button"
                aria-label={t("Bring back {name}", { name: nameOf(collection, record) })}
                onClick={() => onBringBack(record)}
              >
                {t("Bring back")}
              </button>
            </td>
          )}
        </tr>
      ))}
    </StackedTable>
  );
}
