import { type MouseEvent, memo, useMemo } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { SERVICE_TIMES } from "../../../core/dictionary/filters.ts";
import { KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { isPlainClick } from "../../app/router/link.tsx";
import { useRouter } from "../../app/router/router-context.tsx";
import { idOf } from "../../service/records.ts";
import { Monogram } from "../../ui/monogram.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatAge, formatDatetime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { Pill } from "../../values/pill.tsx";
import { nameOf } from "../../values/record-name.ts";
import { ReferenceName } from "../../values/references/lazy-reference-name.tsx";
import { isWideColumn } from "../query/list-url.ts";
import * as styles from "./record-table.module.css";

interface RowProps {
  collection: Collection;
  columns: readonly Field[];
  record: WireRecord;
  isPicked: boolean;
  /** It no longer belongs to the page, as it is now. */
  hasLeft: boolean;
  /** Is undefined when rows cannot be selected. */
  onPick: ((id: number, isRange: boolean) => void) | undefined;
  /** Is undefined for those who may not change records. Stable between renders. */
  onEdit: ((edit: { id: number }) => void) | undefined;
  links: RowLinks;
  /** The current minute, so that the row renders again when "2 min ago" changes. */
  minute: number;
}

/** Memoized: every prop is stable unless the row itself changed. */
export const RecordRow = memo(function RecordRow({ isPicked, hasLeft, onPick, ...cells }: RowProps) {
  const { collection, record } = cells;
  const id = idOf(collection, record);
  return (
    <>
      <tr className={isPicked ? styles.picked : hasLeft ? styles.left : undefined} data-id={id}>
        {onPick && (
          <td className={styles.pick}>
            <label>
              <input
                type="checkbox"
                aria-label={t("Select {record}", { record: nameOf(collection, record) })}
                checked={isPicked}
                onChange={(event) => onPick(id, (event.nativeEvent as PointerEvent).shiftKey)}
              />
            </label>
          </td>
        )}
        <Cells {...cells} />
      </tr>
      {hasLeft && (
        <tr className={styles.leftNote}>
          <td colSpan={cells.columns.length + (onPick ? 1 : 0)} role="status">
            {t("It is no longer in this list, as it is now.")}
          </td>
        </tr>
      )}
    </>
  );
});

/** It is separate from the row, so that selecting a whole page renders no values again. */
const Cells = memo(function Cells({ collection, columns, record, links, onEdit }: Omit<RowProps, "isPicked" | "hasLeft" | "onPick">) {
  const id = idOf(collection, record);
  const [first, ...rest] = columns;
  const firstText = first && textIn(record, first);
  return (
    <>
      <th scope="row" className={first && classOf(first)} data-at={0}>
        <a href={links.to(id)} onClick={(event) => links.follow(event, id)}>
          {firstText && first?.reference ? (
            <ReferenceName field={first} text={firstText} />
          ) : (
            <bdi>{firstText || nameOf(collection, record)}</bdi>
          )}
        </a>
        {onEdit && (
          <button type="button" className={styles.edit} tabIndex={-1} title={t("Edit here (F2)")} onClick={() => onEdit({ id })} />
        )}
      </th>
      {rest.map((field, i) => (
        <Cell key={field.name} field={field} record={record} at={i + 1} />
      ))}
    </>
  );
});

/** Returns the text of a cell; of who created or changed the record, the name. */
function textIn(record: WireRecord, field: Field): string {
  const value = record[field.name] ?? null;
  return value !== null && typeof value === "object" && "name" in value ? value.name : formatValue(field, value);
}

export function Cell({ field, record, at }: { field: Field; record: WireRecord; at: number }) {
  return (
    <td className={classOf(field)} data-at={at} data-title={field.title}>
      <CellValue field={field} record={record} />
    </td>
  );
}

function CellValue({ field, record }: { field: Field; record: WireRecord }) {
  const value = record[field.name];
  const text = textIn(record, field);
  if (text === "") return <bdi className={styles.none}>—</bdi>;
  if (SERVICE_TIMES.includes(field)) return <ChangedAt record={record} at={String(value)} by={CHANGED_BY[field.name]} />;
  if (field.reference) return <ReferenceName field={field} text={text} isLink />;
  if (field.enum) return <Pill field={field} value={value as Value} text={text} />;
  if (value !== true) return <bdi className={value === false ? styles.none : undefined}>{text}</bdi>;
  return (
    <span role="img" aria-label={text}>
      ✓
    </span>
  );
}

const CHANGED_BY: Readonly<Record<string, "updatedBy" | "createdBy">> = { updatedAt: "updatedBy", createdAt: "createdBy" };

/** Who did it stands beside the time as letters, and in full in its title. */
function ChangedAt({ record, at, by = "updatedBy" }: { record: WireRecord; at: string; by?: "updatedBy" | "createdBy" | undefined }) {
  const name = record[by]?.name;
  return (
    <>
      {name && <Monogram name={name} />}
      <time dateTime={at} title={[formatDatetime(at), name].filter(Boolean).join(" · ")}>
        {formatAge(at)}
      </time>
    </>
  );
}

/** Behaves like the router's Link, but does not subscribe to the address, which would slow every search down. */
interface RowLinks {
  to(id: number): string;
  /** Navigates on a plain click. Leaves clicks with a modifier or another button to the browser. */
  follow(event: MouseEvent, id: number): void;
  /** Preloads the code of the record page. */
  prepare(): void;
}

export function useRowLinks({ name }: Collection): RowLinks {
  const router = useRouter();
  return useMemo(() => {
    const list = router.hrefOf({ to: "/$collection", params: { collection: name } });
    const record = (id: number) => ({ to: "/$collection/$id", params: { collection: name, id: String(id) } }) as const;
    let isPrepared = false;
    return {
      to: (id) => `${list}/${id}`,
      follow(event, id) {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        void router.navigate(record(id));
      },
      prepare() {
        if (!isPrepared) router.preload(record(0));
        isPrepared = true;
      },
    };
  }, [router, name]);
}

/** Says whether the column is aligned at its end, as numbers are. */
export function isEnd(field: Field): boolean {
  return KIND_TRAITS[field.kind].isAmount === true && !field.reference;
}

/** Values of similar length get a column that fits them; text takes the remaining width. */
export function classOf(field: Field): string | undefined {
  if (SERVICE_TIMES.includes(field)) return `${styles.narrow} ${styles.changed} ${textStyles.dim}`;
  if (isEnd(field)) return `${styles.narrow} ${styles.atEnd}`;
  return isWideColumn(field) ? styles.wide : styles.narrow;
}
