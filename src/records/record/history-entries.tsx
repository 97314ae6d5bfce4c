// The entries of a record's history. Fetched when the history is opened.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { HistoryEntry, Operation } from "../../../core/contract/history.ts";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { Loading } from "../../app/services/loading.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { historyQuery, useRestoreVersion } from "../../service/history.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { takeFocus, useFocusFallback } from "../../ui/focus/restore-focus.ts";
import * as textStyles from "../../ui/text.module.css";
import { nameOfPrincipal, SOURCE_WORDS } from "../../values/change-words.ts";
import { textOf } from "../../values/field-text.ts";
import { formatDatetime, formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { PrincipalMark } from "../../values/principal-mark.tsx";
import { ShownText } from "../../values/references/shown-text.tsx";
import { RecordErasure } from "./record-erasure.tsx";
import * as styles from "./record-history.module.css";

export interface HistoryEntriesProps {
  collection: Collection;
  id: number;
  /** The version that is shown; undefined: the record is deleted. */
  version: number | undefined;
  onErased: () => void;
}

const ENTRIES = "history-entries";

/** Shows all of them, and below them what only administrators do. */
export function HistoryEntries({ onErased, ...record }: HistoryEntriesProps) {
  return (
    <>
      <ol id={ENTRIES} className={styles.entries} tabIndex={-1}>
        <Entries key={record.version} {...record} before={undefined} />
      </ol>
      <RecordErasure {...record} onErased={onErased} />
    </>
  );
}

interface EntriesProps extends Omit<HistoryEntriesProps, "onErased"> {
  before: number | undefined;
}

/** Shows a page of entries, and on request the page after it. */
function Entries({ before, ...record }: EntriesProps) {
  const { client } = useServices();
  const { collection, id, version } = record;
  const query = useQuery(historyQuery(client, collection, { id, version: version ?? 0, before }));
  const [hasMore, setMore] = useState(false);
  const { data } = query;
  if (data === null || data?.history.length === 0)
    return <li className={textStyles.note}>{t("Nothing is known of what was changed before this service kept a history.")}</li>;
  const isLater = before !== undefined;
  if (!data)
    return (
      <li ref={isLater ? takeFocus : undefined} tabIndex={-1}>
        <Loading query={query} />
      </li>
    );
  return (
    <>
      {data.history.map((entry, index) => (
        <Entry
          key={`${entry.mergedFrom} ${entry.version}`}
          entry={entry}
          {...record}
          onShown={isLater && index === 0 ? takeFocus : undefined}
        />
      ))}
      {data.next !== null && !hasMore && (
        <li>
          <button type="button" onClick={() => setMore(true)}>
            {t("Show earlier changes")}
          </button>
        </li>
      )}
      {data.next !== null && hasMore && <Entries {...record} before={data.next} />}
    </>
  );
}

/** Names each without and with who did it. */
const WHAT: Record<Operation, readonly [string, string]> = {
  created: [message("Created"), message("Created by {name}")],
  updated: [message("Changed"), message("Changed by {name}")],
  deleted: [message("Deleted"), message("Deleted by {name}")],
  restored: [message("Brought back"), message("Brought back by {name}")],
  erased: [message("Erased"), message("Erased by {name}")],
};

interface EntryProps extends Omit<EntriesProps, "before"> {
  entry: HistoryEntry;
  onShown: ((element: HTMLElement | null) => void) | undefined;
}

function Entry({ entry, collection, id, version: shown, onShown }: EntryProps) {
  const { version, operation, by, source, at, acknowledged, mergedFrom } = entry;
  const isOwn = mergedFrom === undefined;
  return (
    <li ref={onShown} tabIndex={-1} data-now={(isOwn && version === shown) || undefined}>
      <div className={styles.what}>
        <PrincipalMark by={by} source={source.type} />
        <b>
          <NameInSentence name={by ? nameOfPrincipal(by) : ""} text={t(WHAT[operation][by ? 1 : 0])} />
        </b>
        <span className={textStyles.note}>
          {t(SOURCE_WORDS[source.type])} ·{" "}
          <time dateTime={at} title={formatDatetime(at)}>
            {formatRelativeTime(at)}
          </time>{" "}
          · {t("version {version}", { version })}
          {!isOwn && ` · ${collection.key.title} ${mergedFrom}`}
        </span>
        {isOwn && version !== shown && operation !== "deleted" && operation !== "erased" && (
          <BringBack collection={collection} id={id} version={version} shown={shown} />
        )}
      </div>
      {acknowledged && (
        <div className={textStyles.note}>
          {t("Confirmed: {what}", { what: acknowledged.map((rule) => sentenceOf(collection, rule)).join(" ") })}
        </div>
      )}
      <ChangedFields collection={collection} entry={entry} />
    </li>
  );
}

/** The rule may be gone by now; then its name says most. */
function sentenceOf({ rules = [] }: Collection, name: string): string {
  return ruleMessage({ rules }, rules.find((rule) => rule.name === name)?.message ?? name);
}

/** What a record had when it was created or deleted is shown on request: it is all of it. */
function ChangedFields({ collection, entry: { changes, operation, version } }: { collection: Collection; entry: HistoryEntry }) {
  const fields = collection.fields.filter(({ name }) => changes[name] !== undefined);
  if (fields.length === 0) return null;
  const isChange = operation === "updated" || operation === "restored";
  const values = (
    <dl className={styles.changes} aria-label={t("What changed in version {version}", { version })}>
      {fields.map((field) => {
        const [was, is] = changes[field.name] ?? [null, null];
        return (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>
              {isChange ? (
                <Change field={field} was={textOf(field, was)} is={textOf(field, is)} />
              ) : (
                <ShownText field={field} text={textOf(field, is ?? was)} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
  if (isChange) return values;
  return (
    <details>
      <summary>{t("Values")}</summary>
      {values}
    </details>
  );
}

/** Shows the old value and the new one, with an arrow between them for those who see it. */
function Change({ field, was, is }: { field: Field; was: string; is: string }) {
  return (
    <>
      <span className={textStyles.dim}>
        <span className={textStyles.hidden}>{t("Before")} </span>
        <ShownText field={field} text={was} />
      </span>{" "}
      <span className={textStyles.dim} aria-hidden="true">
        →
      </span>{" "}
      <span>
        <span className={textStyles.hidden}>{t("After")} </span>
        <ShownText field={field} text={is} />
      </span>
    </>
  );
}

function BringBack({ collection, id, version, shown }: { collection: Collection; id: number; version: number; shown: number | undefined }) {
  const { client, toasts } = useServices();
  const may = useMay(collection);
  useFocusFallback(`#${ENTRIES}`); // every entry is drawn anew when a version is back
  const restore = useRestoreVersion(client, collection, id);
  if (!may("update") || (shown === undefined && !may("create"))) return null;
  // It calls mutateAsync, because the callbacks of mutate do not run once this entry is drawn anew.
  const bringBack = () =>
    restore.mutateAsync({ version, seen: shown }).then(
      () => toasts.show({ message: t("Version {version} is back.", { version }) }),
      (error: Error) => toasts.show({ message: error.message }),
    );
  return (
    <button type="button" className={buttonStyles.link} aria-disabled={restore.isPending} onClick={() => restore.isPending || bringBack()}>
      {t("Bring back version {version}", { version })}
    </button>
  );
}
