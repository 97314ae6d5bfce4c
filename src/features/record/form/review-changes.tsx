// Shows on request which fields will be saved: the stored and the typed value of each.

import { type Control, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Fields } from "../../../../core/dictionary/validate.ts";
import { t } from "../../../../core/i18n/translate.ts";
import * as textStyles from "../../../components/text.module.css";
import { displayText, fieldValue, type Texts, textOf } from "../../../fields/field-text.ts";
import { typedTexts } from "./diff.ts";
import * as styles from "./merge-table.module.css";

interface ReviewChangesProps {
  collection: Collection;
  base: WireRecord;
  control: Control<Texts, unknown, Fields>;
}

export function ReviewChanges({ collection, base, control }: ReviewChangesProps) {
  const typed = typedTexts(collection, base, useWatch({ control }) as Texts);
  const fields = collection.form.filter(({ name }) => typed[name] !== undefined);
  if (fields.length === 0) return null;
  return (
    <details className={styles.review}>
      <summary>
        {t("Unsaved changes")} <span className={textStyles.dim}>({fields.length})</span>
      </summary>
      <table className={styles.merge} aria-label={t("Unsaved changes")}>
        <thead>
          <tr>
            <th>{t("Field")}</th>
            <th>{t("Saved value")}</th>
            <th>{t("New value")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.name}>
              <th scope="row">{field.title}</th>
              <td data-label={t("Saved value")}>
                <bdi>{displayText(field, textOf(field, fieldValue(base, field)))}</bdi>
              </td>
              <td data-label={t("New value")} className={styles.picked}>
                <bdi>{displayText(field, typed[field.name] ?? "")}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
