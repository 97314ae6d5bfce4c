import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import * as styles from "./merge-table.module.css";

interface ComparisonTableProps {
  label: string;
  /** The headings of the two columns of values. */
  before: string;
  after: string;
  /** Texts as inputs have them. */
  rows: readonly { field: Field; was: string; is: string }[];
  /** The second value is the one that will be saved. */
  isPicked?: boolean;
}

/** Shows the values of some fields, before and after. */
export function ComparisonTable({ label, before, after, rows, isPicked = false }: ComparisonTableProps) {
  return (
    <table className={styles.merge} aria-label={label}>
      <thead>
        <tr>
          <th>{t("Field")}</th>
          <th>{before}</th>
          <th>{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, was, is }) => (
          <tr key={field.name}>
            <th scope="row">{field.title}</th>
            <td data-label={before}>
              <ShownText field={field} text={was} />
            </td>
            <td data-label={after} className={isPicked ? styles.picked : undefined}>
              <ShownText field={field} text={is} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
