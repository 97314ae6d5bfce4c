// Above the grid: which rows are shown, what is done to the selected cells, undo and redo.

import { type ReactNode, useId } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../pipeline/checking/findings.ts";
import { REFUSED_GROUP } from "../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../pipeline/checking/validate-row.ts";
import type { CorrectionState, RowFilter, shownFields } from "../../../pipeline/correction/correction-state.ts";
import { isWarning } from "../../../pipeline/model/corrections.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { keyName } from "../../ui/keyboard/key-name.ts";
import * as textStyles from "../../ui/text.module.css";
import { formatNumber } from "../../values/format.ts";
import { REFUSED_ROWS } from "../problems/group-line.tsx";
import * as styles from "./grid-toolbar.module.css";
import type { BlockActs } from "./use-block-acts.ts";

interface GridToolbarProps {
  check: CheckSummary;
  corrections: CorrectionState;
  shown: ReturnType<typeof shownFields>;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
  /** Rows that the filter leaves. */
  total: number;
  /** Selected cells. */
  cells: number;
  /** Selected rows. */
  rows: number;
  acts: BlockActs;
  onNext: () => void;
}

export function GridToolbar({ check, corrections, shown, filter, onFilter, total, cells, rows, acts, onNext }: GridToolbarProps) {
  const { uploadManager } = useServices();
  const isFiltered = filter.group !== undefined || filter.text !== undefined;
  return (
    <div className={styles.toolbar}>
      <h2>{t("Rows with problems")}</h2>
      <Filters check={check} shown={shown} filter={filter} onFilter={onFilter} />
      {isFiltered && (
        <span className={textStyles.note}>
          {t("{n} of {whole} rows", { n: formatNumber(total), whole: formatNumber(check.listed) })}{" "}
          <button type="button" className={buttonStyles.quiet} onClick={() => onFilter({})}>
            {t("Show all rows")}
          </button>
        </span>
      )}
      <div className={styles.acts}>
        <Act name={t("Next problem")} keys="F8" title={t("F8; back: Shift+F8")} onRun={onNext} />
        <Act
          name={t("Fill down")}
          keys="Control+D"
          title={`${t("Copy the first selected row into the others")} (${keyName("Mod+d")})`}
          isThere={cells > 1}
          onRun={acts.fillDown}
        />
        <Act
          name={t("Continue series")}
          title={t("Continue what the first two selected rows begin, as dragging the corner of a selection does")}
          isThere={rows > 2}
          onRun={acts.fillSeries}
        />
        <Act name={t("Clear the cells")} keys="Delete" title={keyName("Delete")} onRun={acts.clear} />
        <Act name={t("Restore")} title={t("As in the file")} onRun={acts.restore} />
        {cells > 1 && (
          <Act name={t("Leave out the rows")} title={t("The selected rows are not uploaded")} onRun={() => acts.leaveOut(true)} />
        )}
        <span className={styles.steps}>
          <Act
            name={t("Undo")}
            keys="Control+Z"
            title={keyName("Mod+Z")}
            isThere={corrections.canUndo}
            onRun={() => uploadManager.act({ do: "undo" })}
          />
          <Act
            name={t("Redo")}
            keys="Control+Shift+Z"
            title={keyName("Mod+Shift+Z")}
            isThere={corrections.canRedo}
            onRun={() => uploadManager.act({ do: "redo" })}
          />
        </span>
      </div>
      <span className={`${textStyles.note} ${styles.outcome}`} role="status">
        {acts.outcome}
      </span>
    </div>
  );
}

/** Names a group that the check of the file does not have. */
function labelOfOther(group: string): string {
  if (group.startsWith(REFUSED_GROUP)) return t(REFUSED_ROWS);
  return isWarning(group) ? t("Rows that a rule asks to look at once more") : t("A problem that is corrected");
}

type FiltersProps = Pick<GridToolbarProps, "check" | "shown" | "filter" | "onFilter">;

function Filters({ check, shown, filter, onFilter }: FiltersProps) {
  const { group, text, field } = filter;
  const groups = check.groups.map((one) => ({
    key: groupKey(one),
    label: `${one.message} (${formatNumber(one.count)})`,
  }));
  const isKnown = group === undefined || groups.some(({ key }) => key === group);
  return (
    <>
      <Choice label={t("Kind of problem")} value={group} onChange={(next) => onFilter({ ...filter, group: next })}>
        <option value="">{t("All problems")}</option>
        {groups.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
        {!isKnown && <option value={group}>{labelOfOther(group)}</option>}
      </Choice>
      <input
        type="search"
        aria-label={t("Find in these rows")}
        placeholder={t("Find in these rows")}
        value={text ?? ""}
        onChange={({ target }) => onFilter({ ...filter, text: target.value || undefined })}
      />
      <Choice label={t("Find in")} value={field} onChange={(next) => onFilter({ ...filter, field: next })}>
        <option value="">{t("All columns")}</option>
        {shown.map(({ field: one }) => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </Choice>
    </>
  );
}

function Choice({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <>
      <label className={textStyles.hidden} htmlFor={id}>
        {label}
      </label>
      <select id={id} value={value ?? ""} onChange={({ target }) => onChange(target.value || undefined)}>
        {children}
      </select>
    </>
  );
}

interface ActProps {
  name: string;
  keys?: string;
  title: string;
  isThere?: boolean;
  onRun: () => void;
}

function Act({ name, keys, title, isThere = true, onRun }: ActProps) {
  return (
    <button
      type="button"
      className={buttonStyles.quiet}
      aria-disabled={!isThere}
      aria-keyshortcuts={keys}
      title={title}
      onClick={() => isThere && onRun()}
    >
      {name}
    </button>
  );
}
