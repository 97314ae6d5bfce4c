// The fields of a collection in a draft, in their order, which is changed by dragging or with the keyboard.

import { GripVertical } from "lucide";
import { type KeyboardEvent, useState } from "react";
import { canonical } from "../../../core/dictionary/canonical.ts";
import type { Package, PackageField, PackageResource } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Icon } from "../../ui/primitives.tsx";
import * as stackedTableStyles from "../../ui/stacked-table.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { constraintsOf, SORTS, sortOf } from "./field-kinds.ts";
import { changeField, moveField, titleOf } from "./package-edits.ts";

interface FieldTableProps {
  resource: PackageResource;
  /** Is the version from which the draft was made. */
  before: PackageResource | undefined;
  at: number;
  /** The field that is open beside the table. */
  open: number | undefined;
  onOpen: (fieldAt: number | undefined) => void;
  /** A field has another place, and with it others may have. */
  onMoved: (from: number, to: number) => void;
  change: (edit: (all: Package) => Package) => void;
}

export function FieldTable({ resource, before, at, open, onOpen, onMoved, change }: FieldTableProps) {
  const [dragged, setDragged] = useState<number>();
  const all = resource.schema.fields.map((field, fieldAt) => ({ field, fieldAt }));
  const shown = all.filter(({ field }) => !field.retired);
  const move = (from: number, by: number) => {
    const to = shown[shown.findIndex(({ fieldAt }) => fieldAt === from) + by]?.fieldAt;
    if (to !== undefined) moveTo(from, to);
  };
  const moveTo = (from: number, to: number) => {
    change((one) => moveField(one, at, from, to));
    onMoved(from, to);
    setTimeout(() => document.getElementById(`field-row-${to}`)?.focus());
  };
  const onKeyDown = (fieldAt: number) => (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(fieldAt, by);
  };
  return (
    <div className={styles.table}>
      <table className={stackedTableStyles.stacked} aria-label={t("Fields")}>
        <thead>
          <tr>
            <th>{t("Field")}</th>
            <th>{t("Name in files")}</th>
            <th>{t("Kind")}</th>
            <th>{t("Rules")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ field, fieldAt }) => (
            <tr
              key={field.id ?? `new ${fieldAt}`}
              data-open={open === fieldAt || undefined}
              draggable
              onDragStart={() => setDragged(fieldAt)}
              onDragOver={(event) => dragged !== undefined && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined && dragged !== fieldAt) moveTo(dragged, fieldAt);
                setDragged(undefined);
              }}
            >
              <td className={tableStyles.wrap}>
                <span className={styles.field}>
                  <span className={styles.grip} aria-hidden="true">
                    <Icon of={GripVertical} />
                  </span>
                  <button
                    type="button"
                    id={`field-row-${fieldAt}`}
                    className={buttonStyles.bare}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                    aria-expanded={open === fieldAt}
                    onClick={() => onOpen(open === fieldAt ? undefined : fieldAt)}
                    onKeyDown={onKeyDown(fieldAt)}
                  >
                    <b>{titleOf(field)}</b>
                  </button>
                  <State field={field} before={before} />
                </span>
              </td>
              <td data-title={t("Name in files")}>
                <code>{field.name}</code>
              </td>
              <td data-title={t("Kind")}>{kindOf(resource, field)}</td>
              <td className={tableStyles.wrap} data-title={t("Rules")}>
                {rulesIn(resource, field)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Retired
        titles={all.filter(({ field }) => field.retired)}
        onBack={(fieldAt) => change((one) => changeField(one, at, fieldAt, { retired: undefined }))}
      />
    </div>
  );
}

/** Says what the draft has made of the field. */
function State({ field, before }: { field: PackageField; before: PackageResource | undefined }) {
  const old = before?.schema.fields.find(({ id }) => id !== undefined && id === field.id);
  if (old && canonical(old) === canonical(field)) return null;
  return <span className={styles.state}>{old ? t("changed") : t("new")}</span>;
}

function kindOf(resource: PackageResource, field: PackageField): string {
  const isReference = resource.schema.foreignKeys?.some((key) => [key.fields].flat()[0] === field.name) ?? false;
  return t(SORTS[sortOf(field, isReference)]?.title ?? "");
}

function rulesIn(resource: PackageResource, field: PackageField): string {
  const { required, unique } = constraintsOf(field);
  const isKey = [resource.schema.primaryKey].flat()[0] === field.name;
  return [
    isKey ? t("assigned by the service if empty") : required ? t("required") : t("optional"),
    ...(unique && !isKey ? [t("unique")] : []),
  ].join(" · ");
}

interface RetiredProps {
  titles: readonly { field: PackageField; fieldAt: number }[];
  onBack: (fieldAt: number) => void;
}

function Retired({ titles, onBack }: RetiredProps) {
  if (titles.length === 0) return null;
  return (
    <section className={styles.retired} aria-labelledby="retired-fields">
      <h2 id="retired-fields">{t("Retired")}</h2>
      <p className={textStyles.note}>{t("Nobody sees them. Their values are kept.")}</p>
      <ul>
        {titles.map(({ field, fieldAt }) => (
          <li key={field.id}>
            <span>
              {titleOf(field)} <code>{field.name}</code>
            </span>
            <button type="button" aria-label={t("Bring back {title}", { title: titleOf(field) })} onClick={() => onBack(fieldAt)}>
              {t("Bring back")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
