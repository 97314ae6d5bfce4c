// Columns are moved and sized at their headings. Loaded when the list is at rest.

import { useEffect, useRef, useState } from "react";
import { t } from "../../../../core/i18n/translate.ts";
import { useServices } from "../../../app/services/services.ts";
import { Announce } from "../../../ui/announce.tsx";
import { useShortcuts } from "../../../ui/keyboard/shortcuts.ts";
import type { ListParts } from "../../query/list-url.ts";
import * as styles from "./column-handles.module.css";
import { readWidth, useColumnWidths } from "./column-widths.ts";
import { type HeadingActs, listenToHeadings, moveByKey, sizeByKey } from "./heading-events.ts";
import { useColumns } from "./use-columns.ts";

/** `isUrgent`: widths were chosen, so the columns have to be drawn by them from the beginning. */
export function ColumnHandles(parts: ListParts & { isUrgent: boolean }) {
  const { shown, widths = {}, move, size } = useColumns(parts);
  const showWidths = useColumnWidths(shown, widths);
  const [outcome, setOutcome] = useState("");
  const place = useRef<HTMLSpanElement>(null);
  const titleOf = (column: number) => shown[column]?.title ?? "";
  const withWidth = (column: number, width: number | undefined) => {
    const { [shown[column]?.name ?? ""]: _, ...others } = widths;
    return width === undefined ? others : { ...others, [shown[column]?.name ?? ""]: readWidth(width) ?? 0 };
  };
  const acts: HeadingActs = {
    move(from, to) {
      move(from, to);
      setOutcome(t("{title}: column {n} of {count}", { title: titleOf(from), n: to + 1, count: shown.length }));
    },
    showWidth: (column, width) => showWidths(width === undefined ? widths : withWidth(column, width)),
    size(column, width) {
      const next = withWidth(column, width);
      size(Object.keys(next).length > 0 ? next : undefined);
      const n = next[shown[column]?.name ?? ""];
      setOutcome(
        n === undefined
          ? t("{title}: as wide as it needs", { title: titleOf(column) })
          : t("{title}: width {n}", { title: titleOf(column), n: Math.round(n) }),
      );
    },
  };
  const { keys } = useServices();
  useShortcuts(keys, { moveColumn: (event) => moveByKey(acts, event), sizeColumn: (event) => sizeByKey(acts, event) });
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const main = place.current?.closest("main");
    if (!main) return;
    main.dataset.columns = "movable";
    const stop = listenToHeadings(main, {
      move: (...args) => latest.current.move(...args),
      showWidth: (...args) => latest.current.showWidth(...args),
      size: (...args) => latest.current.size(...args),
    });
    return () => {
      delete main.dataset.columns;
      stop();
    };
  }, []);
  return (
    <span ref={place} className={styles.place}>
      <Announce text={outcome} />
    </span>
  );
}
