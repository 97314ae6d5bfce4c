// Undo of an upload or a batch run: the confirmation, the progress, and the result.

import { useState } from "react";
import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { countStored, type Outcomes, type Report } from "../../../pipeline/model/outcomes.ts";
import { isWhollyUndone, leftToUndo, type RunSizes } from "../../../pipeline/runs/undo-progress.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useMayIn } from "../../app/services/permissions.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { count } from "../../values/format.ts";
import type { OutcomePart } from "../../values/outcome-bar.tsx";
import type { UndoTarget } from "../manager/upload-manager.ts";
import { ReportedParents } from "./lazy-reported-parents.tsx";
import { FileLine, RunningProgress } from "./running-progress.tsx";
import { useMayBegin } from "./use-may-begin.tsx";

interface UndoButtonProps {
  upload: UndoTarget;
  collection: Collection;
  /** Undefined: it was made on another computer. */
  report?: Pick<Report, "counts" | "parents">;
  /** Holds the sizes as the service's history says; undefined while that is not known. */
  sizes?: RunSizes | undefined;
  /** The counts of an undo that was interrupted. */
  begun?: UndoCounts | undefined;
}

/** Says whether there is something to undo, of which the caller may do all. Without `counts` nobody knows what there is. */
export function useCanUndo(): (collection: string, counts?: Outcomes, begun?: UndoCounts) => boolean {
  const may = useMayIn();
  return (collection, counts, begun) => {
    if (may(collection, "update") === false) return false;
    if (!counts) return true;
    if (counts.created > 0 && may(collection, "delete") === false) return false;
    return countStored(counts) > 0 && (!begun || leftToUndo(counts, begun) > 0 || begun.failed > 0);
  };
}

/** Renders nothing when there is nothing to undo, or the caller may not do all of it. */
export function UndoButton({ upload, collection, report, sizes, begun }: UndoButtonProps) {
  const { uploadManager } = useServices();
  const { collections } = useDictionary();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const { created, updated } = report?.counts ?? { created: 0, updated: 0 };
  const canUndo = useCanUndo();
  const mayBegin = useMayBegin();
  const left = report && begun ? leftToUndo(report.counts, begun) : undefined;
  if (!canUndo(collection.name, report?.counts, begun) || (sizes && isWhollyUndone(sizes))) return null;
  const effects = [
    created > 0 && count(created, "{n} record it created will be deleted", "{n} records it created will be deleted"),
    // It counts changes, not records: several rows may have changed the same one.
    updated > 0 && count(updated, "{n} change it made will be taken back", "{n} changes it made will be taken back"),
  ].filter(Boolean);
  function undo(): void {
    setConfirming(false);
    uploadManager.undo(upload, collection, collections);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => setConfirming(mayBegin())}>
        {t("Undo")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t(upload.isBatchRun ? UNDO_RUN : UNDO_UPLOAD, { name: upload.fileName })}
          confirmLabel={upload.isBatchRun ? t("Undo the batch run") : t("Undo the upload")}
          onConfirm={undo}
          onCancel={() => setConfirming(false)}
        >
          {sentence(left === undefined ? effects.join("; ") : count(left, "{n} row is left to undo", "{n} rows are left to undo"))}
          {!report && sizes && sentence(describeSizes(sizes))}
          {report?.parents && <ReportedParents parents={report.parents} isGoing />}
          {t("Records that someone has changed since stay as they are.")}
        </ConfirmDialog>
      )}
    </>
  );
}

const UNDO_UPLOAD = message("Undo the upload of {name}?");
const UNDO_RUN = message("Undo the batch run {name}?");

/** The service says how many changes they are, and not of which sort. */
function describeSizes({ made, undone }: RunSizes): string {
  const effects = [
    count(
      made,
      "{n} change it made will be taken back: a record it created is deleted, one it changed gets its earlier values",
      "{n} changes it made will be taken back: records it created are deleted, those it changed get their earlier values",
    ),
    undone > 0 && count(undone, "{n} of them is undone already", "{n} of them are undone already"),
  ];
  return effects.filter(Boolean).join("; ");
}

function sentence(words: string): string {
  return words === "" ? "" : `${words}. `;
}

export function undoParts({ reversed, kept, failed }: UndoCounts): OutcomePart[] {
  return [
    { outcome: "undone", label: t("Undone"), count: reversed },
    { outcome: "skipped", label: t("Left alone: changed since"), count: kept },
    { outcome: "failed", label: t("Could not be undone"), count: failed },
  ];
}

interface UndoingStepProps {
  state: Extract<UploadState, { step: "undoing" }>;
  upload: UndoTarget;
}

export function UndoingStep({ state, upload: { fileName, isBatchRun } }: UndoingStepProps) {
  return (
    <>
      <FileLine text={isBatchRun ? t("Undoing the batch run {name}") : t("Undoing the upload of {name}")} fileName={fileName} />
      <RunningProgress progress={state} parts={undoParts(state.counts)} inWords={(n) => t("{n} % undone", { n })} />
    </>
  );
}
