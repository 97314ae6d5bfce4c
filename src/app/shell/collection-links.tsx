// The links to the collections: one list of a few, and of many the favourites first, then the dictionary's groups.

import { useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../code/lazy-page.tsx";
import { useDictionary, useServices } from "../services/services.ts";
import { CollectionLink, MOST_IN_SIGHT } from "./collection-link.tsx";
import * as styles from "./sidebar.module.css";

/** Few organisations have so many collections, and the first page does not wait for it. */
const GroupedLinks = lazyPart(
  () => import("./grouped-links.tsx"),
  "GroupedLinks",
  () => <PlainLinks />,
);

export function CollectionLinks() {
  const { collections } = useDictionary();
  const { views } = useServices();
  useSyncExternalStore(views.subscribe, () => JSON.stringify(collections.map(views.of)));
  const isPlain = collections.length <= MOST_IN_SIGHT && collections.every(({ group }) => group === collections[0]?.group);
  return isPlain ? <PlainLinks /> : <GroupedLinks />;
}

function PlainLinks() {
  const { collections } = useDictionary();
  return (
    <div className={styles.collections}>
      <small>{collections[0]?.group ?? t("Records")}</small>
      {collections.map((collection) => (
        <CollectionLink key={collection.name} collection={collection} />
      ))}
    </div>
  );
}
