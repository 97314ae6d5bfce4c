import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { deleteRecord } from "../../../client/write-records.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import { type DeletedRecord, restoreDeleted } from "../../service/history.ts";
import { idOf } from "../../service/records.ts";
import type { ToastAction } from "../../ui/toasts.tsx";
import { count } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { findThere, thereAlready } from "../form/there-already.ts";

export interface Failure {
  id: number;
  name: string;
  why: string;
  isThere: boolean;
}

/**
 * Brings deleted records back, one after the other, and offers to undo that. A record that somebody brought back, or made anew under
 * its key, meanwhile stays as it is.
 */
export function useBringBack(collection: Collection) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);

  async function bringBack(records: readonly DeletedRecord[]): Promise<void> {
    setBusy(true);
    const back: WireRecord[] = [];
    const failed: Failure[] = [];
    for (const record of records) {
      const [id, name] = [idOf(collection, record), nameOf(collection, record)];
      // The version of a deletion is one above that of the record.
      await restoreDeleted(client, collection, id, record.version - 1).then(
        (restored) => back.push(restored),
        async (error: Error) => {
          const there = await findThere(queries, client, collection, id, error);
          failed.push({ id, name, why: there ? thereAlready(there) : error.message, isThere: Boolean(there) });
        },
      );
    }
    setFailures(failed);
    setBusy(false);
    await invalidateCollection(queries, collection);
    if (back.length > 0) offerUndo(back);
  }

  function offerUndo(back: readonly WireRecord[]): void {
    const [only] = back;
    const name = back.length === 1 && only ? nameOf(collection, only) : undefined;
    const undoes = name ? t("{name} is restored.", { name }) : count(back.length, "{n} record is restored.", "{n} records are restored.");
    const message = name ? <NameInSentence name={name} text={t("{name} is restored.")} /> : undoes;
    toasts.show({ message, action: undoOf(back, undoes) });
  }

  function undoOf(back: readonly WireRecord[], undoes: string): ToastAction {
    return { label: t("Undo"), isUndo: true, undoes, run: () => void deleteAgain(back, undoes) };
  }

  async function deleteAgain(back: readonly WireRecord[], undoes: string): Promise<void> {
    const open: WireRecord[] = []; // they may be tried again: what is deleted already stays so
    let left = 0;
    let why = "";
    for (const record of back) {
      const seen = { id: idOf(collection, record), version: record.version };
      await deleteRecord(client, collection.name, seen).catch((error: Error) => {
        if (error instanceof ApiError && error.status === 412) left++;
        else {
          open.push(record);
          why = error.message;
        }
      });
    }
    await invalidateCollection(queries, collection);
    const message = [
      count(back.length - left - open.length, "{n} record is deleted again.", "{n} records are deleted again."),
      left > 0 && count(left, "{n} was changed since and stays.", "{n} were changed since and stay."),
      open.length > 0 && `${t("Not deleted.")} ${why}`,
    ];
    toasts.show({ message: message.filter(Boolean).join(" "), ...(open.length > 0 && { action: undoOf(open, undoes) }) });
  }

  return { bringBack, isBusy, failures };
}
