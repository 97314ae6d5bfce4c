// The mark of a collection: the picture that its dictionary chose, or the first letter of its title, on its colour.

import type { IconNode } from "lucide";
import { useEffect, useState } from "react";
import { COLLECTION_COLORS } from "../../../core/dictionary/collection-colors.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import * as styles from "../../ui/monogram.module.css";
import { HUES, hueOf, initials } from "../../ui/monogram.tsx";
import { Icon } from "../../ui/primitives.tsx";
import { useDictionary } from "../services/services.ts";

let icons: Readonly<Record<string, IconNode>> | undefined;

/** Screen readers do not read it: the title stands beside it. Until the pictures are loaded it shows the letter. */
export function CollectionMark({ collection }: { collection: Collection }) {
  const { icon, title } = collection;
  const hue = huesOf(useDictionary().collections).get(collection.name) ?? 0;
  const [, setLoaded] = useState(icons);
  useEffect(() => {
    if (!icon) return;
    if (icons) return setLoaded(icons); // another mark has fetched them since this one was drawn
    import("../../ui/collection-icons.ts").then(
      (module) => {
        icons = module.COLLECTION_ICONS;
        setLoaded(icons);
      },
      () => {}, // the letter stays
    );
  }, [icon]);
  const picture = icon && icons?.[icon];
  return (
    <span className={`${styles.monogram} ${styles.thing} ${HUES[hue]}`} aria-hidden="true">
      {picture ? <Icon of={picture} /> : initials(title, 1)}
    </span>
  );
}

/** Returns the hue of each collection by its name, 0 to 5: the dictionary's, or that of its name, or the next one that no other has. */
export function huesOf(collections: readonly Collection[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  for (const { name, color } of collections) if (color) hues.set(name, COLLECTION_COLORS.indexOf(color));
  for (const { name, color } of collections) {
    if (color) continue;
    const taken = new Set(hues.values());
    let hue = hueOf(name);
    while (taken.has(hue) && taken.size < HUES.length) hue = (hue + 1) % HUES.length;
    hues.set(name, hue);
  }
  return hues;
}
