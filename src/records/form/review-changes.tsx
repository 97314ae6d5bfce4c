// Shows on request which fields will be saved: the stored and the typed value of each.

import { type Control, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as textStyles from "../../ui/text.module.css";
import { type Texts, textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { ComparisonTable } from "./comparison-table.tsx";
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
      <ComparisonTable
        label={t("Unsaved changes")}
        before={t("Saved value")}
        after={t("New value")}
        rows={fields.map((field) => ({ field, was: textOf(field, fieldValue(base, field)), is: typed[field.name] ?? "" }))}
        isPicked
      />
    </details>
  );
}
