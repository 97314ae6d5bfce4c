// A line that stands on paper alone: which rows of a list it shows, or of what a record is one, who printed it, and when.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { readValueList } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";
import { describeFilter } from "../../records/query/describe-filter.ts";
import { type Bounds, joinBounds } from "../../records/query/filter-bounds.ts";
import { filteredField, parseListUrl } from "../../records/query/list-url.ts";
import { meQuery } from "../../service/me.ts";
import { formatDatetime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { countOf } from "../../values/record-name.ts";
import { useParents } from "../../values/references/use-parent.ts";
import { useParams, useSearch } from "../router/router-context.tsx";
import { useCollection, useServices } from "../services/services.ts";
import "../../ui/styles/print.css";

export function PrintLine() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { collection: name, id } = useParams();
  const collection = useCollection(name);
  const printed = usePrinted();
  if (!printed) return null;
  return (
    <p data-print-line="" aria-hidden="true">
      {collection && (id === undefined ? <ListWords collection={collection} rows={printed.rows} /> : <span>{collection.title} · </span>)}
      <NameInSentence name={me?.principal.name ?? ""} text={t("Printed {when} by {name}", { when: formatDatetime(printed.at) })} />
    </p>
  );
}

/** Says when the page was last printed, and with how many records. It is drawn before the browser makes the pages. */
function usePrinted(): { at: string; rows: number } | undefined {
  const [printed, setPrinted] = useState<{ at: string; rows: number }>();
  useEffect(() => {
    const rows = () => document.querySelectorAll("main tr[data-id]").length;
    const note = () => flushSync(() => setPrinted({ at: new Date().toISOString(), rows: rows() }));
    window.addEventListener("beforeprint", note);
    return () => window.removeEventListener("beforeprint", note);
  }, []);
  return printed;
}

function ListWords({ collection, rows }: { collection: Collection; rows: number }) {
  const { q, filters } = parseListUrl(collection, useSearch());
  return (
    <>
      {q && <span>{t("Search: {words}", { words: q })} · </span>}
      {joinBounds(collection, filters).map((bounds) => (
        <FilterWords key={`${bounds[0].name} ${bounds[0].operator}`} collection={collection} bounds={bounds} />
      ))}
      {rows > 0 && <span>{t("Here: {count}", { count: countOf(collection, rows) })} · </span>}
    </>
  );
}

function FilterWords({ collection, bounds }: { collection: Collection; bounds: Bounds }) {
  const [filter] = bounds;
  const parents = useParents(filteredField(collection, filter.name)?.reference, readValueList(filter.text) ?? []);
  const { title, condition } = describeFilter(
    collection,
    bounds,
    (field, value) => (field.reference && parents.get(String(value))) ?? formatValue(field, value),
  );
  return (
    <span>
      {title} <bdi>{condition}</bdi> ·{" "}
    </span>
  );
}
