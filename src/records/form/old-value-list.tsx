// Values that were stored under earlier rules. They are named, and in nobody's way (decision 0209).

import type { Problem } from "../../../core/contract/problems.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { goToInput, useFieldId } from "../../values/field-id.ts";
import { problemMessage } from "../../values/field-text.ts";

export interface OldValueListProps {
  collection: Collection;
  /** The stored record. */
  record: WireRecord;
  /** The fields that have an input here; the others are changed on the record's page. */
  inputs: readonly Field[];
  /** Holds what is wrong with the stored record by the rules of today. */
  problems: readonly Problem[];
}

export function OldValueList({ collection, record, inputs, problems }: OldValueListProps) {
  const idOf = useFieldId();
  const broken = problems.flatMap((problem) => {
    const field = collection.byName.get(problem.field);
    return field ? [{ field, message: problemMessage(field, problem) }] : [];
  });
  if (broken.length === 0) return null;
  const params = { collection: collection.name, id: String(record[collection.key.name]) };
  return (
    <div className={noticeStyles.notice} role="note">
      {t("Stored under earlier rules; it may stay until somebody changes it:")}
      <ul>
        {broken.map(({ field, message }) => (
          <li key={field.name}>
            {inputs.includes(field) ? (
              <button type="button" className={buttonStyles.link} onClick={() => goToInput(document.getElementById(idOf(field.name)))}>
                {message}
              </button>
            ) : (
              <Link to="/$collection/$id" params={params}>
                {message}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
