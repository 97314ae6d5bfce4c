// Problems in groups, each with its one-click fixes; below them the fixes that were applied and can be reverted.

import { Children, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { inSentence, message, t, tCount } from "../../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import type { ProblemGroup } from "../../../../pipeline/checking/problem-groups.ts";
import { REFUSED_GROUP } from "../../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../../pipeline/checking/validate-row.ts";
import type { Act, CorrectionState } from "../../../../pipeline/correction/correction-state.ts";
import * as buttonStyles from "../../../components/button.module.css";
import * as textStyles from "../../../components/text.module.css";
import { useServices } from "../../../context/services.ts";
import { count, formatNumber } from "../../../fields/format.ts";
import { AUTO_FIX_LABELS } from "./auto-fix-labels.ts";
import * as styles from "./problems.module.css";

interface ProblemGroupsProps {
  collection: Collection;
  check: CheckSummary;
  corrections: CorrectionState;
  /** The problem group whose rows are shown; undefined: all rows. */
  group: string | undefined;
  onGroup: (group: string | undefined) => void;
}

export function ProblemGroups({ collection, check, corrections, group, onGroup }: ProblemGroupsProps) {
  const { groups, leftOutGroups, autoFixes, refusedOut, repeats } = check;
  const { preview } = corrections;
  const section = useRestoredFocus();
  const refused = preview.is === "done" || preview.is === "stopped" ? preview.counts.failed : 0;
  if (groups.length + leftOutGroups.length + autoFixes.length + refusedOut + repeats + refused === 0) return null;
  const toggle = (key: string) => onGroup(group === key ? undefined : key);
  return (
    <section className={styles.problems} aria-label={t("Problems")} aria-busy={corrections.recheck !== null} ref={section} tabIndex={-1}>
      {corrections.recheck !== null && (
        <p className={`${textStyles.note} ${styles.rechecking}`} role="status">
          {t("Checking the file again")} <progress value={corrections.recheck} max={100} aria-label={t("Checking the file again")} />
        </p>
      )}
      <ul>
        {groups.map((one) => (
          <ProblemGroupLine key={groupKey(one)} group={one} isShown={group === groupKey(one)} onShow={() => toggle(groupKey(one))} />
        ))}
        {refused > 0 && (
          <GroupLine rows={refused}>
            <span>
              {tCount(refused, "The service would refuse this row", "The service would refuse these rows")}{" "}
              <span className={textStyles.dim}>{t("— each with its reason in the list")}</span>
            </span>
            <ActionButton label={t("Leave out")} what={t(REFUSED_ROWS)} act={{ do: "leaveOutRefused", isOut: true }} />
            <ShowRowsButton what={t(REFUSED_ROWS)} isShown={group === REFUSED_GROUP} onShow={() => toggle(REFUSED_GROUP)} />
          </GroupLine>
        )}
        {repeats > 0 && (
          <GroupLine>
            <span>
              {count(repeats, "{n} row repeats an earlier {key}", "{n} rows repeat an earlier {key}", { key: collection.key.title })}{" "}
              <span className={textStyles.dim}>{t("— applied in the order of the file; the last one wins")}</span>
            </span>
          </GroupLine>
        )}
        <AppliedFixes check={check} />
      </ul>
    </section>
  );
}

const REFUSED_ROWS = message("Rows that the service would refuse");

/** The first child describes the group, the others are its actions. */
function GroupLine({ rows, isChosen = false, children }: { rows?: number; isChosen?: boolean; children: ReactNode }) {
  const [what, ...acts] = Children.toArray(children);
  return (
    <li className={styles.group} data-chosen={isChosen || undefined}>
      {what}
      {rows !== undefined && <b>{formatNumber(rows)}</b>}
      {acts.length > 0 && <span className={styles.actions}>{acts}</span>}
    </li>
  );
}

function ActionButton({ label, what, act }: { label: string; what: string; act: Act }) {
  const { uploadManager } = useServices();
  return (
    <button type="button" className={buttonStyles.quiet} aria-label={`${label}: ${what}`} onClick={() => uploadManager.act(act)}>
      {label}
    </button>
  );
}

/** When a focused button disappears with its group, moves the focus to the section. */
function useRestoredFocus(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    const { current } = section;
    if (isInside.current && document.activeElement === document.body) current?.focus({ preventScroll: true });
    isInside.current = current?.contains(document.activeElement) ?? false;
  });
  useEffect(() => {
    const onFocusIn = () => {
      isInside.current = section.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  return section;
}

function ProblemGroupLine({ group, isShown, onShow }: { group: ProblemGroup; isShown: boolean; onShow: () => void }) {
  const { uploadManager } = useServices();
  const { field, code, message, offers } = group;
  return (
    <GroupLine rows={group.count}>
      <span>
        {message}{" "}
        <span className={textStyles.dim}>{tCount(group.count, "— row {list}", "— rows {list}", { list: rangesInWords(group) })}</span>
        {offers.length > 0 && (
          <span className={styles.fixes}>
            {offers.map(({ name, rows }) => (
              <button key={name} type="button" onClick={() => uploadManager.act({ do: "autoFix", field, name, isOn: true })}>
                {t(AUTO_FIX_LABELS[name])}{" "}
                <span className={textStyles.dim}>{rows === group.count ? t("in all") : count(rows, "in {n} row", "in {n} rows")}</span>
              </button>
            ))}
          </span>
        )}
      </span>
      <ActionButton label={t("Leave out")} what={message} act={{ do: "leaveOutGroup", field, code, isOut: true }} />
      <ShowRowsButton what={message} isShown={isShown} onShow={onShow} />
    </GroupLine>
  );
}

const SHOWN_RANGES = 6;

function rangesInWords({ ranges, count }: ProblemGroup): string {
  const shown = ranges.slice(0, SHOWN_RANGES);
  const more = count - shown.reduce((rows, [from, to]) => rows + to - from + 1, 0);
  const words = shown.map(([from, to]) => (from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`)).join(", ");
  return more > 0 ? t("{list} and {n} more", { list: words, n: formatNumber(more) }) : words;
}

function ShowRowsButton({ what, isShown, onShow }: { what: string; isShown: boolean; onShow: () => void }) {
  return (
    <button type="button" className={buttonStyles.quiet} aria-label={t("Show: {what}", { what })} aria-pressed={isShown} onClick={onShow}>
      {t("Show")}
    </button>
  );
}

/** Applied fixes and groups left out, each with a button to revert it. */
function AppliedFixes({ check: { autoFixes, leftOutGroups, refusedOut } }: { check: CheckSummary }) {
  return (
    <>
      {autoFixes.map(({ field, title, name, rows }) => (
        <GroupLine key={`${field} ${name}`} rows={rows} isChosen>
          <span>
            <i aria-hidden="true">✓</i> {title}: {inSentence(t(AUTO_FIX_LABELS[name]))}{" "}
            <span className={textStyles.dim}>{count(rows, "— corrected in {n} row", "— corrected in {n} rows")}</span>
          </span>
          <ActionButton
            label={t("Revert")}
            what={`${title}, ${t(AUTO_FIX_LABELS[name])}`}
            act={{ do: "autoFix", field, name, isOn: false }}
          />
        </GroupLine>
      ))}
      {leftOutGroups.map(({ field, code, message, rows }) => (
        <LeftOutLine key={`${field} ${code}`} what={message} rows={rows} act={{ do: "leaveOutGroup", field, code, isOut: false }} />
      ))}
      {refusedOut > 0 && <LeftOutLine what={t(REFUSED_ROWS)} rows={refusedOut} act={{ do: "leaveOutRefused", isOut: false }} />}
    </>
  );
}

function LeftOutLine({ what, rows, act }: { what: string; rows: number; act: Act }) {
  return (
    <GroupLine rows={rows} isChosen>
      <span>
        <i aria-hidden="true">–</i> {t("Left out: {what}", { what })}
      </span>
      <ActionButton label={t("Revert")} what={what} act={act} />
    </GroupLine>
  );
}
