// A record beside its list, to read: what it has, what was changed last, and the ways to it and to its children.

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, X } from "lucide";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { HistoryEntry } from "../../../core/contract/history.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { readFileValues } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { historyQuery } from "../../service/history.ts";
import { countQuery, idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { Monogram } from "../../ui/monogram.tsx";
import { Icon } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { useDebounced } from "../../ui/use-debounced.ts";
import { nameOfPrincipal, OPERATION_WORDS } from "../../values/change-words.ts";
import { textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { formatAge, formatDatetime } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { Pill } from "../../values/pill.tsx";
import { FileContent } from "../../values/record-files/lazy-file-content.tsx";
import { countOf, nameOf } from "../../values/record-name.ts";
import { type Relation, useRelations } from "../../values/references/relations.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import { ContactLink } from "../form/lazy-contact-link.tsx";
import { useShownFields } from "../form/use-shown-fields.ts";
import * as styles from "./preview.module.css";

interface PreviewProps {
  collection: Collection;
  record: WireRecord;
  /** Shows another record of the page, or none. */
  onShow: (id: number | undefined) => void;
}

const MOST_CHANGES = 3;

export function Preview({ collection, record, onShow }: PreviewProps) {
  const { keys } = useServices();
  const navigate = useNavigate();
  const id = idOf(collection, record);
  const name = nameOf(collection, record);
  const relations = useRelations(collection);
  const mayUpdate = useMay(collection)("update") ?? false;
  const place = { to: "/$collection/$id", params: { collection: collection.name, id: String(id) } } as const;
  const rested = useDebounced(id, 150); // what an arrow key that is held down passes by is not read
  useRowUnderPreview(id, onShow);
  useShortcuts(keys, { closePreview: () => onShow(undefined), editPreviewed: mayUpdate ? () => void navigate(place) : undefined });
  return (
    <div className={styles.place} data-preview="">
      <aside className={styles.preview} aria-label={t("Preview")}>
        <div className={styles.head}>
          <Monogram name={name} kind="thing" />
          <h2 dir="auto">{name}</h2>
          <Link className={styles.icon} {...place} title={t("Open")} aria-label={t("Open {name}", { name })}>
            <Icon of={ArrowUpRight} />
          </Link>
          <button
            type="button"
            className={`${buttonStyles.bare} ${styles.icon}`}
            title={t("Close (Esc)")}
            onClick={() => onShow(undefined)}
          >
            <Icon of={X} />
          </button>
        </div>
        <Values collection={collection} record={record} />
        {rested === id && <LastChanges collection={collection} id={id} version={record.version} />}
        <div className={styles.actions}>
          {mayUpdate && (
            <Link className="button" {...place}>
              {t("Edit")} <kbd>E</kbd>
            </Link>
          )}
          {rested === id && relations.map((relation) => <ChildLink key={relation.name} id={id} relation={relation} />)}
        </div>
      </aside>
    </div>
  );
}

/** Marks the row, and goes along with the focus. While the preview is open, a press on a row shows it there. */
function useRowUnderPreview(id: number, onShow: PreviewProps["onShow"]): void {
  const latest = useRef(onShow);
  latest.current = onShow;
  useLayoutEffect(() => {
    const row = document.querySelector<HTMLElement>(`main tr[data-id="${id}"]`);
    if (!row) return;
    row.dataset.previewed = "";
    return () => {
      delete row.dataset.previewed;
    };
  });
  useEffect(() => {
    const rowOf = ({ target }: Event) => (target as Element).closest<HTMLElement>("main tr[data-id]");
    const follow = (event: FocusEvent) => {
      const row = rowOf(event);
      if (row) latest.current(Number(row.dataset.id));
    };
    const press = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.detail === 1;
      if (!isPlain || !(event.target as Element).closest("main tr[data-id] > th > a")) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("focusin", follow);
    document.addEventListener("click", press, true);
    return () => {
      document.removeEventListener("focusin", follow);
      document.removeEventListener("click", press, true);
    };
  }, []);
}

function Values({ collection, record }: Pick<PreviewProps, "collection" | "record">) {
  return (
    <dl className={styles.values}>
      {useShownFields(collection, record).map((field) => {
        const value = fieldValue(record, field);
        const text = textOf(field, value);
        const stored = field.file ? readFileValues(value) : [];
        return (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd dir="auto" className={text === "" ? textStyles.dim : undefined}>
              {stored.length > 0 ? (
                stored.map((file) => <FileContent key={file.hash} {...{ collection, field, record }} value={file} />)
              ) : field.enum && value !== null ? (
                <Pill field={field} value={value} text={formatValue(field, value)} />
              ) : field.format && text !== "" ? (
                <ContactLink field={field} text={text}>
                  {text}
                </ContactLink>
              ) : (
                <ShownText field={field} text={text} isLink />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function LastChanges({ collection, id, version }: { collection: Collection; id: number; version: number }) {
  const { client } = useServices();
  const { data } = useQuery(historyQuery(client, collection, { id, version }));
  if (!data || data.history.length === 0) return null;
  return (
    <section aria-label={t("Last changes")} className={styles.changes}>
      <b>{t("Last changes")}</b>
      <ol>
        {data.history.slice(0, MOST_CHANGES).map((entry) => (
          <Change key={entry.version} collection={collection} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Change({ collection, entry: { by, at, operation, changes } }: { collection: Collection; entry: HistoryEntry }) {
  const name = by ? nameOfPrincipal(by) : "";
  const isChange = operation === "updated" || operation === "restored";
  const fields = isChange ? collection.fields.filter((field) => changes[field.name]) : [];
  return (
    <li>
      {name && <Monogram name={name} />}
      <div>
        <bdi>{name || t(OPERATION_WORDS[operation])}</bdi>{" "}
        <time dateTime={at} title={formatDatetime(at)} className={textStyles.dim}>
          · {formatAge(at)}
        </time>
        {!isChange && name && <div className={textStyles.dim}>{t(OPERATION_WORDS[operation])}</div>}
        {fields.map((field) => {
          const [was, is] = (changes[field.name] ?? []).map((value) => textOf(field, value ?? null));
          return (
            <div key={field.name}>
              <span className={textStyles.dim}>{field.title}</span>{" "}
              <s>
                <ShownText field={field} text={was ?? ""} />
              </s>{" "}
              → <ShownText field={field} text={is ?? ""} />
            </div>
          );
        })}
      </div>
    </li>
  );
}

/** Leads to the list of the children. Where there are none it is not there. */
function ChildLink({ id, relation: { child, field } }: { id: number; relation: Relation }) {
  const { client } = useServices();
  const below = { [field.name]: String(id) };
  const { data } = useQuery(countQuery(client, child, below));
  if (!data || data.total === 0) return null;
  return (
    <Link className="button" to="/$collection" params={{ collection: child.name }} search={below}>
      {countOf(child, data.total)}
      {data.totalIsAtLeast && "+"}
    </Link>
  );
}
