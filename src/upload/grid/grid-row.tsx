// One row of the grid: its cells with their problems, the cell being edited, and the row’s actions.

import { type MouseEvent, type ReactNode, useEffect, useId, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { type CellPlace, type GridRow, placeOf, type shownFields } from "../../../pipeline/correction/correction-state.ts";
import { isWarning } from "../../../pipeline/model/corrections.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as skeletonStyles from "../../ui/skeleton.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { type Block, isLastOf, isWithin, sizeOf } from "../../values/cell-block.ts";
import { formatNumber } from "../../values/format.ts";
import { shownText, textInFile } from "./cell-text.ts";
import { CellInput, CellText } from "./grid-cell.tsx";
import { type GridCommand, moveBy, readKey } from "./grid-keys.ts";
import * as styles from "./problem-grid.module.css";
import type { FillHandle } from "./use-fill-handle.ts";
import type { Editing } from "./use-grid.ts";

interface GridLineProps {
  measure: (node: Element | null) => void;
  gap: ReactNode;
  index: number;
  /** Is undefined while it is being fetched. */
  row: GridRow | undefined;
  shown: ReturnType<typeof shownFields>;
  /** The name of the collection's key. */
  keyName: string;
  /** The focused column, if the focus is in this row. The row's buttons come after its fields. */
  at: number | undefined;
  selected: Block;
  editing: Editing | undefined;
  /** The revision of `row`. Typed text is shown until a newer one arrives. */
  revision: number;
  onCommand: (command: GridCommand) => void;
  onPlace: (field: number, how?: { edit?: Editing; isExtended?: boolean }) => void;
  /** Is called when an edited cell loses the focus. */
  onLeave: () => void;
  onWrite: (field: number, text: string) => void;
  fill: FillHandle;
}

export function GridLine(props: GridLineProps) {
  const { measure, gap, index, row, shown } = props;
  return (
    <>
      {gap}
      <tr ref={measure} data-index={index} aria-rowindex={index + 2} data-state={row?.is}>
        {row ? (
          <Cells {...props} row={row} />
        ) : (
          <td colSpan={shown.length + 2}>
            <span className={skeletonStyles.skeleton} />
          </td>
        )}
      </tr>
    </>
  );
}

interface CellReasons {
  why: string[];
  /** Rules only warn of it: nothing is wrong. */
  isWarned: boolean;
}

/** Says why each shown cell is wrong or to be looked at, in the order of the cells. Problems of the whole row stand at one of them. */
export function reasonsOf(row: GridRow, shown: ReturnType<typeof shownFields>, keyName: string): CellReasons[] {
  const reasons = shown.map((): CellReasons => ({ why: [], isWarned: true }));
  for (const { field, sentence, isWarned } of sentencesOf(row)) {
    const cell = reasons[placeOf(field, shown, keyName)];
    cell?.why.push(sentence);
    if (cell && !isWarned) cell.isWarned = false;
  }
  return reasons;
}

/** Says what is wrong with a row. A warning begins with words of its own, so that it is not taken for a mistake. */
function sentencesOf({ problems, rejection }: GridRow): { field: string; sentence: string; isWarned: boolean }[] {
  const reasonFor = (field: string, message: string, isWarned: boolean) => ({
    ...{ field, isWarned },
    sentence: isWarned ? `${t("Please look once more:")} ${message}` : message,
  });
  const found = problems.map(({ field, message, code }) => reasonFor(field, message, isWarning(code)));
  return rejection ? [...found, reasonFor(rejection.field, rejection.reason, rejection.warnings !== undefined)] : found;
}

function Cells(props: GridLineProps & { row: GridRow }) {
  const { index, row, shown, keyName, at, selected, editing, revision, onCommand, onPlace, onLeave, onWrite, fill } = props;
  const id = useId();
  const [typed, setTyped] = useState<{ row: number; field: number; text: string; revision: number }>();
  const hasTyped = typed !== undefined && typed.revision === revision && typed.row === row.row;
  const [announcement, setAnnouncement] = useState<{ row: number; text: string }>();
  const reasons = reasonsOf(row, shown, keyName);

  // Announces the result once the checked row has arrived.
  useEffect(() => {
    if (!typed || typed.revision === revision) return;
    setTyped(undefined);
    if (typed.row !== row.row) return; // another row stands here now
    const why = sentencesOf({ ...row, rejection: undefined })
      .map(({ sentence }) => sentence)
      .join(" ");
    const shownRow = formatNumber(row.row);
    setAnnouncement({
      row: row.row,
      text: why ? t("Row {row}: {why}", { row: shownRow, why }) : t("Row {row} is ready.", { row: shownRow }),
    });
  }, [typed, revision, row]);

  function saveCell(field: number, text: string): void {
    setTyped({ row: row.row, field, text, revision });
    onWrite(field, text);
  }

  return (
    <>
      <RowNumber row={row} announcement={announcement?.row === row.row ? announcement.text : ""} />
      {shown.map(({ field }, i) => {
        const { why, isWarned } = reasons[i] ?? { why: [], isWarned: false };
        const isMarked = why.length > 0 && row.is !== "leftOut";
        const isWrong = isMarked && !isWarned;
        const cell = hasTyped && typed.field === i ? typed.text : shownText(row, field, i);
        const place: CellPlace = { index, field: i };
        const isEdited = at === i && editing !== undefined;
        const whyId = isMarked ? `${id}-${i}` : undefined;
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a table that is a grid is a gridcell
          <td
            key={field.name}
            data-place={`${index} ${i}`}
            data-title={field.title}
            tabIndex={at === i && !editing ? 0 : -1}
            className={styles.data}
            data-edited={textInFile(row, i) !== undefined || undefined}
            data-filled={(fill.target && isWithin(fill.target, place)) || undefined}
            aria-selected={sizeOf(selected) > 1 && isWithin(selected, place)}
            aria-invalid={isWrong || undefined}
            data-warned={(isMarked && isWarned) || undefined}
            aria-describedby={whyId}
            onFocus={(event) => event.target === event.currentTarget && at !== i && onPlace(i)}
            {...(!isEdited && (fill.target ? { onMouseEnter: () => fill.reach(index) } : mouseHandlers(onPlace, i)))}
            onKeyDown={(event) => {
              const command = event.target === event.currentTarget ? readKey(event) : undefined;
              if (!command) return;
              event.preventDefault();
              onCommand(command);
            }}
          >
            {isEdited ? (
              <CellInput
                label={t("{title}, row {row}", { title: field.title, row: formatNumber(row.row) })}
                text={hasTyped && typed.field === i ? typed.text : (row.cells[i] ?? "")}
                start={editing.text}
                describedBy={whyId}
                isWrong={isWrong}
                hasLines={field.format === "multiline"}
                onSave={(text) => saveCell(i, text)}
                onEnd={onCommand}
                onLeave={onLeave}
              />
            ) : (
              <CellText text={cell} isWrong={isMarked} isEmptyWrong={isWrong && cell === ""} />
            )}
            {!editing && isLastOf(selected, place) && (
              <span
                className={styles.fillHandle}
                data-fill=""
                aria-hidden="true"
                onMouseDown={fill.begin}
                onClick={(event) => event.stopPropagation()} // a double click on the cell would edit it
                onDoubleClick={fill.toEnd}
              />
            )}
            {isMarked && (
              <span className={styles.why} aria-hidden="true" id={whyId}>
                {why.join(" ")}
              </span>
            )}
          </td>
        );
      })}
      <td className={styles.rowActions}>
        <RowActions index={index} row={row} fields={shown.length} at={at} onCommand={onCommand} onPlace={onPlace} />
      </td>
    </>
  );
}

