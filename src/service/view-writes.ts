// Saves, changes and deletes views at the service. What it answers is what the lists show from then on.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { VIEWS_PATH } from "../../core/contract/paths.ts";
import type { View } from "../../core/contract/views.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { VIEW_KEYS, viewsQuery } from "./saved-views.ts";

/** `id`: 16 hexadecimal digits, the same at each attempt. */
export type NewView = Pick<View, "name" | "collection" | "isShared" | "search"> & Partial<Pick<View, "id" | "place">>;
export type ViewChange = Partial<Omit<NewView, "collection" | "id">>;

export interface ViewWrites {
  /** One that an earlier attempt has made is changed to this. Throws ApiError, with VIEW_NAME_TAKEN when there is another of this name. */
  create(view: NewView): Promise<View>;
  /** Throws ApiError, with 412 when somebody changed the view since it was read, and not to the same. */
  change(view: View, change: ViewChange): Promise<View>;
  /** A view that was deleted is there again, under its id, in its place and as its maker's. Throws ApiError. */
  bringBack(view: View): Promise<View>;
  /** One that is gone already is deleted, too. Throws ApiError. */
  remove(view: View): Promise<void>;
  /** Reads it as the service has it now; undefined when it is gone or somebody else's own. */
  readAgain(id: string): Promise<View | undefined>;
}

export function useViewWrites(client: Client): ViewWrites {
  const queries = useQueryClient();
  return useMemo(() => createViewWrites(client, queries), [client, queries]);
}

function createViewWrites(client: Client, queries: QueryClient): ViewWrites {
  const update = (next: (views: readonly View[]) => readonly View[]) =>
    queries.setQueryData<readonly View[] | null>(VIEW_KEYS, (views) => views && inOrder(next(views)));
  async function readAgain(id: string): Promise<View | undefined> {
    await queries.invalidateQueries({ queryKey: VIEW_KEYS });
    return (await queries.fetchQuery(viewsQuery(client)))?.find((one) => one.id === id);
  }
  /** Throws `error` when the view is not there. */
  async function foundAfter(error: unknown, status: number, id: string | undefined): Promise<View> {
    const found = id !== undefined && error instanceof ApiError && error.status === status ? await readAgain(id) : undefined;
    if (!found) throw error;
    return found;
  }
  async function create(body: NewView & Partial<Pick<View, "createdBy">>): Promise<View> {
    try {
      const made = (await client.request("POST", VIEWS_PATH, { body })).json as View;
      update((views) => [...views, made]);
      return made;
    } catch (error) {
      const { collection: _, id, createdBy: __, ...wanted } = body;
      const found = await foundAfter(error, 409, id); // made by an attempt that got no answer
      return isLike(found, wanted) ? found : change(found, wanted);
    }
  }
  async function change(view: View, wanted: ViewChange): Promise<View> {
    const { name, isShared, search, version } = view;
    try {
      const body = { name, isShared, search, ...wanted, version };
      const changed = (await client.request("PUT", pathOf(view.id), { body })).json as View;
      update((views) => views.map((one) => (one.id === view.id ? changed : one)));
      return changed;
    } catch (error) {
      const found = await foundAfter(error, 412, view.id);
      if (isLike(found, { name, isShared, search, ...wanted })) return found; // by an attempt that got no answer
      throw error;
    }
  }
  return {
    create,
    change,
    readAgain,
    bringBack: ({ id, name, collection, isShared, search, place, createdBy }) =>
      create({ id, name, collection, isShared, search, place, ...(createdBy && { createdBy }) }),
    async remove({ id }) {
      await client.request("DELETE", pathOf(id)).catch((error) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
      update((views) => views.filter((one) => one.id !== id));
    },
  };
}

function isLike(view: View, wanted: ViewChange): boolean {
  const textOf = (value: unknown) => JSON.stringify(value, typeof value === "object" ? Object.keys(value ?? {}).sort() : null);
  return Object.entries(wanted).every(([name, value]) => textOf(view[name as keyof View]) === textOf(value));
}

const inOrder = (views: readonly View[]) => [...views].sort((one, other) => one.place - other.place || compareNames(one.name, other.name));

function pathOf(id: string): string {
  return `${VIEWS_PATH}/${encodeURIComponent(id)}`;
}
