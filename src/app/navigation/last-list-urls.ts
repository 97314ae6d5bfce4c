// Remembers where in each list the user was, so that a record’s page leads back there. It ends with the tab.

import { createContext, useContext, useEffect, useState } from "react";
import { useLocation } from "../router/router-context.tsx";

type Search = Record<string, string>;

export const LastListUrlsContext = createContext<ReadonlyMap<string, Search> | undefined>(undefined);

/** Keeps the search parameters of every list that was shown, by collection. Is called once, by the layout. */
export function useTrackListUrls(current: string | undefined): ReadonlyMap<string, Search> {
  const [urls] = useState(() => new Map<string, Search>());
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (current && pathname.endsWith(`/${current}`)) urls.set(current, search as Search);
  }, [urls, current, pathname, search]);
  return urls;
}

/** Returns the search parameters with which the user left the list. */
export function useLastListUrl(collection: string): Search {
  return useContext(LastListUrlsContext)?.get(collection) ?? {};
}
