import type { WireRecord } from "../../../core/contract/records.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { textOf } from "../../values/field-text.ts";
import { formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { ComparisonTable } from "./comparison-table.tsx";
import type { MeanwhileChange } from "./diff.ts";

interface ChangedNoticeProps {
  noun: string;
  changes: readonly MeanwhileChange[];
  theirs: WireRecord;
}

/** Someone else saved the record while nothing was typed here: their values are shown already. */
export function ChangedNotice({ noun, changes, theirs }: ChangedNoticeProps) {
  const when = formatRelativeTime(theirs.updatedAt);
  const rows = changes.map(({ field, was, theirs }) => ({ field, was: textOf(field, was), is: textOf(field, theirs) }));
  return (
    <div className={noticeStyles.notice} role="status">
      <b>
        {theirs.updatedBy ? (
          <NameInSentence name={theirs.updatedBy.name} text={t("{name} changed this {noun} {when}.", { noun, when })} />
        ) : (
          t("Someone else changed this {noun} {when}.", { noun, when })
        )}
      </b>
      {rows.length > 0 && <ComparisonTable label={t("Changes by someone else")} before={t("Before")} after={t("Now")} rows={rows} />}
    </div>
  );
}
