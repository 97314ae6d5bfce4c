import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import * as styles from "./pill.module.css";

const HUES = 6; // pill.module.css

/** Draws a value of a closed list, as `text` shows it: its place in the list gives it one of six colours. One that left the list is plain text. */
export function Pill({ field, value, text }: { field: Field; value: Value; text: string }) {
  const at = field.enum?.indexOf(value) ?? -1;
  return at < 0 ? (
    <bdi>{text}</bdi>
  ) : (
    <bdi className={styles.pill} data-hue={at % HUES}>
      {text}
    </bdi>
  );
}

/** Says whether the values of the field are few enough for a colour each. */
export function hasPill({ labels, isPerson }: Field): boolean {
  return labels !== undefined && !isPerson && labels.size <= HUES;
}
