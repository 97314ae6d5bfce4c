import { Inbox } from "lucide";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { fill, t, tCount } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useDictionary } from "../../app/services/services.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Icon } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { quoted } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { type ChangeList, isFiltered, type ListState } from "../query/list-url.ts";
import { WriteLinks } from "./write-links.tsx";

interface EmptyListProps {
  collection: Collection;
  state: ListState;
  mayCreate: boolean;
  go: ChangeList;
}

export function EmptyList({ collection, state, mayCreate, go }: EmptyListProps) {
  if (isFiltered(state)) return <NoMatch collection={collection} state={state} go={go} />;
  return (
    <div className={pageStyles.empty}>
      <Icon of={Inbox} isLarge />
      <b>{t("No {nouns} yet", nounsOf(collection))}</b>
      <span className={textStyles.dim}>
        {mayCreate ? t("Enter the first one, or upload a file.") : t("They appear here as soon as someone enters them.")}
      </span>
      {mayCreate && (
        <div>
          <WriteLinks collection={collection} mayCreate />
        </div>
      )}
    </div>
  );
}

function NoMatch({ collection, state, go }: Pick<EmptyListProps, "collection" | "state" | "go">) {
  const { q } = state;
  const narrowing = state.filters.length + Object.keys(state.others).length;
  const { collections } = useDictionary();
  const isAmount = /^[\d.,\s]+$/.test(q) && collection.fields.some(({ kind }) => KIND_TRAITS[kind].input.inputMode === "decimal");
  const parents = new Set(collection.references.map(({ reference }) => reference.collection));
  useFocusFallback("input[type=search]");
  return (
    <div className={pageStyles.empty}>
      <Icon of={Inbox} isLarge />
      <b>
        <NameInSentence name={quoted(q)} text={fill(nothingMatches(q !== "", narrowing), { noun: collection.noun })} />
      </b>
      {q && <span className={textStyles.dim}>{t("The search finds words that start with what you type.")}</span>}
      {isAmount && <span className={textStyles.dim}>{t("A filter finds amounts.")}</span>}
      <div>
        <button type="button" onClick={() => go({ q: "", filters: [], others: {} })}>
          {narrowing > 0 ? t("Clear filters") : t("Clear search")}
        </button>
        {q &&
          collections.map(
            (one) =>
              parents.has(one.name) && (
                <Link key={one.name} className="button" to="/$collection" params={{ collection: one.name }} search={{ q }}>
                  {t("Search {nouns} for it", nounsOf(one))}
                </Link>
              ),
          )}
      </div>
    </div>
  );
}

/** Returns a text with {noun}, and with {name} when there is a search. */
function nothingMatches(isSearch: boolean, filters: number): string {
  if (!isSearch) return tCount(filters, "No {noun} matches this filter", "No {noun} matches these filters");
  if (filters === 0) return t("No {noun} matches {name}");
  return tCount(filters, "No {noun} matches {name} and the filter", "No {noun} matches {name} and the filters");
}
