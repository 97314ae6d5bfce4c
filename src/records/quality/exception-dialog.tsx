// Leaves records as they are on purpose though they break a rule, and says why.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Broken, MOST_REASON } from "../../../core/contract/violations.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { setExceptions } from "../../service/broken-records.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { count } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";

interface ExceptionDialogProps {
  collection: Collection;
  rule: Broken;
  ids: readonly number[];
  onDone: () => void;
  onClose: () => void;
}

export function ExceptionDialog({ collection, rule, ids, onDone, onClose }: ExceptionDialogProps) {
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string>();
  const set = useSetExceptions(collection, rule, onDone);

  function submit(): void {
    if (reason.trim() === "") setWrong(t("Say why they are right as they are."));
    else set.mutate({ ids, reason: reason.trim() });
  }

  return (
    <FormDialog
      title={count(ids.length, "Leave {n} {noun} as it is", "Leave {n} {nouns} as they are", nounsOf(collection))}
      submitLabel={t("Leave as it is")}
      isBusy={set.isPending}
      error={set.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={textStyles.note}>{t("They count no longer, until a field changes that the rule reads.")}</p>
      <TextField
        id="exception-reason"
        label={t("Reason")}
        value={reason}
        maxLength={MOST_REASON}
        autoComplete="off"
        autoFocus
        onChange={(next) => {
          setReason(next);
          setWrong(undefined);
        }}
        error={wrong}
      />
    </FormDialog>
  );
}

/** Without a reason the records count again. */
export function useSetExceptions(collection: Collection, rule: Broken, onDone: () => void = () => {}) {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, reason }: { ids: readonly number[]; reason?: string }) => setExceptions(client, collection, rule, ids, reason),
    onSuccess: onDone,
    // It comes after a failure, too: some may have been set.
    onSettled: () => invalidateCollection(queries, collection),
  });
}
