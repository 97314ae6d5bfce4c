// Asks before signing out loses work. Loaded when it is needed.

import { useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { isOf } from "../../browser/person.ts";
import { type Draft, openDrafts, placeOfKey, withRights } from "../../records/drafts/draft-store.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import { ConfirmDialog } from "../navigation/confirm-dialog.tsx";
import { useDictionary, useServices } from "../services/services.ts";

interface SignOutDialogProps {
  /** Says what would be lost. */
  asking: "upload" | "unsaved";
  /** Percent of the running upload. */
  progress: number | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

export function SignOutDialog({ asking, progress, ...actions }: SignOutDialogProps) {
  if (asking === "unsaved") {
    return (
      <ConfirmDialog title={t("Sign out without saving?")} confirmLabel={t("Sign out")} {...actions}>
        {t("What you typed is not saved yet. Signing out deletes it from this computer.")} <Unsaved />
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog title={t("Stop the upload and sign out?")} confirmLabel={t("Stop and sign out")} {...actions}>
      {progress !== undefined && `${t("The upload is at {n} %.", { n: progress })} `}
      {t("Rows already stored are kept, and the report is under Uploads.")}
    </ConfirmDialog>
  );
}

const MOST_NAMED = 5; // records

/** Names the records that the unsaved texts belong to, also those of other tabs. */
function Unsaved() {
  const { collections, rights } = useDictionary();
  const person = useServices().uploadManager.person();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  useEffect(
    () =>
      void openDrafts(() => true)
        .all()
        .then(setDrafts),
    [],
  );
  const own = [...drafts].filter(([key]) => isOf(person, key));
  const names = own.flatMap(([key, draft]) => {
    const { collection: name, id } = placeOfKey(key);
    const collection = collections.find((one) => one.name === name);
    const base = collection && withRights(collection, draft, rights).base;
    if (collection && !base && id !== undefined) return `${collection.noun} ${id}`; // it may be one that they do not see any more
    return collection ? (base ? nameOf(collection, base) : t("{noun} (new)", nounsOf(collection))) : [];
  });
  const different = [...new Set(names)];
  if (different.length === 0) return null;
  const shown = different.slice(0, MOST_NAMED).join(", ");
  const n = different.length - MOST_NAMED;
  return n > 0 ? t("Not saved: {names}, and {n} more.", { names: shown, n }) : t("Not saved: {names}.", { names: shown });
}
