// The file of a record in its form: chosen, dropped or photographed, sent, saved, replaced and removed.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, NoReply } from "../../../client/errors.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type FileValue, readFileValue } from "../../../core/dictionary/files.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { refetchRecord } from "../../service/cache-updates.ts";
import { useChangeFile } from "../../service/files.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../bytes-and-seconds.ts";
import { type Chosen, type ChosenFiles, type FileBox, useChosenFiles, useShown } from "./chosen-files.ts";
import { FileArea, FileButton } from "./file-area.tsx";
import { FileContent, MOST_DRAWN, Picture } from "./file-content.tsx";
import * as styles from "./file-input.module.css";
import { describeRules, isPicture, isSameContent, isUnreadable, problemOfFile, wrongTypeMessage } from "./file-words.ts";

export interface FormFileProps {
  field: Field;
  id: string;
  collection: Collection;
  /** The stored record; undefined for a new one. */
  record: WireRecord | undefined;
  readOnly?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  /** Belongs to the form. */
  box: FileBox;
  /** Gets the record with its new file, before anything else does. */
  onStored: (record: WireRecord) => void;
}

/**
 * It is no part of what Save sends: content goes to an address of its own, as soon as it is chosen, or once a new record is saved. What is
 * not stored stays chosen, and is sent again by its button or by Save.
 */
export function FormFile({ field, id, collection, record, readOnly, box, onStored, ...described }: FormFileProps) {
  const files = useChosenFiles(box, collection, record);
  const value = readFileValue((record?.[field.name] ?? null) as Value | null);
  const sending = useSending({ field, collection, record, files, onStored });
  const mayUpdate = useMay(collection)("update");
  const { status, shown } = sending;
  const chosen = files.of(field.name);
  if (!record && mayUpdate === false)
    return <p className={styles.none}>{t("Your rights do not let you add a file: it is sent as a change of the new record.")}</p>;
  const mayChange = !readOnly && status === undefined;
  return (
    <FileArea mayDrop={mayChange} onChoose={sending.choose}>
      {value && record && <FileContent {...{ collection, field, value, record }} />}
      {chosen && !status && <ChosenContent chosen={chosen} isNew={!record} />}
      {status ? (
        <Sending {...status} onCancel={sending.cancel} />
      ) : (
        !readOnly && (
          <div className={styles.actions}>
            {chosen?.problem && !chosen.isRefused && record && (
              <button type="button" onClick={() => void sending.send(record)}>
                {t("Try again")}
                <span className={textStyles.hidden}> {chosen.file.name}</span>
              </button>
            )}
            <FileButton
              {...{ id, field }}
              label={value || chosen ? t("Replace…") : t("Choose a file…")}
              describedBy={described["aria-describedby"]}
              input={sending.input}
              onChoose={sending.choose}
            />
            {(value || chosen) && (
              <button type="button" className={buttonStyles.quiet} onClick={sending.remove}>
                {chosen ? t("Leave out") : t("Remove")}
                <span className={textStyles.hidden}> {chosen ? chosen.file.name : field.title}</span>
              </button>
            )}
            {!value && !chosen && field.file && <span className={textStyles.hint}>{describeRules(field.file)}</span>}
          </div>
        )
      )}
      <span className={shown.isWrong ? textStyles.error : textStyles.hidden} role="status">
        {shown.text}
      </span>
    </FileArea>
  );
}

/** Is drawn from the file itself: nothing of it is at the service yet. */
export function ChosenContent({ chosen: { file }, isNew }: { chosen: Chosen; isNew: boolean }) {
  return (
    <div className={styles.content}>
      {isPicture(file.type) && file.size <= MOST_DRAWN && (
        <Picture key={`${file.name} ${file.size} ${file.lastModified}`} name={file.name} read={async () => file} />
      )}
      <span className={styles.name}>
        <bdi>{file.name}</bdi> <span className={textStyles.dim}>{formatBytes(file.size)}</span>
      </span>
      <span className={textStyles.hint}>{isNew ? t("Is stored with Save.") : t("Not stored yet.")}</span>
    </div>
  );
}

interface Status {
  /** Undefined: the stored one is removed. */
  file: File | undefined;
  /** Percent. */
  sent: number;
}

export function Sending({ file, sent, onCancel }: Status & { onCancel: () => void }) {
  const isSent = sent === 100; // a scanner may take its time now
  return (
    <div className={styles.sending}>
      <label>
        <span>
          {!file
            ? t("Removing…")
            : isSent
              ? t("Checking and storing {name}…", { name: file.name })
              : t("Sending {name}…", { name: file.name })}
          {file && !isSent && <span className={styles.percent}> {sent} %</span>}
        </span>
        <progress max={100} value={file && !isSent ? sent : undefined} />
      </label>
      {file && (
        <button type="button" className={buttonStyles.quiet} onClick={onCancel}>
          {t("Cancel")}
          <span className={textStyles.hidden}> {file.name}</span>
        </button>
      )}
    </div>
  );
}

const REFUSED = [400, 413, 415]; // statuses that the same content gets again

type SendingParts = Pick<FormFileProps, "field" | "collection" | "record" | "onStored"> & { files: ChosenFiles };

