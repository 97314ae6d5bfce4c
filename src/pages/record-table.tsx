// Records as table rows; on a phone as cards. The first cell is a link to the record.

import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { say } from "../../dictionary/words.ts";
import { idOf } from "../api/records.ts";
import { nextSort } from "../list/address.ts";
import type { Selection } from "../list/selection.ts";
import { formatDatetime, formatMoment } from "../ui/format.ts";
import { Skeleton } from "../ui/pieces.tsx";
import { display } from "./display.ts";
import { nameOf } from "./record-name.ts";

interface RecordTableProps {
  collection: Collection;
  columns: readonly Field[];
  /** The columns were chosen by hand: a card then shows all of them. */
  isChosen: boolean;
  records: readonly WireRecord[];
  /** "lastName" or "-lastName". */
  sort: string;
  onSort: (sort: string | undefined) => void;
  /** The rows of the question before, while the answer to this one is on its way. */
  isStale: boolean;
  picking: Picking | undefined;
}

/** Selecting, where there is something to do with a selection. */
export interface Picking {
  selection: Selection;
  /** `isRange`: and all rows between this one and the one picked before. */
  onPick: (id: number, isRange: boolean) => void;
  onPickPage: (isPicked: boolean) => void;
}

export function RecordTable({ collection, columns, isChosen, records, sort, onSort, isStale, picking }: RecordTableProps) {
  return (
    <div className={columns.length > MANY_COLUMNS ? "list-rows wide" : "list-rows"}>
      <table className={`list${isChosen ? " chosen" : ""}`} aria-label={collection.title} aria-busy={isStale}>
        <thead>
          <tr>
            {picking && <PickPage collection={collection} records={records} picking={picking} />}
            {columns.map((field) => (
              <SortHeader key={field.name} field={field} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row key={idOf(collection, record)} collection={collection} columns={columns} record={record} picking={picking} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MANY_COLUMNS = 6; // more may need more room than there is

interface RowProps extends Pick<RecordTableProps, "collection" | "columns" | "picking"> {
  record: WireRecord;
}

function Row({ collection, columns, record, picking }: RowProps) {
  const id = idOf(collection, record);
  const isPicked = picking?.selection.has(id) ?? false;
  const [first, ...rest] = columns;
  return (
    <tr className={isPicked ? "picked" : undefined} data-id={id}>
      {picking && (
        <td className="pick">
          <label>
            <input
              type="checkbox"
              aria-label={say("Select {record}", { record: nameOf(collection, record) })}
              checked={isPicked}
              onChange={(event) => picking.onPick(id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </label>
        </td>
      )}
      <td className={`at-0 ${first ? classOf(first) : ""}`}>
        <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
          <bdi>{(first && display(first, record[first.name] ?? null)) || nameOf(collection, record)}</bdi>
        </Link>
      </td>
      {rest.map((field, i) => (
        <Cell key={field.name} field={field} record={record} at={i + 1} />
      ))}
    </tr>
  );
}

function Cell({ field, record, at }: { field: Field; record: WireRecord; at: number }) {
  const value = record[field.name] ?? null;
  if (field.name === "updatedAt" || field.name === "createdAt") {
    return (
      <td className={`at-${at} ${classOf(field)}`} data-title={field.title}>
        <time dateTime={String(value)} title={formatDatetime(String(value))}>
          {formatMoment(String(value))}
        </time>
      </td>
    );
  }
  return (
    <td className={`at-${at} ${classOf(field)}`} data-title={field.title}>
      <bdi>{display(field, value)}</bdi>
    </td>
  );
}

const WIDTHS = ["62%", "48%", "70%", "55%", "40%", "66%", "52%", "60%"];
const ABOVE_PX = 240; // of what stands above and below the rows

/** The table before its rows are there, at the height it will have: what fits the screen. */
export function RecordTableSkeleton({ columns, most, isPickable }: { columns: readonly Field[]; most: number; isPickable: boolean }) {
  const rows = useRef(Math.max(3, Math.min(most, Math.floor((window.innerHeight - ABOVE_PX) / rowHeight())))).current;
  return (
    <div className="list-rows" role="status">
      <span className="hidden">{say("Loading…")}</span>
      <table className="list" aria-hidden="true">
        <thead>
          <tr>
            {isPickable && <th className="pick" />}
            {columns.map((field) => (
              <th key={field.name} className={isEnd(field) ? "num" : undefined}>
                {field.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => say("row {row}", { row })).map((key, row) => (
            <tr key={key}>
              {isPickable && <td className="pick" />}
              {columns.map((field, i) => (
                <td key={field.name} className={`at-${i} ${classOf(field)}`}>
                  <Skeleton width={WIDTHS[(row + 3 * i) % WIDTHS.length] ?? "50%"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In pixels: the style sheet's, as dense as was chosen, in the browser's size of text. */
function rowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return Number.parseFloat(style.getPropertyValue("--row")) * Number.parseFloat(style.fontSize);
}

function PickPage({ collection, records, picking }: { collection: Collection; records: readonly WireRecord[]; picking: Picking }) {
  const picked = records.filter((record) => picking.selection.has(idOf(collection, record))).length;
  return (
    <th className="pick">
      <label>
        <input
          type="checkbox"
          aria-label={say("Select this page")}
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
  const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined;
  return (
    <th className={isEnd(field) ? "num" : undefined} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(nextSort(sort, name))}>
        {title}
        <span aria-hidden="true">{direction === undefined ? "" : direction === "ascending" ? "↑" : "↓"}</span>
      </button>
    </th>
  );
}

/** Columns that end where the eye compares: numbers, and the times of the service. */
function isEnd({ name, kind }: Field): boolean {
  return kind === "integer" || kind === "number" || name === "updatedAt" || name === "createdAt";
}

/** What is of one length is shown whole; text takes the room that is left. */
function classOf(field: Field): string {
  if (field.name === "updatedAt" || field.name === "createdAt") return "short num dim";
  if (isEnd(field)) return "short num id";
  return field.kind === "string" ? "text" : "short";
}
