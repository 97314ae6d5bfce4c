// The records that refer to one: those that were changed last, and the ways to all, to a new one, to a file of many.

import { useQuery } from "@tanstack/react-query";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Field } from "../../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../../core/dictionary/kinds.ts";
import { t } from "../../../../core/i18n/translate.ts";
import { Link } from "../../../app/router/link.tsx";
import { Loading } from "../../../app/services/loading.tsx";
import { useMay, useMayUpload } from "../../../app/services/permissions.ts";
import { useServices } from "../../../app/services/services.ts";
import { idOf, listQuery } from "../../../service/records.ts";
import * as buttonStyles from "../../../ui/button.module.css";
import * as pageStyles from "../../../ui/page.module.css";
import { ScrollArea } from "../../../ui/scroll-area.tsx";
import * as stackedTableStyles from "../../../ui/stacked-table.module.css";
import * as tableStyles from "../../../ui/table.module.css";
import * as textStyles from "../../../ui/text.module.css";
import { fieldValue } from "../../../values/field-value.ts";
import { formatValue } from "../../../values/format-value.ts";
import { Pill } from "../../../values/pill.tsx";
import { nameOf, nounsOf } from "../../../values/record-name.ts";
import { ReferenceName } from "../../../values/references/lazy-reference-name.tsx";
import type { Relation } from "../../../values/references/relations.ts";

const MOST_ROWS = 25;

interface ChildListProps {
  parent: Collection;
  id: number;
  relation: Relation;
}

export function ChildList({ id, relation: { child, field } }: ChildListProps) {
  const { client } = useServices();
  const below = { [field.name]: String(id) };
  const query = useQuery(listQuery(client, child, { ...below, sort: "-updatedAt", limit: String(MOST_ROWS) }));
  const { data, isPlaceholderData } = query;
  const records = isPlaceholderData ? undefined : data?.records;
  return (
    <>
      <Actions child={child} below={below} isEmpty={records?.length === 0} hasMore={data?.next !== undefined} />
      <Loading query={query} />
      {records?.length === 0 && (
        <div className={pageStyles.empty}>
          <b>{t("No {nouns} yet", nounsOf(child))}</b>
        </div>
      )}
      {records && records.length > 0 && <ChildTable child={child} field={field} records={records} />}
    </>
  );
}

interface ActionsProps {
  child: Collection;
  /** The parent, as search parameters. */
  below: Record<string, string>;
  isEmpty: boolean;
  hasMore: boolean;
}

function Actions({ child, below, isEmpty, hasMore }: ActionsProps) {
  const params = { collection: child.name };
  const mayCreate = useMay(child)("create");
  const mayUpload = useMayUpload(child);
  return (
    <div className={pageStyles.tools}>
      {mayCreate && (
        <Link className={buttonStyles.primary} to="/$collection/new" params={params} search={below}>
          {t("New {noun}", { noun: child.noun })}
        </Link>
      )}
      {mayUpload && (
        <Link className="button" to="/$collection/upload" params={params} search={below}>
          {t("Upload {nouns}", nounsOf(child))}
        </Link>
      )}
      {!isEmpty && (
        <Link className={buttonStyles.quietEnd} to="/$collection" params={params} search={below}>
          {hasMore ? t("Show all {nouns} in the list", nounsOf(child)) : t("Show in the list")}
        </Link>
      )}
    </div>
  );
}

interface ChildTableProps {
  child: Collection;
  /** What all rows have in common is not shown. */
  field: Field;
  records: readonly WireRecord[];
}

function ChildTable({ child, field, records }: ChildTableProps) {
  const [first, ...columns] = child.list.filter((one) => one !== field);
  return (
    <ScrollArea label={child.title}>
      <table className={stackedTableStyles.stacked} aria-label={child.title}>
        <thead>
          <tr>
            <th>{first?.title}</th>
            {columns.map((column) => (
              <th key={column.name} className={isAmount(column) ? tableStyles.number : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const id = idOf(child, record);
            return (
              <tr key={id}>
                <td>
                  <Link to="/$collection/$id" params={{ collection: child.name, id: String(id) }}>
                    <FirstValue child={child} field={first} record={record} />
                  </Link>
                </td>
                {columns.map((column) => (
                  <td key={column.name} data-title={column.title} className={isAmount(column) ? tableStyles.number : undefined}>
                    <ChildValue field={column} record={record} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function FirstValue({ child, field, record }: { child: Collection; field: Field | undefined; record: WireRecord }) {
  const value = field ? fieldValue(record, field) : null;
  if (field?.reference && value !== null) return <ReferenceName field={field} text={String(value)} />;
  return <bdi>{(field && formatValue(field, value)) || nameOf(child, record)}</bdi>;
}

function ChildValue({ field, record }: { field: Field; record: WireRecord }) {
  const value = fieldValue(record, field);
  if (value === null) return <span className={textStyles.dim}>—</span>;
  if (field.reference) return <ReferenceName field={field} text={String(value)} isLink />;
  const text = formatValue(field, value);
  if (!field.enum) return <bdi>{text}</bdi>;
  return (
    // On a phone a cell is a grid, in which the pill alone would be as wide as the column.
    <span>
      <Pill field={field} value={value} text={text} />
    </span>
  );
}

function isAmount(field: Field): boolean {
  return KIND_TRAITS[field.kind].isAmount === true && !field.reference;
}
