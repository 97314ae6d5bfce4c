// A collection's list: search as you type, sort, page by page. All of its state stands in the address.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { ApiError } from "../api/client.ts";
import { type ListParameters, listQuery } from "../api/records.ts";
import { Failure, Notice, PageTitle } from "../ui/pieces.tsx";
import { useCollection, useDeps } from "./deps.ts";
import { NotFound } from "./not-found.tsx";
import { RecordTable, RecordTableSkeleton } from "./record-table.tsx";

const DEFAULT_SORT = "-updatedAt"; // what one just entered or changed is at hand
const TYPING_PAUSE_MS = 120;

export function ListPage() {
  const { collection: name } = useParams({ strict: false });
  const collection = useCollection(name);
  if (!collection) return <NotFound />;
  return <List key={collection.name} collection={collection} />;
}

function List({ collection }: { collection: Collection }) {
  const { client } = useDeps();
  const search: ListParameters = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const sort = search.sort ?? DEFAULT_SORT;
  const { data, error, isPlaceholderData, refetch } = useQuery(listQuery(client, collection, { ...search, sort }));
  const isBadQuestion = error instanceof ApiError && error.status === 400;
  const go = (change: ListParameters, replace = false) =>
    navigate({ to: "/$collection", params: { collection: collection.name }, search: { ...search, cursor: undefined, ...change }, replace });

  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{collection.title}</PageTitle>
        <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
          Upload a file
        </Link>
        <Link className="button primary" to="/$collection/new" params={{ collection: collection.name }}>
          {`New ${collection.noun}`}
        </Link>
      </div>
      <search className="tools">
        <SearchBox query={search.q ?? ""} onSearch={(q) => go({ q: q === "" ? undefined : q }, true)} />
        <SortBy collection={collection} sort={sort} onSort={(next) => go({ sort: next === DEFAULT_SORT ? undefined : next })} />
        <span className="hidden" role="status">
          {data && !isPlaceholderData ? `${data.records.length}${data.next ? " or more" : ""} found` : ""}
        </span>
      </search>
      {error && !isBadQuestion && <Failure error={error} retry={() => refetch()} />}
      {isBadQuestion && (
        <Notice tone="wrong">
          This address asks for a list in a way that the service does not know. {error.message}
          <div className="actions">
            <Link className="button" to="/$collection" params={{ collection: collection.name }}>
              Show all
            </Link>
          </div>
        </Notice>
      )}
      {!data && !error && <RecordTableSkeleton collection={collection} />}
      {data && data.records.length > 0 && (
        <RecordTable
          collection={collection}
          records={data.records}
          sort={sort}
          isStale={isPlaceholderData}
          onSort={(next) => go({ sort: next === DEFAULT_SORT ? undefined : next })}
        />
      )}
      {data && data.records.length === 0 && <Nothing collection={collection} q={search.q} onClear={() => go({ q: undefined })} />}
      {data && (data.next || search.cursor) && (
        <nav className="tools" aria-label="Pages">
          <span className="end" />
          {search.cursor && (
            <button type="button" className="button quiet" onClick={() => go({})}>
              First page
            </button>
          )}
          {search.cursor && router.history.canGoBack() && (
            <button type="button" className="button quiet" onClick={() => router.history.back()}>
              ← Previous
            </button>
          )}
          {data.next && (
            <button type="button" className="button quiet" onClick={() => go({ cursor: data.next })}>
              Next →
            </button>
          )}
        </nav>
      )}
    </main>
  );
}

/** On a phone the table has no head to sort by. */
function SortBy({ collection, sort, onSort }: { collection: Collection; sort: string; onSort: (sort: string) => void }) {
  return (
    <label className="sort-by">
      Sort by
      <select value={sort} onChange={(event) => onSort(event.target.value)}>
        <option value={DEFAULT_SORT}>Last changed</option>
        {collection.list.map((field) => (
          <option key={field.name} value={field.name}>
            {field.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Holds what is typed; the address follows after a short pause. A change from elsewhere (back, a link) shows in the box. */
function SearchBox({ query, onSearch }: { query: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(query);
  const told = useRef(query);
  useEffect(() => {
    if (query === told.current) return;
    told.current = query;
    setTyped(query);
  }, [query]);
  useEffect(() => {
    if (typed.trim() === told.current) return;
    const timer = setTimeout(() => {
      told.current = typed.trim();
      onSearch(told.current);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      aria-label="Search"
      placeholder="Search"
      autoComplete="off"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

function Nothing({ collection, q, onClear }: { collection: Collection; q: string | undefined; onClear: () => void }) {
  const plural = collection.title.toLowerCase();
  if (q) {
    return (
      <div className="empty">
        <b>
          No {collection.noun} matches “<bdi>{q}</bdi>”
        </b>
        <span className="dim">Search looks at names and other text: each word you type is the beginning of a word there.</span>
        <div className="actions">
          <button type="button" className="button" onClick={onClear}>
            Clear search
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="empty">
      <b>No {plural} yet</b>
      <span className="dim">Enter the first one by hand, or bring a whole file of them: the two buttons above.</span>
    </div>
  );
}
