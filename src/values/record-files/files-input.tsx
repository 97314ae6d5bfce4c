// The files of a field with several in a form: chosen or dropped together, each sent, cancelled and removed by itself.

import { useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import { MOST_FILES, readFileValues } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useMay } from "../../app/services/permissions.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { type Chosen, type ChosenFiles, useChosenFiles, useShown } from "./chosen-files.ts";
import { FileArea, FileButton } from "./file-area.tsx";
import { FileContent } from "./file-content.tsx";
import * as styles from "./file-input.module.css";
import { ChosenContent, type FormFileProps, Sending, useComeToSight } from "./file-input.tsx";
import { describeRules } from "./file-words.ts";
import { useSendFiles } from "./use-send-files.ts";

/** Works as `FormFile` does: what is chosen is sent at once, or once a new record is saved. */
export function FormFiles({ field, id, collection, record, readOnly, box, onStored, ...described }: FormFileProps) {
  const files = useChosenFiles(box, collection, record);
  const sending = useSendFiles({ field, collection, record, files, onStored });
  const mayUpdate = useMay(collection)("update");
  const input = useRef<HTMLInputElement>(null);
  const { running, leaving, news } = sending;
  const most = field.maxLength ?? MOST_FILES;
  const stored = readFileValues(record?.[field.name]);
  const names = files.namesOf(field.name);
  useComeToSight(
    input,
    names.some((name) => files.of(name)?.problem !== undefined),
  );
  if (!record && mayUpdate === false)
    return <p className={styles.none}>{t("Your rights do not let you add a file: it is sent as a change of the new record.")}</p>;
  /** The button that had the focus goes. */
  const withFocus = (then: () => void) => () => {
    input.current?.focus();
    then();
  };
  return (
    <FileArea mayDrop={!readOnly} onChoose={sending.choose}>
      {stored.length + names.length > 0 && (
        <ul className={styles.several}>
          {record &&
            stored.map((value) => (
              <li key={value.hash}>
                <FileContent {...{ collection, field, value, record }} />
                {!readOnly && (
                  <button
                    type="button"
                    className={buttonStyles.quiet}
                    disabled={leaving.has(value.hash)}
                    onClick={withFocus(() => sending.takeOut(value))}
                  >
                    {leaving.has(value.hash) ? t("Removing…") : t("Remove")}
                    <span className={textStyles.hidden}> {value.name}</span>
                  </button>
                )}
              </li>
            ))}
          {names.map((name) => {
            const chosen = files.of(name);
            const sent = running?.name === name ? running.sent : undefined;
            return (
              chosen && (
                <ChosenFile
                  key={name}
                  {...{ name, files, chosen, sent, record }}
                  send={(to) => sending.send(name, to)}
                  onLeaveOut={withFocus(() => sending.leaveOut(name))}
                />
              )
            );
          })}
        </ul>
      )}
      {!readOnly && (
        <div className={styles.actions}>
          <FileButton
            {...{ id, field, input }}
            label={t("Choose files…")}
            describedBy={[described["aria-describedby"], `${id}-count`].filter(Boolean).join(" ")}
            isMultiple
            onChoose={sending.choose}
          />
          <span id={`${id}-count`} className={textStyles.hint}>
            {t("{n} of at most {most} files.", { n: stored.length + names.length, most })} {field.file && describeRules(field.file)}
          </span>
        </div>
      )}
      <span className={news.isWrong ? textStyles.error : textStyles.hidden} role="status">
        {news.text}
      </span>
    </FileArea>
  );
}

interface ChosenFileProps {
  name: string;
  files: ChosenFiles;
  chosen: Chosen;
  /** Percent; undefined while it is not under way. */
  sent: number | undefined;
  record: WireRecord | undefined;
  send: (to: WireRecord) => Promise<WireRecord | undefined>;
  onLeaveOut: () => void;
}

function ChosenFile({ name, files, chosen, sent, record, send, onLeaveOut }: ChosenFileProps) {
  useShown(files, name, send);
  if (sent !== undefined)
    return (
      <li>
        <Sending file={chosen.file} sent={sent} onCancel={onLeaveOut} />
      </li>
    );
  const hidden = <span className={textStyles.hidden}> {chosen.file.name}</span>;
  return (
    <li>
      <ChosenContent chosen={chosen} isNew={!record} />
      {chosen.problem && (
        <span className={textStyles.error} role="alert">
          {chosen.problem}
        </span>
      )}
      {chosen.problem && !chosen.isRefused && record && (
        <button type="button" onClick={() => void send(record)}>
          {t("Try again")}
          {hidden}
        </button>
      )}
      <button type="button" className={buttonStyles.quiet} onClick={onLeaveOut}>
        {t("Leave out")}
        {hidden}
      </button>
    </li>
  );
}
