// One bar whose parts are the outcomes and whose whole is the rows read; the same in check, progress and report.

import { formatNumber } from "./format.ts";
import * as styles from "./outcome-bar.module.css";

export interface OutcomePart {
  /** Is the class name of its colour as well. */
  outcome:
    | "ready"
    | "created"
    | "awaiting"
    | "updated"
    | "unchanged"
    | "skipped"
    | "refused"
    | "warned"
    | "correctable"
    | "failed"
    | "inDoubt"
    | "notSent"
    | "undone";
  label: string;
  count: number;
}

export function OutcomeBar({ parts, whole }: { parts: readonly OutcomePart[]; whole: number }) {
  const shown = parts.filter((part) => part.count > 0);
  return (
    <div className={styles.bar} aria-hidden="true">
      {shown.map((part) => (
        <i key={part.outcome} data-outcome={part.outcome} style={{ width: `${(100 * part.count) / Math.max(1, whole)}%` }} />
      ))}
    </div>
  );
}

/** Writes the bar in words. Parts without rows are left out unless `all` is set. */
export function Legend({ parts, all = false }: { parts: readonly OutcomePart[]; all?: boolean }) {
  return (
    <ul className={styles.legend}>
      {parts
        .filter((part) => all || part.count > 0)
        .map((part) => (
          <li key={part.outcome}>
            <i data-outcome={part.outcome} aria-hidden="true" />
            {part.label} <b>{formatNumber(part.count)}</b>
          </li>
        ))}
    </ul>
  );
}
