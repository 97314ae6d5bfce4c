// The links to the collections: favourites first, then by the dictionary's groups, which fold.

import { ChevronDown, Star } from "lucide";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { homeSearch } from "../../records/query/views.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Icon } from "../../ui/primitives.tsx";
import { CollectionMark } from "../navigation/collection-mark.tsx";
import { Link } from "../router/link.tsx";
import { useLocation, useParams } from "../router/router-context.tsx";
import { useDictionary, useServices } from "../services/services.ts";
import * as styles from "./sidebar.module.css";

const MOST_IN_SIGHT = 7; // collections: with no more than these nobody needs favourites

export function CollectionLinks() {
  const { collections } = useDictionary();
  const { views, settings } = useServices();
  useSyncExternalStore(views.subscribe, () => JSON.stringify(collections.map(views.of)));
  const { closedGroups } = useSyncExternalStore(settings.subscribe, settings.current);
  const current = useCurrentName();
  const starred = useRef<string>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const hasStars = collections.length > MOST_IN_SIGHT;
  const isFavourite = (one: Collection) => hasStars && views.of(one).isFavourite === true;
  const groupOf = ({ group }: Collection) => group ?? t("Records");
  const others = collections.filter((one) => !isFavourite(one));
  const groups = [...new Set(others.map(groupOf))];
  const favourites = collections.filter(isFavourite);
  // The link has moved, and the focus with it.
  useEffect(() => {
    if (starred.current) list.current?.querySelector<HTMLElement>(`[data-star="${starred.current}"]`)?.focus();
    starred.current = undefined;
  });
  const links = (shown: readonly Collection[]) =>
    shown.map((collection) => (
      <div className={styles.collection} key={collection.name}>
        <Link
          to="/$collection"
          params={{ collection: collection.name }}
          search={homeSearch(views.of(collection))}
          aria-current={collection.name === current ? "page" : undefined}
          title={collection.title}
        >
          <CollectionMark collection={collection} />
          <span>{collection.title}</span>
        </Link>
        {hasStars && (
          <button
            type="button"
            className={`${buttonStyles.bare} ${styles.star}`}
            data-star={collection.name}
            aria-pressed={isFavourite(collection)}
            aria-label={t("Favourite: {title}", { title: collection.title })}
            onClick={() => {
              starred.current = collection.name;
              views.put(collection, { ...views.of(collection), isFavourite: !isFavourite(collection) });
            }}
          >
            <Icon of={Star} />
          </button>
        )}
      </div>
    ));
  const toggle = (name: string) =>
    settings.change({
      closedGroups: closedGroups.includes(name) ? closedGroups.filter((one) => one !== name) : [...closedGroups, name],
    });
  return (
    <div className={styles.collections} ref={list}>
      {favourites.length > 0 && <small>{t("Favourites")}</small>}
      {links(favourites)}
      {groups.map((name) => {
        const own = others.filter((one) => groupOf(one) === name);
        const isClosed = closedGroups.includes(name) && groups.length > 1;
        return (
          <div key={name} className={styles.collections}>
            <small>
              {groups.length > 1 ? (
                <button type="button" className={buttonStyles.bare} aria-expanded={!isClosed} onClick={() => toggle(name)}>
                  {name}
                  <Icon of={ChevronDown} />
                </button>
              ) : (
                name
              )}
            </small>
            {links(isClosed ? own.filter((one) => one.name === current) : own)}
          </div>
        );
      })}
    </div>
  );
}

/** The collection whose records are shown; not that whose dictionary is. */
function useCurrentName(): string | undefined {
  const { collection } = useParams();
  return useLocation().pathname.endsWith("/dictionary") ? undefined : collection;
}
