// A record as values to read and copy, for keys without permission to change it. Some may delete it.

import { Fragment, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { readFileValues } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import { BackToList } from "../../app/navigation/back-to-list.tsx";
import { useLastListUrl } from "../../app/navigation/last-list-urls.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { displayText, textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { FileContent } from "../../values/record-files/lazy-file-content.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import { changedMeanwhile } from "../form/diff.ts";
import { ContactLink } from "../form/lazy-contact-link.tsx";
import { useShownFields } from "../form/use-shown-fields.ts";
import * as styles from "./record-values.module.css";
import { useDeleteWithUndo } from "./use-delete-with-undo.tsx";

const ChangedNotice = lazyPart(() => import("../form/changed-notice.tsx"), "ChangedNotice", nothing);

export interface RecordValuesProps {
  collection: Collection;
  record: WireRecord;
  /** Someone deleted it while it was shown. */
  isGone: boolean;
  /** Someone else saved this version while the page was open. */
  isNews: boolean;
}

export function RecordValues({ collection, record, isGone, isNews }: RecordValuesProps) {
  const [was] = useState(record);
  const { keys } = useServices();
  const mayDelete = useMay(collection)("delete") === true;
  const navigate = useNavigate();
  const list = { to: "/$collection", params: { collection: collection.name }, search: useLastListUrl(collection.name) } as const;
  const { remove, notice, dialog } = useDeleteWithUndo(collection, async () => void (await navigate(list)));
  const shown = useShownFields(collection, record);
  const parts = collection.formParts ?? [{ section: undefined, fields: shown }];
  useShortcuts(keys, { delete: mayDelete && !isGone ? () => void remove(record) : undefined });
  return (
    <div className={formStyles.form}>
      {isNews && <ChangedNotice noun={collection.noun} changes={changedMeanwhile(collection, was, record, {})} theirs={record} />}
      {isGone && (
        <Notice tone="doubt">{t("Someone has deleted this {noun}. These are its last values.", { noun: collection.noun })}</Notice>
      )}
      {notice}
      <Notice>
        <b>{mayDelete ? t("You may not change {nouns}.", nounsOf(collection)) : t("You have read-only access.")}</b>{" "}
        {t("Ask an administrator if you need to change {nouns}.", nounsOf(collection))}
      </Notice>
      {parts.map(({ section, fields }) => {
        const own = fields.filter((field) => shown.includes(field));
        if (own.length === 0) return null;
        return (
          <Fragment key={section?.name ?? ""}>
            {section && <h2 dir="auto">{section.title}</h2>}
            <dl className={styles.values}>
              {own.map((field) => (
                <Value key={field.name} {...{ collection, record, field }} text={textOf(field, fieldValue(record, field))} />
              ))}
            </dl>
          </Fragment>
        );
      })}
      <div className={mayDelete ? formStyles.savebar : undefined} data-savebar="">
        <BackToList collection={collection} />
        {mayDelete && !isGone && (
          <button type="button" className={`${buttonStyles.quietEnd} ${buttonStyles.danger}`} onClick={() => remove(record)}>
            {t("Delete")}
          </button>
        )}
      </div>
      {dialog}
    </div>
  );
}

function Value({ collection, record, field, text }: Pick<RecordValuesProps, "collection" | "record"> & { field: Field; text: string }) {
  const shown = displayText(field, text);
  const stored = field.file ? readFileValues(record[field.name]) : [];
  return (
    <div data-field={field.name}>
      <dt>{field.title}</dt>
      <dd>
        <span dir="auto" className={text === "" ? textStyles.dim : undefined}>
          {stored.length > 0 ? (
            stored.map((value) => <FileContent key={value.hash} {...{ collection, field, value, record }} />)
          ) : field.format ? (
            <ContactLink field={field} text={text}>
              {shown}
            </ContactLink>
          ) : (
            <ShownText field={field} text={text} isLink />
          )}
        </span>
        {text !== "" && <Copy what={field.title} text={shown} />}
      </dd>
    </div>
  );
}

/** Renders nothing where the browser offers no clipboard, as without TLS. */
function Copy({ what, text }: { what: string; text: string }) {
  const [status, setStatus] = useState("");
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus(t("Copied")),
      () => setStatus(t("Not copied")),
    );
  return (
    <span className={styles.copy}>
      <button
        type="button"
        className={buttonStyles.quiet}
        aria-label={t("Copy {what}", { what })}
        onClick={copy}
        onBlur={() => setStatus("")}
      >
        {status || t("Copy")}
      </button>
      <span className={textStyles.hidden} role="status">
        {status}
      </span>
    </span>
  );
}
