// The links to many collections: favourites first, then by the dictionary's groups, which fold.

import { ChevronDown, Star } from "lucide";
import { useEffect, useRef } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Icon } from "../../ui/primitives.tsx";
import { useDictionary, useServices } from "../services/services.ts";
import { CollectionLink, MOST_IN_SIGHT, useCurrentName } from "./collection-link.tsx";
import * as styles from "./sidebar.module.css";

export function GroupedLinks() {
  const { collections } = useDictionary();
  const { views } = useServices();
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
  const starOf = (collection: Collection) => (
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
  );
  const links = (shown: readonly Collection[]) =>
    shown.map((collection) => <CollectionLink key={collection.name} collection={collection} star={hasStars && starOf(collection)} />);
  const fold = (group: readonly Collection[], isFolded: boolean) => {
    for (const one of group) views.put(one, { ...views.of(one), isFolded });
  };
  return (
    <div className={styles.collections} ref={list}>
      {favourites.length > 0 && <small>{t("Favourites")}</small>}
      {links(favourites)}
      {groups.map((name) => {
        const own = others.filter((one) => groupOf(one) === name);
        const isFolded = groups.length > 1 && own.every((one) => views.of(one).isFolded);
        return (
          <div key={name} className={styles.collections}>
            <small>
              {groups.length > 1 ? (
                <button type="button" className={buttonStyles.bare} aria-expanded={!isFolded} onClick={() => fold(own, !isFolded)}>
                  {name}
                  <Icon of={ChevronDown} />
                </button>
              ) : (
                name
              )}
            </small>
            {links(isFolded ? own.filter((one) => one.name === current) : own)}
          </div>
        );
      })}
    </div>
  );
}
