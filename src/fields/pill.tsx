import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import * as styles from "./pill.module.css";

const HUES = 6; // pill.module.css

/** A value of a closed list, as `text` shows it. */
export function Pill({ field, value, text }: { field: Field; value: Value; text: string }) {
  return (
    <bdi className={styles.pill} data-hue={Math.max(0, field.enum?.indexOf(value) ?? 0) % HUES}>
      {text}
    </bdi>
  );
}
