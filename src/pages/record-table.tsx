// Records as table rows; on a phone as cards. The first cell is a link to the record.

import { Link } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { Value } from "../../dictionary/kinds.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { idOf } from "../api/records.ts";
import { formatDate, formatDatetime, formatMoment, formatNumber } from "../ui/format.ts";
import { Skeleton } from "../ui/pieces.tsx";
import { nameOf } from "./record-name.ts";

interface RecordTableProps {
  collection: Collection;
  records: readonly WireRecord[];
  /** "lastName" or "-lastName". */
  sort: string;
  onSort: (sort: string) => void;
  /** The rows of the question before, while the answer to this one is on its way. */
  isStale: boolean;
}

export function RecordTable({ collection, records, sort, onSort, isStale }: RecordTableProps) {
  const [first, ...rest] = collection.list;
  return (
    <table className="list" aria-label={collection.title} aria-busy={isStale}>
      <thead>
        <tr>
          {collection.list.map((field) => (
            <SortHeader key={field.name} name={field.name} title={field.title} isNumber={isNumber(field)} sort={sort} onSort={onSort} />
          ))}
          <SortHeader name="updatedAt" title="Changed" isNumber sort={sort} onSort={onSort} />
        </tr>
      </thead>
      <tbody>
        {records.map((record) => {
          const id = idOf(collection, record);
          return (
            <tr key={id}>
              <td>
                <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
                  <bdi>{(first && display(first, record[first.name] ?? null)) || nameOf(collection, record)}</bdi>
                </Link>
              </td>
              {rest.map((field) => (
                <td key={field.name} className={isNumber(field) ? "num id" : undefined}>
                  <bdi>{display(field, record[field.name] ?? null)}</bdi>
                </td>
              ))}
              <td className="num dim">
                <time dateTime={record.updatedAt} title={formatDatetime(record.updatedAt)}>
                  {formatMoment(record.updatedAt)}
                </time>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const WIDTHS = ["62%", "48%", "70%", "55%", "40%", "66%", "52%", "60%"];

/** The table before its rows are there, at the height it will have. */
export function RecordTableSkeleton({ collection }: { collection: Collection }) {
  return (
    <div role="status">
      <span className="hidden">Loading…</span>
      <table className="list" aria-hidden="true">
        <thead>
          <tr>
            {collection.list.map((field) => (
              <th key={field.name}>{field.title}</th>
            ))}
            <th>Changed</th>
          </tr>
        </thead>
        <tbody>
          {WIDTHS.map((width) => (
            <tr key={width}>
              {[...collection.list, undefined].map((field) => (
                <td key={field?.name ?? "changed"}>
                  <Skeleton width={width} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SortHeaderProps extends Pick<RecordTableProps, "sort" | "onSort"> {
  name: string;
  title: string;
  isNumber: boolean;
}

function SortHeader({ name, title, isNumber: isEnd, sort, onSort }: SortHeaderProps) {
  const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined;
  return (
    <th className={isEnd ? "num" : undefined} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(direction === "ascending" ? `-${name}` : name)}>
        {title}
        {direction && <span aria-hidden="true">{direction === "ascending" ? "↑" : "↓"}</span>}
      </button>
    </th>
  );
}

function isNumber(field: Field): boolean {
  return field.kind === "integer" || field.kind === "number";
}

function display(field: Field, value: Value | null): string {
  if (value === null) return "";
  switch (field.kind) {
    case "string":
      return String(value);
    case "integer":
      return field.unique ? String(value) : formatNumber(Number(value)); // a key is a name, not an amount
    case "number":
      return formatNumber(Number(value));
    case "boolean":
      return value ? "Yes" : "No";
    case "date":
      return formatDate(String(value));
    case "datetime":
      return formatDatetime(String(value));
  }
}
