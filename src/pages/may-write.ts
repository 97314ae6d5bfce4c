// What the key of this session may do with a collection, as the service says it. Decides nothing: the service refuses what it may not.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { mayWriteQuery } from "../api/records.ts";
import { useDeps } from "./deps.ts";

/** Undefined until the service has said it, or could not. A new sign-in may be someone else's. */
export function useWriteRight(collection: Collection): boolean | undefined {
  const { client, session } = useDeps();
  const queries = useQueryClient();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const before = useRef(state);
  const options = mayWriteQuery(client, collection);
  const { data, failureCount } = useQuery(options);
  useEffect(() => {
    if (before.current === "ended" && state === "in") queries.invalidateQueries(options);
    before.current = state;
  });
  return data ?? (failureCount > 0 ? true : undefined);
}

/** Writing is offered until the service says that this session may not. */
export function useMayWrite(collection: Collection): boolean {
  return useWriteRight(collection) ?? true;
}
