import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteRecord } from "../../../client/write-records.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { invalidateCollection } from "../../api/cache-updates.ts";
import { type DeletedRecord, restoreDeleted } from "../../api/history.ts";
import { idOf } from "../../api/records.ts";
import { useServices } from "../../context/services.ts";
import { count } from "../../fields/format.ts";
import { nameOf } from "../../fields/record-name.ts";
import { RecordNameText } from "../../fields/record-name-text.tsx";

interface Failure {
  id: number;
  name: string;
  why: string;
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
        (error: Error) => failed.push({ id, name, why: error.message }),
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
    const message = name ? <RecordNameText name={name} text={t("{name} is restored.")} /> : undoes;
    toasts.show({ message, action: { label: t("Undo"), isUndo: true, undoes, run: () => void deleteAgain(back) } });
  }

  async function deleteAgain(back: readonly WireRecord[]): Promise<void> {
    let left = 0;
    for (const record of back) {
      const seen = { id: idOf(collection, record), version: record.version };
      await deleteRecord(client, collection.name, seen).catch(() => left++);
    }
    await invalidateCollection(queries, collection);
    const done = count(back.length - left, "{n} record is deleted again.", "{n} records are deleted again.");
    toasts.show({
      message: left === 0 ? done : `${done} ${count(left, "{n} was changed since and stays.", "{n} were changed since and stay.")}`,
    });
  }

  return { bringBack, isBusy, failures };
}
