// The saved views with the number of records that each shows, one's own first.

import { useQueries, useQuery } from "@tanstack/react-query";
import type { View } from "../../core/contract/views.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { useServices } from "../app/services/services.ts";
import { matchQuery, parseListUrl, VIEW_PARAMETER } from "../records/query/list-url.ts";
import { openView } from "../records/query/list-views.ts";
import { countQuery } from "../service/records.ts";
import { viewsQuery } from "../service/saved-views.ts";
import { formatNumber } from "../values/format.ts";
import { Card } from "./card.tsx";
import * as styles from "./home-page.module.css";

const MOST_SHOWN = 6; // each is counted, which is a request

interface ShownView {
  view: View;
  collection: Collection;
  /** The address of its list, without the view itself. */
  search: Record<string, string>;
}

export function ViewsCard({ collections }: { collections: readonly Collection[] }) {
  const { client } = useServices();
  const { data: views = [] } = useQuery(viewsQuery(client));
  const shown = ownFirst(views)
    .flatMap((view): ShownView[] => {
      const collection = collections.find(({ name }) => name === view.collection);
      return collection ? [{ view, collection, search: openView(collection, view.search).search }] : [];
    })
    .slice(0, MOST_SHOWN);
  const counts = useQueries({
    queries: shown.map(({ collection, search }) =>
      countQuery(client, collection, matchQuery(collection, parseListUrl(collection, search))),
    ),
  });
  if (shown.length === 0) return null;
  return (
    <Card title={t("My views")}>
      <ul className={styles.points}>
        {shown.map(({ view, collection, search }, i) => {
          const counted = counts[i]?.data;
          return (
            <li key={view.id}>
              <Link to="/$collection" params={{ collection: collection.name }} search={{ ...search, [VIEW_PARAMETER]: view.id }}>
                <bdi>{view.name}</bdi> {collections.length > 1 && <span className={styles.note}>{collection.title}</span>}
                <b>{counted && `${formatNumber(counted.total)}${counted.totalIsAtLeast ? "+" : ""}`}</b>
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Views that only their maker sees come before those for everybody; each in the order of the tabs. */
function ownFirst(views: readonly View[]): View[] {
  return [...views.filter(({ isShared }) => !isShared), ...views.filter(({ isShared }) => isShared)];
}
