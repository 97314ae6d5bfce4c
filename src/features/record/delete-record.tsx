// Deleting a record at once, with undo; when someone else changed it since it was read, first what changed, and then all the same.

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { forgetCollection, readRecordNow } from "../../api/cache-updates.ts";
import { useDeleteRecord, useRestoreRecord } from "../../api/record-writes.ts";
import { idOf } from "../../api/records.ts";
import { useServices } from "../../context/services.ts";
import { shownText, textOf } from "../../fields/field-text.ts";
import { nameOf } from "../../fields/record-name.ts";
import { RecordNameText } from "../../fields/record-name-text.tsx";
import { changedMeanwhile } from "./form/diff.ts";
import { isUnknown } from "./use-save-record.ts";

export interface Deleting {
  /** Deletes the version that the user sees, and no other. */
  remove: (seen: WireRecord) => Promise<void>;
  /** What to decide first, if anything. */
  notice: React.ReactNode;
}

/** `onDeleted` is told when the record is gone, whoever deleted it. */
export function useDeleting(collection: Collection, onDeleted: () => Promise<void>): Deleting {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { mutateAsync: send } = useDeleteRecord(client, collection);
  const restore = useRestoreRecord(client, collection);
  const [changed, setChanged] = useState<{ seen: WireRecord; theirs: WireRecord }>();
  const isBusy = useRef(false);

  async function remove(seen: WireRecord): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setChanged(undefined);
    try {
      await send(seen);
      await deleted(seen);
    } catch (error) {
      await refused(seen, error as Error);
    } finally {
      isBusy.current = false;
    }
  }

  async function refused(seen: WireRecord, error: Error): Promise<void> {
    const isMoved = error instanceof ApiError && (error.status === 412 || error.status === 404);
    const not = () => toasts.show({ message: `${t("Not deleted.")} ${error.message}` });
    if (!isMoved && !isUnknown(error)) return not();
    let held: WireRecord | null;
    try {
      held = await readRecordNow(queries, client, collection, idOf(collection, seen));
    } catch {
      return toasts.show({ message: `${t("It is not known whether this is deleted; Delete finds out.")} ${error.message}` });
    }
    if (held) return held.version === seen.version ? not() : setChanged({ seen, theirs: held });
    await forgetCollection(queries, collection);
    await deleted(seen);
  }

  async function deleted(seen: WireRecord): Promise<void> {
    const name = nameOf(collection, seen);
    // mutateAsync: by the time someone undoes, this page is gone, and with it the callbacks of mutate.
    const undo = () => restore.mutateAsync(seen).then(isBack, notBack);
    const again = { label: t("Undo"), run: undo };
    const isBack = () => toasts.show({ message: <RecordNameText name={name} text={t("{name} is back.")} /> });
    async function notBack(error: Error): Promise<void> {
      // One that got no answer may have been done; then the next one finds it there.
      const isThere = error instanceof ApiError && error.status === 412;
      const held = isThere ? await readRecordNow(queries, client, collection, idOf(collection, seen)).catch(() => null) : null;
      if (held && changedMeanwhile(collection, seen, held, seen).length === 0) isBack();
      else toasts.show({ message: error.message, ...(!isThere && { action: again }) });
    }
    toasts.show({ message: <RecordNameText name={name} text={t("{name} is deleted.")} />, action: again });
    await onDeleted();
  }

  const notice = changed && (
    <ChangedFirst
      collection={collection}
      {...changed}
      onDelete={() => remove(changed.theirs)}
      onSave={() => {
        setChanged(undefined);
        document.querySelector("h1")?.focus(); // the button that had it is gone
      }}
    />
  );
  return { remove, notice };
}

interface ChangedFirstProps {
  collection: Collection;
  seen: WireRecord;
  theirs: WireRecord;
  onDelete: () => void;
  onSave: () => void;
}

function ChangedFirst({ collection, seen, theirs, onDelete, onSave }: ChangedFirstProps) {
  const note: RefObject<HTMLDivElement | null> = useRef(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <div className="note doubt" role="alert" tabIndex={-1} ref={note}>
      <b>{t("This is not deleted yet: someone else changed this {noun} since you opened it.", { noun: collection.noun })}</b>
      <table className="merge" aria-label={t("What changed")}>
        <thead>
          <tr>
            <th>{t("Field")}</th>
            <th>{t("It was")}</th>
            <th>{t("It is now")}</th>
          </tr>
        </thead>
        <tbody>
          {changedMeanwhile(collection, seen, theirs, seen).map(({ field, was, theirs: now }) => (
            <tr key={field.name}>
              <th scope="row">{field.title}</th>
              <td data-label={t("It was")}>
                <bdi>{shownText(field, textOf(field, was))}</bdi>
              </td>
              <td data-label={t("It is now")}>
                <bdi>{shownText(field, textOf(field, now))}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="actions">
        <button type="button" className="button danger" onClick={onDelete}>
          {t("Delete anyway")}
        </button>
        <button type="button" className="button quiet" onClick={onSave}>
          {t("Keep it")}
        </button>
      </div>
    </div>
  );
}
