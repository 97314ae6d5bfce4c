// The state of a list page: its address, the page of records it names, and the selection.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../../client/http-client.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { listQuery, type Page } from "../../api/records.ts";
import { useServices } from "../../context/services.ts";
import { formatListUrl, type ListState, pageQuery, parseListUrl, type Search } from "../../state/list-url.ts";
import type { Selection } from "../../state/selection.ts";

/** Whatever changes leads to the first page, unless a cursor is given. `replace`: no step in the history. */
export type ChangeList = (change: Partial<ListState>, replace?: boolean) => void;

/** What most parts of a list are given. */
export interface ListParts {
  collection: Collection;
  state: ListState;
  go: ChangeList;
}

export function useListAddress(collection: Collection): { state: ListState; go: ChangeList } {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(() => parseListUrl(collection, search), [collection, search]);
  const go: ChangeList = useCallback(
    (change, replace = false) => {
      const next = formatListUrl({ ...state, cursor: undefined, ...change });
      navigate({ to: "/$collection", params: { collection: collection.name }, search: next, replace, resetScroll: false });
    },
    [collection, state, navigate],
  );
  return { state, go };
}

export interface ListPage {
  /** The rows on the screen: while the answer is on its way, or does not come, those of before. */
  shown: Page | undefined;
  /** The rows are not those of this address yet. */
  isStale: boolean;
  isFetching: boolean;
  error: Error | null;
  failures: number;
  /** The address asks for something that the service refuses. */
  refused: ApiError | undefined;
  /** The place in the list was no more; this is its first page. */
  isBackOnFirstPage: boolean;
  refetch: () => void;
}

export function useListPage(collection: Collection, state: ListState, go: ChangeList): ListPage {
  const { client } = useServices();
  const query = pageQuery(state);
  const found = useQuery(listQuery(client, collection, query));
  const { data, error, isPlaceholderData, isFetching, errorUpdateCount, refetch } = found;
  const [firstPageShown, setFirstPageShown] = useState<string>();
  const last = useRef<Page>(undefined);
  const refused = error instanceof ApiError && error.status === 400 ? error : undefined;
  useEffect(() => {
    if (data && !isPlaceholderData) last.current = data;
  }, [data, isPlaceholderData]);
  useEffect(() => {
    if (refused?.code !== "BAD_CURSOR" || !state.cursor) return;
    setFirstPageShown(JSON.stringify(pageQuery({ ...state, cursor: undefined })));
    go({}, true);
  }, [refused, state, go]);
  // Rows come and go: a page that holds none any more, or the first one read from behind and too short, is read anew.
  const isPartial =
    data && !isPlaceholderData && !data.prev && state.cursor && (data.records.length === 0 || data.records.length < state.limit);
  useEffect(() => {
    if (isPartial && (data.next || data.records.length === 0)) go({}, true);
  }, [isPartial, data, go]);
  return {
    shown: data ?? (error && !refused ? last.current : undefined),
    isStale: isPlaceholderData || (!data && error !== null),
    isFetching,
    error: refused?.code === "BAD_CURSOR" ? null : error,
    failures: errorUpdateCount,
    refused: refused?.code === "BAD_CURSOR" ? undefined : refused,
    isBackOnFirstPage: firstPageShown === JSON.stringify(query),
    refetch: useCallback(() => void refetch(), [refetch]),
  };
}

export function useSelection(collection: Collection): [Selection, (selection: Selection) => void] {
  const { selections } = useServices();
  const selection = useSyncExternalStore(selections.subscribe, () => selections.of(collection));
  return [selection, useCallback((next) => selections.put(collection, next), [selections, collection])];
}
