// Reads what the first page shows, while the code that draws it is still loading.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { isIdText } from "../../core/contract/paths.ts";
import { MOST_COUNTED } from "../home/most-counted.ts";
import { pageQuery, parseListUrl } from "../records/query/list-url.ts";
import { recordQuery } from "../service/cache-updates.ts";
import { dictionaryQuery } from "../service/dictionary.ts";
import { meQuery } from "../service/me.ts";
import { countQuery, listQuery } from "../service/records.ts";
import { viewsQuery } from "../service/saved-views.ts";
import { matchPath, parseSearch, pathBelow, type RoutePath } from "./router/paths.ts";
import { PAGE_CODE } from "./shell/page-code.ts";

interface Parts {
  queries: QueryClient;
  client: Client;
}

/**
 * `at`: the address, `basePath` the folder of index.html. Resolves when the page can be drawn with its records. What fails is read again
 * by the page, which says so.
 */
export async function readAhead({ queries, client }: Parts, at: Pick<Location, "pathname" | "search">, basePath: string): Promise<void> {
  const { route, params } = matchPath(pathBelow(basePath, at.pathname));
  fetchCode(route);
  void queries.prefetchQuery(meQuery(client));
  const isList = route === "/$collection";
  if (isList || route === "/") void queries.prefetchQuery(viewsQuery(client));
  const dictionary = await queries.fetchQuery(dictionaryQuery(client)).catch(() => undefined);
  const collections = dictionary?.collections ?? [];
  if (route === "/") await Promise.all(collections.slice(0, MOST_COUNTED).map((one) => queries.prefetchQuery(countQuery(client, one, {}))));
  const collection = collections.find(({ name }) => name === params.collection);
  if (!collection) return;
  if (isList)
    await queries.prefetchQuery(listQuery(client, collection, pageQuery(collection, parseListUrl(collection, parseSearch(at.search)))));
  if (route === "/$collection/$id" && isIdText(params.id ?? ""))
    await queries.prefetchQuery(recordQuery(client, collection, Number(params.id)));
}

function fetchCode(route: RoutePath | undefined): void {
  const code: Partial<Record<RoutePath, () => Promise<unknown>>> = PAGE_CODE;
  if (route) code[route]?.().catch(() => {});
}
