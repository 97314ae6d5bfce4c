// The rules for columns, and what stands in each column. Both are found by a worker of their own.

import { useEffect, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { Profiled } from "../../../pipeline/inspection/column-profile.ts";
import { patternsOf } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { count } from "../../values/format.ts";
import { ColumnFacts } from "./column-facts.tsx";
import * as styles from "./columns.module.css";
import { type Changing, RuleDialog } from "./rule-dialog.tsx";
import { canStep, changeRules, stepRules, withoutRule, withRule } from "./rule-history.ts";
import { ruleInWords } from "./rule-labels.ts";
import { useColumnWork } from "./use-column-work.ts";

export interface FoundProfile {
  /** The rules of the plan for which it was found. */
  of: Plan["rules"];
  profile: Profiled | undefined;
  /** Nothing more comes: the file is read to its end, or cannot be read. */
  isOver: boolean;
}

interface ColumnToolsProps {
  collection: Collection;
  plan: Plan;
  /** Includes the columns that rules add. */
  header: readonly string[];
  /** Says what the dialog is open for. */
  changing: Changing | undefined;
  onChanging: (changing: Changing | undefined) => void;
  onProfile: (found: FoundProfile) => void;
}

function ColumnTools({ collection, plan, header, changing, onChanging, onProfile }: ColumnToolsProps) {
  const { uploadManager } = useServices();
  const { rules = [] } = plan;
  const { found, isUnreadable = false, isSlow } = useColumnWork(plan, undefined);
  const [slow, setSlow] = useState<string>();
  const profile = found?.is === "profile" ? found.profile : undefined;
  const patterns = patternsOf(rules).map(({ source }) => source);
  const isOver = isUnreadable || profile?.isDone === true;
  useEffect(() => onProfile({ of: plan.rules, profile, isOver }), [profile, isOver, plan.rules, onProfile]);
  useEffect(() => {
    if (!isSlow || patterns.length === 0) return;
    setSlow(patterns.join(", "));
    // Rules that replace add no columns, so all others stay as they are.
    const kept = rules.filter((rule) => !(rule.do === "replace" && rule.isPattern));
    const { rules: _, ...rest } = uploadManager.state().plan ?? plan; // another effect may have changed it
    uploadManager.choose({ ...rest, ...(kept.length > 0 && { rules: kept }) });
  });
  const can = canStep(uploadManager);
  const nameOf = (column: number) =>
    column < 0 ? t("a missing column") : header[column]?.slice(0, 60) || t("Column {n}", { n: column + 1 });
  return (
    <section className={styles.tools} aria-label={t("Changes to columns")}>
      {slow && (
        <Notice tone="wrong">
          {t(
            "The pattern {pattern} takes too long on a cell of this file and is not used. Write it so that no two of its parts match the same letters.",
            {
              pattern: slow,
            },
          )}
        </Notice>
      )}
      {rules.length > 0 && (
        <ol>
          {rules.map((rule, i) => {
            const words = ruleInWords(rule, nameOf);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be equal
              <li key={i}>
                <span dir="auto">{words}</span>{" "}
                <button
                  type="button"
                  className={buttonStyles.quiet}
                  aria-label={t("Remove: {what}", { what: words })}
                  onClick={() => changeRules(uploadManager, plan, withoutRule(plan, i))}
                >
                  {t("Remove")}
                </button>
              </li>
            );
          })}
        </ol>
      )}
      <div className={pageStyles.tools}>
        <button type="button" onClick={() => onChanging({ column: 0 })}>
          {t("Change columns")}
        </button>
        {(can.undo || can.redo) && (
          <>
            <button type="button" aria-disabled={!can.undo} onClick={() => stepRules(uploadManager, plan, "undo")}>
              {t("Undo")}
            </button>
            <button type="button" aria-disabled={!can.redo} onClick={() => stepRules(uploadManager, plan, "redo")}>
              {t("Redo")}
            </button>
          </>
        )}
        <span className={styles.read} role="status">
          {patterns.length > 0 &&
            profile &&
            !profile.isDone &&
            count(profile.rowsRead, "Trying the pattern: {n} row", "Trying the pattern: {n} rows")}
        </span>
      </div>
      {changing !== undefined && (
        <RuleDialog
          plan={plan}
          header={header}
          first={changing}
          profiles={isOver ? profile?.columns : undefined}
          nameOf={nameOf}
          onApply={(rule) => {
            setSlow(undefined);
            changeRules(uploadManager, plan, withRule(plan, rule, collection));
            onChanging(undefined);
          }}
          onClose={() => onChanging(undefined)}
        />
      )}
    </section>
  );
}

/** They are loaded together. */
export const columnParts = { ColumnTools, ColumnFacts };
