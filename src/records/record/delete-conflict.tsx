import { type RefObject, useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { textOf } from "../../values/field-text.ts";
import { ComparisonTable } from "../form/comparison-table.tsx";
import { changedMeanwhile } from "../form/diff.ts";

interface DeleteConflictProps {
  collection: Collection;
  seen: WireRecord;
  theirs: WireRecord;
  onDelete: () => void;
  onKeep: () => void;
}

/** Asks before a record is deleted that someone else changed after it was opened. */
export function DeleteConflict({ collection, seen, theirs, onDelete, onKeep }: DeleteConflictProps) {
  const notice: RefObject<HTMLDivElement | null> = useRef(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div className={noticeStyles.notice} data-tone="doubt" role="alert" tabIndex={-1} ref={notice}>
      <b>{t("Not deleted yet: someone else changed this {noun} after you opened it.", { noun: collection.noun })}</b>
      <ComparisonTable
        label={t("What changed")}
        before={t("Before")}
        after={t("Now")}
        rows={changedMeanwhile(collection, seen, theirs, seen).map(({ field, was, theirs: now }) => ({
          field,
          was: textOf(field, was),
          is: textOf(field, now),
        }))}
      />
      <div className={noticeStyles.actions}>
        <button type="button" className={buttonStyles.danger} onClick={onDelete}>
          {t("Delete anyway")}
        </button>
        <button type="button" className={buttonStyles.quiet} onClick={onKeep}>
          {t("Keep it")}
        </button>
      </div>
    </div>
  );
}
