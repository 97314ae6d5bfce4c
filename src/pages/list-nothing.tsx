// What a list says instead of rows: nothing is there yet, or nothing is found.

import { Link } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import { isFiltered, type ListState } from "../list/address.ts";
import { useFocusReturn } from "../ui/focus-return.ts";
import type { Go } from "./list-state.ts";

interface NothingProps {
  collection: Collection;
  state: ListState;
  mayWrite: boolean;
  go: Go;
}

export function Nothing({ collection, state, mayWrite, go }: NothingProps) {
  const plural = collection.title.toLowerCase();
  if (isFiltered(state)) return <NoMatch collection={collection} state={state} go={go} />;
  return (
    <div className="empty">
      <b>No {plural} yet</b>
      <span className="dim">
        {mayWrite ? "Enter the first one by hand, or bring a whole file of them." : "They appear here as soon as someone enters them."}
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
        No {collection.noun} matches {q ? <bdi>“{q}”</bdi> : filters.length === 1 ? "this filter" : "these filters"}
        {q && filters.length > 0 && (filters.length === 1 ? " and the filter" : " and the filters")}
      </b>
      {q && <span className="dim">Each word of a search is the beginning of a word in a name or another text.</span>}
      <div className="actions">
        <button type="button" className="button" onClick={() => go({ q: "", filters: [] })}>
          {filters.length > 0 ? "Clear filters" : "Clear search"}
        </button>
      </div>
    </div>
  );
}

/** For whoever may write: a file of them, or one by hand. */
export function WriteLinks({ collection }: { collection: Collection }) {
  return (
    <>
      <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
        Upload a file
      </Link>
      <Link className="button primary" to="/$collection/new" params={{ collection: collection.name }}>
        {`New ${collection.noun}`}
      </Link>
    </>
  );
}
