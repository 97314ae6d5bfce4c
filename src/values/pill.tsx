import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import * as styles from "./pill.module.css";

const HUES = 6; // pill.module.css

/**
 * A value as `text` shows it: as a coloured pill if it is one of a few categories, each of which has a colour of its own. More
 * values than colours, such as countries, stay plain text, and so does a value that is no longer in the list.
 */
export function Pill({ field, value, text }: { field: Field; value: Value; text: string }) {
  const hue = hasPill(field) ? (field.enum?.indexOf(value) ?? -1) : -1;
  return hue < 0 ? (
    <bdi>{text}</bdi>
  ) : (
    <bdi className={styles.pill} data-hue={hue}>
      {text}
    </bdi>
  );
}

/** Says whether the values of the field are few enough for a colour each. */
export function hasPill({ labels }: Field): boolean {
  return labels !== undefined && labels.size <= HUES;
}
