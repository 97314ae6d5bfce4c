// Shows the lists that left as files: when, how many rows, by which filters, and who took them.

import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide";
import type { ExportEntry } from "../../core/contract/history.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readFilterName } from "../../core/dictionary/filters.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import { describeFilter } from "../records/query/describe-filter.ts";
import { joinBounds } from "../records/query/filter-bounds.ts";
import { filteredField, parseListUrl } from "../records/query/list-url.ts";
import { exportsQuery } from "../service/history.ts";
import { Announce } from "../ui/announce.tsx";
import * as pageStyles from "../ui/page.module.css";
import { Icon } from "../ui/primitives.tsx";
import * as textStyles from "../ui/text.module.css";
import { nameOfPrincipal } from "../values/change-words.ts";
import { count, formatDatetime, formatTime } from "../values/format.ts";
import { formatValue } from "../values/format-value.ts";
import { PrincipalMark } from "../values/principal-mark.tsx";
import { ActivityFilters } from "./activity-filters.tsx";
import { byDay } from "./activity-list.tsx";
import * as styles from "./activity-page.module.css";
import { type ActivityState, exportsOf, isFiltered } from "./activity-url.ts";
import { Pages } from "./pages.tsx";

export function ExportList({ state, go }: { state: ActivityState; go: (change: ActivityState) => void }) {
  const { client } = useServices();
  const { collections } = useDictionary();
  const query = useQuery(exportsQuery(client, exportsOf(state)));
  const { data } = query;
  const exports = data?.exports ?? [];
  return (
    <>
      <ActivityFilters state={state} go={go} seen={exports.flatMap(({ by }) => by ?? [])} />
      <Announce text={data && !query.isPlaceholderData ? count(exports.length, "{n} entry", "{n} entries") : ""} />
      <Loading query={query} />
      {data && exports.length === 0 && (
        <div className={pageStyles.empty}>
          <Icon of={FileDown} isLarge />
          <b>{isFiltered(state) ? t("Nothing matches these filters") : t("No list has been exported yet")}</b>
          <span className={textStyles.dim}>
            {t("Every list that is saved as a file is listed here, with who took it. It is kept for a year.")}
          </span>
        </div>
      )}
      {byDay(exports).map(([day, ofDay]) => (
        <section key={day} className={styles.day}>
          <h2>{day}</h2>
          <ol>
            {ofDay.map((one) => (
              <ExportLine key={one.id} entry={one} collection={collections.find(({ name }) => name === one.collection)} />
            ))}
          </ol>
        </section>
      ))}
      <Pages state={state} go={go} next={data?.next ?? null} />
    </>
  );
}

function ExportLine({ entry, collection }: { entry: ExportEntry; collection: Collection | undefined }) {
  const { at, by, query } = entry;
  const search = Object.fromEntries(new URLSearchParams(query ?? ""));
  const title = collection?.title ?? entry.collection;
  return (
    <li>
      <time dateTime={at} title={formatDatetime(at)}>
        {formatTime(at)}
      </time>
      <span className={styles.subject}>
        <span className={styles.operation} data-operation={entry.complete ? "many" : "stopped"}>
          {rowsOf(entry)}
        </span>{" "}
        <span>
          {collection ? (
            <Link to="/$collection" params={{ collection: collection.name }} search={search}>
              {title}
            </Link>
          ) : (
            title
          )}
          {collection && <span className={textStyles.note}> {filtersOf(collection, entry, search)}</span>}
        </span>
      </span>
      <span className={`${textStyles.note} ${styles.who}`}>
        {by && (
          <>
            <PrincipalMark by={by} source="form" />
            <bdi>{nameOfPrincipal(by)}</bdi>
          </>
        )}
      </span>
    </li>
  );
}

function rowsOf({ rows, complete }: ExportEntry): string {
  if (rows === null) return t("not ended");
  return complete ? count(rows, "{n} row", "{n} rows") : count(rows, "stopped after {n} row", "stopped after {n} rows");
}

/** Names the filters, with their values where the reader is told them; else the fields they are of. */
function filtersOf(collection: Collection, { filter, query }: ExportEntry, search: Record<string, string>): string {
  if (query === null) {
    const titleOf = (name: string) => filteredField(collection, readFilterName(name)?.name ?? "")?.title ?? name;
    return [...new Set(filter.map((name) => (name === "q" ? t("a search") : titleOf(name))))].join(", ");
  }
  const { q, filters, others } = parseListUrl(collection, search);
  const described = joinBounds(collection, filters).map((one) =>
    describeFilter(collection, one, (field, value) => formatValue(field, value)),
  );
  return [
    ...(q ? [t("Search: {words}", { words: q })] : []),
    ...described.map(({ title, condition }) => `${title} ${condition}`),
    ...Object.entries(others).map(([name, value]) => `${name} ${value}`),
  ].join(", ");
}