/** The cell on which the mouse button was pressed last. */
let pressedAt = "";

const pointOf = ({ clientX, clientY }: MouseEvent) => `${clientX} ${clientY}`;

/** A click selects a cell, a double click edits it, and dragging selects a block. A touch edits at once. */
function mouseHandlers(onPlace: GridLineProps["onPlace"], field: number) {
  return {
    onMouseDown(event: MouseEvent) {
      if (event.button !== 0) return;
      event.preventDefault(); // the browser would move the focus, and begin to select text
      pressedAt = pointOf(event);
      const { activeElement } = document;
      if (activeElement instanceof HTMLInputElement) activeElement.blur(); // saves what is typed in another cell
      onPlace(field, { isExtended: event.shiftKey });
    },
    onMouseEnter(event: MouseEvent) {
      if (pointOf(event) === pressedAt) return; // the rows moved, not the mouse: what is typed in another cell was saved
      if (event.buttons === 1 && !(document.activeElement instanceof HTMLInputElement)) onPlace(field, { isExtended: true });
    },
    onClick(event: MouseEvent) {
      const isTouch = "pointerType" in event.nativeEvent && event.nativeEvent.pointerType === "touch";
      if (isTouch || event.detail > 1) onPlace(field, { edit: {} });
    },
  };
}

function RowNumber({ row, announcement }: { row: GridRow; announcement: string }) {
  const reasons = sentencesOf(row).map(({ sentence }) => sentence);
  return (
    <th
      scope="row"
      className={`${tableStyles.number} ${styles.rowNumber}`}
      data-title={t("Row")}
      title={t("Line {line} of the file", { line: formatNumber(row.line) })}
      aria-description={reasons.join(" ") || undefined}
    >
      {formatNumber(row.row)}
      {row.is === "corrected" && (
        <span className={styles.corrected}>
          <span aria-hidden="true">✓</span> <span className={textStyles.hidden}>{t("Corrected")}</span>
        </span>
      )}
      {row.is === "leftOut" && <span className={textStyles.hidden}>{t("Left out")}</span>}
      <span className={textStyles.hidden} role="status">
        {announcement}
      </span>
    </th>
  );
}

interface RowActionsProps {
  index: number;
  row: GridRow;
  fields: number;
  at: number | undefined;
  onCommand: (command: GridCommand) => void;
  onPlace: (field: number) => void;
}

function RowActions({ index, row, fields, at, onCommand, onPlace }: RowActionsProps) {
  const { uploadManager } = useServices();
  const isOut = row.is === "leftOut";
  const actions: { name: string; run: () => void }[] = [];
  if (row.isOfOtherShape && !isOut)
    actions.push({ name: t("Accept as it is"), run: () => uploadManager.act({ do: "confirm", row: row.row }) });
  if (!isOut) actions.push({ name: t("Leave out"), run: () => uploadManager.act({ do: "leaveOut", rows: [row.row], isOut: true }) });
  if (isOut && row.isLeftOutAlone)
    actions.push({ name: t("Revert"), run: () => uploadManager.act({ do: "leaveOut", rows: [row.row], isOut: false }) });
  return actions.map(({ name, run }, i) => (
    <button
      key={name}
      type="button"
      className={buttonStyles.quiet}
      aria-label={t("{name}, row {row}", { name, row: formatNumber(row.row) })}
      data-place={`${index} ${fields + i}`}
      tabIndex={at === fields + i ? 0 : -1}
      onFocus={() => at !== fields + i && onPlace(fields + i)}
      onClick={run}
      onKeyDown={(event) => {
        const command = readKey(event);
        if (command?.is !== "move" && command?.is !== "next") return;
        event.preventDefault();
        onCommand(command.is === "move" && command.fields === 1 && i + 1 === actions.length ? moveBy(0, 0) : command);
      }}
    >
      {name}
    </button>
  ));
}
