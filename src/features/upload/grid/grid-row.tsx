// One row of the grid: its cells with their problems, the cell being edited, and the row’s actions.

import { type ReactNode, useEffect, useId, useState } from "react";
import { t } from "../../../../core/i18n/translate.ts";
import type { GridRow, shownFields } from "../../../../pipeline/correction/correction-state.ts";
import * as buttonStyles from "../../../components/button.module.css";
import * as skeletonStyles from "../../../components/skeleton.module.css";
import * as tableStyles from "../../../components/table.module.css";
import * as textStyles from "../../../components/text.module.css";
import { useServices } from "../../../context/services.ts";
import { formatNumber } from "../../../fields/format.ts";
import { CellInput, CellText } from "./grid-cell.tsx";
import { type GridCommand, moveBy, readKey } from "./grid-keys.ts";
import * as styles from "./problem-grid.module.css";
import type { Editing } from "./use-grid.ts";

interface GridLineProps {
  measure: (node: Element | null) => void;
  gap: ReactNode;
  index: number;
  /** Undefined while it is being fetched. */
  row: GridRow | undefined;
  shown: ReturnType<typeof shownFields>;
  /** The focused column, if the focus is in this row. The row's buttons come after its fields. */
  at: number | undefined;
  editing: Editing | undefined;
  /** The revision of `row`. Typed text is shown until a newer one arrives. */
  revision: number;
  onCommand: (command: GridCommand) => void;
  onPlace: (field: number, edit?: Editing) => void;
  /** Called when an edited cell loses the focus. */
  onLeave: () => void;
  onWrite: (field: number, text: string) => void;
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
          <td colSpan={shown.length + 3}>
            <span className={skeletonStyles.skeleton} />
          </td>
        )}
      </tr>
    </>
  );
}

function Cells({ index, row, shown, at, editing, revision, onCommand, onPlace, onLeave, onWrite }: GridLineProps & { row: GridRow }) {
  const id = useId();
  const [typed, setTyped] = useState<{ field: number; text: string; revision: number }>();
  const hasTyped = typed !== undefined && typed.revision === revision;
  const [announcement, setAnnouncement] = useState("");
  const rowProblems = row.problems.filter(({ field }) => !shown.some((one) => one.field.name === field)).map(({ message }) => message);
  if (row.rejection !== undefined) rowProblems.push(row.rejection);

  // Announces the result once the checked row has arrived.
  useEffect(() => {
    if (!typed || typed.revision === revision) return;
    setTyped(undefined);
    const why = row.problems.map(({ message }) => message).join(" ");
    setAnnouncement(
      why ? t("Row {row}: {why}", { row: formatNumber(row.row), why }) : t("Row {row} is ready.", { row: formatNumber(row.row) }),
    );
  }, [typed, revision, row]);

  function saveCell(field: number, text: string): void {
    setTyped({ field, text, revision });
    onWrite(field, text);
  }

  return (
    <>
      <th
        scope="row"
        className={`${tableStyles.number} ${styles.rowNumber}`}
        data-title={t("Row")}
        title={t("Line {line} of the file", { line: formatNumber(row.line) })}
      >
        {formatNumber(row.row)}
      </th>
      {shown.map(({ field }, i) => {
        const reasons = row.problems.filter((problem) => problem.field === field.name).map(({ message }) => message);
        if (i === 0) reasons.push(...rowProblems);
        const cell = hasTyped && typed.field === i ? typed.text : (row.cells[i] ?? "");
        const isWrong = reasons.length > 0 && row.is !== "leftOut";
        return (
          <td
            key={field.name}
            data-place={`${index} ${i}`}
            data-title={field.title}
            tabIndex={at === i && !editing ? 0 : -1}
            className={styles.data}
            data-edited={row.edited[i] || undefined}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? `${id}-${i}` : undefined}
            onClick={() => !(at === i && editing) && onPlace(i, {})}
            onFocus={(event) => event.target === event.currentTarget && at !== i && onPlace(i)}
            onKeyDown={(event) => {
              const command = event.target === event.currentTarget ? readKey(event) : undefined;
              if (!command) return;
              event.preventDefault();
              if (command.is === "clear") saveCell(i, "");
              else onCommand(command);
            }}
          >
            {at === i && editing ? (
              <CellInput
                label={t("{title}, row {row}", { title: field.title, row: formatNumber(row.row) })}
                text={cell}
                start={editing.text}
                describedBy={isWrong ? `${id}-${i}` : undefined}
                onSave={(text) => saveCell(i, text)}
                onEnd={onCommand}
                onLeave={onLeave}
              />
            ) : (
              <CellText text={cell} isWrong={isWrong} isEmptyWrong={cell === ""} />
            )}
            {isWrong && (
              <span hidden id={`${id}-${i}`}>
                {reasons.join(" ")}
              </span>
            )}
          </td>
        );
      })}
      <td className={styles.reason}>
        <Why row={row} />
        <span className={textStyles.hidden} role="status">
          {announcement}
        </span>
      </td>
      <td className={styles.rowActions}>
        <RowActions index={index} row={row} fields={shown.length} at={at} onCommand={onCommand} onPlace={onPlace} />
      </td>
    </>
  );
}

function Why({ row }: { row: GridRow }) {
  const reasons = row.problems.map(({ message }) => message);
  if (row.rejection !== undefined) reasons.push(row.rejection);
  switch (row.is) {
    case "mended":
      return <span className={styles.corrected}>{t("✓ Corrected")}</span>;
    case "leftOut":
      return <span className={textStyles.dim}>{[t("Left out"), ...(reasons.length > 0 ? [reasons.join(" ")] : [])].join(" · ")}</span>;
    case "wrong":
    case "refused":
      return reasons.join(" ");
  }
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
  if (!isOut) actions.push({ name: t("Leave out"), run: () => uploadManager.act({ do: "leaveOut", row: row.row, isOut: true }) });
  if (isOut && row.isLeftOutAlone)
    actions.push({ name: t("Revert"), run: () => uploadManager.act({ do: "leaveOut", row: row.row, isOut: false }) });
  if (row.isOfOtherShape && !isOut)
    actions.push({ name: t("Accept as it is"), run: () => uploadManager.act({ do: "confirm", row: row.row }) });
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
