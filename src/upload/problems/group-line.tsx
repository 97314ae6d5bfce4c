// One line of the list of problems: what it is, how many rows, and what can be done.

import { Children, type ReactNode } from "react";
import { message } from "../../../core/i18n/translate.ts";
import type { Act } from "../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { formatNumber } from "../../values/format.ts";
import * as styles from "./problems.module.css";

export const REFUSED_ROWS = message("Rows that the service would refuse");

interface GroupLineProps {
  rows?: number;
  /** Is its part of all rows with problems, 0 to 1: drawn as a bar before the number, which says it in words. */
  share?: number | undefined;
  isChosen?: boolean;
  /** Below the line, over its whole width. */
  detail?: ReactNode;
  /** The first child describes the group, the others are its actions. */
  children: ReactNode;
}

export function GroupLine({ rows, share, isChosen = false, detail, children }: GroupLineProps) {
  const [what, ...acts] = Children.toArray(children);
  return (
    <li className={styles.group} data-chosen={isChosen || undefined}>
      {what}
      {share !== undefined && <Share of={share} />}
      {rows !== undefined && <b>{formatNumber(rows)}</b>}
      {acts.length > 0 && <span className={styles.actions}>{acts}</span>}
      {detail}
    </li>
  );
}

const LEAST = 2; // of 100, so that a few rows are seen

function Share({ of }: { of: number }) {
  return (
    <svg className={styles.share} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.min(100, Math.max(LEAST, 100 * of))} height="1" />
    </svg>
  );
}

export function ActionButton({ label, what, act }: { label: string; what: string; act: Act }) {
  const { uploadManager } = useServices();
  return (
    <button type="button" className={buttonStyles.quiet} aria-label={`${label}: ${what}`} onClick={() => uploadManager.act(act)}>
      {label}
    </button>
  );
}
