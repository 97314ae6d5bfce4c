// Shows who changed a record, when, how, and from what to what; an earlier version can be brought back.

import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { later, lazyPart } from "../../app/code/lazy-page.tsx";
import type { HistoryEntriesProps } from "./history-entries.tsx";
import * as styles from "./record-history.module.css";

/** Beside a form it comes when the page is at rest, so that the form waits for nothing of it. */
export const HistoryEntries = lazyPart<"HistoryEntries", HistoryEntriesProps & { isUrgent?: boolean }>(
  later(() => import("./history-entries.tsx")),
  "HistoryEntries",
);

interface RecordHistoryProps extends Omit<HistoryEntriesProps, "onErased"> {
  isOpen?: boolean;
  onErased?: () => void;
}

/** Is read when it is opened. */
export function RecordHistory({ isOpen = false, onErased = () => undefined, ...record }: RecordHistoryProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details className={styles.history} open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{t("History")}</summary>
      {wasOpened && <HistoryEntries isUrgent {...record} onErased={onErased} />}
    </details>
  );
}
