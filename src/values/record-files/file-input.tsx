// The file of a record in its form: chosen, dropped or photographed, sent at once, saved, replaced and removed.

import { type DragEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { readFileValue } from "../../../core/dictionary/files.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { useChangeFile } from "../../service/files.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { FileContent } from "./file-content.tsx";
import * as styles from "./file-input.module.css";
import { describeRules, problemOfFile, wrongTypeMessage } from "./file-words.ts";

export interface FormFileProps {
  field: Field;
  id: string;
  collection: Collection;
  /** The stored record; undefined for a new one. */
  record: WireRecord | undefined;
  readOnly?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  /** Gets the record with its new file, before anything else does. */
  onStored: (record: WireRecord) => void;
}

/** It is no part of what Save sends: content goes to an address of its own, as soon as it is chosen. */
export function FormFile({ field, id, collection, record, readOnly, onStored, ...described }: FormFileProps) {
  const value = readFileValue((record?.[field.name] ?? null) as Value | null);
  const sending = useSending({ field, collection, record, onStored });
  const [isOver, setOver] = useState(false);
  const { status } = sending;
  if (!record) return <p className={styles.none}>{t("Save the record first. Then a file can be added.")}</p>;
  const mayChange = !readOnly && status === undefined;
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!mayChange || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!mayChange) return;
      event.preventDefault();
      sending.send(event.dataTransfer.files[0]);
    },
  };
  return (
    <div className={styles.file} data-over={isOver || undefined} {...drop}>
      {value && <FileContent {...{ collection, field, value, record }} />}
      {status ? (
        <div className={styles.sending}>
          <label>
            <span>{status.file ? t("Sending {name}…", { name: status.file.name }) : t("Removing…")}</span>
            <progress />
          </label>
          {status.file && (
            <button type="button" className={buttonStyles.quiet} onClick={sending.cancel}>
              {t("Cancel")}
            </button>
          )}
        </div>
      ) : (
        !readOnly && (
          <div className={styles.actions}>
            <input
              className={textStyles.hidden}
              id={id}
              type="file"
              accept={field.file?.accept.join(",") || undefined}
              aria-describedby={described["aria-describedby"]}
              ref={sending.input}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                target.value = ""; // so that the same file, corrected, can be chosen again
                sending.send(file);
              }}
            />
            <label htmlFor={id} className={`button ${styles.choose}`}>
              {value ? t("Replace…") : t("Choose a file…")}
            </label>
            {value && (
              <button type="button" className={buttonStyles.quiet} onClick={sending.remove}>
                {t("Remove")}
                <span className={textStyles.hidden}> {field.title}</span>
              </button>
            )}
            {!value && field.file && <span className={textStyles.hint}>{describeRules(field.file)}</span>}
          </div>
        )
      )}
      <span className={sending.wrong ? textStyles.error : textStyles.hidden} role="status">
        {sending.wrong ?? sending.done}
      </span>
    </div>
  );
}

type SendingParts = Pick<FormFileProps, "field" | "collection" | "record" | "onStored">;

function useSending({ field, collection, record, onStored }: SendingParts) {
  const { client } = useServices();
  const change = useChangeFile(client, collection, field, onStored);
  const [status, setStatus] = useState<{ file: File | undefined }>();
  const [wrong, setWrong] = useState<string>();
  const [done, setDone] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const wasFocused = useRef(false);
  useEffect(() => {
    if (status || !wasFocused.current) return;
    wasFocused.current = false;
    input.current?.focus(); // the button that had the focus went while the file was sent
  }, [status]);

  async function run(file: File | undefined): Promise<void> {
    if (!record || status) return;
    const problem = file && problemOfFile(field, file);
    setWrong(problem);
    setDone("");
    if (problem) return;
    const own = new AbortController();
    running.current = own;
    wasFocused.current = true;
    setStatus({ file });
    try {
      const saved = await change.mutateAsync({ record, file, signal: own.signal });
      const now = readFileValue(saved[field.name] as Value | null);
      setDone(now ? t("{name} is stored.", { name: now.name }) : t("The file is removed."));
    } catch (error) {
      if (!own.signal.aborted) setWrong(messageOf(field, error));
    } finally {
      setStatus(undefined);
    }
  }
  return {
    status,
    wrong,
    done,
    input,
    send: (file: File | undefined) => file && void run(file),
    remove: () => void run(undefined),
    cancel: () => running.current?.abort(),
  };
}

function messageOf(field: Field, error: unknown): string {
  if (error instanceof ApiError && error.status === 415 && field.file) return wrongTypeMessage(field.title, field.file);
  return (error as Error).message;
}
