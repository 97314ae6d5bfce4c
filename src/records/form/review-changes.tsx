// Shows which fields will be saved: the stored and the typed value of each.

import { type Control, useWatch } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { type Texts, textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import { typedTexts } from "./diff.ts";

export interface ReviewChangesProps {
  collection: Collection;
  base: WireRecord;
  control: Control<Texts, unknown, Fields>;
}

export function ReviewChanges({ collection, base, control }: ReviewChangesProps) {
  const typed = typedTexts(collection, base, useWatch({ control }) as Texts);
  const fields = collection.form.filter(({ name }) => typed[name] !== undefined);
  return (
    <ComparisonTable
      label={t("Unsaved changes")}
      before={t("Saved value")}
      after={t("New value")}
      rows={fields.map((field) => ({ field, was: textOf(field, fieldValue(base, field)), is: typed[field.name] ?? "" }))}
      isPicked
    />
  );
}
