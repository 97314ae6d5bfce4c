// The mark of a person or a thing: one or two letters on a colour that follows from the name.

import * as styles from "./monogram.module.css";

/** Classes of the hues, in the order of the tokens `--hue-0` to `--hue-5`. */
export const HUES = [styles.hue0, styles.hue1, styles.hue2, styles.hue3, styles.hue4, styles.hue5] as const;

/** Draws the letters alone. A screen reader hears the name that stands beside them, so they are hidden from it. */
export function Monogram({ name, kind = "person" }: { name: string; kind?: "person" | "thing" }) {
  const isThing = kind === "thing";
  return (
    <span className={`${styles.monogram} ${HUES[hueOf(name)]} ${isThing ? styles.thing : ""}`} aria-hidden="true">
      {initials(name, isThing ? 1 : 2)}
    </span>
  );
}

/** Returns up to `most` first letters of the first and the last word, in capitals: "Zoë van 't Hoff" is "ZH". A name without letters is "·". */
export function initials(name: string, most = 2): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const chosen = most > 1 && words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const letters = chosen.map((word = "") => word.match(/^\p{L}\p{M}*|^\p{N}/u)?.[0] ?? "");
  return letters.join("").toLocaleUpperCase() || "·";
}

/** Returns which of the six hues a name has, 0 to 5: the same at every visit and on every machine (FNV-1a of its code units). */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return hash % HUES.length;
}
