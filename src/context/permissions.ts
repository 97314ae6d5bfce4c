// What this session may do with a collection, as the service says.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Collection } from "../../core/dictionary/collections.ts";
import { invalidatePermissions, mayWriteQuery } from "../api/records.ts";
import { useServices } from "./services.ts";

/** Undefined while unknown. If the service cannot say, writing is offered. */
export function useWritePermission(collection: Collection): boolean | undefined {
  const { client } = useServices();
  const { data, failureCount } = useQuery(mayWriteQuery(client, collection));
  return data ?? (failureCount > 0 ? true : undefined);
}

/** Reloads the permissions after a new sign-in, which may be someone else's. Called once, by the layout. */
export function useRefreshPermissions(): void {
  const { session } = useServices();
  const queries = useQueryClient();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === "expired" && state === "signedIn") void invalidatePermissions(queries);
    before.current = state;
  });
}

/** True until the service says that this session may not write. */
export function useMayWrite(collection: Collection): boolean {
  return useWritePermission(collection) ?? true;
}