function useSending({ field, collection, record, files, onStored }: SendingParts) {
  const { client } = useServices();
  const queries = useQueryClient();
  const write = useChangeFile(client, collection, field, onStored);
  const [status, setStatus] = useState<Status>();
  const [wrong, setWrong] = useState<string>();
  const [done, setDone] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const wasFocused = useRef(false);
  const { name } = field;
  const chosen = files.of(name);
  useEffect(() => {
    if (status || !wasFocused.current) return;
    wasFocused.current = false;
    input.current?.focus(); // the button that had the focus went while the file was sent
  }, [status]);
  useEffect(() => () => running.current?.abort(), []);
  useShown(files, name, send);
  useComeToSight(input, chosen?.problem !== undefined);

  function announce(problem: string | undefined, news = ""): void {
    setWrong(problem);
    setDone(news);
  }

  async function send(to: WireRecord): Promise<WireRecord | undefined> {
    const file = files.of(name)?.file;
    return file && change(to, file);
  }

  /** Resolves with the record as it is stored, or with undefined where nothing is. */
  async function change(to: WireRecord, file: File | undefined): Promise<WireRecord | undefined> {
    if (running.current) return undefined;
    const own = new AbortController();
    running.current = own;
    wasFocused.current =
      input.current === document.activeElement || input.current?.parentElement?.contains(document.activeElement) === true;
    announce(undefined);
    setStatus({ file, sent: 0 });
    const onSent = (bytes: number) => setStatus({ file, sent: Math.min(100, Math.floor((100 * bytes) / (file?.size || 1))) });
    try {
      const saved = await write.mutateAsync({ record: to, file, signal: own.signal, onSent });
      return isDone(saved);
    } catch (error) {
      if (own.signal.aborted) return undefined;
      const there = await whereStored(to, file, error);
      if (there) {
        onStored(there);
        return isDone(there);
      }
      if (file) files.choose(name, await failed(field, file, error));
      else announce(messageOf(field, error));
      return undefined;
    } finally {
      running.current = undefined;
      setStatus(undefined);
    }
  }

  function isDone(saved: WireRecord): WireRecord {
    const now = valueIn(saved, field);
    files.choose(name, undefined);
    announce(undefined, now ? t("{name} is stored.", { name: now.name }) : t("The file is removed."));
    return saved;
  }

  /** Finds out, where no answer came or another version is there, whether it is what was sent. */
  async function whereStored(to: WireRecord, file: File | undefined, error: unknown): Promise<WireRecord | undefined> {
    if (!(error instanceof NoReply) && !(error instanceof ApiError && error.status === 412)) return undefined;
    const now = await refetchRecord(queries, client, collection, idOf(collection, to)).catch(() => null);
    return now && now.version > to.version && (await isSameContent(file, valueIn(now, field))) ? now : undefined;
  }

  function choose([file, ...more]: readonly File[]): void {
    if (!file || running.current) return;
    const problem = more.length > 0 ? t("{title} takes one file.", { title: field.title }) : problemOfFile(field, file);
    announce(problem);
    if (problem) return;
    files.choose(name, { file });
    if (record) void change(record, file);
    else announce(undefined, t("{name} is chosen. It is stored with Save.", { name: file.name }));
  }

  function drop(file: File): void {
    files.choose(name, undefined);
    announce(undefined, t("{name} is not stored.", { name: file.name }));
  }

  const milestone = Math.floor((status?.sent ?? 0) / 25) * 25;
  const news = status?.file && milestone > 0 ? t("{name}: {percent} % sent.", { name: status.file.name, percent: milestone }) : done;
  const problem = status ? undefined : (chosen?.problem ?? wrong);
  return {
    status,
    shown: { isWrong: problem !== undefined, text: problem ?? news },
    input,
    choose,
    send,
    remove() {
      input.current?.focus(); // the button goes
      if (chosen) drop(chosen.file);
      else if (record) void change(record, undefined);
    },
    cancel() {
      if (status?.file) drop(status.file);
      running.current?.abort();
      // It may have been stored all the same.
      if (record) void refetchRecord(queries, client, collection, idOf(collection, record)).catch(() => undefined);
    },
  };
}

/** Shows what was not stored in the form before this one. */
export function useComeToSight(input: React.RefObject<HTMLInputElement | null>, isWrong: boolean): void {
  const [isWrongAtFirst] = useState(isWrong);
  useEffect(() => {
    if (!isWrongAtFirst) return;
    input.current?.focus();
    input.current?.parentElement?.scrollIntoView({ block: "center" });
  }, [input, isWrongAtFirst]);
}

function valueIn(record: WireRecord, { name }: Field): FileValue | undefined {
  return readFileValue((record[name] ?? null) as Value | null);
}

/** Says why a file is not stored. */
export async function failed(field: Field, file: File, error: unknown): Promise<Chosen> {
  if (await isUnreadable(file))
    return {
      file,
      problem: t("{name} was changed or removed after it was chosen. Choose it again.", { name: file.name }),
      isRefused: true,
    };
  return { file, problem: messageOf(field, error), isRefused: error instanceof ApiError && REFUSED.includes(error.status) };
}

export function messageOf(field: Field, error: unknown): string {
  if (error instanceof ApiError && error.status === 415 && field.file) return wrongTypeMessage(field.title, field.file);
  return (error as Error).message;
}
