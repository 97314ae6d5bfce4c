// Where in each list the user was last, so that a record's page leads back there. The frame keeps it; it ends with the tab.

import { useLocation } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useState } from "react";

type Search = Record<string, string>;

export const ListPlacesContext = createContext<ReadonlyMap<string, Search> | undefined>(undefined);

/** Held by the frame: the address of every list that was shown, by the collection's name. */
export function useListPlaces(current: string | undefined): ReadonlyMap<string, Search> {
  const [places] = useState(() => new Map<string, Search>());
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (current && pathname.endsWith(`/${current}`)) places.set(current, search as Search);
  }, [places, current, pathname, search]);
  return places;
}

/** The search parameters of the list as the user left it. */
export function useListPlace(collection: string): Search {
  return useContext(ListPlacesContext)?.get(collection) ?? {};
}
