// The link to a collection, with its mark.

import type { ReactNode } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { homeSearch } from "../../records/query/views.ts";
import { CollectionMark } from "../navigation/collection-mark.tsx";
import { Link } from "../router/link.tsx";
import { useLocation, useParams } from "../router/router-context.tsx";
import { useServices } from "../services/services.ts";
import * as styles from "./sidebar.module.css";

/** With no more collections than these nobody needs favourites. */
export const MOST_IN_SIGHT = 7;

/** `star`: what stands at the end of the link. */
export function CollectionLink({ collection, star }: { collection: Collection; star?: ReactNode }) {
  const { views } = useServices();
  return (
    <div className={styles.collection}>
      <Link
        to="/$collection"
        params={{ collection: collection.name }}
        search={homeSearch(views.of(collection))}
        aria-current={collection.name === useCurrentName() ? "page" : undefined}
        title={collection.title}
      >
        <CollectionMark collection={collection} />
        <span>{collection.title}</span>
      </Link>
      {star}
    </div>
  );
}

/** Returns the name of the collection whose records are shown; not of that whose dictionary is. */
export function useCurrentName(): string | undefined {
  const { collection } = useParams();
  return useLocation().pathname.endsWith("/dictionary") ? undefined : collection;
}
