// Offers to empty cells that say that there is no value, and to put lost zeros back: in all columns at once.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { Profiled } from "../../../pipeline/inspection/column-profile.ts";
import { MOST_COLUMN_RULES } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { useServices } from "../../app/services/services.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { count, quoted } from "../../values/format.ts";
import { changeRules } from "./rule-history.ts";

interface ColumnFixesProps {
  collection: Collection;
  plan: Plan;
  /** Includes the plan's rules. Nothing is offered before the file was read to its end. */
  profile: Profiled | undefined;
}

export function ColumnFixes({ collection, plan, profile }: ColumnFixesProps) {
  const { uploadManager } = useServices();
  const { rules = [], columns } = plan;
  const found = (profile?.isDone ? profile.columns : []).flatMap(({ fixes }, i) => {
    const field = collection.byName.get(columns[i] ?? "");
    return field && KIND_TRAITS[field.kind].isText ? fixes.map((fix) => ({ ...fix, title: field.title })) : [];
  });
  const more = found.flatMap((fix) => fix.rules);
  if (more.length === 0 || rules.length + more.length > MOST_COLUMN_RULES) return null;
  return (
    <Notice tone="doubt">
      <b>{t("Some cells can be corrected together:")}</b>
      <ul>
        {found.map(({ title, rows, example, to }) => (
          <li key={`${title} ${to}`}>
            {to === ""
              ? count(rows, "{title}: {n} cell such as {example} becomes empty.", "{title}: {n} cells such as {example} become empty.", {
                  title,
                  example: quoted(example),
                })
              : count(
                  rows,
                  "{title}: {n} cell gets zeros, as {example} becomes {to}.",
                  "{title}: {n} cells get zeros, as {example} becomes {to}.",
                  {
                    title,
                    example: quoted(example),
                    to: quoted(to),
                  },
                )}
          </li>
        ))}
      </ul>
      <div className={noticeStyles.actions}>
        <button type="button" onClick={() => changeRules(uploadManager, plan, { rules: [...rules, ...more], columns })}>
          {t("Correct all of them")}
        </button>
      </div>
    </Notice>
  );
}
