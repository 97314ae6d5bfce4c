// Says what the caller may do with a collection, by the rights that the service names (GET /v1/me).

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { allows, type Right } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { scopesAlongDeletion } from "../../../core/dictionary/deletion-rights.ts";
import { meQuery } from "../../service/me.ts";
import { invalidatePermissions } from "../../service/records.ts";
import { useDictionary, useServices } from "./services.ts";

/** Tells whether the caller has a right: undefined while that is unknown. If the service cannot say, everything is offered. */
export function useMay({ name }: Collection): (right: Right) => boolean | undefined {
  const may = useMayIn();
  return (right) => may(name, right);
}

/** Does the same for whoever has to do with several collections; `collection` is a name. */
export function useMayIn(): (collection: string, right: Right) => boolean | undefined {
  const { client } = useServices();
  const { data: me, failureCount } = useQuery(meQuery(client));
  const { collections } = useDictionary();
  return (collection, right) => {
    if (!me) return failureCount > 0 || undefined;
    const along = right === "delete" ? scopesAlongDeletion({ name: collection }, collections) : [];
    return [`${collection}:${right}` as const, ...along].every((one) => allows(me.scope, one));
  };
}

/** Says whether lists of the collection may leave as files. Until that is known, it is offered. */
export function useMayExport({ name }: Collection): boolean {
  const { client } = useServices();
  return !useQuery(meQuery(client)).data?.unexported?.includes(name);
}

/** A file has new records, or changes of existing ones. */
export function useMayUpload(collection: Collection): boolean | undefined {
  const may = useMay(collection);
  return may("create") || may("update");
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
