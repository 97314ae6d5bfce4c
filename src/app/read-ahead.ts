// Reads what the first page shows, while the code that draws it is still loading.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { isIdText } from "../../core/contract/paths.ts";
import { pageQuery, parseListUrl } from "../records/query/list-url.ts";
import { homeSearch, type Views } from "../records/query/views.ts";
import { recordQuery } from "../service/cache-updates.ts";
import { dictionaryQuery } from "../service/dictionary.ts";
import { meQuery } from "../service/me.ts";
import { listQuery } from "../service/records.ts";
import { viewsQuery } from "../service/saved-views.ts";
import { matchPath, parseSearch, pathBelow, type RoutePath } from "./router/paths.ts";
import { PAGE_CODE } from "./shell/page-code.ts";

interface Parts {
  queries: QueryClient;
  client: Client;
  views: Views;
}

/**
 * `at`: the address, `basePath` the folder of index.html. Resolves when the page can be drawn with its records. What fails is read again
 * by the page, which says so.
 */
export async function readAhead(
  { queries, client, views }: Parts,
  at: Pick<Location, "pathname" | "search">,
  basePath: string,
): Promise<void> {
  const { route, params } = matchPath(pathBelow(basePath, at.pathname));
  fetchCode(route);
  void queries.prefetchQuery(meQuery(client));
  const isList = route === "/" || route === "/$collection";
  if (isList) void queries.prefetchQuery(viewsQuery(client));
  const dictionary = await queries.fetchQuery(dictionaryQuery(client)).catch(() => undefined);
  const [first] = dictionary?.collections ?? [];
  const collection = route === "/" ? first : dictionary?.collections.find(({ name }) => name === params.collection);
  if (!collection) return;
  if (isList) {
    const search = route === "/" ? homeSearch(views.of(collection)) : parseSearch(at.search);
    await queries.prefetchQuery(listQuery(client, collection, pageQuery(parseListUrl(collection, search))));
  }
  if (route === "/$collection/$id" && isIdText(params.id ?? ""))
    await queries.prefetchQuery(recordQuery(client, collection, Number(params.id)));
}

function fetchCode(route: RoutePath | undefined): void {
  const code: Partial<Record<RoutePath, () => Promise<unknown>>> = PAGE_CODE;
  if (route) code[route]?.().catch(() => {});
}
