// A line that stands on paper alone: by what a list is filtered, who printed the page, and when.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { readValueList } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";
import { describeFilter } from "../../records/query/describe-filter.ts";
import { type Bounds, joinBounds } from "../../records/query/filter-bounds.ts";
import { fieldOf, parseListUrl } from "../../records/query/list-url.ts";
import { meQuery } from "../../service/me.ts";
import { formatDatetime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { useParents } from "../../values/references/use-parent.ts";
import { useParams, useSearch } from "../router/router-context.tsx";
import { useCollection, useServices } from "../services/services.ts";
import "../../ui/styles/print.css";

export function PrintLine() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { collection: name, id } = useParams();
  const collection = useCollection(name);
  const at = usePrintTime();
  if (!at) return null;
  return (
    <p data-print-line="" aria-hidden="true">
      {collection && id === undefined && <ListWords collection={collection} />}
      <NameInSentence name={me?.principal.name ?? ""} text={t("Printed {when} by {name}", { when: formatDatetime(at) })} />
    </p>
  );
}

/** When the page was last printed. It is drawn before the browser makes the pages. */
function usePrintTime(): string | undefined {
  const [at, setAt] = useState<string>();
  useEffect(() => {
    const note = () => flushSync(() => setAt(new Date().toISOString()));
    window.addEventListener("beforeprint", note);
    return () => window.removeEventListener("beforeprint", note);
  }, []);
  return at;
}

function ListWords({ collection }: { collection: Collection }) {
  const { q, filters } = parseListUrl(collection, useSearch());
  return (
    <>
      {q && <span>{t("Search: {words}", { words: q })} · </span>}
      {joinBounds(collection, filters).map((bounds) => (
        <FilterWords key={`${bounds[0].name} ${bounds[0].operator}`} collection={collection} bounds={bounds} />
      ))}
    </>
  );
}

function FilterWords({ collection, bounds }: { collection: Collection; bounds: Bounds }) {
  const [filter] = bounds;
  const parents = useParents(fieldOf(collection, filter.name)?.reference, readValueList(filter.text) ?? []);
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
