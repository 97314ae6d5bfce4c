// Shows who changed a record, when, how, and from what to what; an earlier version can be brought back.

import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { HistoryEntriesProps } from "./history-entries.tsx";
import * as styles from "./record-history.module.css";

const HistoryEntries = lazyPart(() => import("./history-entries.tsx"), "HistoryEntries");

interface RecordHistoryProps extends Omit<HistoryEntriesProps, "onErased"> {
  isOpen?: boolean;
  onErased?: () => void;
}

/** Read when it is opened: from the beginning where it stands beside the record (`--wide`), and then closed by hand. */
export function RecordHistory({ isOpen = false, onErased = () => undefined, ...record }: RecordHistoryProps) {
  const [isOpenAtFirst] = useState(() => isOpen || matchMedia("(width > 100em)").matches);
  const [wasOpened, setOpened] = useState(isOpenAtFirst);
  return (
    <details className={styles.history} open={isOpenAtFirst} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{t("History")}</summary>
      {wasOpened && <HistoryEntries {...record} onErased={onErased} />}
    </details>
  );
}
