// Records as a table, on a phone as cards.

import { type KeyboardEvent, type MouseEvent, type RefObject, startTransition, useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { SERVICE_PRINCIPALS } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";
import { whenAtRest } from "../../app/code/at-rest.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { useLocale } from "../../app/services/services.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { isWideColumn, nextSort, sortName } from "../query/list-url.ts";
import type { Selection } from "../query/selection.ts";
import type { EditRowProps, RowEdit } from "./edit-row.tsx";
import * as footStyles from "./pagination.module.css";
import { classOf, isEnd, RecordRow, useRowLinks } from "./record-row.tsx";
import * as styles from "./record-table.module.css";

const EditRow = openedPart<"EditRow", EditRowProps>(
  () => import("./edit-row.tsx"),
  "EditRow",
  (_, { children }) => children,
);

interface RecordTableProps {
  collection: Collection;
  columns: readonly Field[];
  /** The user chose the columns, so cards show all of them. */
  hasChosenColumns: boolean;
  records: readonly WireRecord[];
  /** Ids of rows that no longer belong to the page. */
  left: ReadonlySet<number>;
  /** "lastName", "-lastName", or several with commas. */
  sort: string;
  onSort: (sort: string | undefined) => void;
  /** These are the rows of the previous query; the current one is loading. */
  isStale: boolean;
  picking: Picking | undefined;
  editing: Editing | undefined;
}

/** Says which row is edited in its place. `onEdit` is stable between renders. */
export interface Editing {
  edit: RowEdit | undefined;
  onEdit: (edit: RowEdit | undefined) => void;
  /** Is set by the row with unsaved text: saves it, and then edits the next one. */
  saveFirst: RefObject<((next: RowEdit | undefined) => void) | undefined>;
}

/** Says how rows are selected. The functions are stable between renders. */
export interface Picking {
  selection: Selection;
  /** `isRange`: also all rows between this one and the last one picked. */
  onPick: (id: number, isRange: boolean) => void;
  onPickPage: (isPicked: boolean) => void;
}

export function RecordTable({
  collection,
  columns,
  hasChosenColumns,
  records,
  left,
  sort,
  onSort,
  isStale,
  picking,
  editing,
}: RecordTableProps) {
  const links = useRowLinks(collection);
  useEffect(() => whenAtRest(EditRow.preload), []);
  const locale = useLocale();
  const minute = Math.floor(Date.now() / 60_000);
  const drawn = useFirstRows(records);
  return (
    <div className={styles.rows} data-wide={isWide(columns)}>
      <table className={styles.table} data-chosen-columns={hasChosenColumns || undefined} aria-label={collection.title} aria-busy={isStale}>
        <thead>
          <tr>
            {picking && <PickPage collection={collection} records={records} picking={picking} />}
            {columns.map((field) => (
              <SortHeader key={field.name} field={field} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody key={locale} onPointerEnter={links.prepare} onFocus={links.prepare}>
          {drawn.map((record) => {
            const id = idOf(collection, record);
            const shared = { collection, columns, record, onEdit: editing?.onEdit };
            const row = (
              <RecordRow
                key={id}
                {...shared}
                isPicked={picking?.selection.has(id) ?? false}
                hasLeft={left.has(id)}
                onPick={picking?.onPick}
                links={links}
                minute={minute}
              />
            );
            return editing?.edit?.id !== id ? (
              row
            ) : (
              <EditRow key={id} {...shared} {...editing} edit={editing.edit} hasPick={picking !== undefined}>
                {row}
              </EditRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

let isFirstTable = true;

/**
 * Returns for the first table of the tab only the rows that fit the screen, until they are shown: while the app starts, drawing all rows at
 * once would keep the page from answering. Later tables are drawn at once, so that the page is as high as before when it scrolls back.
 */
function useFirstRows(records: readonly WireRecord[]): readonly WireRecord[] {
  const [isWhole, setIsWhole] = useState(!isFirstTable);
  useEffect(() => {
    isFirstTable = false;
    startTransition(() => setIsWhole(true));
  }, []);
  return isWhole ? records : records.slice(0, rowsOnScreen());
}

/** More than six columns may be wider than the screen. */
const isWide = (columns: readonly Field[]) => columns.length > 6 || undefined;

const WIDTHS = [8, 6, 9, 7, 5, 8.5, 6.5, 7.5]; // rem
export const PHONE = "(width <= 40em)"; // --phone of src/ui/styles/breakpoints.css
const ABOVE_PX = 190; // everything above and below the rows
const ROW_PX = 31; // of a compact list; those of a comfortable one are higher
const CARD_PX = 60;

/** Returns at least as many rows as fit. It must not measure anything in the page: that would lay it out while it is being drawn. */
function rowsOnScreen(): number {
  const height = matchMedia(PHONE).matches ? CARD_PX : ROW_PX;
  return Math.max(3, Math.ceil((screen.height - ABOVE_PX) / height));
}

/** Draws the table while its rows load, as many as fit the screen. */
export function RecordTableSkeleton({ columns, most, isPickable }: { columns: readonly Field[]; most: number; isPickable: boolean }) {
  const rows = useRef(Math.min(most, rowsOnScreen())).current;
  const box = isPickable && (
    <label>
      <input type="checkbox" disabled />
    </label>
  );
  return (
    <>
      <div className={styles.rows} data-wide={isWide(columns)} role="status">
        <span className={textStyles.hidden}>{t("Loading…")}</span>
        <table className={styles.table} aria-hidden="true">
          <thead>
            <tr>
              {box && <th className={styles.pick}>{box}</th>}
              {columns.map((field) => (
                <th key={field.name} className={isEnd(field) ? styles.atEnd : undefined}>
                  <span className={styles.sort}>
                    {field.title}
                    <span />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, row) => t("row {row}", { row })).map((key, row) => (
              <tr key={key}>
                {box && <td className={styles.pick}>{box}</td>}
                {columns.map((field, i) => (
                  <td key={field.name} className={classOf(field)} data-at={i}>
                    <Skeleton width={isWideColumn(field) ? `${WIDTHS[(row + 3 * i) % WIDTHS.length]}rem` : "4.5rem"} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={footStyles.foot}>
        <span className={footStyles.total}>
          <Skeleton width="12rem" />
        </span>
        <Skeleton width="16rem" />
      </div>
    </>
  );
}

function PickPage({ collection, records, picking }: { collection: Collection; records: readonly WireRecord[]; picking: Picking }) {
  const picked = records.filter((record) => picking.selection.has(idOf(collection, record))).length;
  return (
    <th className={styles.pick}>
      <label>
        <input
          type="checkbox"
          aria-label={t("Select this page")}
          ref={(input) => {
            if (input) input.indeterminate = picked > 0 && picked < records.length;
          }}
          checked={picked > 0 && picked === records.length}
          onChange={(event) => picking.onPickPage(event.target.checked)}
        />
      </label>
    </th>
  );
}

function SortHeader({ field, sort, onSort }: { field: Field } & Pick<RecordTableProps, "sort" | "onSort">) {
  const { name, title } = field;
  if (field.masked || field.item || field.isPerson || SERVICE_PRINCIPALS.includes(field)) return <th>{title}</th>;
  const change = (event: KeyboardEvent | MouseEvent) => {
    event.preventDefault();
    onSort(nextSort(sort, sortName(field), event.shiftKey));
  };
  const terms = sort.split(",");
  const at = terms.findIndex((term) => [name, sortName(field)].includes(term.replace("-", "")));
  const direction = at === -1 ? undefined : terms[at]?.startsWith("-") ? "descending" : "ascending";
  return (
    // Only the first of several has it: WAI-ARIA 1.2 allows one heading with aria-sort.
    <th className={isEnd(field) ? styles.atEnd : undefined} data-sort={direction} aria-sort={at === 0 ? direction : undefined}>
      <button
        type="button"
        className={`${buttonStyles.bare} ${styles.sort}`}
        title={at > 0 ? t("Sorted by this, too") : t("Shift+click sorts by this, too")}
        onClick={change}
        // In Firefox the click that Enter makes has no Shift.
        onKeyDown={(event) => event.key === "Enter" && change(event)}
      >
        {title}
        <span aria-hidden="true">{direction && terms.length > 1 ? at + 1 : ""}</span>
      </button>
    </th>
  );
}
