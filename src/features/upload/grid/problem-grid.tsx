// The rows with problems as a virtualized grid that is edited in place.

import { type CSSProperties, useMemo, useRef } from "react";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { t } from "../../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import { type CorrectionState, shownFields } from "../../../../pipeline/correction/correction-state.ts";
import * as tableStyles from "../../../components/table.module.css";
import * as textStyles from "../../../components/text.module.css";
import { useServices } from "../../../context/services.ts";
import { formatNumber } from "../../../fields/format.ts";
import { useShortcuts } from "../../../keyboard/shortcuts.ts";
import { GridLine } from "./grid-row.tsx";
import { GridToolbar } from "./grid-toolbar.tsx";
import * as styles from "./problem-grid.module.css";
import { useGrid } from "./use-grid.ts";

interface GridProps {
  collection: Collection;
  columns: readonly (string | null)[];
  check: CheckSummary;
  corrections: CorrectionState;
  /** The problem group whose rows are shown; undefined: all rows. */
  group: string | undefined;
  onAll: () => void;
}

export function ProblemGrid({ collection, columns, check, corrections, group, onAll }: GridProps) {
  const { uploadManager, keys } = useServices();
  const shown = useMemo(() => shownFields(collection, columns), [collection, columns]);
  const scroller = useRef<HTMLDivElement>(null);
  const { at, editing, total, rows, gridRows, go, goToNext, handle, write, leave } = useGrid(scroller, {
    group,
    revision: corrections.revision,
    shown,
  });
  // Inputs keep their own undo. Cells handle these keys themselves; they are registered here only for the help.
  const act = (command: "undo" | "redo") => (event?: KeyboardEvent) =>
    !(event?.target instanceof HTMLInputElement) && uploadManager.act({ do: command });
  const handledByCell = () => false;
  useShortcuts(keys, {
    nextProblem: () => void goToNext(1),
    previousProblem: () => void goToNext(-1),
    undo: act("undo"),
    redo: act("redo"),
    moveFocus: handledByCell,
    edit: handledByCell,
    empty: handledByCell,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return (
    <section aria-label={t("Rows with problems")}>
      <GridToolbar isGroup={group !== undefined} onAll={onAll} onNext={() => void goToNext(1)} corrections={corrections} />
      <div className={styles.area} ref={scroller} tabIndex={total === 0 ? 0 : -1}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid (ARIA 1.2)
          role="grid"
          aria-label={t("Rows with problems")}
          hidden={total === 0 && check.listed === 0}
          aria-rowcount={total + 1}
          aria-colcount={shown.length + 3}
          style={{ "--width": `${478 + 130 * shown.length}px`, "--fields": shown.length } as CSSProperties}
        >
          <Head shown={shown} />
          <tbody>
            {first && first.start > 0 && <Gap height={first.start} />}
            {items.map((item, i) => {
              const before = items[i - 1];
              const gap = before ? item.start - before.end : 0;
              const isHere = at.index === item.index;
              return (
                <GridLine
                  key={item.index}
                  measure={rows.measureElement}
                  gap={gap > 0 ? <Gap height={gap} /> : null}
                  index={item.index}
                  row={gridRows.rowAt(item.index)}
                  shown={shown}
                  at={isHere ? at.field : undefined}
                  editing={isHere ? editing : undefined}
                  revision={gridRows.revision}
                  onCommand={handle}
                  onLeave={leave}
                  onPlace={(field, edit) => go({ index: item.index, field }, edit)}
                  onWrite={(field, text) => write({ index: item.index, field }, text)}
                />
              );
            })}
            {last && rows.getTotalSize() > last.end && <Gap height={rows.getTotalSize() - last.end} />}
          </tbody>
        </table>
        {total === 0 && check.listed === 0 && (
          <p className={`${textStyles.note} ${styles.empty}`}>{t("No rows with problems are left.")}</p>
        )}
      </div>
      {check.unlisted > 0 && (
        <p className={textStyles.note}>
          {t("These are the first {n} of {whole}. Correct frequent problems first; then the others appear.", {
            n: formatNumber(check.listed),
            whole: formatNumber(check.listed + check.unlisted),
          })}
        </p>
      )}
    </section>
  );
}

function Head({ shown }: { shown: ReturnType<typeof shownFields> }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className={`${tableStyles.number} ${styles.rowNumber}`}>{t("Row")}</th>
        {shown.map(({ field }) => (
          <th key={field.name}>{field.title}</th>
        ))}
        <th className={styles.reason}>{t("What is wrong")}</th>
        <th className={styles.rowActions}>
          <span className={textStyles.hidden}>{t("Leave out")}</span>
        </th>
      </tr>
    </thead>
  );
}

/** The space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr aria-hidden="true" className={styles.gap}>
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}
