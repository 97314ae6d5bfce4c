// The rows with problems as a spreadsheet: a virtualized grid that is edited in place, cell by cell and in blocks.

import { type CSSProperties, useEffect, useMemo, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import { type CellPlace, type CorrectionState, type RowFilter, shownFields } from "../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../app/services/services.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { sizeOf } from "../../values/cell-block.ts";
import { count, formatNumber } from "../../values/format.ts";
import { CellNote } from "./cell-note.tsx";
import { shownText, textInFile } from "./cell-text.ts";
import type { GridCommand } from "./grid-keys.ts";
import { GridLine, reasonsOf } from "./grid-row.tsx";
import { GridToolbar } from "./grid-toolbar.tsx";
import * as styles from "./problem-grid.module.css";
import { useBlockActs } from "./use-block-acts.ts";
import { useFillHandle } from "./use-fill-handle.ts";
import { useGrid } from "./use-grid.ts";
import type { GridRows } from "./use-grid-rows.ts";

interface GridProps {
  collection: Collection;
  columns: readonly (string | null)[];
  check: CheckSummary;
  corrections: CorrectionState;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
  /** Changes when the user asks for the first cell of the filter. */
  asked: number;
}

export function ProblemGrid({ collection, columns, check, corrections, filter, onFilter, asked }: GridProps) {
  const { keys, uploadManager } = useServices();
  const [first] = useState(() => check.groups.map(({ field }) => field)); // kept, so that no column moves while it is corrected
  const shown = useMemo(() => shownFields(collection, columns, first), [collection, columns, first]);
  const scroller = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const source = { filter, first, revision: corrections.revision, shown };
  const grid = useGrid(scroller, source);
  const { at, selected, editing, total, rows, gridRows, go, goToNext, write, leave } = grid;
  const { watchMoves } = grid;
  const acts = useBlockActs(source, { selected, gridRows, watchMoves, onSelect: (from, to) => grid.select([from, to]) });
  const fill = useFillHandle(selected, total, acts.fillTo);
  const widths = useColumnWidths(gridRows, shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is asked for
  useEffect(() => {
    if (asked === 0) return;
    section.current?.scrollIntoView({ block: "start" });
    void goToNext(1, BEFORE_FIRST);
  }, [asked]);
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
    selectCells: handledByCell,
    edit: handledByCell,
    empty: handledByCell,
    fillDown: handledByCell,
  });
  function handle(command: GridCommand): void {
    if (command.is === "clear") acts.clear();
    else if (command.is === "fillDown") acts.fillDown();
    else grid.handle(command);
  }
  function noteOf({ index, field }: CellPlace) {
    const row = gridRows.rowAt(index);
    if (!row || field >= shown.length) return undefined;
    const reasons = row.is === "leftOut" ? [] : (reasonsOf(row, shown, collection.key.name)[field]?.why ?? []);
    const inFile = textInFile(row, field);
    return reasons.length > 0 || inFile !== undefined ? { reasons, inFile } : undefined;
  }
  function restore({ index, field }: CellPlace): void {
    const [row, column] = [gridRows.rowAt(index)?.row, shown[field]?.column];
    if (row !== undefined && column !== undefined) uploadManager.act({ do: "editCells", rows: [row], columns: [column], texts: [[null]] });
  }
  const items = rows.getVirtualItems();
  const [start, last] = [items[0], items.at(-1)];
  const isEmpty = total === 0 && check.listed === 0;
  return (
    <section aria-label={t("Rows with problems")} ref={section}>
      <GridToolbar
        check={check}
        corrections={corrections}
        shown={shown}
        filter={filter}
        onFilter={onFilter}
        total={total}
        cells={sizeOf(selected)}
        rows={selected.rows[1] - selected.rows[0] + 1}
        acts={acts}
        onNext={() => void goToNext(1)}
      />
      <div className={styles.area} ref={scroller} tabIndex={total === 0 ? 0 : -1} onCopy={acts.copy} onCut={acts.copy} onPaste={acts.paste}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid (ARIA 1.2)
          role="grid"
          aria-label={t("Rows with problems")}
          aria-multiselectable="true"
          hidden={isEmpty}
          aria-rowcount={total + 1}
          aria-colcount={shown.length + 2}
          style={{ "--width": `${widths.reduce((sum, width) => sum + width, EDGES)}ch` } as CSSProperties}
        >
          <colgroup>
            <col className={styles.rowNumber} />
            {shown.map(({ field }, i) => (
              <col key={field.name} style={{ width: `${widths[i]}ch` }} />
            ))}
            <col className={styles.rowActions} />
          </colgroup>
          <Head shown={shown} check={check} />
          <tbody>
            {start && start.start > 0 && <Gap height={start.start} />}
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
                  keyName={collection.key.name}
                  at={isHere ? at.field : undefined}
                  selected={selected}
                  editing={isHere ? editing : undefined}
                  revision={gridRows.revision}
                  onCommand={handle}
                  onLeave={leave}
                  onPlace={(field, how) => go({ index: item.index, field }, how)}
                  fill={fill}
                  onWrite={(field, text) => write({ index: item.index, field }, text)}
                />
              );
            })}
            {last && rows.getTotalSize() > last.end && <Gap height={rows.getTotalSize() - last.end} />}
          </tbody>
        </table>
        {total === 0 && (
          <p className={`${textStyles.note} ${styles.empty}`}>
            {isEmpty ? t("No rows with problems are left.") : gridRows.isFresh && t("No row has this.")}
          </p>
        )}
      </div>
      <CellNote area={section} noteOf={noteOf} onRestore={restore} version={gridRows.revision} />
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

const BEFORE_FIRST: CellPlace = { index: 0, field: -1 };
const EDGES = 18; // ch: the row number and the actions of a row
const [NARROWEST, WIDEST] = [9, 30]; // ch

/** Returns the width of each field in ch, by its heading and the first rows. It is kept while rows come and go, so that no column moves. */
function useColumnWidths(gridRows: GridRows, shown: ReturnType<typeof shownFields>): readonly number[] {
  const kept = useRef<{ shown: unknown; widths: number[] }>(undefined);
  if (kept.current?.shown === shown) return kept.current.widths;
  const rows = Array.from({ length: 20 }, (_, i) => gridRows.rowAt(i)).filter((row) => row !== undefined);
  const widths = shown.map(({ field }, i) => {
    const longest = Math.max(field.title.length + 7, ...rows.map((row) => shownText(row, field, i).length + 3));
    return Math.min(WIDEST, Math.max(NARROWEST, longest));
  });
  if (rows.length > 0) kept.current = { shown, widths };
  return widths;
}

function Head({ shown, check }: { shown: ReturnType<typeof shownFields>; check: CheckSummary }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className={`${tableStyles.number} ${styles.rowNumber}`}>{t("Row")}</th>
        {shown.map(({ field }) => {
          const problems = check.groups.reduce((sum, group) => sum + (group.field === field.name ? group.count : 0), 0);
          return (
            <th key={field.name} title={field.title}>
              {field.title}
              {problems > 0 && (
                <span className={styles.problems} title={count(problems, "{n} problem", "{n} problems")}>
                  <span aria-hidden="true">{formatNumber(problems)}</span>
                  <span className={textStyles.hidden}>{`, ${count(problems, "{n} problem", "{n} problems")}`}</span>
                </span>
              )}
            </th>
          );
        })}
        <th className={styles.rowActions}>
          <span className={textStyles.hidden}>{t("Leave out")}</span>
        </th>
      </tr>
    </thead>
  );
}

/** Fills the space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr aria-hidden="true" className={styles.gap}>
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}
