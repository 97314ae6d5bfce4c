// The mark of a collection: the picture that its dictionary chose, or the first letter of its title, on its colour.

import type { IconNode } from "lucide";
import { useEffect, useState } from "react";
import { COLLECTION_COLORS, type Collection } from "../../core/dictionary/collections.ts";
import * as styles from "../ui/monogram.module.css";
import { HUES, hueOf, initials } from "../ui/monogram.tsx";
import { Icon } from "../ui/primitives.tsx";

let icons: Readonly<Record<string, IconNode>> | undefined;

/** Screen readers do not read it: the title stands beside it. Until the pictures are loaded it shows the letter. */
export function CollectionMark({ collection }: { collection: Collection }) {
  const { icon, color, title, name } = collection;
  const [, setLoaded] = useState(icons);
  useEffect(() => {
    if (!icon || icons) return;
    import("../ui/collection-icons.ts").then(
      (module) => {
        icons = module.COLLECTION_ICONS;
        setLoaded(icons);
      },
      () => {}, // the letter stays
    );
  }, [icon]);
  const picture = icon && icons?.[icon];
  const hue = color ? COLLECTION_COLORS.indexOf(color) : hueOf(name);
  return (
    <span className={`${styles.monogram} ${styles.thing} ${HUES[hue]}`} aria-hidden="true">
      {picture ? <Icon of={picture} /> : initials(title, 1)}
    </span>
  );
}
