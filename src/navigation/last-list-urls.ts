// Remembers where in each list the user was, so that a record’s page leads back there. It ends with the tab.

import { useLocation } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useState } from "react";

type Search = Record<string, string>;

export const LastListUrlsContext = createContext<ReadonlyMap<string, Search> | undefined>(undefined);

/** Held by the frame: the address of every list that was shown, by the collection's name. */
export function useTrackListUrls(current: string | undefined): ReadonlyMap<string, Search> {
  const [urls] = useState(() => new Map<string, Search>());
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (current && pathname.endsWith(`/${current}`)) urls.set(current, search as Search);
  }, [urls, current, pathname, search]);
  return urls;
}

/** The search parameters of the list as the user left it. */
export function useLastListUrl(collection: string): Search {
  return useContext(LastListUrlsContext)?.get(collection) ?? {};
}
