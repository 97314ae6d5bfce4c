// Saves, changes and deletes views at the service. What it answers is what the lists show from then on.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import { VIEWS_PATH } from "../../../core/contract/paths.ts";
import type { View } from "../../../core/contract/views.ts";
import { VIEW_KEYS, viewsQuery } from "./saved-views.ts";

export type NewView = Pick<View, "name" | "collection" | "isShared" | "search"> & { place?: number };
export type ViewChange = Partial<Omit<NewView, "collection">>;

export interface ViewWrites {
  /** Throws ApiError, with VIEW_NAME_TAKEN when there is one of this name. */
  create(view: NewView): Promise<View>;
  /** Throws ApiError, with 412 when somebody changed the view since it was read. */
  change(view: View, change: ViewChange): Promise<View>;
  /** A view that was deleted is there again, under its id, in its place and as its maker's. Throws ApiError. */
  bringBack(view: View): Promise<View>;
  /** One that is gone already is deleted, too. Throws ApiError. */
  remove(view: View): Promise<void>;
  /** As the service has it now; undefined when it is gone or somebody else's own. */
  readAgain(id: string): Promise<View | undefined>;
}

export function useViewWrites(client: Client): ViewWrites {
  const queries = useQueryClient();
  return useMemo(() => createViewWrites(client, queries), [client, queries]);
}

function createViewWrites(client: Client, queries: QueryClient): ViewWrites {
  const update = (next: (views: readonly View[]) => readonly View[]) =>
    queries.setQueryData<readonly View[] | null>(VIEW_KEYS, (views) => views && inOrder(next(views)));
  async function create(body: NewView & Partial<Pick<View, "id" | "createdBy">>): Promise<View> {
    const made = (await client.request("POST", VIEWS_PATH, { body })).json as View;
    update((views) => [...views, made]);
    return made;
  }
  return {
    create,
    bringBack: ({ id, name, collection, isShared, search, place, createdBy }) =>
      create({ id, name, collection, isShared, search, place, ...(createdBy && { createdBy }) }),
    async change(view, change) {
      const { name, isShared, search, version } = view;
      const body = { name, isShared, search, ...change, version };
      const changed = (await client.request("PUT", pathOf(view.id), { body })).json as View;
      update((views) => views.map((one) => (one.id === view.id ? changed : one)));
      return changed;
    },
    async remove({ id }) {
      await client.request("DELETE", pathOf(id)).catch((error) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
      update((views) => views.filter((one) => one.id !== id));
    },
    async readAgain(id) {
      await queries.invalidateQueries({ queryKey: VIEW_KEYS });
      return (await queries.fetchQuery(viewsQuery(client)))?.find((one) => one.id === id);
    },
  };
}

const inOrder = (views: readonly View[]) => [...views].sort((one, other) => one.place - other.place || one.name.localeCompare(other.name));

function pathOf(id: string): string {
  return `${VIEWS_PATH}/${encodeURIComponent(id)}`;
}
