// The state of a list page: its address, the page of records it names, and the selection.

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { useNavigate, useSearch } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { listQuery, type Page } from "../../service/records.ts";
import { type ChangeList, formatListUrl, type ListState, pageQuery, parseListUrl, type Search } from "../query/list-url.ts";
import type { Selection } from "../query/selection.ts";

export function useListAddress(collection: Collection): { state: ListState; go: ChangeList } {
  const search: Search = useSearch();
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
  /** The page to show. While the current one loads, or if it fails, the previous one. */
  shown: Page | undefined;
  /** `shown` does not belong to the current address yet. */
  isStale: boolean;
  isFetching: boolean;
  error: Error | null;
  failures: number;
  /** Is set when the service answered 400 to this address. */
  refused: ApiError | undefined;
  /** The cursor had expired, so this is the first page instead. */
  isBackOnFirstPage: boolean;
  refetch: () => void;
}

export function useListPage(collection: Collection, state: ListState, go: ChangeList): ListPage {
  const { client } = useServices();
  const query = pageQuery(collection, state);
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
    setFirstPageShown(JSON.stringify(pageQuery(collection, { ...state, cursor: undefined })));
    go({}, true);
  }, [collection, refused, state, go]);
  // Records were deleted or added: an empty page, or a first page that is too short, is read again from the start.
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
