// Deletes a record at once and offers undo. If someone else changed it since it was read, shows the change first.

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart, nothing, openedPart } from "../../app/code/lazy-page.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { useIsMounted } from "../../app/services/use-is-mounted.ts";
import { invalidateCollection, refetchRecord } from "../../service/cache-updates.ts";
import { useDeleteRecord, useRestoreRecord } from "../../service/record-writes.ts";
import { idOf } from "../../service/records.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nameOf } from "../../values/record-name.ts";
import { useRelations } from "../../values/references/relations.ts";
import { changedMeanwhile } from "../form/diff.ts";
import { findThere, thereAlready } from "../form/there-already.ts";
import { isOutcomeUnknown } from "../form/use-save-record.ts";
import type { DeleteDependentsProps } from "./delete-dependents.tsx";

const DeleteConflict = lazyPart(() => import("./delete-conflict.tsx"), "DeleteConflict", nothing);

const DeleteDependents = openedPart<"DeleteDependents", DeleteDependentsProps>(
  () => import("./delete-dependents.tsx"),
  "DeleteDependents",
  () => null,
);

export interface DeleteWithUndo {
  /** Deletes the record if it is still in the version that the user sees, and after asking if others depend on it. */
  remove: (seen: WireRecord) => Promise<void>;
  /** The conflict to decide first, if there is one. */
  notice: React.ReactNode;
  /** Shows what depends on the record: the question whether that may go as well, or what is in the way. */
  dialog: React.ReactNode;
}

/** `onDeleted` is called when the record is gone, whoever deleted it, if the page is still there. */
export function useDeleteWithUndo(collection: Collection, onDeleted: () => Promise<void>): DeleteWithUndo {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { mutateAsync: send } = useDeleteRecord(client, collection);
  const offerUndo = useUndoOffer(collection);
  const [changed, setChanged] = useState<{ seen: WireRecord; theirs: WireRecord }>();
  const relations = useRelations(collection);
  const [asking, setAsking] = useState<Pick<DeleteDependentsProps, "record" | "refused">>();
  const isBusy = useRef(false);
  const isHere = useIsMounted();

  async function remove(seen: WireRecord): Promise<void> {
    if (isBusy.current) return;
    if (relations.length > 0) setAsking({ record: seen });
    else await removeNow(seen);
  }

  async function removeNow(seen: WireRecord): Promise<void> {
    isBusy.current = true;
    setChanged(undefined);
    setAsking(undefined);
    try {
      await send(seen);
      await onRemoved(seen);
    } catch (error) {
      await onError(seen, error as Error);
    } finally {
      isBusy.current = false;
    }
  }

  async function onError(seen: WireRecord, error: Error): Promise<void> {
    const isOutdated = error instanceof ApiError && (error.status === 412 || error.status === 404);
    const onNotDeleted = () => toasts.show({ message: `${t("Not deleted.")} ${error.message}` });
    if (error instanceof ApiError && error.code === "IN_USE") return setAsking({ record: seen, refused: error.message });
    if (!isOutdated && !isOutcomeUnknown(error)) return onNotDeleted();
    let stored: WireRecord | null;
    try {
      stored = await refetchRecord(queries, client, collection, idOf(collection, seen));
    } catch {
      return toasts.show({ message: `${t("It is not clear whether this was deleted; Delete checks it.")} ${error.message}` });
    }
    if (stored) return stored.version === seen.version ? onNotDeleted() : setChanged({ seen, theirs: stored });
    await invalidateCollection(queries, collection);
    await onRemoved(seen);
  }

  async function onRemoved(seen: WireRecord): Promise<void> {
    offerUndo(seen);
    if (isHere()) await onDeleted();
  }

  const notice = changed && (
    <DeleteConflict
      collection={collection}
      {...changed}
      onDelete={() => {
        setChanged(undefined);
        return remove(changed.theirs);
      }}
      onKeep={() => {
        setChanged(undefined);
        document.querySelector("h1")?.focus(); // the button that had it is gone
      }}
    />
  );
  const dialog = asking && (
    <DeleteDependents
      collection={collection}
      relations={relations}
      {...asking}
      onDelete={() => removeNow(asking.record)}
      onCancel={() => setAsking(undefined)}
    />
  );
  return { remove, notice, dialog };
}

/** The returned function says that a record is deleted, with a button that restores it. */
function useUndoOffer(collection: Collection): (deleted: WireRecord) => void {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const restore = useRestoreRecord(client, collection);
  const navigate = useNavigate();
  const may = useMay(collection);
  return (deleted) => {
    const name = nameOf(collection, deleted);
    // It calls mutateAsync, because the callbacks of mutate do not run after this page has unmounted.
    const undo = () => restore.mutateAsync(deleted).then(onRestored, onRestoreFailed);
    const action = { label: t("Undo"), isUndo: true, undoes: t("{name} is deleted.", { name }), run: undo } as const;
    const onRestored = () => toasts.show({ message: <NameInSentence name={name} text={t("{name} is restored.")} /> });
    const show = () =>
      void navigate({ to: "/$collection/$id", params: { collection: collection.name, id: String(idOf(collection, deleted)) } });
    async function onRestoreFailed(error: Error): Promise<void> {
      // An earlier undo without a reply may have restored it already.
      const there = await findThere(queries, client, collection, idOf(collection, deleted), error);
      if (there && changedMeanwhile(collection, deleted, there, deleted).length === 0) onRestored();
      else if (there) toasts.show({ message: `${t("Not restored.")} ${thereAlready(there)}`, action: { label: t("Open it"), run: show } });
      else toasts.show({ message: `${t("Not restored.")} ${error.message}`, ...(there === undefined && { action }) });
    }
    toasts.show({ message: <NameInSentence name={name} text={t("{name} is deleted.")} />, ...(may("create") !== false && { action }) });
  };
}
