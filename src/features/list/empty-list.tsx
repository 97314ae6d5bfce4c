// What a list says instead of rows: nothing is there yet, or nothing is found.

import { Link } from "@tanstack/react-router";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { fill, say, sayCount } from "../../../core/i18n/translate.ts";
import { useFocusReturn } from "../../components/focus-return.ts";
import { nounsOf } from "../../fields/record-name.ts";
import { Named } from "../../fields/record-name-text.tsx";
import { isFiltered, type ListState } from "../../state/list-url.ts";
import type { Go } from "./use-list.ts";

interface NothingProps {
  collection: Collection;
  state: ListState;
  mayWrite: boolean;
  go: Go;
}

export function Nothing({ collection, state, mayWrite, go }: NothingProps) {
  if (isFiltered(state)) return <NoMatch collection={collection} state={state} go={go} />;
  return (
    <div className="empty">
      <b>{say("No {nouns} yet", nounsOf(collection))}</b>
      <span className="dim">
        {mayWrite
          ? say("Enter the first one by hand, or bring a whole file of them.")
          : say("They appear here as soon as someone enters them.")}
      </span>
      {mayWrite && (
        <div className="actions">
          <WriteLinks collection={collection} />
        </div>
      )}
    </div>
  );
}

function NoMatch({ collection, state: { q, filters }, go }: Pick<NothingProps, "collection" | "state" | "go">) {
  useFocusReturn("input[type=search]");
  return (
    <div className="empty">
      <b>
        <Named name={`“${q}”`} text={fill(nothingMatches(q !== "", filters.length), { noun: collection.noun })} />
      </b>
      {q && <span className="dim">{say("Each word of a search is the beginning of a word in a name or another text.")}</span>}
      <div className="actions">
        <button type="button" className="button" onClick={() => go({ q: "", filters: [] })}>
          {filters.length > 0 ? say("Clear filters") : say("Clear search")}
        </button>
      </div>
    </div>
  );
}

/** With {noun}, and with {name} where something was searched. */
function nothingMatches(isSearch: boolean, filters: number): string {
  if (!isSearch) return sayCount(filters, "No {noun} matches this filter", "No {noun} matches these filters");
  if (filters === 0) return say("No {noun} matches {name}");
  return sayCount(filters, "No {noun} matches {name} and the filter", "No {noun} matches {name} and the filters");
}

export function UploadLink({ collection }: { collection: Collection }) {
  return (
    <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
      {say("Upload a file")}
    </Link>
  );
}

/** For whoever may write: a file of them, or one by hand. */
export function WriteLinks({ collection }: { collection: Collection }) {
  return (
    <>
      <UploadLink collection={collection} />
      <Link className="button primary" to="/$collection/new" params={{ collection: collection.name }}>
        {say("New {noun}", { noun: collection.noun })}
      </Link>
    </>
  );
}
