// Lets administrators copy all that is held about a record, and erase it for good.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allows } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { download } from "../../app/services/download.ts";
import { useServices } from "../../app/services/services.ts";
import { useWhileMounted } from "../../app/services/use-is-mounted.ts";
import { historyQuery, readCopy, rewriteFiles, useEraseRecord } from "../../service/history.ts";
import { meQuery } from "../../service/me.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as pageStyles from "../../ui/page.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { useSaveRecord } from "../form/use-save-record.ts";
import * as styles from "./record-history.module.css";

interface RecordErasureProps {
  collection: Collection;
  id: number;
  /** Is the version as the history has it. */
  version: number | undefined;
  onErased: () => void;
}

export function RecordErasure({ collection, id, version, onErased }: RecordErasureProps) {
  const { client, toasts } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { data: past } = useQuery(historyQuery(client, collection, { id, version: version ?? 0 }));
  const [isAsking, setAsking] = useState(false);
  const copy = useMutation({
    mutationFn: () => readCopy(client, collection, id),
    onSuccess: (held) => download(new Blob([JSON.stringify(held, null, 2)], { type: "application/json" }), `${collection.name}-${id}.json`),
    onError: (error) => toasts.show({ message: error.message }),
  });
  const rewrite = useMutation({
    mutationFn: () => rewriteFiles(client),
    onSuccess: () => toasts.show({ message: t("The files are rewritten.") }),
    onError: (error) => toasts.show({ message: error.message }),
  });
  if (!me || !allows(me.scope, "admin")) return null;
  return (
    <div className={`${pageStyles.tools} ${styles.erasure}`}>
      <button type="button" className={buttonStyles.link} aria-disabled={copy.isPending} onClick={() => copy.isPending || copy.mutate()}>
        {t("Save a copy of all that is held")}
      </button>
      {past?.history[0]?.operation === "erased" ? (
        <>
          <p className={textStyles.note}>{t("Erased values may have left bytes in the files. Others wait while they are rewritten.")}</p>
          <button
            type="button"
            className={buttonStyles.link}
            aria-disabled={rewrite.isPending}
            onClick={() => rewrite.isPending || rewrite.mutate()}
          >
            {t("Rewrite the files now")}
          </button>
        </>
      ) : (
        <button type="button" className={`${buttonStyles.quietEnd} ${buttonStyles.danger}`} onClick={() => setAsking(true)}>
          {t("Erase for good…")}
        </button>
      )}
      {isAsking && <EraseDialog collection={collection} id={id} onErased={onErased} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** The id is typed, because nothing brings the record back. */
function EraseDialog({ collection, id, onErased, onClose: close }: Omit<RecordErasureProps, "version"> & { onClose: () => void }) {
  const onClose = useWhileMounted(close);
  const { client, toasts } = useServices();
  const { drafts } = useSaveRecord(collection, id);
  const erase = useEraseRecord(client, collection, id);
  const [typed, setTyped] = useState("");
  const [wasWrong, setWrong] = useState(false);
  const isRight = typed.trim() === String(id);

  function submit(): void {
    setWrong(!isRight);
    if (!isRight) return;
    // It calls mutateAsync, because the page is drawn anew before a callback of mutate would run.
    erase.mutateAsync().then(
      async () => {
        await drafts.clearAll();
        onClose();
        onErased();
        toasts.show({ message: t("Erased for good.") });
      },
      () => undefined, // the dialog shows it
    );
  }

  return (
    <FormDialog
      title={t("Erase this {noun} for good?", { noun: collection.noun })}
      submitLabel={erase.isPending ? t("Erasing…") : t("Erase for good")}
      isDangerous
      isBusy={erase.isPending}
      error={erase.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={textStyles.note}>
        {t(
          "All values and the whole history are removed and cannot be brought back. It stays on record that it was erased, when and by whom.",
        )}{" "}
        {t("Backups that were made before still have it.")}
      </p>
      <TextField
        id="erase-id"
        label={t("Type {id} to erase it", { id })}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        error={wasWrong && !isRight ? t("Type the number {id}.", { id }) : undefined}
      />
    </FormDialog>
  );
}
