// Undo of an upload: the confirmation, the progress, and the result.

import { useState } from "react";
import type { UndoCounts } from "../../../../core/contract/history.ts";
import type { Collection } from "../../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../../core/i18n/translate.ts";
import { countStored, type Outcomes, type Report } from "../../../../pipeline/model/outcomes.ts";
import { leftToUndo } from "../../../../pipeline/runs/undo-progress.ts";
import type { UploadState } from "../../../../pipeline/runs/upload-state.ts";
import type { StoredUpload } from "../../../../pipeline/sending/journal.ts";
import * as buttonStyles from "../../../components/button.module.css";
import * as formStyles from "../../../components/form.module.css";
import * as noticeStyles from "../../../components/notice.module.css";
import * as outcomeStyles from "../../../components/outcome-bar.module.css";
import { Legend, OutcomeBar, type OutcomePart } from "../../../components/outcome-bar.tsx";
import { Notice } from "../../../components/primitives.tsx";
import * as textStyles from "../../../components/text.module.css";
import { useMayIn } from "../../../context/permissions.ts";
import { useServices } from "../../../context/services.ts";
import { count, formatNumber } from "../../../fields/format.ts";
import { ConfirmDialog } from "../../../navigation/confirm-dialog.tsx";
import { Link } from "../../../router/link.tsx";
import { useNavigate } from "../../../router/router-context.tsx";
import { FileLine, RunningProgress } from "./running-progress.tsx";

interface UndoButtonProps {
  upload: Pick<StoredUpload, "id" | "fileName">;
  collection: Collection;
  /** Undefined: it was made on another computer. */
  report?: Pick<Report, "counts">;
  /** The counts of an undo that was interrupted. */
  begun?: UndoCounts | undefined;
}

/** Whether there is something to undo, of which the caller may do all. Without `counts` nobody knows what there is. */
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
export function UndoButton({ upload, collection, report, begun }: UndoButtonProps) {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const { created, updated } = report?.counts ?? { created: 0, updated: 0 };
  const canUndo = useCanUndo();
  const left = report && begun ? leftToUndo(report.counts, begun) : undefined;
  if (!canUndo(collection.name, report?.counts, begun)) return null;
  const effects = [
    created > 0 && count(created, "{n} record it created will be deleted", "{n} records it created will be deleted"),
    // Not records: several rows may have changed the same one.
    updated > 0 && count(updated, "{n} change it made will be taken back", "{n} changes it made will be taken back"),
  ].filter(Boolean);
  function undo(): void {
    setConfirming(false);
    uploadManager.undo(upload, collection);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => setConfirming(true)}>
        {t("Undo")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("Undo the upload of {name}?", { name: upload.fileName })}
          confirmLabel={t("Undo the upload")}
          onConfirm={undo}
          onCancel={() => setConfirming(false)}
        >
          {sentence(left === undefined ? effects.join("; ") : count(left, "{n} row is left to undo", "{n} rows are left to undo"))}
          {t("Records that someone has changed since stay as they are.")}
        </ConfirmDialog>
      )}
    </>
  );
}

function sentence(words: string): string {
  return words === "" ? "" : `${words}. `;
}

function undoParts({ reversed, kept, failed }: UndoCounts): OutcomePart[] {
  return [
    { outcome: "undone", label: t("Undone"), count: reversed },
    { outcome: "skipped", label: t("Left alone: changed since"), count: kept },
    { outcome: "failed", label: t("Could not be undone"), count: failed },
  ];
}

export function UndoingStep({ state, fileName }: { state: Extract<UploadState, { step: "undoing" }>; fileName: string }) {
  return (
    <>
      <FileLine text={t("Undoing the upload of {name}")} fileName={fileName} />
      <RunningProgress progress={state} parts={undoParts(state.counts)} inWords={(n) => t("{n} % undone", { n })} />
    </>
  );
}

interface UndoneStepProps {
  state: Extract<UploadState, { step: "undone" }>;
  collection: Collection;
  fileName: string;
}

export function UndoneStep({ state: { counts, rowsTotal, ended, why }, collection, fileName }: UndoneStepProps) {
  const { uploadManager } = useServices();
  const parts = undoParts(counts);
  const isPart = ended !== "done";
  return (
    <>
      <FileLine text={t("The upload of {name}")} fileName={fileName} />
      <div className={outcomeStyles.figure}>
        <div className={outcomeStyles.headline}>
          {tCount(counts.reversed, "{n} of {whole} is undone", "{n} of {whole} are undone", {
            n: formatNumber(counts.reversed),
            whole: count(rowsTotal, "{n} row", "{n} rows"),
          })}
        </div>
        <OutcomeBar parts={parts} whole={rowsTotal} />
        <Legend parts={parts} all />
      </div>
      {rowsTotal === 0 && !isPart && (
        <Notice tone="doubt">{t("The service’s history has no changes of this upload, so nothing was undone.")}</Notice>
      )}
      {isPart && (
        <Notice tone="doubt">
          <b>{ended === "cancelled" ? t("You cancelled this undo.") : t("The undo stopped early.")}</b> {why}{" "}
          {t("The rest can be undone later.")}
          <div className={noticeStyles.actions}>
            <button type="button" className={buttonStyles.primary} onClick={() => uploadManager.undo(uploadManager.current(), collection)}>
              {t("Continue")}
            </button>
          </div>
        </Notice>
      )}
      {counts.kept > 0 && (
        <p className={textStyles.dim}>
          {count(
            counts.kept,
            "One record was changed or deleted by someone since the upload; it stays as it is.",
            "{n} records were changed or deleted by someone since the upload; they stay as they are.",
          )}
        </p>
      )}
      <div className={formStyles.savebar}>
        <Link className={isPart ? "button" : buttonStyles.primary} to="/$collection" params={{ collection: collection.name }}>
          {t("Open the list")}
        </Link>
        <button type="button" className={buttonStyles.quiet} onClick={uploadManager.close}>
          {t("Choose another file")}
        </button>
      </div>
    </>
  );
}
